//! Speaks in tones, for stories about the voice: as `espeak-ng` where it is called so, else as a speech process that is kept
//! running and reads lines. Some words have it behave badly.

#![expect(
    clippy::print_stderr,
    reason = "it complains to standard error as speech processes do"
)]

use std::f64::consts::TAU;
use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use tokio::time::Instant;

use anyhow::{Context, Result, bail};
use loquat_tests::speaker::{ESPEAK_HERTZ, HERTZ, HURRY, RATE, SLOW, sound_of};

fn main() -> Result<()> {
    let mut arguments = std::env::args_os();
    let own = PathBuf::from(arguments.next().context("a program has a name")?);
    if own.file_name().is_some_and(|name| name == "espeak-ng") {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        return as_espeak(&own, &arguments.join(" "));
    }
    let log = PathBuf::from(
        arguments
            .next()
            .context("usage: speaker LOG [refuse | hastily]")?,
    );
    note(&log, "started")?;
    let manner = arguments.next();
    if manner.as_ref().is_some_and(|manner| manner == "refuse") {
        eprintln!("there is no voice");
        bail!("it refuses");
    }
    let hurry = if manner.is_some() { HURRY } else { 1 };
    for line in io::stdin().lines() {
        let line = line?;
        note(&log, &line)?;
        let is_said_again = fs::read_to_string(&log)?.matches(&line).count() > 1;
        let dies = line.contains("dies") && !(is_said_again && line.contains("once"));
        speak(&line, hurry, dies)?;
    }
    Ok(())
}

fn note(log: &Path, line: &str) -> Result<()> {
    let mut log = OpenOptions::new().create(true).append(true).open(log)?;
    Ok(writeln!(log, "{line}")?)
}

/// Speaks a sentence as raw PCM, so many times as fast as usual, or dies in its middle.
fn speak(line: &str, hurry: usize, dies: bool) -> Result<()> {
    let mut sound = tone(line, HERTZ);
    sound.truncate(sound.len() / hurry / 2 * 2);
    let (begin, rest) = sound.split_at(sound.len() / 4 * 2);
    let mut output = io::stdout();
    let has = |word: &str| line.contains(word);
    if has("mute") {
        return Ok(());
    }
    while has("endless") {
        output.write_all(&sound)?;
    }
    output.write_all(begin)?;
    output.flush()?;
    if dies {
        eprintln!("the voice is gone");
        std::process::abort();
    }
    let began = Instant::now();
    // As one that computes: it waits for nothing.
    while has("slowly") && began.elapsed() < SLOW {
        std::hint::spin_loop();
    }
    output.write_all(rest)?;
    Ok(output.flush()?)
}

/// Speaks a sentence as a WAV file.
fn as_espeak(own: &Path, arguments: &str) -> Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    note(&own.with_extension("calls"), &format!("{arguments} {text}"))?;
    let format = hound::WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, format)?;
    for bytes in tone(&text, ESPEAK_HERTZ).as_chunks().0 {
        writer.write_sample(i16::from_le_bytes(*bytes))?;
    }
    writer.finalize()?;
    Ok(io::stdout().write_all(&file.into_inner())?)
}

fn tone(text: &str, hertz: u32) -> Vec<u8> {
    let samples = (sound_of(text).as_secs_f64() * f64::from(RATE)) as u32;
    let sample = |index: u32| {
        let at = f64::from(index) / f64::from(RATE);
        (10_000.0 * (TAU * f64::from(hertz) * at).sin()) as i16
    };
    (0..samples)
        .flat_map(|index| sample(index).to_le_bytes())
        .collect()
}
