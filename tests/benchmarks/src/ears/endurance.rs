//! Whether many utterances in a row are as many results, and whether the memory stays what it was.
//!
//! A file is heard as fast as the machine can, through ear, end-pointing and recogniser; the microphone takes as long as the
//! person who speaks.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use loquat_speech::{Recognizer, SpeechSettings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::delay::Device;
use super::recordings::Speaker;
use super::sentences::Sentences;
use super::sound::{self, silence};
use super::words::Errors;
use super::{Model, listener};
use crate::loops::worker::Worker;

/// How a process of this program is asked to hear a long file.
pub const PART: &str = "endure";

/// Quiet after each utterance, in seconds: longer than any pause that is waited for.
const BETWEEN: f32 = 1.4;

/// The first tenth fills buffers that stay.
const SETTLING: usize = 10;

const MEBIBYTE: f64 = 1_048_576.0;

/// What came of many utterances.
#[derive(Debug, Serialize, Deserialize)]
pub struct Endured {
    /// How they were heard.
    way: String,
    said: usize,
    /// What was heard, in order.
    results: Vec<String>,
    /// How much more memory was held at the end than at the beginning, by the line through all of it, in MiB.
    growth: f64,
    #[serde(default)]
    errors: f64,
}

impl Endured {
    /// Whether each had one result and the memory grew by less than one MiB.
    pub fn is_clean(&self) -> bool {
        self.results.len() == self.said && self.growth < 1.0
    }
}

impl fmt::Display for Endured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} utterances {}: {} results, {:.1} % of the words wrong, memory grew by {:.2} MiB",
            self.said,
            self.way,
            self.results.len(),
            self.errors,
            self.growth
        )
    }
}

/// Hears so many short commands out of one file, in a process of its own.
///
/// # Errors
/// When there is no voice, or the process ends.
pub async fn by_file(
    speaker: &mut Speaker,
    model: &Model,
    voice_activity: &Path,
    count: usize,
) -> Result<Endured> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("many.wav");
    let said = Sentences::read()?.short;
    let mut writer = sound::create(&file)?;
    let mut spoken = Vec::new();
    for text in &said {
        spoken.push(speaker.says(text, 1.0).await?);
    }
    for words in spoken.iter().cycle().take(count) {
        sound::append(&mut writer, words)?;
        sound::append(&mut writer, &silence(BETWEEN))?;
    }
    writer.finalize()?;
    let mut command = tokio::process::Command::new(std::env::current_exe()?);
    command.arg(PART).arg(&model.file).arg(voice_activity).arg(&file);
    let mut worker = Worker::of(command)?;
    let mut endured: Endured = worker.ask(&Value::Null).await?;
    endured.said = count;
    endured.errors = errors(&said, &endured.results);
    Ok(endured)
}

/// That process: the arguments are whisper's model, that of voice activity, and the file.
///
/// # Errors
/// When a model cannot be used, or a capture has not exactly one result.
pub async fn serve(mut arguments: impl Iterator<Item = String>) -> Result<()> {
    let mut next = || arguments.next().context("a model or the file is missing");
    let settings = SpeechSettings::new(next()?, next()?);
    let file = next()?;
    let recognizer = Recognizer::start(&settings)?;
    let captures = listener::captures(&settings, &recognizer, Path::new(&file)).await?;
    let memory: Vec<f64> = captures.iter().map(|capture| capture.memory as f64).collect();
    let endured = Endured {
        way: "from a file".to_owned(),
        said: 0,
        results: captures.into_iter().map(|capture| capture.text).collect(),
        growth: growth(&memory) / MEBIBYTE,
        errors: 0.0,
    };
    listener::answer(&endured)?;
    recognizer.shutdown().await;
    Ok(())
}

/// Says so many short commands into the daemon's microphone.
///
/// # Errors
/// When there is no voice, or the microphone hears nothing.
pub async fn by_microphone(
    speaker: &mut Speaker,
    model: &Model,
    voice_activity: &Path,
    count: usize,
) -> Result<Endured> {
    let folder = tempfile::tempdir()?;
    let said = Sentences::read()?.short;
    let mut files = Vec::new();
    for (number, text) in said.iter().enumerate() {
        let file = folder.path().join(format!("{number}.wav"));
        let words = speaker.says(text, 1.0).await?;
        sound::write(&file, &[silence(0.3), words].concat())?;
        files.push(file);
    }
    let device = Device::start(model, voice_activity, &[]).await?;
    let (mut results, mut memory) = (Vec::new(), Vec::new());
    for file in files.iter().cycle().take(count) {
        let utterance = device.hears(file).await?;
        memory.push(device.daemon().anonymous_bytes() as f64);
        let heard = utterance.heard.unwrap_or_default();
        results.extend(std::iter::repeat_n(heard, utterance.results));
    }
    Ok(Endured {
        way: "through the microphone of the daemon".to_owned(),
        said: count,
        errors: errors(&said, &results),
        results,
        growth: growth(&memory) / MEBIBYTE,
    })
}

fn errors(said: &[String], heard: &[String]) -> f64 {
    let pairs = said.iter().cycle().zip(heard);
    pairs
        .map(|(said, heard)| Errors::of(said, heard, "en-US"))
        .sum::<Errors>()
        .percent()
}

/// How much a value grows from the first to the last, by the line through all but the first tenth of them.
fn growth(values: &[f64]) -> f64 {
    let behind = values.get(values.len() / SETTLING..).unwrap_or_default();
    let count = behind.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let mean = behind.iter().sum::<f64>() / count.max(1.0);
    let (mut both, mut own) = (0.0, 0.0);
    for (place, value) in behind.iter().enumerate() {
        let from_middle = place as f64 - middle;
        both += from_middle * (value - mean);
        own += from_middle * from_middle;
    }
    if own > 0.0 {
        both / own * values.len() as f64
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_whatever_jumps_about_it() {
        let steady: Vec<f64> = (0..1000)
            .map(|at| if at < 100 { 0.0 } else { 5.0 + f64::from(at % 2) })
            .collect();
        assert!(growth(&steady).abs() < 0.1, "{}", growth(&steady));
        let grows: Vec<f64> = (0..1000).map(|at| f64::from(at) * 0.01).collect();
        assert!((growth(&grows) - 10.0).abs() < 0.1, "{}", growth(&grows));
        assert!(growth(&[]).abs() < 1e-9 && growth(&[1.0]).abs() < 1e-9);
    }

    #[test]
    fn a_lost_result_and_a_growing_memory_are_no_clean_run() {
        let endured = |results: usize, growth| Endured {
            way: String::new(),
            said: 3,
            results: vec![String::new(); results],
            growth,
            errors: 0.0,
        };
        assert!(endured(3, 0.5).is_clean());
        assert!(!endured(2, 0.5).is_clean() && !endured(4, 0.5).is_clean() && !endured(3, 1.5).is_clean());
    }
}
