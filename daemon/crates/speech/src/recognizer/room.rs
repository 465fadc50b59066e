//! How quiet it is around a voice: how far the loud moments of a recording are above its quiet ones. An utterance comes with some
//! of the quiet before and behind it, so that both are there.

use crate::voice::FRAME;

/// From this ratio of amplitudes on, 26 dB, it is quiet around a voice.
const QUIET: f32 = 20.0;

/// Of its moments, one in ten is quieter and one in ten louder than those that are compared.
const TENTH: usize = 10;

/// Tells whether it is quiet around the voice in this recording.
pub(super) fn is_quiet(samples: &[f32]) -> bool {
    let mut strengths: Vec<f32> = samples.chunks_exact(FRAME).map(strength).collect();
    strengths.sort_by(f32::total_cmp);
    let tenth = strengths.len() / TENTH;
    let (quiet, loud) = (strengths.get(tenth), strengths.iter().rev().nth(tenth));
    quiet.zip(loud).is_some_and(|(quiet, loud)| *loud > quiet * QUIET)
}

/// Gives the root mean square, that is how loud a sound is.
pub(super) fn strength(samples: &[f32]) -> f32 {
    let energy: f64 = samples
        .iter()
        .map(|sample| f64::from(*sample) * f64::from(*sample))
        .sum();
    (energy / samples.len().max(1) as f64).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of a tone, with half a second before and behind it, in noise of this amplitude.
    fn recording(noise: f32) -> Vec<f32> {
        let sample = |at: usize| {
            let hiss = if at.is_multiple_of(2) { noise } else { -noise };
            let is_said = (8_000..24_000).contains(&at);
            hiss + if is_said {
                0.3 * (at as f32 * 0.2).sin()
            } else {
                0.0
            }
        };
        (0..32_000).map(sample).collect()
    }

    #[test]
    fn it_is_quiet_where_a_voice_is_far_above_all_else() {
        assert!(is_quiet(&recording(0.0)));
        assert!(is_quiet(&recording(0.005)));
        assert!(!is_quiet(&recording(0.02)));
        assert!(!is_quiet(&recording(0.2)));
    }

    #[test]
    fn it_is_not_known_to_be_quiet_where_nothing_or_one_thing_is_heard() {
        assert!(!is_quiet(&[]));
        assert!(!is_quiet(&[0.1; 300]));
        assert!(!is_quiet(&vec![0.0; 32_000]));
        assert!(!is_quiet(&vec![0.1; 32_000]));
    }
}
