//! Where hassil and the community's sentences are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// A Python environment with hassil and the package of the sentences.
pub(crate) struct Environment {
    folder: PathBuf,
    package: PathBuf,
}

impl Environment {
    /// The environment, unless it was not installed.
    pub(crate) fn find() -> Option<Self> {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let usual = || Some(variable("HOME")?.join(".cache/loquat/peers"));
        let of_all = || Some(variable("LOQUAT_PEERS").or_else(usual)?.join("sentences"));
        let folder = variable("LOQUAT_PEERS_SENTENCES").or_else(of_all)?;
        let found = Self::package(&folder).map(|package| Self { folder, package });
        if found.is_none() {
            println!("skipped: hassil is not installed; `make peers` installs it");
        }
        found
    }

    fn package(folder: &Path) -> Option<PathBuf> {
        let libraries = fs::read_dir(folder.join("lib")).ok()?;
        let package = |library: PathBuf| library.join("site-packages/home_assistant_intents");
        libraries
            .map(|library| package(library.unwrap().path()))
            .find(|path| path.exists())
    }

    /// The languages of the package.
    pub(crate) fn languages(&self) -> Vec<String> {
        let files = fs::read_dir(self.package.join("data")).unwrap();
        let mut codes: Vec<String> = files
            .filter_map(|file| Some(file.unwrap().path().file_stem()?.to_str()?.to_owned()))
            .collect();
        codes.sort();
        assert!(codes.len() > 60, "{codes:?}");
        codes
    }

    /// The file of a language.
    pub(crate) fn pack(&self, language: &str) -> String {
        fs::read_to_string(self.package.join(format!("data/{language}.json"))).unwrap()
    }

    /// The lines of JSON that a script prints.
    pub(crate) fn lines(&self, script: &str, arguments: &[&str]) -> Vec<Json> {
        let output = Command::new(self.folder.join("bin/python"))
            .arg(
                Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("tests/community")
                    .join(script),
            )
            .args(arguments)
            .env("PYTHONHASHSEED", "0")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(output.status.success(), "{script} has failed");
        let lines = String::from_utf8(output.stdout).unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}
