//! Sound as samples: read, written, mixed with noise. Everything that is drawn by chance is the same in every run.

use std::path::Path;

use anyhow::{Context, Result};
use loquat_speech::{SAMPLE_RATE, wav};

/// Quieter than this is no part of what is said.
const AUDIBLE: f32 = 0.01;

/// The samples of a WAV file at [`SAMPLE_RATE`].
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Vec<f32>> {
    Ok(wav::read(path)?)
}

/// Writes a WAV file of 16 bits at [`SAMPLE_RATE`].
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, samples: &[f32]) -> Result<()> {
    let mut writer = create(path)?;
    append(&mut writer, samples)?;
    Ok(writer.finalize()?)
}

/// A WAV file that is written piece by piece.
pub type Writer = hound::WavWriter<std::io::BufWriter<std::fs::File>>;

/// Begins one.
///
/// # Errors
/// When it cannot be written.
pub fn create(path: &Path) -> Result<Writer> {
    let format = hound::WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    hound::WavWriter::create(path, format).with_context(|| format!("failed to write {}", path.display()))
}

/// Goes on with it.
///
/// # Errors
/// When it cannot be written.
pub fn append(writer: &mut Writer, samples: &[f32]) -> Result<()> {
    for sample in samples {
        writer.write_sample((sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16)?;
    }
    Ok(())
}

/// So many seconds of nothing.
pub fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; length(seconds)]
}

/// Samples of so many seconds.
pub fn length(seconds: f32) -> usize {
    (seconds * SAMPLE_RATE as f32) as usize
}

/// Seconds of so many samples.
pub fn seconds(samples: usize) -> f64 {
    samples as f64 / f64::from(SAMPLE_RATE)
}

/// Without the quiet before and after what is said.
pub fn trimmed(samples: &[f32]) -> &[f32] {
    let is_loud = |sample: &f32| sample.abs() > AUDIBLE;
    let from = samples.iter().position(is_loud).unwrap_or_default();
    let to = samples.iter().rposition(is_loud).map_or(0, |last| last + 1);
    samples.get(from..to).unwrap_or_default()
}

/// Louder or quieter by so many decibels.
pub fn louder(samples: &[f32], decibels: f32) -> Vec<f32> {
    let factor = amplitude(decibels);
    samples.iter().map(|sample| sample * factor).collect()
}

/// The sum of two sounds that begin together, as long as the first.
pub fn mixed(one: &[f32], other: &[f32]) -> Vec<f32> {
    let other = other.iter().chain(std::iter::repeat(&0.0));
    one.iter().zip(other).map(|(one, other)| one + other).collect()
}

/// With noise that is quieter than what is said by so many decibels, from beginning to end.
pub fn in_noise(samples: &[f32], decibels: f32, seed: u64) -> Vec<f32> {
    let said = 20.0 * strength(trimmed(samples)).max(f32::MIN_POSITIVE).log10();
    mixed(samples, &noise(samples.len(), said - decibels, seed))
}

/// The noise of a room, so strong in decibels of full loudness.
pub fn noise(samples: usize, decibels: f32, seed: u64) -> Vec<f32> {
    let noise: Vec<f32> = Noise::new(seed).take(samples).collect();
    let factor = amplitude(decibels) / strength(&noise).max(f32::MIN_POSITIVE);
    noise.iter().map(|sample| sample * factor).collect()
}

/// As a slower or faster voice says it, which is then a deeper or higher one.
pub fn stretched(samples: &[f32], factor: f32) -> Vec<f32> {
    let count = (samples.len() as f32 * factor) as usize;
    let sample = |number: usize| {
        let at = number as f32 / factor;
        let (whole, part) = (at as usize, at.fract());
        let here = samples.get(whole).copied().unwrap_or_default();
        let next = samples.get(whole + 1).copied().unwrap_or(here);
        here + (next - here) * part
    };
    (0..count).map(sample).collect()
}

/// The root of the mean square.
pub fn strength(samples: &[f32]) -> f32 {
    let squares: f32 = samples.iter().map(|sample| sample * sample).sum();
    (squares / samples.len().max(1) as f32).sqrt()
}

fn amplitude(decibels: f32) -> f32 {
    10_f32.powf(decibels / 20.0)
}

/// Numbers by chance, between 0 and 1: a linear congruential generator, of which the upper bits are taken.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The row that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn draw(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// One between these two.
    pub fn between(&mut self, [least, most]: [f32; 2]) -> f32 {
        least + (most - least) * self.draw()
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get((self.draw() * all.len() as f32) as usize)
    }
}

/// The noise of a room, the same amount in each octave: some slow random walks and one quick one, added up.
#[derive(Debug)]
struct Noise {
    chance: Chance,
    slow: [f32; 3],
}

/// How much of each walk is left from one sample to the next, and how much is new.
const WALKS: [(f32, f32); 3] = [(0.997_65, 0.099_046), (0.963, 0.296_516_4), (0.57, 1.052_691_3)];

impl Noise {
    fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed),
            slow: [0.0; 3],
        }
    }
}

impl Iterator for Noise {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let white = self.chance.between([-1.0, 1.0]);
        for (walk, (left, new)) in self.slow.iter_mut().zip(WALKS) {
            *walk = *walk * left + white * new;
        }
        Some(self.slow.iter().sum::<f32>() + white * 0.184_8)
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    fn tone(seconds: f32) -> Vec<f32> {
        let wave = |at: usize| (at as f32 / SAMPLE_RATE as f32 * 440.0 * TAU).sin() * 0.5;
        (0..length(seconds)).map(wave).collect()
    }

    #[test]
    fn noise_is_quieter_than_what_is_said_by_what_was_wanted() {
        let said = [silence(1.0), tone(1.0), silence(1.0)].concat();
        for decibels in [20.0, 5.0] {
            let noisy = in_noise(&said, decibels, 7);
            let noise: Vec<f32> = noisy
                .iter()
                .zip(&said)
                .map(|(noisy, said)| noisy - said)
                .collect();
            let ratio = 20.0 * (strength(&tone(1.0)) / strength(&noise)).log10();
            assert!((ratio - decibels).abs() < 0.5, "{decibels}: {ratio}");
            assert_eq!(
                noisy,
                in_noise(&said, decibels, 7),
                "chance is the same in every run"
            );
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tone.wav");
        write(&path, &tone(0.5)).unwrap();
        let again = read(&path).unwrap();
        assert_eq!(again.len(), length(0.5));
        assert!(
            again
                .iter()
                .zip(tone(0.5))
                .all(|(again, was)| (again - was).abs() < 0.001)
        );
    }

    #[test]
    fn quiet_around_words_is_no_part_of_them() {
        let said = [silence(1.0), tone(0.5), silence(2.0)].concat();
        assert!(trimmed(&said).len().abs_diff(length(0.5)) < 20);
        assert!(trimmed(&silence(1.0)).is_empty());
        assert_eq!(stretched(&tone(1.0), 1.25).len(), length(1.25));
    }
}
