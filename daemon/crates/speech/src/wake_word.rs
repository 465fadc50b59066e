//! Wake words: what a detector offers, and the one that is built in.
//!
//! A detector hears sound and names the word; opening a capture is the hearing's business.

mod loudness;
mod micro;
mod network;
mod spectrum;
#[cfg(test)]
mod tests;

use std::num::NonZeroU8;
use std::path::PathBuf;

pub use micro::MicroWakeWord;

/// A wake word that was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// The detector's certainty between 0 and 1.
    pub confidence: f32,
}

/// Which word is listened for, and how sure the detector must be.
#[derive(Debug, Clone, PartialEq)]
pub struct WakeWordSettings {
    /// The name that is reported, such as `hey_mycroft`.
    pub name: String,
    /// A microWakeWord model, a `.tflite` file.
    pub model: PathBuf,
    /// The mean probability above which it counts as heard, between 0 and 1.
    pub cutoff: f32,
    /// How many probabilities are averaged; one is given for each run of the model, usually every 30 ms.
    pub window: NonZeroU8,
}

/// A detector of one wake word, fed while no capture is open.
///
/// It runs on the ear's own thread between the audio and everything else, so it must be done well within the duration
/// of the frame it is given. It is never fed while the ear is muted; asleep, the ear wakes up at its word.
pub trait WakeWord: Send {
    /// The name that is reported, such as `hey_mycroft`.
    fn name(&self) -> &str;

    /// Takes the next 512 samples (32 ms at 16 kHz mono, −1 to 1) and says whether the wake word ended in them.
    fn feed(&mut self, frame: &[f32]) -> Option<Detection>;

    /// How sure it is at present that the word ends, between 0 and 1, for those who look on.
    fn score(&self) -> f32 {
        0.0
    }

    /// Forgets what was fed before, after a gap in the sound.
    fn reset(&mut self);
}
