//! Any sample rate to 16 kHz or to that of a loudspeaker, in pieces of any size. Mono only: channels are mixed before.

use rubato::audioadapter_buffers::direct::SequentialSlice;
use rubato::{
    Async, FixedAsync, Indexing, Resampler as _, SincInterpolationParameters, SincInterpolationType,
    WindowFunction,
};

use crate::SAMPLE_RATE;

/// The rates that sound cards and files have; outside of them a header is broken.
pub(crate) const RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;

/// Input is resampled in pieces of this many frames, 21 ms at 48 kHz.
const CHUNK: usize = 1_024;

/// Says why there is no resampler for a rate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to resample sound of {rate} Hz: rates from {} to {} Hz are understood", RATES.start(), RATES.end())]
pub(crate) struct UnusableRate {
    rate: u32,
}

/// Brings a stream of sound to another rate. Its own delay is taken out, so positions in time stay true to within one
/// sample.
#[derive(Debug)]
pub(crate) struct Resampler {
    /// Absent when the rate is right already.
    sinc: Option<Box<Sinc>>,
}

#[derive(Debug)]
struct Sinc {
    resampler: Async<f32>,
    waiting: Vec<f32>,
    output: Vec<f32>,
    /// Output samples that are only the filter's run-up.
    run_up: usize,
    ratio: f64,
    taken: u64,
    given: u64,
}

impl Resampler {
    /// Resamples sound of this rate to 16 kHz.
    pub(crate) fn new(rate: u32) -> Result<Self, UnusableRate> {
        Self::between(rate, SAMPLE_RATE)
    }

    /// Resamples from the one rate to the other.
    pub(crate) fn between(rate: u32, wanted: u32) -> Result<Self, UnusableRate> {
        for rate in [rate, wanted] {
            if !RATES.contains(&rate) {
                return Err(UnusableRate { rate });
            }
        }
        if rate == wanted {
            return Ok(Self { sinc: None });
        }
        let unusable = UnusableRate { rate };
        Sinc::new(rate, wanted)
            .map(|sinc| Self {
                sinc: Some(Box::new(sinc)),
            })
            .ok_or(unusable)
    }

    /// Takes the next samples and appends what is ready to `out`.
    pub(crate) fn feed(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        match &mut self.sinc {
            None => out.extend_from_slice(samples),
            Some(sinc) => {
                sinc.taken += samples.len() as u64;
                sinc.push(samples, out);
            }
        }
    }

    /// Tells how many samples come out for so many, but for one.
    pub(crate) fn length_of(&self, samples: u64) -> usize {
        let ratio = self.sinc.as_ref().map_or(1.0, |sinc| sinc.ratio);
        (samples as f64 * ratio) as usize
    }

    /// Appends what the filter still holds; the stream has ended.
    pub(crate) fn finish(&mut self, out: &mut Vec<f32>) {
        if let Some(sinc) = &mut self.sinc {
            sinc.finish(out);
        }
    }
}

impl Sinc {
    fn new(rate: u32, wanted: u32) -> Option<Self> {
        let ratio = f64::from(wanted) / f64::from(rate);
        let parameters = SincInterpolationParameters {
            sinc_len: 128,
            f_cutoff: None,
            oversampling_factor: 128,
            interpolation: SincInterpolationType::Linear,
            window: WindowFunction::BlackmanHarris2,
        };
        let resampler = Async::new_sinc(ratio, 1.0, &parameters, CHUNK, 1, FixedAsync::Input).ok()?;
        let output = vec![0.0; resampler.output_frames_max()];
        let run_up = resampler.output_delay();
        Some(Self {
            resampler,
            waiting: Vec::new(),
            output,
            run_up,
            ratio,
            taken: 0,
            given: 0,
        })
    }

    fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        self.waiting.extend_from_slice(samples);
        let mut done = 0;
        while let Some(chunk) = self.waiting.get(done..done + CHUNK) {
            done += CHUNK;
            let frames = self.output.len();
            let Ok(input) = SequentialSlice::new(chunk, 1, CHUNK) else {
                break;
            };
            let Ok(mut output) = SequentialSlice::new_mut(&mut self.output, 1, frames) else {
                break;
            };
            let produced = self
                .resampler
                .process_into_buffer(&input, &mut output, None::<&Indexing>);
            // It only fails for buffers of the wrong size, and these are made for it.
            let Ok((_, produced)) = produced else { break };
            let skipped = self.run_up.min(produced);
            self.run_up -= skipped;
            let ready = self.output.get(skipped..produced).unwrap_or_default();
            self.given += ready.len() as u64;
            out.extend_from_slice(ready);
        }
        self.waiting.drain(..done);
    }

    fn finish(&mut self, out: &mut Vec<f32>) {
        let due = (self.taken as f64 * self.ratio).round() as u64;
        let length = out.len() as u64 + due.saturating_sub(self.given);
        while self.given < due {
            let before = self.given;
            self.push(&[0.0; CHUNK], out);
            if self.given == before && self.run_up == 0 {
                break;
            }
        }
        out.truncate(length as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    /// Makes one second of a tone at this rate.
    fn tone(rate: u32, hertz: f32) -> Vec<f32> {
        (0..rate)
            .map(|index| 0.5 * (TAU * hertz * index as f32 / rate as f32).sin())
            .collect()
    }

    fn resampled(rate: u32, samples: &[f32], piece: usize) -> Vec<f32> {
        let mut resampler = Resampler::new(rate).unwrap();
        let mut out = Vec::new();
        for piece in samples.chunks(piece) {
            resampler.feed(piece, &mut out);
        }
        resampler.finish(&mut out);
        out
    }

    /// A tone of 440 Hz and half the full scale moves this far within one sample at 16 kHz.
    const ONE_SAMPLE: f32 = 0.5 * TAU * 440.0 / 16_000.0;

    #[test]
    fn a_tone_stays_the_same_tone_at_the_same_time() {
        for rate in [
            8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 44_101,
        ] {
            let expected = tone(SAMPLE_RATE, 440.0);
            let out = resampled(rate, &tone(rate, 440.0), 333);
            assert_eq!(out.len(), expected.len(), "{rate} Hz");
            let inside = 400..expected.len() - 400;
            let worst = out[inside.clone()]
                .iter()
                .zip(&expected[inside])
                .map(|(left, right)| (left - right).abs())
                .fold(0.0, f32::max);
            assert!(worst < 1.1 * ONE_SAMPLE, "{rate} Hz is off by {worst}");
            let level = (out.iter().map(|sample| sample * sample).sum::<f32>() / out.len() as f32).sqrt();
            assert!(
                (level - 0.5 / 2.0_f32.sqrt()).abs() < 0.003,
                "{rate} Hz has level {level}"
            );
        }
    }

    #[test]
    fn what_16_khz_cannot_hold_is_filtered_out() {
        let out = resampled(48_000, &tone(48_000, 11_000.0), 480);
        let loudest = out[400..15_600]
            .iter()
            .fold(0.0_f32, |loudest, sample| loudest.max(sample.abs()));
        assert!(loudest < 0.005, "an alias of {loudest} is left");
    }

    #[test]
    fn the_size_of_the_pieces_does_not_matter() {
        let samples = tone(44_100, 700.0);
        let whole = resampled(44_100, &samples, samples.len());
        for piece in [1, 7, 1_023, 1_024, 1_025] {
            assert_eq!(resampled(44_100, &samples, piece), whole, "pieces of {piece}");
        }
    }

    #[test]
    fn short_and_empty_streams_keep_their_length() {
        assert_eq!(resampled(48_000, &[], 1), []);
        assert_eq!(resampled(48_000, &[0.1; 30], 30).len(), 10);
    }

    #[test]
    fn an_absurd_rate_is_refused() {
        for rate in [0, 1, 3_999, 384_001, u32::MAX] {
            let error = Resampler::new(rate).unwrap_err().to_string();
            assert!(error.contains(&format!("{rate} Hz")), "{error}");
        }
    }
}
