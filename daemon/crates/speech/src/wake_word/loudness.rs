//! Takes steady noise out of a spectrum, evens its loudness and makes it logarithmic.
//!
//! Noise reduction, per-channel amplitude normalisation (PCAN) and the logarithm of the audio front end of TensorFlow
//! Lite Micro, with the figures that microWakeWord models were trained with, in its whole numbers.

use super::spectrum::{CHANNELS, bit_length};

/// The factors below have this many fractional bits.
const FACTOR_BITS: u32 = 14;

/// The estimate of the noise follows the sound this fast, in even and in odd channels.
const SMOOTHING: [u64; 2] = [factor(0.025), factor(0.06)];

/// This part of a channel stays whatever the noise.
const REMAINING: u64 = factor(0.05);

/// The estimate of the noise has this many fractional bits.
const ESTIMATE_BITS: u32 = 10;

/// The gain is `(noise + OFFSET) ^ -STRENGTH`.
const STRENGTH: f64 = 0.95;
const OFFSET: f64 = 80.0;
const GAIN_BITS: u32 = 21;

/// Bits by which the spectrum is smaller than the sound.
const CORRECTION_BITS: u32 = 3;

/// Fractional bits of signal against noise, and of what comes out.
const RATIO_BITS: u32 = 12;
const OUTPUT_BITS: u32 = 6;

/// A natural logarithm of 1 becomes this much.
const LOG_SCALE: f64 = 64.0;

const fn factor(value: f64) -> u64 {
    (value * (1_u64 << FACTOR_BITS) as f64) as u64
}

/// The noise of the room as it is known by now.
#[derive(Debug)]
pub(super) struct Loudness {
    noise: [u32; CHANNELS],
    gain: Gain,
}

impl Loudness {
    pub(super) fn new() -> Self {
        Self {
            noise: [0; CHANNELS],
            gain: Gain::new(),
        }
    }

    /// Forgets the noise.
    pub(super) fn reset(&mut self) {
        self.noise = [0; CHANNELS];
    }

    /// Takes the noise out of a spectrum, which is then in steps of 1/64 of a natural logarithm.
    pub(super) fn even(&mut self, spectrum: &[u32; CHANNELS]) -> [u16; CHANNELS] {
        let mut result = [0; CHANNELS];
        let smoothing = SMOOTHING.iter().cycle();
        let channels = spectrum.iter().zip(&mut self.noise).zip(smoothing);
        for (result, ((signal, noise), smoothing)) in result.iter_mut().zip(channels) {
            let left = without_noise(*signal, noise, *smoothing);
            *result = logarithm(self.gain.apply(left, *noise));
        }
        result
    }
}

/// Brings the estimate of the noise forward and takes it off the signal.
fn without_noise(signal: u32, noise: &mut u32, smoothing: u64) -> u32 {
    let fine = u64::from(signal) << ESTIMATE_BITS;
    let kept = u64::from(*noise) * ((1 << FACTOR_BITS) - smoothing);
    let estimate = (fine * smoothing + kept) >> FACTOR_BITS;
    *noise = estimate as u32;
    let least = (u64::from(signal) * REMAINING) >> FACTOR_BITS;
    let left = fine.saturating_sub(estimate) >> ESTIMATE_BITS;
    left.max(least) as u32
}

/// The gain for each loudness of the noise: a parabola for each power of two.
#[derive(Debug)]
struct Gain {
    smallest: [i32; 3],
    parabolas: Vec<[i32; 3]>,
}

impl Gain {
    fn new() -> Self {
        let parabola = |interval: u32| {
            let start = 1_u64 << (interval - 1);
            let points = [start, start + start / 2, (2 * start).min(u64::from(u32::MAX))].map(gain);
            let [first, middle, last] = points;
            let (half, whole) = (middle - first, last - first);
            let linear = 4 * half - whole;
            [first, linear, whole - linear]
        };
        Self {
            smallest: [gain(0), gain(1), gain(2)],
            parabolas: (2..=u32::BITS).map(parabola).collect(),
        }
    }

    fn of(&self, noise: u32) -> i32 {
        if let Some(gain) = self.smallest.get(noise as usize) {
            return *gain;
        }
        let interval = bit_length(noise);
        let Some([constant, linear, square]) = self.parabolas.get(interval as usize - 2) else {
            return 0;
        };
        // The ten bits below the highest one say where in the interval it lies.
        let fraction = if interval < 11 {
            noise << (11 - interval)
        } else {
            noise >> (interval - 11)
        };
        let fraction = (fraction & 0x3ff).cast_signed();
        let slope = ((square * fraction) >> 5) + (linear << 5);
        constant + ((slope * fraction + (1 << 14)) >> 15)
    }

    fn apply(&self, signal: u32, noise: u32) -> u32 {
        let gain = u64::from(self.of(noise).max(0).unsigned_abs());
        let ratio = ((u64::from(signal) * gain) >> (GAIN_BITS - CORRECTION_BITS - RATIO_BITS)) as u32;
        if ratio < 2 << RATIO_BITS {
            (ratio * ratio) >> (2 + 2 * RATIO_BITS - OUTPUT_BITS)
        } else {
            (ratio >> (RATIO_BITS - OUTPUT_BITS)) - (1 << OUTPUT_BITS)
        }
    }
}

fn gain(noise: u64) -> i32 {
    let noise = noise as f64 / f64::from(1 << (ESTIMATE_BITS - CORRECTION_BITS));
    let gain = f64::from(1 << GAIN_BITS) * (noise + OFFSET).powf(-STRENGTH);
    ((gain + 0.5) as i32).min(i32::from(i16::MAX))
}

fn logarithm(value: u32) -> u16 {
    let value = u64::from(value) << CORRECTION_BITS;
    if value <= 1 {
        return 0;
    }
    ((value as f64).ln() * LOG_SCALE).round() as u16
}
