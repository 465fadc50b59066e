//! The microphone of a client that sends its sound as it comes and has no ears of its own: it is listened to here, as that of
//! the device is, for the wake word and what is said behind it. What it hears goes back to the client, as stock listeners tell it,
//! and is answered as if it had been written.
//!
//! Each has an ear with models of its own, so there are few; what is said is turned into text as at the device, whose own
//! microphone goes first.

use std::sync::Arc;
use std::time::Duration;

use loquat_speech::{Ear, EarEvent, FarSound, PcmFormat, Source, Transcript, far_microphone};
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::answering::Answering;
use super::crossing::Denial;
use super::ears::Ears;
use super::sound;

/// Pieces of sound that wait for an ear, which needs a moment to load its models: those of stock clients in twenty seconds. Of more
/// the newest are lost.
const WAITING: usize = 160;

/// A piece of sound has at most this many bytes. Those of stock clients have four thousand.
pub(super) const LARGEST_PIECE: usize = 64 << 10;

/// A microphone that sends nothing for so long is silent: clients send sound only while a person speaks, and a while longer.
const SILENT: Duration = Duration::from_secs(1);

/// Silence that ends whatever was being said.
const SILENCE: Duration = Duration::from_secs(3);

#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    format: PcmFormat,
}

/// The end at which the sound of one client comes in. Its ear ends with it.
#[derive(Debug)]
pub(super) struct Microphone(mpsc::Sender<Piece>);

/// The ear that listens to one client's microphone.
pub(super) struct Listening {
    ears: Arc<Ears>,
    pieces: mpsc::Receiver<Piece>,
    answering: Answering,
    _place: OwnedSemaphorePermit,
}

/// Both ends; none where too many are listened to.
pub(super) fn microphone(ears: &Arc<Ears>, answering: Answering) -> Option<(Microphone, Listening)> {
    let place = Arc::clone(&ears.free).try_acquire_owned().ok()?;
    let (sound, pieces) = mpsc::channel(WAITING);
    let listening = Listening {
        ears: Arc::clone(ears),
        pieces,
        answering,
        _place: place,
    };
    Some((Microphone(sound), listening))
}

impl Microphone {
    pub(super) fn is_open(&self) -> bool {
        !self.0.is_closed()
    }

    /// Takes the next piece, with what is told of it. It is lost where the ear is behind, or nothing listens any more.
    pub(super) fn take(&self, bytes: Vec<u8>, told: &Map<String, Value>) {
        let format = sound::format(told);
        drop(self.0.try_send(Piece { bytes, format }));
    }
}

impl Listening {
    /// Listens until the client is gone, or says why that cannot be.
    pub(super) async fn run(mut self) {
        if let Err(why) = self.listen().await {
            let denial = Denial::unserved("binary", &why);
            self.answering.deny(&denial).await;
        }
    }

    async fn listen(&mut self) -> Result<(), String> {
        let ears = Arc::clone(&self.ears);
        ears.ladder.ready().await?;
        let own = Arc::clone(&ears);
        let loaded = tokio::task::spawn_blocking(move || own.load()).await;
        let wake_word = loaded.unwrap_or_else(|error| Err(error.to_string()))?;
        let (sound, far) = far_microphone();
        let mut speech = ears.far.speech.clone();
        if let Some(lang) = self.answering.session.lang() {
            speech.lang = Some(lang.to_owned());
        }
        let (ear, actor) = Ear::new(speech, ears.ladder.clone(), Source::Far(far));
        let events = ear.take_events().ok_or("the ear is another's")?;
        let done = CancellationToken::new();
        let actor = actor.with_wake_words(Box::new(wake_word)).run(done.clone());
        let hear = async {
            let outcome = self.hear(sound, events).await;
            done.cancel();
            outcome
        };
        tokio::join!(actor, hear).1
    }

    async fn hear(
        &mut self,
        mut sound: FarSound,
        mut events: mpsc::Receiver<EarEvent>,
    ) -> Result<(), String> {
        let mut silent_at = None;
        loop {
            let silent = async {
                match silent_at {
                    Some(when) => sleep_until(when).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                piece = self.pieces.recv() => {
                    let Some(Piece { bytes, format }) = piece else { return Ok(()) };
                    sound.feed(&bytes, format).map_err(|error| error.to_string())?;
                    silent_at = Some(Instant::now() + SILENT);
                }
                event = events.recv() => match event {
                    Some(event) => self.tell(event).await?,
                    None => return Err("the ear has ended".to_owned()),
                },
                () = silent => {
                    sound.silence(SILENCE);
                    silent_at = None;
                }
            }
        }
    }

    async fn tell(&self, event: EarEvent) -> Result<(), String> {
        let back = |topic: &str, data: Value| self.answering.tell(topic, data);
        match event {
            EarEvent::WakeWord { wake_word, .. } => {
                back(
                    "mycroft.audio.play_sound",
                    json!({"uri": "snd/start_listening.wav"}),
                );
                back("recognizer_loop:wakeword", json!({"utterance": wake_word}));
            }
            EarEvent::RecordStarted { .. } => back("recognizer_loop:record_begin", json!({})),
            EarEvent::RecordEnded => back("recognizer_loop:record_end", json!({})),
            EarEvent::NothingHeard => back("recognizer_loop:speech.recognition.unknown", json!({})),
            EarEvent::Heard(Transcript { text, lang, .. }) => {
                back(
                    "recognizer_loop:utterance",
                    json!({"utterances": [text], "lang": lang}),
                );
                if let Some(denial) = self.answering.ask(&text, &lang).await {
                    self.answering.deny(&denial).await;
                }
            }
            EarEvent::Unavailable { reason } => return Err(reason),
            _ => {}
        }
        Ok(())
    }
}
