//! Microphones: opening one, watching it, losing it.

mod device;
pub(crate) mod listing;
mod presence;
pub(crate) mod ring;
pub(crate) mod sample;
pub(crate) mod server_echo;

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use crate::settings::{AudioHost, SpeechSettings};
use crate::stream_thread::{KeepsOpen, StreamThreadError, StreamThreads, UntilDropped};
use device::Opened;
use presence::Presence;
use ring::{RingProgress, RingReader};

/// A microphone may deliver nothing for this long.
const SILENT_PATIENCE: Duration = Duration::from_secs(2);

/// A microphone's progress is looked at this often.
const LOOK: Duration = Duration::from_millis(250);

/// Every so many times it is also asked whether it is still there.
const PRESENCE: u32 = 4;

/// Says why no microphone was opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpenMicrophoneError {
    /// No sound system has a microphone.
    #[error(
        "failed to open a microphone ({tried}): plug one in, start the sound server, or name a device that exists"
    )]
    NotFound { tried: String },
    /// The sound system does not answer.
    #[error(
        "failed to open a microphone: the sound system has not answered for 10 s, restart the sound server"
    )]
    Hangs,
    /// The system has no thread left.
    #[error("failed to open a microphone: the system gives no thread ({reason})")]
    NoThread { reason: String },
}

impl From<StreamThreadError> for OpenMicrophoneError {
    fn from(error: StreamThreadError) -> Self {
        match error {
            StreamThreadError::Hangs => Self::Hangs,
            StreamThreadError::NoThread { reason } => Self::NoThread { reason },
        }
    }
}

/// Says what to open.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) host: AudioHost,
    pub(crate) device: Option<String>,
    /// Says whether a microphone without echoes is taken where none is named.
    pub(crate) without_echo: bool,
    /// The microphone that the sound server makes of another one without echo, if that is wanted.
    pub(crate) cancelled: Option<String>,
}

impl Choice {
    /// Reads it from the settings of an ear.
    pub(crate) fn of(settings: &SpeechSettings) -> Self {
        Self {
            host: settings.host,
            device: settings.device.clone(),
            without_echo: settings.without_echo,
            cancelled: None,
        }
    }
}

/// Opens microphones and remembers what it must between them.
#[derive(Debug)]
pub(crate) struct Microphones {
    choice: Choice,
    threads: StreamThreads,
}

/// An open microphone; dropping it closes it.
#[derive(Debug)]
pub(crate) struct Microphone {
    pub(crate) name: String,
    /// Says whether it is what a loudspeaker plays.
    pub(crate) is_monitor: bool,
    pub(crate) rate: u32,
    /// The samples, until the listener has taken them.
    pub(crate) samples: Option<RingReader>,
    progress: RingProgress,
    failed: mpsc::Receiver<String>,
    /// Watches a source of a sound server; absent for other microphones.
    presence: Option<Presence>,
    _keeps_open: KeepsOpen,
}

impl Microphones {
    pub(crate) fn new(choice: Choice) -> Self {
        Self {
            choice,
            threads: StreamThreads::default(),
        }
    }

    pub(crate) async fn open(&mut self) -> Result<Microphone, OpenMicrophoneError> {
        let mut choice = self.choice.clone();
        if choice.device.is_none() && choice.without_echo {
            choice.cancelled = server_echo::source(choice.host).await;
        }
        let open = move || device::open(&choice);
        let (opened, keeps_open) = self
            .threads
            .open("loquat-capture", open, UntilDropped::wait)
            .await?;
        let Opened {
            name,
            is_monitor,
            rate,
            samples,
            failed,
            host,
            presence,
        } = opened;
        if host == AudioHost::PulseAudio {
            // While the sound server restarts, taking the card from ALSA would keep the server from getting it back.
            self.choice.host = AudioHost::PulseAudio;
        }
        let progress = samples.progress();
        Ok(Microphone {
            name,
            is_monitor,
            rate,
            samples: Some(samples),
            progress,
            failed,
            presence,
            _keeps_open: keeps_open,
        })
    }
}

impl Microphone {
    /// Waits until the microphone is lost, and says how. Cancel safe.
    pub(crate) async fn lost(&mut self) -> String {
        let (mut written, mut since) = (self.progress.written(), Instant::now());
        for look in 1_u32.. {
            tokio::select! {
                biased;
                Some(failure) = self.failed.recv() => return failure,
                () = sleep(LOOK) => {}
            }
            let now = self.progress.written();
            if now != written {
                (written, since) = (now, Instant::now());
            } else if since.elapsed() >= SILENT_PATIENCE {
                break;
            }
            if look.is_multiple_of(PRESENCE)
                && let Some(presence) = &self.presence
                && presence.is_gone().await
            {
                return "it was unplugged".into();
            }
        }
        "no sound has arrived for 2 s".into()
    }
}
