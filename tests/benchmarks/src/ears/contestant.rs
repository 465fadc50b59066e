//! Those who hear: we, the command line of whisper.cpp, and faster-whisper, each a process that is given recordings.
//!
//! Each is as it comes: the peers decode the whole recording with a beam of five and their window of 30 seconds; we look for
//! voices first, and decode what was said.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::recordings::Clip;
use super::workbench::Workbench;
use super::{Model, listener};
use crate::loops::worker::Worker;

/// Who hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// Our ear.
    Loquat,
    /// Its command line.
    WhisperCpp,
    /// The Python package.
    FasterWhisper,
}

impl Who {
    /// All, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Loquat, Self::WhisperCpp, Self::FasterWhisper];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loquat => "loquat",
            Self::WhisperCpp => "whisper.cpp",
            Self::FasterWhisper => "faster-whisper",
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a contestant is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) file: PathBuf,
    pub(super) lang: String,
}

/// What it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Heard {
    /// The words.
    pub text: String,
    /// How long it took, without the loading of the model.
    pub seconds: f64,
    /// In how many pieces the recording was cut.
    pub pieces: usize,
    /// The most memory that was held until now, in bytes.
    pub memory: u64,
}

/// One of them, running; it ends with this value.
#[derive(Debug)]
pub struct Contestant {
    who: Who,
    worker: Worker,
}

impl Contestant {
    /// Starts it.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn start(
        who: Who,
        bench: &Workbench,
        model: &Model,
        voice_activity: &Path,
        threads: usize,
    ) -> Result<Self> {
        let mut command = match who {
            Who::Loquat => {
                let mut command = Command::new(std::env::current_exe()?);
                command.arg(listener::PART).arg(&model.file).arg(voice_activity);
                command
            }
            Who::WhisperCpp => {
                let program = bench.command_line().context("whisper-cli is not installed")?;
                let mut command = bench.script("hear.py");
                command.arg(who.name()).arg(program).arg(&model.file);
                command
            }
            Who::FasterWhisper => {
                let weights = bench
                    .weights(model.name)
                    .context("its weights are not installed")?;
                let mut command = bench.script("hear.py");
                command.arg(who.name()).arg(weights);
                command
            }
        };
        command.arg(threads.to_string());
        let worker = Worker::of(command)?;
        Ok(Self { who, worker })
    }

    /// Has it hear a recording.
    ///
    /// # Errors
    /// When it has ended.
    pub async fn hear(&mut self, clip: &Clip) -> Result<Heard> {
        // The peers know languages by whisper's codes.
        let lang = match self.who {
            Who::Loquat => &clip.lang,
            _ => clip.lang.split('-').next().unwrap_or(&clip.lang),
        };
        let asked = Asked {
            file: clip.file.clone(),
            lang: lang.to_owned(),
        };
        let heard = self.worker.ask(&asked).await;
        heard.with_context(|| format!("{} with {}", self.who, clip.file.display()))
    }
}
