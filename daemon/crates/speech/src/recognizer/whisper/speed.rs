//! How long a model takes on this machine for a short command. Only what whisper computes counts, which is the same whatever is
//! said, so that no recording is needed.

use std::time::Duration;

use tokio::time::Instant;
use whisper_rs::{WhisperError, WhisperTokenId};

use super::super::window::Window;
use super::{TranscribeError, Whisper};
use crate::SAMPLE_RATE;
use crate::model_file::LoadModelError;
use crate::settings::SpeechSettings;

const SECONDS: usize = 3;

const TOKENS: usize = 14;

/// It is measured this often. The quickest counts, since another program may have had the processor.
const ROUNDS: usize = 2;

/// Says why it is not known how long a model takes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The model cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadModelError),
    /// Whisper failed.
    #[error(transparent)]
    Whisper(#[from] TranscribeError),
}

/// Measures how long the whisper model of these settings takes for three seconds of speech, with their threads. It
/// loads the model, computes some times and lets go of it, and blocks for all of that.
pub fn measure(settings: &SpeechSettings) -> Result<Duration, MeasureError> {
    let mut whisper = Whisper::load(settings, crate::known::Known::default())?;
    let quiet = vec![0.0; SECONDS * SAMPLE_RATE as usize];
    // The first decoding sets the window, and brings the weights into memory.
    whisper.decode(
        &quiet,
        whisper.decoder_language(settings.lang.as_deref()),
        Window::Cut,
    )?;
    let mut quickest = Duration::MAX;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        whisper
            .compute(&quiet)
            .map_err(|error| TranscribeError::Whisper {
                reason: error.to_string(),
            })?;
        quickest = quickest.min(began.elapsed());
    }
    Ok(quickest)
}

impl Whisper {
    /// Encodes the sound and decodes a text of the usual length.
    fn compute(&mut self, samples: &[f32]) -> Result<(), WhisperError> {
        let threads = usize::try_from(self.threads).unwrap_or(1);
        self.state.pcm_to_mel(samples, threads)?;
        self.state.encode(0, threads)?;
        let begin: [WhisperTokenId; 2] = [self.context.token_sot(), self.context.token_not()];
        self.state.decode(&begin, 0, threads)?;
        for past in begin.len()..begin.len() + TOKENS {
            self.state.decode(&[self.context.token_not()], past, threads)?;
        }
        Ok(())
    }
}
