//! Wake words: what a detector of them offers, and the one that is built in.
//!
//! A detector hears sound and names the word; what is done then is the hearing's business.

mod front_end;
pub(crate) mod likeness;
mod loudness;
mod micro;
mod network;
mod several;
mod spectrum;
#[cfg(test)]
mod tests;

use std::num::NonZeroU8;
use std::path::PathBuf;

use serde::Serialize;

pub use micro::MicroWakeWord;
pub use several::MicroWakeWords;

/// Says what a wake word is said for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WakeWordEffect {
    /// An utterance for the device follows the word. It ends a sleep, unless another word is there for that.
    #[default]
    Listen,
    /// The device is to be silent and to end what it is at. Nothing said behind it is heard, and a sleep goes on.
    Stop,
    /// It ends a sleep, and does nothing else.
    Wake,
    /// An utterance for the persona of this name follows the word.
    Persona(String),
}

impl WakeWordEffect {
    /// Tells whether what is said behind the word is heard.
    pub fn opens_capture(&self) -> bool {
        matches!(self, Self::Listen | Self::Persona(_))
    }
}

/// A word that is listened for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WakeWord {
    /// The name that is reported, such as `hey_mycroft`.
    pub name: String,
    /// Says what it is said for.
    pub effect: WakeWordEffect,
    /// It counts only while the device itself can be heard: while it speaks or rings. So does a word of everyday talk that
    /// stops it.
    pub over_sound_alone: bool,
}

/// A wake word that was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// The word that was detected.
    pub word: WakeWord,
    /// The detector's certainty between 0 and 1.
    pub confidence: f32,
}

/// Says which word is listened for, and how sure the detector must be.
#[derive(Debug, Clone, PartialEq)]
pub struct WakeWordSettings {
    /// The word.
    pub word: WakeWord,
    /// The file of a microWakeWord model, a `.tflite` file.
    pub model: PathBuf,
    /// The mean probability above which it counts as heard, between 0 and 1.
    pub cutoff: f32,
    /// This many probabilities are averaged. One comes with each run of the model, usually every 30 ms.
    pub window: NonZeroU8,
}

/// A detector of one or more wake words, fed while no capture is open that was asked for or that a word has opened.
///
/// It runs on the ear's own thread between the audio and everything else, so it must be done well within the duration
/// of the frame it is given. It is never fed while the ear is muted.
pub trait WakeWordDetector: Send {
    /// Lists the words that it knows; they are always the same.
    fn words(&self) -> Vec<WakeWord>;

    /// Takes the next 512 samples (32 ms at 16 kHz mono, −1 to 1) and says which word ended in them, the surest if several.
    fn feed(&mut self, frame: &[f32]) -> Option<Detection>;

    /// Gives the certainty at present that each word ends, between 0 and 1, in the order of
    /// [`WakeWordDetector::words`], for those who look on.
    fn scores(&self) -> Vec<f32> {
        Vec::new()
    }

    /// The device itself can be heard from now on, or not any more. Words that count over its sound alone are not told
    /// otherwise.
    fn set_sounding(&mut self, _sounding: bool) {}

    /// Forgets what was fed before, after a gap in the sound.
    fn reset(&mut self);
}
