//! Sound that comes in pieces from elsewhere, brought to what whisper takes: 16 kHz, mono, no longer than is wanted.
//!
//! Takes the formats that programs name by rate, bytes of a sample and channels. Never waits, and knows no network.

use std::time::Duration;

use crate::SAMPLE_RATE;
use crate::resample::{Resampler, UnusableRate};
use crate::wav::{Encoding, Format};

/// Channels of one recording; more than any microphone array of a satellite has.
const CHANNELS: std::ops::RangeInclusive<u64> = 1..=8;

/// Says why sound of a format cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnusableSound {
    /// The rate is none that sound has.
    #[error("failed to use sound of {rate} Hz: rates from 4000 to 384000 Hz are understood")]
    Rate {
        /// The rate that was named.
        rate: u64,
    },
    /// The samples have another size than those of whole numbers.
    #[error("failed to use samples of {width} bytes: whole numbers of 2, 3 or 4 bytes are understood")]
    Width {
        /// The width that was named, in bytes.
        width: u64,
    },
    /// No microphone has so many channels.
    #[error("failed to use sound of {channels} channels: 1 to 8 are understood")]
    Channels {
        /// The number of channels that was named.
        channels: u64,
    },
}

/// A format as programs name it: signed whole numbers with the lowest byte first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PcmFormat {
    /// The samples of a second.
    pub rate: u64,
    /// The bytes of a sample.
    pub width: u64,
    /// The number of channels.
    pub channels: u64,
}

/// A recording that is being received.
#[derive(Debug)]
pub struct Pcm {
    format: Format,
    resampler: Resampler,
    /// The beginning of a frame whose end has not come yet.
    cut: Vec<u8>,
    samples: Vec<f32>,
    most: usize,
}

impl Pcm {
    /// Begins a recording of this format, of which at most `longest` is kept.
    pub fn new(format: PcmFormat, longest: Duration) -> Result<Self, UnusableSound> {
        let PcmFormat {
            rate,
            width,
            channels,
        } = format;
        if !(2..=4).contains(&width) {
            return Err(UnusableSound::Width { width });
        }
        if !CHANNELS.contains(&channels) {
            return Err(UnusableSound::Channels { channels });
        }
        let unusable = UnusableSound::Rate { rate };
        let Ok(hertz) = u32::try_from(rate) else {
            return Err(unusable);
        };
        let resampler = Resampler::new(hertz).map_err(|UnusableRate { .. }| unusable)?;
        Ok(Self {
            format: Format {
                encoding: Encoding::Signed(width as usize),
                channels: channels as usize,
                rate: hertz,
            },
            resampler,
            cut: Vec::new(),
            samples: Vec::new(),
            most: (longest.as_secs_f64() * f64::from(SAMPLE_RATE)) as usize,
        })
    }

    /// Takes the next bytes; a piece may end in the middle of a frame. What comes after the longest recording is dropped.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.samples.len() >= self.most {
            return;
        }
        self.cut.extend_from_slice(bytes);
        let whole = self.cut.len() - self.cut.len() % self.format.frame_bytes();
        let frames: Vec<f32> = self
            .format
            .mono(self.cut.get(..whole).unwrap_or_default())
            .collect();
        self.cut.drain(..whole);
        self.resampler.feed(&frames, &mut self.samples);
    }

    /// Takes the samples so far that were not taken yet. More may follow.
    pub(crate) fn take(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.samples)
    }

    /// Gives the whole sound, as 16 kHz mono samples between −1 and 1.
    pub fn finish(mut self) -> Vec<f32> {
        self.resampler.finish(&mut self.samples);
        self.samples.truncate(self.most);
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    fn format(rate: u64, width: u64, channels: u64) -> PcmFormat {
        PcmFormat {
            rate,
            width,
            channels,
        }
    }

    /// Makes a second of a tone, with each sample as `width` bytes and in each channel.
    fn tone(rate: u32, width: usize, channels: usize) -> Vec<u8> {
        let sample = |index: u32| {
            let value = 0.5 * (TAU * 440.0 * index as f32 / rate as f32).sin();
            let whole = (f64::from(value) * 2.0_f64.powi(31)) as i32;
            let bytes = whole.to_le_bytes()[4 - width..].to_vec();
            bytes.repeat(channels)
        };
        (0..rate).flat_map(sample).collect()
    }

    #[test]
    fn every_format_becomes_the_same_sound_in_pieces_of_any_size() {
        let heard = |rate: u32, width: usize, channels: usize, piece: usize| {
            let mut pcm = Pcm::new(format(rate.into(), width as u64, channels as u64), LONG).unwrap();
            for bytes in tone(rate, width, channels).chunks(piece) {
                pcm.feed(bytes);
            }
            pcm.finish()
        };
        let expected = heard(16_000, 2, 1, 2048);
        assert_eq!(expected.len(), 16_000);
        for (rate, width, channels, piece) in [
            (16_000, 2, 1, 1),
            (16_000, 2, 2, 7),
            (16_000, 3, 1, 1000),
            (16_000, 4, 8, 65_536),
            (48_000, 2, 1, 999),
            (22_050, 2, 2, 1024),
        ] {
            let heard = heard(rate, width, channels, piece);
            assert_eq!(heard.len(), expected.len(), "{rate} {width} {channels}");
            let inside = 400..15_600;
            let worst = heard[inside.clone()]
                .iter()
                .zip(&expected[inside])
                .map(|(left, right)| (left - right).abs())
                .fold(0.0, f32::max);
            assert!(worst < 0.1, "{rate} {width} {channels}: off by {worst}");
        }
    }

    #[test]
    fn no_more_is_kept_than_is_wanted() {
        let mut pcm = Pcm::new(format(16_000, 2, 1), Duration::from_secs(1)).unwrap();
        for _ in 0..600 {
            pcm.feed(&vec![0; 65_536]);
        }
        assert!(pcm.samples.len() < 16_000 + 65_536 && pcm.cut.len() < 2);
        assert_eq!(pcm.finish().len(), 16_000);
    }

    #[test]
    fn what_is_no_sound_is_refused_with_what_would_be() {
        let refused = |rate, width, channels| Pcm::new(format(rate, width, channels), LONG).unwrap_err();
        assert_eq!(refused(3_999, 2, 1), UnusableSound::Rate { rate: 3_999 });
        assert_eq!(refused(u64::MAX, 2, 1), UnusableSound::Rate { rate: u64::MAX });
        assert_eq!(refused(16_000, 0, 1), UnusableSound::Width { width: 0 });
        assert_eq!(refused(16_000, 1, 1), UnusableSound::Width { width: 1 });
        assert_eq!(refused(16_000, 2, 0), UnusableSound::Channels { channels: 0 });
        assert_eq!(
            refused(16_000, 2, u64::MAX),
            UnusableSound::Channels { channels: u64::MAX }
        );
        assert!(refused(0, 2, 1).to_string().contains("0 Hz"));
    }
}
