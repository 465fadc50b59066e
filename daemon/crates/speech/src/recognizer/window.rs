//! How much of whisper's 30 second window an utterance needs, and how many tokens it may cost.
//!
//! The encoder's time grows with the window, so a short utterance gets a short one. Too short a window makes whisper
//! repeat itself endlessly, and where that begins depends on the model. It was measured on spoken commands.

use super::glance;
use crate::SAMPLE_RATE;

/// The encoder has this many positions for one second of sound.
const POSITIONS_PER_SECOND: f32 = 50.0;
/// The whole window of 30 s has this many positions.
const FULL_POSITIONS: i32 = 1_500;
/// A little more than the half of that.
const HALF_POSITIONS: i32 = 768;
/// Three seconds. Whisper repeats what it hears in it, which a glance foresees.
const GLANCE_POSITIONS: i32 = 150;

/// The tiny models have this many layers of the encoder.
const TINY: i32 = 4;

/// Tells whether the whole window of a model of so many layers takes longer than a person likes to wait on two cores of a PC: three
/// seconds of the base model, and one of a tiny one.
pub(super) fn is_slow(encoder_layers: i32) -> bool {
    encoder_layers > TINY
}

/// Says which part of whisper's window is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Window {
    /// The window is cut to the utterance.
    Cut,
    /// It is cut too, and half of it is computed at least; several texts are followed at once.
    Half,
    /// All 30 s are computed, which is slower and surer.
    Full,
    /// As much as a few words take.
    Glance,
}

impl Window {
    /// Gives the value of `audio_ctx`, where 0 is the whole window.
    pub(super) fn audio_ctx(self, samples: usize, encoder_layers: i32) -> i32 {
        match self {
            Self::Full => return 0,
            Self::Glance => return GLANCE_POSITIONS,
            Self::Cut | Self::Half => {}
        }
        // The tiny models begin to repeat themselves with windows that the bigger ones are content with.
        let (margin, least) = if encoder_layers <= TINY {
            (256.0, 512)
        } else {
            (128.0, 384)
        };
        let least = if self == Self::Half { HALF_POSITIONS } else { least };
        let positions = (seconds(samples) * POSITIONS_PER_SECOND + margin).ceil() as i32;
        if positions >= FULL_POSITIONS {
            0
        } else {
            positions.max(least)
        }
    }

    /// Gives the most tokens that speech of this length can need, or that are looked at; quick English is about five a second.
    pub(super) fn max_tokens(self, samples: usize) -> i32 {
        match self {
            Self::Glance => glance::TOKENS,
            Self::Cut | Self::Half | Self::Full => 24 + (seconds(samples) * 8.0).ceil() as i32,
        }
    }
}

pub(super) fn seconds(samples: usize) -> f32 {
    samples as f32 / SAMPLE_RATE as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_utterance_within_its_bounds() {
        let tiny = |seconds: usize| Window::Cut.audio_ctx(seconds * 16_000, 4);
        let base = |seconds: usize| Window::Cut.audio_ctx(seconds * 16_000, 6);
        assert_eq!(
            [tiny(0), tiny(5), tiny(10), tiny(24), tiny(25), tiny(60)],
            [512, 512, 756, 1_456, 0, 0]
        );
        assert_eq!(
            [base(0), base(5), base(10), base(27), base(28)],
            [384, 384, 628, 1_478, 0]
        );
        assert_eq!(Window::Full.audio_ctx(16_000, 4), 0);
        let half = |seconds: usize| Window::Half.audio_ctx(seconds * 16_000, 6);
        assert_eq!([half(1), half(10), half(20), half(28)], [768, 768, 1_128, 0]);
    }

    #[test]
    fn tokens_grow_with_the_utterance() {
        assert_eq!(Window::Cut.max_tokens(16_000 * 2), 40);
        assert_eq!(Window::Full.max_tokens(16_000 * 20), 184);
        assert!(Window::Glance.max_tokens(16_000 * 2) < 10);
    }
}
