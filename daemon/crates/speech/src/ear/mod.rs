//! The ear: owns the sound source, and turns sound into events in a strict order.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::event::EarEvent;
use crate::recognizer::Recognizer;
use crate::settings::SpeechSettings;
use crate::wake_word::WakeWord;

/// Where the sound comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The microphone that the settings name.
    Microphone,
    /// A WAV file, heard once and as fast as it can be read; the ear ends after it.
    Wav(PathBuf),
}

/// Why `listen()` did not open a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListenRefused {
    /// The ear sleeps.
    #[error("failed to listen: the ear is asleep, wake it first")]
    Asleep,
    /// The microphone is muted.
    #[error("failed to listen: the microphone is muted")]
    Muted,
    /// No sound arrives; the last `Unavailable` event said why.
    #[error("failed to listen: there is no sound from a microphone")]
    NoSound,
    /// The ear's actor has ended, or is too busy to take commands.
    #[error("failed to listen: the ear is not running")]
    NotRunning,
}

/// Makes ears.
#[derive(Debug)]
pub struct Ear;

impl Ear {
    /// An ear and the actor that runs it.
    #[expect(clippy::new_ret_no_self, reason = "an ear is a handle and an actor")]
    pub fn new(_settings: SpeechSettings, _recognizer: Recognizer, _source: Source) -> (EarHandle, EarActor) {
        let (_sender, events) = mpsc::channel(32);
        (
            EarHandle {
                events: Arc::new(Mutex::new(Some(events))),
            },
            EarActor {},
        )
    }
}

/// Commands to a running ear; cheap to clone.
#[derive(Debug, Clone)]
pub struct EarHandle {
    events: Arc<Mutex<Option<mpsc::Receiver<EarEvent>>>>,
}

impl EarHandle {
    /// The ear's events; given once. The ear waits for a reader that is behind, so read them all.
    pub fn take_events(&self) -> Option<mpsc::Receiver<EarEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Opens a capture without a wake word. Does nothing more if one is open already.
    pub fn listen(&self) -> Result<(), ListenRefused> {
        Err(ListenRefused::NotRunning)
    }

    /// Ends the open capture, if there is one; what was said until now is recognised.
    pub fn stop_recording(&self) {}

    /// Drops all sound until unmuted; an open capture ends with nothing heard.
    pub fn mute(&self, _muted: bool) {}

    /// Whether the microphone is muted.
    pub fn is_muted(&self) -> bool {
        false
    }

    /// Suspends capture until `wake()`; an open capture ends with nothing heard.
    pub fn sleep(&self) {}

    /// Leaves the sleep; does nothing when awake.
    pub fn wake(&self) {}

    /// The language of what is heard from now on, as a tag; absent lets the model detect it.
    pub fn set_lang(&self, _lang: Option<String>) {}
}

/// The running ear; its owner awaits [`EarActor::run`].
#[derive(Debug)]
pub struct EarActor {}

impl EarActor {
    /// Lets a wake word open captures too.
    #[must_use]
    pub fn with_wake_word(self, _wake_word: Box<dyn WakeWord>) -> Self {
        self
    }

    /// Listens until the token is cancelled, or until a WAV source has been heard.
    pub async fn run(self, stop: CancellationToken) {
        stop.cancelled().await;
    }
}
