//! Plays sound on a loudspeaker: opening one, filling it, falling silent, losing it.
//!
//! One sound at a time; the next waits for its turn. The device is opened when there is something to play, stays open for a
//! while, and is opened anew at the next sound once it was lost. Nothing here knows what the sound says.

mod device;
mod far_end;
mod hearing;
mod queue;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::time::{Instant, sleep};

use self::device::Opened;
pub use self::far_end::{FarEndReader, FarEndWriter, Played, far_end};
pub use self::hearing::Hearing;
use self::queue::Progress;
use crate::SAMPLE_RATE;
use crate::resample::{Resampler, UnusableRate};
use crate::settings::AudioHost;
use crate::stream_thread::{KeepsOpen, StreamThreadError, StreamThreads};

/// The device's progress is looked at this often: its callback may wake no one, since waking can wait.
const LOOK: Duration = Duration::from_millis(10);

/// A device may ask for nothing for this long.
const STILL_PATIENCE: Duration = Duration::from_secs(2);

/// A device stays open without a sound for this long: enough for the next sentence, and others want it too.
const KEPT_OPEN: Duration = Duration::from_secs(5);

/// This often it is looked whether the device is still used.
const LOOK_FOR_USE: Duration = Duration::from_millis(500);

/// Says where sound is played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaybackSettings {
    /// The sound system.
    pub host: AudioHost,
    /// The output device, by id, by a pattern with `*` and `?`, or by a part of its name; the system's default when absent.
    pub device: Option<String>,
}

/// Says why no loudspeaker was opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenLoudspeakerError {
    /// No sound system has a loudspeaker.
    #[error(
        "failed to open a loudspeaker ({tried}): plug one in, start the sound server, or name a device that exists"
    )]
    NotFound {
        /// Names the sound systems, and what each said.
        tried: String,
    },
    /// The sound system does not answer.
    #[error(
        "failed to open a loudspeaker: the sound system has not answered for 10 s, restart the sound server"
    )]
    Hangs,
    /// The system has no thread left.
    #[error("failed to open a loudspeaker: the system gives no thread ({reason})")]
    NoThread {
        /// The error of the operating system.
        reason: String,
    },
}

impl From<StreamThreadError> for OpenLoudspeakerError {
    fn from(error: StreamThreadError) -> Self {
        match error {
            StreamThreadError::Hangs => Self::Hangs,
            StreamThreadError::NoThread { reason } => Self::NoThread { reason },
        }
    }
}

/// Says why a sound was not played to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There is no loudspeaker now; the next sound looks for one again.
    #[error(transparent)]
    Unavailable(#[from] OpenLoudspeakerError),
    /// The loudspeaker was lost; the next sound looks for one again.
    #[error("failed to play to the end: lost the loudspeaker {device} ({reason})")]
    Lost {
        /// The name of the device.
        device: String,
        /// Says how it was lost.
        reason: String,
    },
    /// The sound has a rate that no sound has.
    #[error("failed to play sound of {rate} Hz: rates from 4000 to 384000 Hz are understood")]
    Rate {
        /// The rate that was named.
        rate: u32,
    },
    /// It was silenced.
    #[error("the sound was silenced")]
    Stopped,
}

/// Plays. Clones are one.
#[derive(Debug, Clone)]
pub struct Player {
    control: Arc<Mutex<Control>>,
    loudspeaker: Arc<tokio::sync::Mutex<Loudspeaker>>,
}

/// Silences the sound.
#[derive(Debug, Default)]
struct Control {
    stops: u64,
    progress: Option<Arc<Progress>>,
}

impl Player {
    /// Makes a player on this device, which tells the far end what it plays. Opens nothing yet.
    pub fn new(settings: PlaybackSettings, far_end: Option<FarEndWriter>) -> Self {
        let loudspeaker = Loudspeaker {
            settings,
            threads: StreamThreads::default(),
            far_end,
            output: None,
        };
        Self {
            control: Arc::default(),
            loudspeaker: Arc::new(tokio::sync::Mutex::new(loudspeaker)),
        }
    }

    /// Begins a sound: waits until those before it have ended, and opens the device. Cancel safe.
    pub async fn begin(&self) -> Result<Playing, PlayError> {
        let stops = self.control.lock().stops;
        let mut loudspeaker = Arc::clone(&self.loudspeaker).lock_owned().await;
        let progress = Arc::clone(loudspeaker.open().await?.opened.supply.progress());
        let is_stopped = {
            let mut control = self.control.lock();
            control.progress = Some(Arc::clone(&progress));
            control.stops != stops
        };
        let playing = Playing {
            loudspeaker,
            control: Arc::clone(&self.control),
            stops,
            hearing: Hearing::from_now(&progress),
            still: Still::new(&progress),
            progress,
            tuning: None,
            waiting: Waiting::default(),
        };
        if is_stopped {
            return Err(PlayError::Stopped);
        }
        Ok(playing)
    }

    /// Silences what is played and what waits for its turn: nothing more is handed to the device from its next callback on,
    /// which is heard within 100 ms. Every sound begun before ends with [`PlayError::Stopped`].
    pub fn stop(&self) {
        let mut control = self.control.lock();
        control.stops += 1;
        if let Some(progress) = &control.progress {
            progress.leave_out();
        }
    }
}

/// The device, open or not.
#[derive(Debug)]
struct Loudspeaker {
    settings: PlaybackSettings,
    threads: StreamThreads,
    far_end: Option<FarEndWriter>,
    output: Option<Output>,
}

#[derive(Debug)]
struct Output {
    opened: Opened,
    lease: Arc<Mutex<Lease>>,
    _keeps_open: KeepsOpen,
}

/// Says whether an open device is used. The playback thread closes one that is not.
#[derive(Debug)]
enum Lease {
    Used,
    UnusedSince(Instant),
    Closed,
}

impl Lease {
    /// Uses the device, unless it is closed already.
    fn begin(&mut self) -> bool {
        let is_open = !matches!(self, Self::Closed);
        if is_open {
            *self = Self::Used;
        }
        is_open
    }

    fn end(&mut self) {
        if matches!(self, Self::Used) {
            *self = Self::UnusedSince(Instant::now());
        }
    }

    /// Closes the device if it was not used for a while.
    fn has_expired(&mut self) -> bool {
        if matches!(self, Self::UnusedSince(since) if since.elapsed() >= KEPT_OPEN) {
            *self = Self::Closed;
        }
        matches!(self, Self::Closed)
    }
}

impl Loudspeaker {
    /// The device, opened if it is not open or was lost.
    async fn open(&mut self) -> Result<&mut Output, OpenLoudspeakerError> {
        if !self.output.as_mut().is_some_and(Output::use_again) {
            self.output = None;
            let output = self.open_anew().await?;
            if output.opened.host == AudioHost::PulseAudio {
                // While the sound server restarts, taking the card from ALSA would keep the server from getting it back.
                self.settings.host = AudioHost::PulseAudio;
            }
            tracing::info!(
                device = output.opened.name,
                rate = output.opened.rate,
                "loudspeaker opened"
            );
            self.output = Some(output);
        }
        self.output.as_mut().ok_or(OpenLoudspeakerError::Hangs)
    }

    async fn open_anew(&mut self) -> Result<Output, OpenLoudspeakerError> {
        let (settings, far_end) = (
            self.settings.clone(),
            self.far_end.as_ref().map(FarEndWriter::next),
        );
        let lease = Arc::new(Mutex::new(Lease::Used));
        let in_thread = Arc::clone(&lease);
        let open = move || device::open(&settings, far_end.as_ref());
        let opening = self.threads.open("loquat-playback", open, move |until| {
            while !until.within(LOOK_FOR_USE) && !in_thread.lock().has_expired() {}
        });
        let (opened, keeps_open) = opening.await?;
        Ok(Output {
            opened,
            lease,
            _keeps_open: keeps_open,
        })
    }
}

impl Output {
    fn use_again(&mut self) -> bool {
        matches!(self.opened.failed.try_recv(), Err(TryRecvError::Empty)) && self.lease.lock().begin()
    }
}

/// Brings sound of one rate to that of the device and to that of the far end.
#[derive(Debug)]
struct Tuning {
    rate: u32,
    device: Resampler,
    far: Resampler,
}

/// Sound that is ready and does not fit into the queue yet.
#[derive(Debug, Default)]
struct Waiting {
    device: Vec<f32>,
    far: Vec<f32>,
}

/// A device that asks for nothing any more is lost, whatever the sound system says.
#[derive(Debug)]
struct Still {
    asked: u64,
    since: Instant,
}

impl Still {
    fn new(progress: &Progress) -> Self {
        Self {
            asked: progress.asked(),
            since: Instant::now(),
        }
    }

    fn for_too_long(&mut self, progress: &Progress) -> bool {
        if progress.asked() != self.asked {
            *self = Self::new(progress);
        }
        self.since.elapsed() >= STILL_PATIENCE
    }
}

/// A sound that is being played. Dropped before its [`finish`](Self::finish) it is silenced.
#[derive(Debug)]
pub struct Playing {
    loudspeaker: OwnedMutexGuard<Loudspeaker>,
    control: Arc<Mutex<Control>>,
    stops: u64,
    progress: Arc<Progress>,
    hearing: Hearing,
    still: Still,
    tuning: Option<Tuning>,
    waiting: Waiting,
}

impl Playing {
    /// Names the device that plays it.
    pub fn device(&self) -> &str {
        let output = self.loudspeaker.output.as_ref();
        output.map_or("", |output| &output.opened.name)
    }

    /// Tells how much of it has been heard. It may be asked elsewhere, and later.
    pub fn hearing(&self) -> Hearing {
        self.hearing.clone()
    }

    /// Appends samples of this rate, mono and between −1 and 1, and waits while a second of sound is ahead of the device.
    /// Cancel safe: what was given is played by the next call.
    pub async fn write(&mut self, rate: u32, samples: &[f32]) -> Result<(), PlayError> {
        self.tune(rate)?;
        if let Some(tuning) = &mut self.tuning {
            tuning.device.feed(samples, &mut self.waiting.device);
            tuning.far.feed(samples, &mut self.waiting.far);
        }
        self.hand_over().await
    }

    /// Waits until all of it has been heard. Cancel safe.
    pub async fn finish(&mut self) -> Result<(), PlayError> {
        self.end_tuning();
        self.hand_over().await?;
        let end = self.progress.given();
        while !self.progress.has_taken(end) || self.progress.unheard() > 0 {
            self.check()?;
            sleep(LOOK).await;
        }
        self.check()
    }

    fn tune(&mut self, rate: u32) -> Result<(), PlayError> {
        if self.tuning.as_ref().is_some_and(|tuning| tuning.rate == rate) {
            return Ok(());
        }
        self.end_tuning();
        let Some(output) = &self.loudspeaker.output else {
            return Ok(());
        };
        let unusable = |UnusableRate { .. }| PlayError::Rate { rate };
        self.tuning = Some(Tuning {
            rate,
            device: Resampler::between(rate, output.opened.rate).map_err(unusable)?,
            far: Resampler::between(rate, SAMPLE_RATE).map_err(unusable)?,
        });
        Ok(())
    }

    /// Plays what the resamplers still hold.
    fn end_tuning(&mut self) {
        if let Some(mut tuning) = self.tuning.take() {
            tuning.device.finish(&mut self.waiting.device);
            tuning.far.finish(&mut self.waiting.far);
        }
    }

    async fn hand_over(&mut self) -> Result<(), PlayError> {
        loop {
            self.check()?;
            if self.give()? {
                return Ok(());
            }
            sleep(LOOK).await;
        }
    }

    /// Gives what fits, unless it was silenced; says whether that was all.
    fn give(&mut self) -> Result<bool, PlayError> {
        let control = self.control.lock();
        if control.stops != self.stops {
            return Err(PlayError::Stopped);
        }
        let Waiting { device, far } = &mut self.waiting;
        if let Some(output) = &mut self.loudspeaker.output {
            output.opened.supply.give(device, far);
        }
        Ok(device.is_empty())
    }

    fn check(&mut self) -> Result<(), PlayError> {
        if self.control.lock().stops != self.stops {
            return Err(PlayError::Stopped);
        }
        let Some(output) = &mut self.loudspeaker.output else {
            return Err(PlayError::Stopped);
        };
        let reason = match output.opened.failed.try_recv() {
            Ok(reason) => reason,
            Err(TryRecvError::Disconnected) => "it was closed".into(),
            Err(TryRecvError::Empty) if self.still.for_too_long(&self.progress) => {
                "it has taken no sound for 2 s".into()
            }
            Err(TryRecvError::Empty) => return Ok(()),
        };
        let device = output.opened.name.clone();
        self.loudspeaker.output = None;
        Err(PlayError::Lost { device, reason })
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.hearing.freeze();
        let control = self.control.lock();
        if control.stops == self.stops {
            self.progress.leave_out();
        }
        if let Some(output) = &self.loudspeaker.output {
            output.lease.lock().end();
        }
    }
}
