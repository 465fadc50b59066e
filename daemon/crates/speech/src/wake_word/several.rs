//! Several models of microWakeWord behind one front end.

use super::front_end::FrontEnd;
use super::micro::MicroWakeWord;
use super::spectrum::HOP;
use super::{Detection, WakeWord, WakeWordDetector};

/// Detects the words of several models.
pub struct MicroWakeWords {
    front_end: FrontEnd,
    models: Vec<MicroWakeWord>,
}

impl std::fmt::Debug for MicroWakeWords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("MicroWakeWords")
            .field("models", &self.models)
            .finish_non_exhaustive()
    }
}

impl MicroWakeWords {
    /// Listens for all of them at once.
    pub fn new(models: Vec<MicroWakeWord>) -> Self {
        let front_end = FrontEnd::new();
        Self { front_end, models }
    }
}

impl WakeWordDetector for MicroWakeWords {
    fn words(&self) -> Vec<WakeWord> {
        self.models.iter().map(|model| model.word().clone()).collect()
    }

    fn feed(&mut self, frame: &[f32]) -> Option<Detection> {
        for piece in frame.chunks(HOP) {
            let Some(row) = self.front_end.feed(piece) else {
                continue;
            };
            let heard = self.models.iter_mut().filter_map(|model| {
                let confidence = model.take(&row)?;
                let word = model.word().clone();
                Some(Detection { word, confidence })
            });
            // Each model takes the row, also where an earlier one has heard its word.
            let surest = heard.max_by(|one, other| one.confidence.total_cmp(&other.confidence));
            if surest.is_some() {
                self.reset();
                return surest;
            }
        }
        None
    }

    fn scores(&self) -> Vec<f32> {
        self.models.iter().map(MicroWakeWord::score).collect()
    }

    fn reset(&mut self) {
        self.front_end.reset();
        self.models.iter_mut().for_each(MicroWakeWord::reset);
    }
}
