//! How late a microphone hears what is played, by the phases of the two (generalised cross-correlation, Knapp and Carter 1976).
//! Knows nothing of earlier measurements.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

use crate::SAMPLE_RATE;

/// The longest delay that is found, in samples: half a second.
pub(super) const LONGEST: usize = SAMPLE_RATE as usize / 2;

/// This many samples of the microphone are looked at.
pub(super) const HEARD: usize = 8_192;

/// This many samples of what was played are looked at. The last of them belong to the last of the microphone.
pub(super) const PLAYED: usize = HEARD + LONGEST;

/// A transform has this many samples.
const LENGTH: usize = 16_384;

/// The frequencies of a voice, in hertz.
const VOICE: std::ops::Range<usize> = 200..4_000;

/// Sound that is fainter than this on average (about −60 dB) is none.
const FAINTEST: f32 = 1e-6;

/// A delay has to be this many times stronger than the average of all delays.
const CLEAR: f32 = 9.0;

/// Finds delays.
pub(super) struct Correlator {
    forward: Arc<dyn RealToComplex<f32>>,
    back: Arc<dyn ComplexToReal<f32>>,
}

impl Default for Correlator {
    fn default() -> Self {
        let mut planner = RealFftPlanner::new();
        Self {
            forward: planner.plan_fft_forward(LENGTH),
            back: planner.plan_fft_inverse(LENGTH),
        }
    }
}

impl Correlator {
    /// Finds how many samples later than it was played the sound is heard. Nothing where too little is heard of it.
    pub(super) fn delay<'a>(
        &self,
        played: impl Iterator<Item = &'a f32>,
        heard: impl Iterator<Item = &'a f32>,
    ) -> Option<f64> {
        let mut played = padded(played);
        let mut heard = padded(heard);
        if power(&played) < FAINTEST || power(&heard) < FAINTEST {
            return None;
        }
        let (played, heard) = (self.spectrum(&mut played)?, self.spectrum(&mut heard)?);
        clearest(&self.likely(&played, &heard)?)
    }

    fn spectrum(&self, samples: &mut [f32]) -> Option<Vec<Complex<f32>>> {
        let mut spectrum = self.forward.make_output_vec();
        self.forward.process(samples, &mut spectrum).ok()?;
        Some(spectrum)
    }

    /// Weighs how likely each delay is.
    fn likely(&self, played: &[Complex<f32>], heard: &[Complex<f32>]) -> Option<Vec<f32>> {
        let mut phases = self.back.make_input_vec();
        let first = VOICE.start * LENGTH / SAMPLE_RATE as usize;
        let both = phases.iter_mut().zip(played.iter().zip(heard));
        let count = VOICE.len() * LENGTH / SAMPLE_RATE as usize;
        for (phase, (played, heard)) in both.skip(first).take(count) {
            let cross = played.conj() * heard;
            *phase = cross / cross.norm().max(f32::MIN_POSITIVE);
        }
        let mut likely = self.back.make_output_vec();
        self.back.process(&mut phases, &mut likely).ok()?;
        // The microphone's first sample belongs to that one of what was played which is LONGEST behind the first.
        likely.rotate_left(LENGTH - LONGEST);
        likely.truncate(LONGEST + 1);
        Some(likely)
    }
}

fn padded<'a>(samples: impl Iterator<Item = &'a f32>) -> Vec<f32> {
    let mut padded: Vec<f32> = samples.copied().collect();
    padded.resize(LENGTH, 0.0);
    padded
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum::<f32>() / LENGTH as f32
}

/// Finds the delay that stands out, between samples as a parabola through its neighbours has it.
fn clearest(likely: &[f32]) -> Option<f64> {
    let (at, best) = likely
        .iter()
        .enumerate()
        .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let average = likely.iter().map(|value| value.abs()).sum::<f32>() / likely.len() as f32;
    if *best < CLEAR * average {
        return None;
    }
    let (before, after) = (*likely.get(at.checked_sub(1)?)?, *likely.get(at + 1)?);
    let bend = before - 2.0 * best + after;
    let part = if bend < 0.0 {
        (before - after) / (2.0 * bend)
    } else {
        0.0
    };
    Some(at as f64 + f64::from(part))
}
