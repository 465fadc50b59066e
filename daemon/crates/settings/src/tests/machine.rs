//! A machine with a person on it, in a temporary folder. Shared by the tests of the tables, which stand in other crates.

use std::path::PathBuf;

use loquat_settings::{Complaint, Environment};

/// Has `etc` and the like below one folder, and the person's home beside them.
pub(crate) struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The environment of the person's own session.
    pub(crate) fn environment(&self, pairs: &[(&str, &str)]) -> Environment {
        let home = self.path("home").display().to_string();
        let pairs = pairs.iter().copied().chain([("HOME", home.as_str())]);
        Environment::from_pairs(pairs).with_system_root(self.root.path())
    }

    pub(crate) fn sentences(&self, complaints: &[Complaint]) -> Vec<String> {
        complaints
            .iter()
            .map(|complaint| self.relative(&complaint.to_string()))
            .collect()
    }

    pub(crate) fn relative(&self, text: &str) -> String {
        let root = format!("{}/", self.root.path().display());
        text.replace(&root, "/")
    }
}
