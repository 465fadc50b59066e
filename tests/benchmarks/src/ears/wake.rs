//! Wake words: how many are missed, quiet and in noise, and how often one is heard in an hour in which none is said.
//!
//! The detectors are fed faster than real time, the way the ear feeds them.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use loquat_models::Catalogue;
use loquat_speech::{MicroWakeWord, MicroWakeWords, WakeWord, WakeWordDetector as _, WakeWordSettings};
use serde::Serialize;

use super::recordings::Speaker;
use super::sentences::Sentences;
use super::sound::{self, Chance, silence};

/// What the ear feeds at a time.
const FRAME: usize = 512;

/// The words that there are models for, and how they are said.
pub(super) const WORDS: [(&str, &str); 4] = [
    ("hey_mycroft", "hey mycroft"),
    ("hey_jarvis", "hey jarvis"),
    ("alexa", "alexa"),
    ("okay_nabu", "okay nabu"),
];

/// The noise that a word is said in, in decibels below it; nothing is none.
const NOISE: [Option<f32>; 4] = [None, Some(20.0), Some(10.0), Some(5.0)];

/// How fast Piper says a word.
pub(super) const SPEEDS: [f32; 3] = [0.85, 1.0, 1.15];

/// How espeak-ng does: its voice, and words a minute.
const ESPEAK: [(&str, &str); 3] = [("en-gb", "150"), ("en-us", "130"), ("en-gb-scotland", "140")];

/// What is said after a word, in the last of its recordings.
const COMMAND: &str = "what time is it";

/// Two detections nearer to each other are one.
const REST: f64 = 2.0;

/// How a word fared.
#[derive(Debug, Serialize)]
pub struct Fared {
    name: &'static str,
    /// The certainty above which it counts as heard.
    cutoff: f32,
    said: usize,
    /// How many were missed, for each loudness of noise.
    missed: [usize; 4],
    /// How often it was heard in talk without it.
    false_alarms: usize,
    /// How much talk there was, in hours.
    hours: f64,
}

impl Fared {
    /// The line above all.
    pub fn heading() -> String {
        "wake word     cutoff  said  missed: quiet  20 dB  10 dB   5 dB   false alarms an hour".to_owned()
    }
}

impl fmt::Display for Fared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [quiet, twenty, ten, five] = self.missed;
        write!(
            f,
            "{:<13} {:>6.2} {:>5} {quiet:>14} {twenty:>6} {ten:>6} {five:>6} {:>13.2} ({} in {:.2} h)",
            self.name,
            self.cutoff,
            self.said,
            self.false_alarms as f64 / self.hours,
            self.false_alarms,
            self.hours
        )
    }
}

/// The detector of a word as the daemon makes it, or what is missing.
pub(super) fn detector(name: &str, models: &Path) -> Result<(MicroWakeWords, f32)> {
    let catalogue = Catalogue::embedded();
    let known = catalogue.find(name)?;
    let spotting = known.spotting.context("it is no wake word")?;
    let settings = WakeWordSettings {
        word: WakeWord {
            name: name.to_owned(),
            ..WakeWord::default()
        },
        model: models.join(format!("{name}.tflite")),
        cutoff: spotting.cutoff,
        window: spotting.window,
    };
    let detector = MicroWakeWords::new(vec![MicroWakeWord::load(settings)?]);
    Ok((detector, spotting.cutoff))
}

/// When a word was heard, in seconds.
pub(super) fn hits(detector: &mut MicroWakeWords, samples: &[f32]) -> Vec<f64> {
    let mut hits: Vec<f64> = Vec::new();
    for (number, frame) in samples.chunks_exact(FRAME).enumerate() {
        let now = sound::seconds((number + 1) * FRAME);
        let is_new = hits.last().is_none_or(|last| now - last > REST);
        if detector.feed(frame).is_some() && is_new {
            hits.push(now);
        }
    }
    hits
}

/// Measures all words whose models are there, with so many seconds of talk.
///
/// # Errors
/// When there is no voice, or a model is none.
pub async fn measure(
    models: &Path,
    speaker: &mut Speaker,
    others: &[Vec<f32>],
    talk_seconds: f64,
) -> Result<Vec<Fared>> {
    let mut fared = Vec::new();
    let talk = talk(speaker, others).await?;
    for (name, words) in WORDS {
        if !models.join(format!("{name}.tflite")).is_file() {
            continue;
        }
        let (mut detector, cutoff) = detector(name, models)?;
        let said = said(speaker, words).await?;
        let missed = NOISE.map(|noise| missed(&mut detector, &said, noise));
        let mut hour = Hour::of(&talk);
        let (mut false_alarms, mut heard) = (0, 0.0);
        while heard < talk_seconds {
            let piece = hour.next_piece();
            heard += sound::seconds(piece.len());
            false_alarms += hits(&mut detector, &piece).len();
        }
        fared.push(Fared {
            name,
            cutoff,
            said: said.len(),
            missed,
            false_alarms,
            hours: heard / 3600.0,
        });
    }
    Ok(fared)
}

/// A word in all voices, with quiet around it.
async fn said(speaker: &mut Speaker, words: &str) -> Result<Vec<Vec<f32>>> {
    let mut said = Vec::new();
    for speed in SPEEDS {
        said.push(speaker.says(words, speed).await?);
    }
    for (voice, speed) in ESPEAK {
        said.push(speaker.espeak_says(voice, speed, words).await?);
    }
    said.push(speaker.says(&format!("{words}, {COMMAND}?"), 1.0).await?);
    let around = |words: Vec<f32>| [silence(1.5), words, silence(1.0)].concat();
    Ok(said.into_iter().map(around).collect())
}

fn missed(detector: &mut MicroWakeWords, said: &[Vec<f32>], noise: Option<f32>) -> usize {
    let mut missed = 0;
    for (number, words) in said.iter().enumerate() {
        detector.reset();
        let samples = match noise {
            Some(decibels) => sound::in_noise(words, decibels, number as u64),
            None => words.clone(),
        };
        missed += usize::from(hits(detector, &samples).is_empty());
    }
    missed
}

/// What is said without a wake word.
async fn talk(speaker: &mut Speaker, others: &[Vec<f32>]) -> Result<Vec<Vec<f32>>> {
    let sentences = Sentences::read()?;
    let mut talk = others.to_vec();
    for text in sentences.talk.iter().chain([&sentences.own_voice]) {
        talk.push(speaker.says(text, 1.0).await?);
    }
    Ok(talk)
}

/// Talk without end, each piece louder or quieter, faster or slower and in more or less noise by chance.
struct Hour<'a> {
    talk: &'a [Vec<f32>],
    chance: Chance,
}

impl<'a> Hour<'a> {
    fn of(talk: &'a [Vec<f32>]) -> Self {
        Self {
            talk,
            chance: Chance::new(23),
        }
    }

    fn next_piece(&mut self) -> Vec<f32> {
        let chance = &mut self.chance;
        let words = chance.one_of(self.talk).cloned().unwrap_or_default();
        let words = sound::stretched(&words, chance.between([0.85, 1.18]));
        let words = sound::louder(&words, chance.between([-20.0, 0.0]));
        let piece = [words, silence(chance.between([0.2, 1.5]))].concat();
        let decibels = chance.between([-60.0, -30.0]);
        let seed = (chance.draw() * 1e6) as u64;
        sound::mixed(&piece, &sound::noise(piece.len(), decibels, seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_talk_is_heard_in_every_run() {
        let talk = [vec![0.5; 16_000], vec![-0.5; 8_000]];
        let first: Vec<Vec<f32>> = {
            let mut hour = Hour::of(&talk);
            (0..5).map(|_| hour.next_piece()).collect()
        };
        let mut again = Hour::of(&talk);
        assert!(first.iter().all(|piece| *piece == again.next_piece()));
        assert!(first.iter().flatten().all(|sample| sample.abs() < 1.0));
    }
}
