//! The ear: owns a source of sound and turns what it hears into events in a strict order.
//!
//! ```text
//! microphone ─▶ ring ─▶ listener (thread): wake word, voice activity, end-points ─▶ conductor ─▶ events
//!     ▲                     ▲ orders                                                    │  ▲
//!   keeper ─────────────────┘                                          recognizer (thread) ┘
//! ```
//!
//! The keeper opens the microphone and opens it again when it is lost. The conductor has one utterance recognised after
//! the other. Neither ever waits for the audio callback, and the callback waits for nothing.

mod conductor;
mod early;
mod handle;
mod keeper;
mod listener;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc as std_mpsc;

use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::echo::EchoFilter;
use crate::event::EarEvent;
use crate::far::FarMicrophone;
use crate::hearing::{Doubts, Pauses};
use crate::playback::FarEndReader;
use crate::settings::SpeechSettings;
use crate::transcriber::Transcriber;
use crate::wake_word::WakeWordDetector;
use conductor::Conductor;
use handle::Shared;
pub use handle::{EarHandle, ListenRefused, Meter, WordScore};
use keeper::Keeper;
use listener::Order;

/// Events that may wait for the reader; when it is behind, the ear waits, and sound is lost before events are.
const EVENTS: usize = 32;

/// Orders that may wait for the listener, which looks every few milliseconds; a further `listen()` is refused.
const ORDERS: usize = 16;

/// Captures and remarks on their way to the conductor; the listener waits while it is full, and the ring overflows.
const REPORTS: usize = 8;

/// States of the source on their way to the conductor; the keeper waits.
const STATUS: usize = 4;

/// Says where the sound comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The microphone that the settings name.
    Microphone,
    /// A WAV file, heard once and as fast as it can be read, every utterance in it; the ear ends after it. A file in
    /// which holds no speech counts as one capture with nothing heard.
    Wav(PathBuf),
    /// A microphone of another machine.
    Far(FarMicrophone),
}

/// Makes ears.
#[derive(Debug)]
pub struct Ear;

impl Ear {
    /// Makes an ear, whose utterances this turns into text, and the actor that runs it.
    #[expect(clippy::new_ret_no_self, reason = "an ear is a handle and an actor")]
    pub fn new(
        settings: SpeechSettings,
        transcriber: impl Transcriber + 'static,
        source: Source,
    ) -> (EarHandle, EarActor) {
        let (sender, events) = mpsc::channel(EVENTS);
        let (orders, inbox) = std_mpsc::sync_channel(ORDERS);
        let shared = Arc::new(Shared::new(settings.lang.clone()));
        let handle = EarHandle {
            events: Arc::new(Mutex::new(Some(events))),
            orders: orders.clone(),
            shared: Arc::clone(&shared),
        };
        let actor = EarActor {
            settings,
            transcriber: Arc::new(transcriber),
            source,
            wake_words: None,
            echo: None,
            orders,
            inbox,
            events: sender,
            shared,
        };
        (handle, actor)
    }
}

/// The running ear. Its owner awaits [`EarActor::run`].
pub struct EarActor {
    settings: SpeechSettings,
    transcriber: Arc<dyn Transcriber>,
    source: Source,
    wake_words: Option<Box<dyn WakeWordDetector>>,
    echo: Option<EchoFilter>,
    orders: std_mpsc::SyncSender<Order>,
    inbox: std_mpsc::Receiver<Order>,
    events: mpsc::Sender<EarEvent>,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for EarActor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EarActor")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl EarActor {
    /// Heeds wake words too; they are listened for while no capture is open that was asked for or that one has opened. What
    /// was said before one is dropped.
    #[must_use]
    pub fn with_wake_words(mut self, wake_words: Box<dyn WakeWordDetector>) -> Self {
        self.shared.name_words(wake_words.words());
        self.wake_words = Some(wake_words);
        self
    }

    /// Takes out of what the microphone hears what this reader says is played, while it is.
    #[must_use]
    pub fn cancelling_echo_of(mut self, played: FarEndReader) -> Self {
        self.echo = Some(EchoFilter::new(played));
        self
    }

    /// Listens until the token is cancelled, or until a WAV source has been heard. The events end with it.
    ///
    /// A capture that is open when the token is cancelled ends with nothing heard.
    pub async fn run(self, stop: CancellationToken) {
        let Self {
            settings,
            transcriber,
            source,
            wake_words,
            echo,
            orders,
            inbox,
            events,
            shared,
        } = self;
        let (reporter, reports) = mpsc::channel(REPORTS);
        let (status_sender, status) = mpsc::channel(STATUS);
        // Nothing is sent; the receiver learns that the listener's thread is gone.
        let (alive, mut gone) = mpsc::channel(1);
        // Ends the listener however this function ends, also when it is dropped.
        let done = stop.child_token();
        let _ends_with_us = done.clone().drop_guard();
        let (pauses, doubts) = (Pauses::default(), Doubts::default());
        let conductor = Conductor::new(
            transcriber,
            Arc::clone(&shared),
            pauses.clone(),
            doubts.clone(),
            events,
            done.clone(),
        );
        let parts = listener::Parts {
            settings: settings.clone(),
            pauses,
            doubts,
            wake_words,
            echo,
            inbox,
            reporter,
            done: done.clone(),
            alive,
        };
        let keeper = Keeper {
            settings,
            source,
            orders,
            status: status_sender,
            shared,
        };
        let keep = async {
            tokio::select! {
                biased;
                () = done.cancelled() => {}
                () = keeper.run(parts) => {}
            }
        };
        tokio::join!(conductor.run(reports, status), keep);
        let None::<()> = gone.recv().await else { return };
    }
}
