//! Microphones: opening one, watching it, losing it.
//!
//! A stream is built and dropped on a thread of its own, because with a sound server that hangs both may never return.
//! Such a thread is left behind; there may be a few, and while there are too many nothing is opened.

mod device;
pub(crate) mod listing;
mod presence;
pub(crate) mod ring;
mod wanted;

use std::sync::Arc;
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

use crate::settings::AudioHost;
use device::Opened;
use presence::Presence;
use ring::{RingProgress, RingReader};

/// How long opening may take; a sound server that has to start needs a second or two.
const OPEN_PATIENCE: Duration = Duration::from_secs(10);

/// How long a microphone may deliver nothing.
const SILENT_PATIENCE: Duration = Duration::from_secs(2);

/// How often a microphone's progress is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Every so many times it is also asked whether it is still there.
const PRESENCE: u32 = 4;

/// Threads that may hang in a sound system at the same time.
const STUCK: usize = 4;

/// Why no microphone was opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpenMicrophoneError {
    /// No sound system has one.
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

/// What to open.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) host: AudioHost,
    pub(crate) device: Option<String>,
}

/// Opens microphones and remembers what it must between them.
#[derive(Debug)]
pub(crate) struct Microphones {
    choice: Choice,
    /// Held by every thread that is still in a sound system.
    threads: Arc<()>,
}

/// An open microphone; dropping it closes it.
#[derive(Debug)]
pub(crate) struct Microphone {
    pub(crate) name: String,
    /// Whether it is what a loudspeaker plays.
    pub(crate) is_monitor: bool,
    pub(crate) rate: u32,
    /// The samples; taken by the listener.
    pub(crate) samples: Option<RingReader>,
    progress: RingProgress,
    failed: mpsc::Receiver<String>,
    /// Of a source of a sound server.
    presence: Option<Presence>,
    /// Its thread waits for the other end; nothing is ever sent.
    _closes_when_dropped: std_mpsc::Sender<()>,
}

impl Microphones {
    pub(crate) fn new(choice: Choice) -> Self {
        Self {
            choice,
            threads: Arc::new(()),
        }
    }

    /// Opens the microphone that was chosen.
    pub(crate) async fn open(&mut self) -> Result<Microphone, OpenMicrophoneError> {
        if Arc::strong_count(&self.threads) > STUCK {
            return Err(OpenMicrophoneError::Hangs);
        }
        let (closes_when_dropped, close) = std_mpsc::channel();
        let (opened, outcome) = oneshot::channel();
        let (choice, in_thread) = (self.choice.clone(), Arc::clone(&self.threads));
        std::thread::Builder::new()
            .name("loquat-capture".into())
            .spawn(move || {
                hold(&choice, opened, &close);
                drop(in_thread);
            })
            .map_err(|error| OpenMicrophoneError::NoThread {
                reason: error.to_string(),
            })?;
        let Ok(Ok(outcome)) = timeout(OPEN_PATIENCE, outcome).await else {
            return Err(OpenMicrophoneError::Hangs);
        };
        let Opened {
            name,
            is_monitor,
            rate,
            samples,
            failed,
            host,
            presence,
        } = outcome?;
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
            _closes_when_dropped: closes_when_dropped,
        })
    }
}

/// The thread: opens the stream, and holds it until the microphone is dropped.
fn hold(
    choice: &Choice,
    opened: oneshot::Sender<Result<Opened, OpenMicrophoneError>>,
    close: &std_mpsc::Receiver<()>,
) {
    // libasound writes its complaints to standard error unless told otherwise, which is per thread.
    let _chatter = alsa::Output::local_error_handler();
    match device::open(choice) {
        Ok((stream, sound)) => {
            if opened.send(Ok(sound)).is_ok() {
                // Ends with an error when the other end is dropped, which is the signal.
                let _closed = close.recv();
            }
            drop(stream);
        }
        Err(error) => drop(opened.send(Err(error))),
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
