//! Settings as a whole, on machines that exist in a temporary folder only.

mod complaints;
mod layering;
mod places;
mod sample_file;
mod secrets;

use std::path::{Path, PathBuf};

use super::{Complaint, Environment, LoadOptions, Settings};

/// A machine with a person on it: `etc` and the like below one folder, the person's home beside them.
pub(super) struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    pub(super) fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    pub(super) fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The environment of the person's own session.
    pub(super) fn environment(&self, pairs: &[(&str, &str)]) -> Environment {
        let home = self.path("home").display().to_string();
        let pairs = pairs.iter().copied().chain([("HOME", home.as_str())]);
        Environment::from_pairs(pairs).with_system_root(self.root.path())
    }

    /// The complaints about the machine as it is, with the folder cut off.
    pub(super) fn complaints(&self, pairs: &[(&str, &str)], overrides: &[&str]) -> Vec<String> {
        let (_, complaints) = Settings::load_leniently(&self.environment(pairs), &options(overrides));
        self.sentences(&complaints.0)
    }

    pub(super) fn settings(&self) -> Settings {
        Settings::load(&self.environment(&[]), &LoadOptions::default()).unwrap()
    }

    pub(super) fn sentences(&self, complaints: &[Complaint]) -> Vec<String> {
        complaints
            .iter()
            .map(|complaint| self.relative(&complaint.to_string()))
            .collect()
    }

    pub(super) fn relative(&self, text: &str) -> String {
        let root = format!("{}/", self.root.path().display());
        text.replace(&root, "/")
    }

    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }
}

pub(super) fn options(overrides: &[&str]) -> LoadOptions {
    LoadOptions {
        config_file: None,
        overrides: overrides.iter().map(|argument| (*argument).to_owned()).collect(),
    }
}
