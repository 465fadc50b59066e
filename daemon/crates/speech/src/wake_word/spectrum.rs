//! The spectrum that microWakeWord models were trained on: 40 mel channels, each the size of what sounds in it.
//!
//! Window, filter bank and rounding are those of the audio front end of TensorFlow Lite Micro, whose whole numbers are
//! kept, since a model knows nothing else. Only the Fourier transform is computed more exactly here. Noise and loudness
//! are dealt with in `loudness`.

use std::f64::consts::TAU;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use crate::SAMPLE_RATE;

/// A window has this many samples, which are 30 ms.
pub(super) const WINDOW: usize = 480;

/// This many samples, which are 10 ms, lie between the beginnings of two windows.
pub(super) const HOP: usize = 160;

/// A spectrum has this many values.
pub(super) const CHANNELS: usize = 40;

/// The window is filled up with silence to this power of two.
const TRANSFORM: usize = 512;

/// The channels cover this band, in hertz.
const BAND: (f64, f64) = (125.0, 7_500.0);

/// The weights of window and filter bank have this many fractional bits.
const WEIGHT_BITS: u32 = 12;

/// Computes spectra of one window after the other; remembers nothing but its buffers.
pub(super) struct Spectrum {
    transform: Arc<dyn RealToComplex<f32>>,
    weights: Vec<i32>,
    bins: Vec<Bin>,
    first_bin: usize,
    input: Vec<f32>,
    output: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
}

/// A line of the transform lies between two peaks: on the falling side of one channel and the rising side of the next.
#[derive(Debug, Clone, Copy)]
struct Bin {
    channel: usize,
    falling: u64,
    rising: u64,
}

impl Spectrum {
    pub(super) fn new() -> Self {
        let transform = RealFftPlanner::new().plan_fft_forward(TRANSFORM);
        let (input, output, scratch) = (
            transform.make_input_vec(),
            transform.make_output_vec(),
            transform.make_scratch_vec(),
        );
        let (first_bin, bins) = filter_bank();
        Self {
            transform,
            weights: hann(),
            bins,
            first_bin,
            input,
            output,
            scratch,
        }
    }

    /// Gives the channels of [`WINDOW`] samples. What is missing counts as silence at the end.
    pub(super) fn of(&mut self, samples: &[i16]) -> [u32; CHANNELS] {
        let windowed = samples.iter().zip(&self.weights);
        let windowed = windowed.map(|(sample, weight)| (i32::from(*sample) * weight) >> WEIGHT_BITS);
        let loudest = windowed.clone().map(i32::unsigned_abs).max().unwrap_or_default();
        // A quiet window is computed louder, so that rounding costs it no more than a loud one.
        let shift = i16::BITS - 1 - bit_length(loudest).min(i16::BITS - 1);
        self.input.fill(0.0);
        for (input, value) in self.input.iter_mut().zip(windowed) {
            *input = (value << shift) as f32;
        }
        let transformed =
            self.transform
                .process_with_scratch(&mut self.input, &mut self.output, &mut self.scratch);
        // The buffers are the transform's own, so that their lengths are right.
        debug_assert!(transformed.is_ok());
        self.channels(shift)
    }

    fn channels(&self, shift: u32) -> [u32; CHANNELS] {
        // One more at each end: what lies below the first channel and above the last is left out.
        let mut sums = [0_u64; CHANNELS + 2];
        for (line, bin) in self.output.iter().skip(self.first_bin).zip(&self.bins) {
            let energy = energy(*line);
            for (channel, weight) in [(bin.channel, bin.falling), (bin.channel + 1, bin.rising)] {
                if let Some(sum) = sums.get_mut(channel) {
                    *sum += weight * energy;
                }
            }
        }
        let mut channels = [0; CHANNELS];
        for (channel, sum) in channels.iter_mut().zip(sums.iter().skip(1)) {
            *channel = rounded_root(*sum) >> shift;
        }
        channels
    }
}

/// Counts the bits that a number takes.
pub(super) fn bit_length(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}

fn energy(line: Complex<f32>) -> u64 {
    let whole = |part: f32| u64::from((part / TRANSFORM as f32).round().abs() as u32);
    whole(line.re).pow(2) + whole(line.im).pow(2)
}

/// Gives the square root, to the nearest whole number.
fn rounded_root(value: u64) -> u32 {
    let root = value.isqrt();
    (root + u64::from(value - root * root > root)) as u32
}

fn fixed(weight: f64) -> f64 {
    (weight * f64::from(1 << WEIGHT_BITS) + 0.5).floor()
}

fn hann() -> Vec<i32> {
    let step = TAU / WINDOW as f64;
    let weight = |at: usize| fixed(0.5 - 0.5 * (step * (at as f64 + 0.5)).cos()) as i32;
    (0..WINDOW).map(weight).collect()
}

fn mel(hertz: f64) -> f64 {
    1127.0 * (hertz / 700.0).ln_1p()
}

/// Makes triangles with their peaks at equal distances in mel; also gives the first line that counts, and
/// what each counts from there.
fn filter_bank() -> (usize, Vec<Bin>) {
    let hertz_per_line = f64::from(SAMPLE_RATE) / TRANSFORM as f64;
    let first = (1.5 + BAND.0 / hertz_per_line) as usize;
    let (low, high) = (mel(BAND.0), mel(BAND.1));
    let spacing = (high - low) / (CHANNELS + 1) as f64;
    let bin = |line: usize| {
        let above = (mel(line as f64 * hertz_per_line) - low) / spacing;
        let channel = above.ceil() as usize - 1;
        let falling = (channel + 1) as f64 - above;
        Bin {
            channel,
            falling: fixed(falling) as u64,
            rising: fixed(1.0 - falling) as u64,
        }
    };
    let bins = (first..=TRANSFORM / 2)
        .map(bin)
        .take_while(|bin| bin.channel <= CHANNELS);
    (first, bins.collect())
}
