//! Several models of microWakeWord behind one front end.

use super::front_end::FrontEnd;
use super::micro::MicroWakeWord;
use super::spectrum::HOP;
use super::{Detection, WakeWord, WakeWordDetector};

/// Detects the words of several models.
pub struct MicroWakeWords {
    front_end: FrontEnd,
    models: Vec<MicroWakeWord>,
    /// The device itself can be heard.
    sounding: bool,
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
        Self {
            front_end: FrontEnd::new(),
            models,
            sounding: false,
        }
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
            let sounding = self.sounding;
            let awake = self
                .models
                .iter_mut()
                .filter(|model| sounding || !model.word().over_sound_alone);
            let heard = awake.filter_map(|model| {
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

    fn set_sounding(&mut self, sounding: bool) {
        if std::mem::replace(&mut self.sounding, sounding) == sounding {
            return;
        }
        // They have heard nothing since the device was last heard itself.
        let rested = |model: &&mut MicroWakeWord| model.word().over_sound_alone;
        self.models
            .iter_mut()
            .filter(rested)
            .for_each(MicroWakeWord::reset);
    }

    fn reset(&mut self) {
        self.front_end.reset();
        self.models.iter_mut().for_each(MicroWakeWord::reset);
    }
}
