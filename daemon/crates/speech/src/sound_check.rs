//! What is wrong with a microphone, by the sound that comes from it. Pure: no device, no clock.

use serde::Serialize;

use crate::SAMPLE_RATE;

/// Less sound than this says nothing.
const ENOUGH: usize = SAMPLE_RATE as usize;

/// A microphone that works is never as quiet as this, about −80 dB, not even in a silent room.
const NOTHING: f32 = 0.000_1;

/// A voice in front of it is louder than this, about −36 dB.
const FAINT: f32 = 0.016;

/// From here on a sample may have been cut off.
const CUT_OFF: f32 = 0.99;

/// This many samples in a row there are no accident.
const CUT_IN_A_ROW: u32 = 4;

/// Places that are cut off, of a second of sound, that spoil it.
const CUT_PER_SECOND: usize = 3;

/// Says what is wrong with a microphone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SoundFault {
    /// Nothing at all arrives.
    #[error(
        "the microphone sends silence alone: it is muted, switched off, or not the one that you speak into \
         (`loquat listen --devices` shows all)"
    )]
    Silent,
    /// It is far too loud.
    #[error("the microphone is turned up so far that loud sound is cut off: turn its volume down")]
    Clipped,
    /// It is far too quiet for a voice.
    #[error("the microphone is far too quiet for a voice: turn its volume up, or speak into another one")]
    FarTooQuiet,
    /// It repeats what is played.
    #[error(
        "this is no microphone but what a loudspeaker plays: name one in speech.device (`loquat listen --devices` \
         shows all)"
    )]
    WrongDevice,
}

/// Collects what was heard of a microphone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SoundCheck {
    samples: usize,
    peak: f32,
    /// Places that were cut off.
    cuts: usize,
    in_a_row: u32,
}

impl SoundCheck {
    /// Takes the next samples.
    pub fn take(&mut self, samples: &[f32]) {
        self.samples += samples.len();
        for sample in samples {
            let loudness = sample.abs();
            self.peak = self.peak.max(loudness);
            self.in_a_row = if loudness >= CUT_OFF { self.in_a_row + 1 } else { 0 };
            self.cuts += usize::from(self.in_a_row == CUT_IN_A_ROW);
        }
    }

    /// Judges by the sound alone what is wrong. `spoken` says that a voice should have been among it.
    pub fn fault(&self, spoken: bool) -> Option<SoundFault> {
        if self.samples < ENOUGH {
            None
        } else if self.peak < NOTHING {
            Some(SoundFault::Silent)
        } else if self.cuts >= CUT_PER_SECOND * (self.samples / ENOUGH) {
            Some(SoundFault::Clipped)
        } else if spoken && self.peak < FAINT {
            Some(SoundFault::FarTooQuiet)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a tone of this loudness, cut off at full scale.
    fn tone(seconds: usize, amplitude: f32) -> SoundCheck {
        let mut check = SoundCheck::default();
        let wave = |at: usize| (at as f32 * 0.2).sin() * amplitude;
        let samples: Vec<f32> = (0..seconds * ENOUGH)
            .map(|at| wave(at).clamp(-1.0, 1.0))
            .collect();
        samples.chunks(333).for_each(|piece| check.take(piece));
        check
    }

    #[test]
    fn each_fault_is_told_from_the_others() {
        for (amplitude, spoken, fault) in [
            (0.0, false, Some(SoundFault::Silent)),
            (0.000_05, true, Some(SoundFault::Silent)),
            (0.005, false, None),
            (0.005, true, Some(SoundFault::FarTooQuiet)),
            (0.3, true, None),
            (0.97, true, None),
            (4.0, true, Some(SoundFault::Clipped)),
        ] {
            assert_eq!(tone(3, amplitude).fault(spoken), fault, "{amplitude}");
        }
    }

    #[test]
    fn a_moment_of_sound_says_nothing() {
        let mut check = SoundCheck::default();
        check.take(&vec![0.0; ENOUGH / 2]);
        assert_eq!(check.fault(true), None);
    }
}
