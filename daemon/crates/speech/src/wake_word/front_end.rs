//! From sound to what the networks of microWakeWord take: one row of numbers every 10 ms, the same for all of them.
//!
//! Computed once, however many words are listened for. Nothing here knows a word.

use std::collections::VecDeque;

use super::loudness::Loudness;
use super::spectrum::{CHANNELS, HOP, Spectrum, WINDOW};

/// A step of a logarithmic spectrum has this size, with which the networks were trained.
const FEATURE_STEP: f32 = 10.0 / 256.0;

/// The evened logarithmic spectrum of one window.
pub(super) type Row = [f32; CHANNELS];

/// Makes sound into rows.
pub(super) struct FrontEnd {
    spectrum: Spectrum,
    loudness: Loudness,
    /// The samples that do not fill a window yet.
    samples: VecDeque<i16>,
}

impl FrontEnd {
    pub(super) fn new() -> Self {
        Self {
            spectrum: Spectrum::new(),
            loudness: Loudness::new(),
            samples: VecDeque::with_capacity(2 * WINDOW),
        }
    }

    /// Takes at most [`HOP`] samples (−1 to 1); the next row, when a window is full.
    pub(super) fn feed(&mut self, piece: &[f32]) -> Option<Row> {
        let whole = |sample: &f32| (sample * -f32::from(i16::MIN)) as i16;
        self.samples.extend(piece.iter().map(whole));
        if self.samples.len() < WINDOW {
            return None;
        }
        let spectrum = self.spectrum.of(self.samples.make_contiguous());
        self.samples.drain(..HOP);
        let steps = self.loudness.even(&spectrum);
        Some(steps.map(|step| f32::from(step) * FEATURE_STEP))
    }

    /// Forgets the sound, and the noise of the room.
    pub(super) fn reset(&mut self) {
        self.loudness.reset();
        self.samples.clear();
    }
}
