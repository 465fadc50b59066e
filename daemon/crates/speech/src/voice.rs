//! Voice activity: how probable speech is, for each frame of 32 ms.
//!
//! The model is Silero v6 through whisper.cpp, which clears the model's memory at every call and so cannot stream. Each
//! call therefore gets the sound before the new frames again, as a run-up, and only the new probabilities are used.

use std::path::Path;

use whisper_rs::{WhisperVadContext, WhisperVadContextParams};

use crate::kernel::use_best_kernel;
use crate::model_file::{self, LoadModelError, ModelKind};
use crate::whisper_log;

/// A frame has this many samples, which Silero's window fixes.
pub(crate) const FRAME: usize = 512;

/// New frames looked at in one call. More would cost less time and notice the end of speech later.
pub(crate) const HOP: usize = 5;

/// The run-up has this many frames. Against a look at whole recordings 3 % of the frames are judged differently,
/// nearly all of them at the beginning of speech; with 8 frames it is 5 %, and with 31 and one new frame it is 1 % at
/// ten times the work.
const RUN_UP: usize = 12;

/// Sound that never rises above this (about −60 dB) is not looked at; a muted microphone costs nothing.
const FAINTEST: f32 = 0.001;

/// A model that tells speech from other sound.
pub(crate) trait Voice: Send {
    /// Gives the probabilities of the next [`HOP`] frames. `frames` has `HOP * FRAME` samples.
    fn probabilities(&mut self, frames: &[f32]) -> [f32; HOP];

    /// Forgets what was heard, after a gap in the sound.
    fn reset(&mut self);
}

/// The Silero model.
#[derive(Debug)]
pub(crate) struct Silero {
    context: WhisperVadContext,
    /// Run-up and new frames.
    window: Vec<f32>,
}

impl Silero {
    pub(crate) fn load(path: &Path) -> Result<Self, LoadModelError> {
        model_file::check(path, ModelKind::Silero)?;
        use_best_kernel();
        let refused = |reason: String| LoadModelError::Refused {
            kind: ModelKind::Silero.name(),
            path: path.into(),
            reason,
        };
        // whisper-rs takes text and panics at a zero byte, which no path that was opened has.
        let text = path
            .to_str()
            .ok_or_else(|| refused("its path is not UTF-8".into()))?;
        let mut parameters = WhisperVadContextParams::default();
        // A frame is too little work to share.
        parameters.set_n_threads(1);
        let context =
            WhisperVadContext::new(text, parameters).map_err(|_| refused(whisper_log::take_complaint()))?;
        Ok(Self {
            context,
            window: vec![0.0; (RUN_UP + HOP) * FRAME],
        })
    }
}

impl Voice for Silero {
    fn probabilities(&mut self, frames: &[f32]) -> [f32; HOP] {
        self.window.drain(..frames.len().min(self.window.len()));
        self.window.extend_from_slice(frames);
        let mut result = [0.0; HOP];
        if self.window.iter().all(|sample| sample.abs() < FAINTEST) {
            return result;
        }
        if let Err(error) = self.context.detect_speech(&self.window) {
            tracing::debug!(%error, "voice activity could not be computed");
            return result;
        }
        let probabilities = self.context.probabilities();
        for (result, probability) in result.iter_mut().rev().zip(probabilities.iter().rev()) {
            *result = *probability;
        }
        result
    }

    fn reset(&mut self) {
        self.window.fill(0.0);
    }
}
