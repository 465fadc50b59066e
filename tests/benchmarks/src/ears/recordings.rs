//! The recordings: spoken by Piper and espeak-ng, by people, with pauses and in noise.
//!
//! What was spoken is kept, so that every run and every contestant hears the same.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use loquat_tests::sound::speak_as;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sentences::Sentences;
use super::sound::{self, silence};
use super::workbench::Workbench;
use crate::loops::worker::Worker;

/// Quiet before and after what is said, in seconds.
const BEFORE: f32 = 0.5;
const AFTER: f32 = 0.5;

/// How loud the noise is, in decibels below what is said.
const NOISE: [f32; 4] = [20.0, 15.0, 10.0, 5.0];

/// How long a person pauses, in turn, in seconds.
const PAUSES: [f32; 3] = [0.5, 0.75, 1.0];

/// Words a minute of espeak-ng.
const SPEED: &str = "130";

const ENGLISH: &str = "en-US";

/// Which recordings belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// Commands in a silent room.
    Clean,
    /// The commands of which every word counts, in noise that is quieter by so many decibels.
    Noise(u8),
    /// People.
    Human,
    /// With a pause after which more has to come.
    PausedOpen,
    /// With a pause after which nothing more has to come.
    PausedWhole,
    /// Other languages.
    Languages,
}

impl Set {
    /// All, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Clean,
        Self::Noise(20),
        Self::Noise(15),
        Self::Noise(10),
        Self::Noise(5),
        Self::Human,
        Self::PausedOpen,
        Self::PausedWhole,
        Self::Languages,
    ];
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Clean => "clean",
            Self::Noise(decibels) => return f.pad(&format!("{decibels} dB")),
            Self::Human => "human",
            Self::PausedOpen => "paused, open",
            Self::PausedWhole => "paused, whole",
            Self::Languages => "languages",
        };
        f.pad(name)
    }
}

/// One recording.
#[derive(Debug, Clone)]
pub struct Clip {
    /// With which others it belongs.
    pub set: Set,
    /// A WAV file at 16 kHz.
    pub file: PathBuf,
    /// What is said in it.
    pub said: String,
    /// In which language.
    pub lang: String,
    /// How long it is, in seconds.
    pub seconds: f64,
}

/// Someone who speaks into files.
#[derive(Debug)]
pub struct Speaker {
    piper: Worker,
    folder: PathBuf,
}

impl Speaker {
    /// Piper, with its voice.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(bench: &Workbench) -> Result<Self> {
        let folder = bench.spoken();
        fs::create_dir_all(&folder)?;
        let mut command = bench.script("speak.py");
        command.arg(bench.voice()?);
        Ok(Self {
            piper: Worker::of(command)?,
            folder,
        })
    }

    /// What Piper says at this speed, without the quiet around it.
    ///
    /// # Errors
    /// When Piper has ended or the disk takes nothing.
    pub async fn says(&mut self, text: &str, speed: f32) -> Result<Vec<f32>> {
        let path = self.folder.join(file_name("piper", &format!("{speed}"), text));
        if !path.is_file() {
            let path = path.display().to_string();
            let asked = json!({"text": text, "path": format!("{path}.part"), "speed": speed});
            let _done: serde_json::Value = self.piper.ask(&asked).await?;
            fs::rename(format!("{path}.part"), &path)?;
        }
        Ok(sound::trimmed(&sound::read(&path)?).to_vec())
    }

    /// What espeak-ng says with this voice, without the quiet around it.
    ///
    /// # Errors
    /// When the disk takes nothing.
    pub async fn espeak_says(&self, voice: &str, speed: &str, text: &str) -> Result<Vec<f32>> {
        let path = self.folder.join(file_name(voice, speed, text));
        if !path.is_file() {
            let folder = tempfile::tempdir()?;
            let spoken = speak_as(voice, speed, text, folder.path()).await;
            fs::copy(spoken, &path)?;
        }
        Ok(sound::trimmed(&sound::read(&path)?).to_vec())
    }
}

fn file_name(voice: &str, speed: &str, text: &str) -> String {
    let words: String = text
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ')
        .map(|c| if c == ' ' { '-' } else { c })
        .take(80)
        .collect();
    format!("{voice}-{speed}-{words}.wav")
}

/// All recordings, as files in this folder; of the commands no more than so many.
///
/// # Errors
/// When there is no voice, or the disk takes nothing.
pub async fn make(
    bench: &Workbench,
    speaker: &mut Speaker,
    folder: &Path,
    commands: usize,
) -> Result<Vec<Clip>> {
    let sentences = Sentences::read()?;
    let mut studio = Studio {
        folder,
        clips: Vec::new(),
    };
    for (number, text) in sentences.commands.iter().take(commands).enumerate() {
        let words = speaker.says(text, 1.0).await?;
        let clean = [silence(BEFORE), words, silence(AFTER)].concat();
        studio.add(Set::Clean, &clean, text, ENGLISH)?;
        for decibels in NOISE {
            let noisy = sound::in_noise(&clean, decibels, number as u64);
            studio.add(Set::Noise(decibels as u8), &noisy, text, ENGLISH)?;
        }
    }
    for (file, said) in bench.people() {
        let words = sound::read(&file)?;
        studio.add(
            Set::Human,
            &[silence(BEFORE), words, silence(AFTER)].concat(),
            &said,
            ENGLISH,
        )?;
    }
    for (paused, pause) in sentences.paused.iter().zip(PAUSES.into_iter().cycle()) {
        let [first, second] = &paused.pieces;
        let pieces = [
            silence(BEFORE),
            speaker.says(first, 1.0).await?,
            silence(pause),
            speaker.says(second, 1.0).await?,
            silence(AFTER),
        ];
        let set = if paused.open {
            Set::PausedOpen
        } else {
            Set::PausedWhole
        };
        studio.add(set, &pieces.concat(), &paused.pieces.join(" "), ENGLISH)?;
    }
    for (lang, texts) in &sentences.languages {
        for text in texts {
            let words = speaker.espeak_says(voice(lang), SPEED, text).await?;
            studio.add(
                Set::Languages,
                &[silence(BEFORE), words, silence(AFTER)].concat(),
                text,
                lang,
            )?;
        }
    }
    Ok(studio.clips)
}

/// Of espeak-ng.
fn voice(lang: &str) -> &str {
    match lang {
        "fr-FR" => "fr-fr",
        _ => lang.split('-').next().unwrap_or(lang),
    }
}

/// Where recordings are written.
struct Studio<'a> {
    folder: &'a Path,
    clips: Vec<Clip>,
}

impl Studio<'_> {
    fn add(&mut self, set: Set, samples: &[f32], said: &str, lang: &str) -> Result<()> {
        let file = self.folder.join(format!("{:03}.wav", self.clips.len()));
        sound::write(&file, samples)?;
        self.clips.push(Clip {
            set,
            file,
            said: said.to_owned(),
            lang: lang.to_owned(),
            seconds: sound::seconds(samples.len()),
        });
        Ok(())
    }
}
