//! Speech to text: the handle to the one whisper thread.

use std::time::Duration;

use serde::Serialize;

use crate::model_file::LoadModelError;
use crate::settings::SpeechSettings;

/// What was said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transcript {
    /// The words, trimmed, never empty.
    pub text: String,
    /// The language that the decoder ran in: the tag asked for when it could be followed, else whisper's own code.
    pub lang: String,
    /// The geometric mean of the words' probabilities, between 0 and 1.
    pub confidence: f32,
    /// From asking to the answer.
    pub elapsed: Duration,
}

/// Why there is no transcript.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscribeError {
    /// Silence, noise, or text that whisper made up.
    #[error("failed to hear any words")]
    NothingHeard,
    /// Whisper itself failed.
    #[error("failed to run whisper: {reason}")]
    Whisper {
        /// What whisper.cpp reported.
        reason: String,
    },
    /// The whisper thread has been shut down or died.
    #[error("failed to reach the whisper thread: it has ended")]
    Ended,
}

/// A cheap handle to the one whisper thread; the thread ends with the last handle.
#[derive(Debug, Clone)]
pub struct Recognizer {}

impl Recognizer {
    /// Checks and loads the model, and starts the thread. Blocks for as long as the file takes to read.
    pub fn start(_settings: &SpeechSettings) -> Result<Self, LoadModelError> {
        Ok(Self {})
    }

    /// Turns 16 kHz mono samples between −1 and 1 into text; `lang` is a tag such as `en-US`, or absent to detect it.
    ///
    /// Dropping the future stops the work at whisper's next check. Waits its turn when others are being transcribed.
    #[expect(clippy::unused_async, reason = "skeleton")]
    pub async fn transcribe(
        &self,
        _samples: Vec<f32>,
        _lang: Option<String>,
    ) -> Result<Transcript, TranscribeError> {
        Err(TranscribeError::Ended)
    }

    /// Ends the whisper thread, whoever else holds a handle, and waits for it.
    #[expect(clippy::unused_async, reason = "skeleton")]
    pub async fn shutdown(&self) {}
}
