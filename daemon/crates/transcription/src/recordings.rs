//! Recordings of satellites, over Wyoming or the bus, become text, one at a time and always behind the microphone of this device.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use loquat_speech::{MicroWakeWord, SpeechSettings, TranscribeError};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::Ladder;

/// Recordings that are heard or wait for it; one more is refused.
const PLACES: usize = 4;

/// A recording that has no text by then gets none: what was said is out of date.
const PATIENCE: Duration = Duration::from_secs(120);

/// The ladder and the ears that parts use to hear recordings and microphones of others. They are offered through the
/// context.
#[derive(Debug, Clone)]
pub struct Ears {
    /// The recognisers, which turn recordings into text.
    pub ladder: Ladder,
    /// The longest one, as the ear of this device has it; the rest is cut off.
    pub longest: Duration,
    /// The name of the whisper model.
    pub model: String,
    /// Listens to microphones elsewhere; absent where there is no wake word to listen for.
    pub far: Option<FarEars>,
}

/// The material of an ear for a microphone elsewhere.
#[derive(Clone)]
pub struct FarEars {
    /// The settings that the ear of this device has.
    pub speech: SpeechSettings,
    /// Loads the wake word.
    pub load: Arc<dyn Fn() -> Result<MicroWakeWord, String> + Send + Sync>,
}

impl fmt::Debug for FarEars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FarEars")
            .field("speech", &self.speech)
            .finish_non_exhaustive()
    }
}

/// The words of a recording. The text is empty where nothing was said.
#[derive(Debug, Default, PartialEq)]
pub struct Heard {
    /// They are the words of the best hypothesis.
    pub text: String,
    /// The language of the words, as a tag; absent where nothing was heard.
    pub language: Option<String>,
    /// Other things that may have been said.
    pub alternatives: Vec<String>,
    /// The recogniser is so sure, from 0 to 1.
    pub confidence: f32,
}

/// Says why it is not known what was said.
#[derive(Debug, thiserror::Error)]
pub enum HearError {
    /// Too much is to be heard.
    #[error("failed to hear the recording: {PLACES} others are being heard")]
    Busy,
    /// The microphone needed whisper all the time, or whisper is slow.
    #[error("failed to hear the recording within {} s", PATIENCE.as_secs())]
    TooLate,
    /// No recogniser of the ladder gave an answer.
    #[error(transparent)]
    Unheard(TranscribeError),
}

/// Hears.
#[derive(Debug)]
pub struct Hearing {
    ladder: Ladder,
    places: Semaphore,
    turn: Semaphore,
}

impl Hearing {
    /// Hears by this ladder.
    pub fn new(ladder: Ladder) -> Self {
        Self {
            ladder,
            places: Semaphore::new(PLACES),
            turn: Semaphore::new(1),
        }
    }

    /// Turns samples at 16 kHz into words of this language.
    pub async fn hear(&self, samples: Vec<f32>, language: String) -> Result<Heard, HearError> {
        let _place = self.places.try_acquire().map_err(|_| HearError::Busy)?;
        let heard = async {
            // It is never closed.
            let _turn = self.turn.acquire().await;
            let outcome = self.ladder.transcribe_aside(samples, Some(language)).await;
            match outcome {
                Ok(transcript) => Ok(Heard {
                    text: transcript.text,
                    language: Some(transcript.lang),
                    alternatives: transcript.alternatives,
                    confidence: transcript.confidence,
                }),
                Err(TranscribeError::NothingHeard) => Ok(Heard::default()),
                Err(error) => Err(HearError::Unheard(error)),
            }
        };
        timeout(PATIENCE, heard).await.unwrap_or(Err(HearError::TooLate))
    }
}
