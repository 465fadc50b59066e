//! The seam for wake words: what a detector must offer. No detector lives here.

/// A wake word that was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// The detector's certainty between 0 and 1.
    pub confidence: f32,
}

/// A detector of one wake word, fed while no capture is open.
///
/// It runs on the ear's own thread between the audio and everything else, so it must be done well within the duration
/// of the frame it is given. It is never fed while the ear is muted or asleep.
pub trait WakeWord: Send {
    /// The name that is reported, such as `hey_mycroft`.
    fn name(&self) -> &str;

    /// Takes the next 512 samples (32 ms at 16 kHz mono, −1 to 1) and says whether the wake word ended in them.
    fn feed(&mut self, frame: &[f32]) -> Option<Detection>;

    /// Forgets what was fed before, after a gap in the sound.
    fn reset(&mut self);
}
