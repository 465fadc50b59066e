//! Files of every kind, written by an independent crate or byte by byte, and broken ones.

use std::f32::consts::TAU;

use hound::{SampleFormat, WavSpec, WavWriter};
use tempfile::TempDir;

use super::*;

fn tone(index: u32, rate: u32) -> f32 {
    0.5 * (TAU * 440.0 * index as f32 / rate as f32).sin()
}

/// Writes half a second of a tone into every channel.
fn write(folder: &TempDir, spec: WavSpec) -> PathBuf {
    let path = folder.path().join("tone.wav");
    let mut writer = WavWriter::create(&path, spec).unwrap();
    for index in 0..spec.sample_rate / 2 {
        for _ in 0..spec.channels {
            let sample = tone(index, spec.sample_rate);
            match spec.sample_format {
                SampleFormat::Float => writer.write_sample(sample).unwrap(),
                SampleFormat::Int => {
                    let full = 2.0_f64.powi(i32::from(spec.bits_per_sample) - 1) - 1.0;
                    writer.write_sample((f64::from(sample) * full) as i32).unwrap();
                }
            }
        }
    }
    writer.finalize().unwrap();
    path
}

fn assert_is_the_tone(samples: &[f32], tolerance: f32) {
    assert_eq!(samples.len(), 8_000);
    for (index, sample) in samples.iter().enumerate().take(7_800).skip(200) {
        let off = (sample - tone(index as u32, 16_000)).abs();
        assert!(off < tolerance, "sample {index} is off by {off}");
    }
}

/// Writes a header and its sound, byte by byte.
fn bytes(tag: u16, channels: u16, rate: u32, bits: u16, data_length: u32, data: &[u8]) -> Vec<u8> {
    let block = channels * (bits / 8);
    let mut bytes = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0".to_vec();
    bytes.extend(tag.to_le_bytes());
    bytes.extend(channels.to_le_bytes());
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(block)).to_le_bytes());
    bytes.extend(block.to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(data_length.to_le_bytes());
    bytes.extend(data);
    bytes
}

fn read_bytes(bytes: &[u8]) -> Result<Vec<f32>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.wav");
    std::fs::write(&path, bytes).unwrap();
    read(&path).map_err(|error| {
        let text = error.to_string();
        assert!(text.contains("some.wav"), "{text}");
        assert!(text.contains("`ffmpeg -i "), "{text}");
        text
    })
}

#[test]
fn every_common_kind_gives_the_same_sound() {
    let folder = tempfile::tempdir().unwrap();
    for sample_rate in [8_000, 16_000, 22_050, 44_100, 48_000] {
        for channels in [1, 2, 6] {
            for (bits_per_sample, sample_format, tolerance) in [
                (8, SampleFormat::Int, 0.02),
                (16, SampleFormat::Int, 0.001),
                (24, SampleFormat::Int, 0.001),
                (32, SampleFormat::Int, 0.001),
                (32, SampleFormat::Float, 0.001),
            ] {
                // Resampling may move the sound by one sample, in which this tone moves by 0.09.
                let tolerance = if sample_rate == 16_000 {
                    tolerance
                } else {
                    tolerance + 0.09
                };
                let spec = WavSpec {
                    channels,
                    sample_rate,
                    bits_per_sample,
                    sample_format,
                };
                assert_is_the_tone(&read(&write(&folder, spec)).unwrap(), tolerance);
            }
        }
    }
}

#[test]
fn channels_are_mixed_and_samples_scaled() {
    let data: Vec<u8> = [16_384_i16, -16_384, 32_767, 32_767]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    assert_eq!(
        read_bytes(&bytes(1, 2, 16_000, 16, 8, &data)).unwrap(),
        [0.0, 32_767.0 / 32_768.0]
    );
    assert_eq!(
        read_bytes(&bytes(1, 1, 16_000, 8, 3, &[0, 128, 192])).unwrap(),
        [-1.0, 0.0, 0.5]
    );
    let data: Vec<u8> = [0.25_f64, f64::NAN, 7.0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    assert_eq!(
        read_bytes(&bytes(3, 1, 16_000, 64, 24, &data)).unwrap(),
        [0.25, 0.0, 1.0]
    );
}

#[test]
fn a_length_that_the_writer_did_not_know_means_all_that_is_there() {
    for length in [0, 0x7fff_f000, u32::MAX] {
        let samples = read_bytes(&bytes(1, 1, 16_000, 16, length, &[0, 64, 0, 32, 9])).unwrap();
        assert_eq!(samples, [0.5, 0.25], "announced as {length}");
    }
}

#[test]
fn broken_files_say_what_is_wrong() {
    let two = [0, 0];
    for (bytes, expected) in [
        (Vec::new(), "cut short"),
        (b"ID3 not a WAV file".to_vec(), "does not begin like one"),
        (bytes(1, 1, 16_000, 16, 0, &[]), "there is no sound in it"),
        (
            bytes(1, 1, 16_000, 16, 9_000, &two),
            "promises 9000 bytes of sound and has 2",
        ),
        (bytes(1, 0, 16_000, 16, 2, &two), "0 channels"),
        (bytes(1, 1, 1, 16, 2, &two), "sample rate is 1 Hz"),
        (bytes(85, 1, 16_000, 16, 2, &two), "encoding 85 with 16 bits"),
        (bytes(1, 1, 16_000, 64, 8, &[0; 8]), "encoding 1 with 64 bits"),
    ] {
        let error = read_bytes(&bytes).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = read(Path::new("/nowhere/question.wav")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the sound file /nowhere/question.wav; check that it is there and may be read"
    );
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    // A sparse file: an hour of silence that takes no disk.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.wav");
    std::fs::write(&path, bytes(1, 1, 16_000, 8, 57_600_000, &[])).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(57_600_000 + 100).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("longer than 10 minutes"), "{error}");
    assert!(error.contains("long.wav -t 600 "), "{error}");
}

#[test]
fn no_cut_and_no_flipped_byte_makes_reading_fail_other_than_by_an_error() {
    let whole = bytes(1, 1, 16_000, 16, 8, &[1, 2, 3, 4, 5, 6, 7, 8]);
    for length in 0..whole.len() {
        assert!(read_bytes(&whole[..length]).is_err(), "cut to {length}");
    }
    for at in 0..whole.len() {
        for value in [0, 1, 127, 255] {
            let mut broken = whole.clone();
            broken[at] = value;
            let _verdict = read_bytes(&broken);
        }
    }
}
