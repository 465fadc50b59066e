//! Finds Piper and a voice for it. A program called `piper` may also be Debian's tool for gaming mice, so it is asked.
//!
//! Fetches nothing: which voice a person wants is theirs to say, and voices have licences of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use loquat_orchestrator::vocabulary::same_language;
use serde::Deserialize;
use tokio::process::Command;
use tokio::time::timeout;

use super::process::SpeechCommand;
use super::speed::LENGTH_SCALE;

/// A program has this long to say what it is: Python on a small board loads much first.
const PATIENCE: Duration = Duration::from_secs(20);

/// Voices are looked for this many folders deep. The published ones lie in `en/en_US/joe/medium`.
const DEPTH: usize = 5;

/// Says why Piper does not speak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoPiper {
    /// There is no such program.
    #[error("no piper is installed")]
    NotInstalled,
    /// There is one of that name, which is something else.
    #[error("{} is no Piper that speaks (Debian's is for gaming mice)", .0.display())]
    SomethingElse(PathBuf),
    /// It has no voice for the language.
    #[error("piper has no voice that speaks {lang} (looked in {looked})")]
    NoVoice {
        /// The device speaks this language.
        lang: String,
        /// The folders that were searched, for a person.
        looked: String,
    },
    /// The voice cannot be used.
    #[error("failed to use the voice {} of piper: {reason}", voice.display())]
    Unusable {
        voice: PathBuf,
        /// A sentence that says what is wrong with it.
        reason: String,
    },
}

/// The settings that decide which voice is chosen.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) search_path: String,
    /// The folders in which voices may lie.
    pub(super) folders: Vec<PathBuf>,
    /// The `.onnx` file that is to be used.
    pub(super) voice: Option<PathBuf>,
    pub(super) lang: String,
}

/// The JSON file that lies beside each of Piper's voices.
#[derive(Debug, Deserialize)]
struct Description {
    audio: Audio,
    #[serde(default)]
    language: Option<Language>,
    #[serde(default)]
    espeak: Option<Language>,
}

#[derive(Debug, Deserialize)]
struct Audio {
    sample_rate: u32,
}

#[derive(Debug, Deserialize)]
struct Language {
    #[serde(alias = "voice")]
    code: String,
}

impl Description {
    fn of(voice: &Path) -> Result<Self, NoPiper> {
        let mut path = voice.as_os_str().to_owned();
        path.push(".json");
        let unusable = |reason: String| NoPiper::Unusable {
            voice: voice.into(),
            reason,
        };
        let text = fs::read_to_string(&path)
            .map_err(|error| unusable(format!("{} cannot be read ({error})", path.display())))?;
        serde_json::from_str(&text).map_err(|error| {
            unusable(format!(
                "{} is no description of a voice ({error})",
                path.display()
            ))
        })
    }

    fn lang(&self) -> String {
        let language = self.language.as_ref().or(self.espeak.as_ref());
        language.map_or_else(|| "en".to_owned(), |language| language.code.replace('_', "-"))
    }
}

/// Finds out how Piper is started, where it is installed and has a voice.
pub(super) async fn find(wanted: &Wanted) -> Result<SpeechCommand, NoPiper> {
    let programs = wanted
        .search_path
        .split(':')
        .map(|folder| Path::new(folder).join("piper"));
    let mut failed = NoPiper::NotInstalled;
    for program in programs.filter(|program| program.is_file()) {
        if !speaks(&program).await {
            failed = NoPiper::SomethingElse(program);
            continue;
        }
        let (voice, description) = match &wanted.voice {
            Some(voice) => (voice.clone(), Description::of(voice)?),
            None => installed_voice(wanted)?,
        };
        return Ok(command(&program, &voice, &description));
    }
    Err(failed)
}

fn command(program: &Path, voice: &Path, description: &Description) -> SpeechCommand {
    let (program, voice) = (program.display().to_string(), voice.display().to_string());
    let words = [
        &*program,
        "--model",
        &*voice,
        "--output-raw",
        "--length-scale",
        LENGTH_SCALE,
    ];
    SpeechCommand {
        words: words.map(str::to_owned).to_vec(),
        rate: description.audio.sample_rate,
        lang: description.lang(),
    }
}

async fn speaks(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--help").stdin(Stdio::null()).kill_on_drop(true);
    let Ok(Ok(said)) = timeout(PATIENCE, command.output()).await else {
        return false;
    };
    let said = [said.stdout, said.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    // The two lines of Piper spell it in two ways.
    ["output-raw", "output_raw"]
        .into_iter()
        .any(|option| said.contains(option))
}

/// Finds the first voice of exactly the device's language, else of one that its speakers understand.
fn installed_voice(wanted: &Wanted) -> Result<(PathBuf, Description), NoPiper> {
    let described = voices_in(&wanted.folders).into_iter().filter_map(|voice| {
        let description = Description::of(&voice).ok()?;
        same_language(&description.lang(), &wanted.lang).then_some((voice, description))
    });
    let mut found: Vec<_> = described.collect();
    found.sort_by_key(|(_, description)| !description.lang().eq_ignore_ascii_case(&wanted.lang));
    found.into_iter().next().ok_or_else(|| NoPiper::NoVoice {
        lang: wanted.lang.clone(),
        looked: looked(&wanted.folders),
    })
}

/// Lists the voices in these folders.
pub(super) fn voices_in(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut voices = Vec::new();
    for folder in folders {
        collect(folder, DEPTH, &mut voices);
    }
    voices
}

fn looked(folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    folders.join(", ")
}

/// Collects the voices of a folder in the order of their names.
fn collect(folder: &Path, depth: usize, voices: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.extension().is_some_and(|extension| extension == "onnx") {
            voices.push(entry);
        } else if depth > 0 && entry.is_dir() {
            collect(&entry, depth - 1, voices);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn program(folder: &Path, help: &str) {
        let path = folder.join("piper");
        fs::create_dir_all(folder).unwrap();
        fs::write(&path, format!("#!/bin/sh\necho '{help}'\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn voice(folder: &Path, name: &str, lang: &str) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let description =
            format!(r#"{{"audio": {{"sample_rate": 16000}}, "language": {{"code": "{lang}"}}}}"#);
        fs::write(folder.join(format!("{name}.onnx.json")), description).unwrap();
        let path = folder.join(format!("{name}.onnx"));
        fs::write(&path, "weights").unwrap();
        path
    }

    fn wanted(folder: &Path) -> Wanted {
        Wanted {
            search_path: format!("{0}/mice:{0}/bin", folder.display()),
            folders: vec![folder.join("voices")],
            voice: None,
            lang: "en-US".into(),
        }
    }

    #[tokio::test]
    async fn piper_is_found_with_the_voice_that_suits_the_device() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let wanted = wanted(folder);
        assert_eq!(find(&wanted).await, Err(NoPiper::NotInstalled));
        program(&folder.join("mice"), "configure gaming mice");
        let mice = folder.join("mice/piper");
        assert_eq!(find(&wanted).await, Err(NoPiper::SomethingElse(mice)));
        program(&folder.join("bin"), "usage: piper [--output-raw]");
        let none = find(&wanted).await.unwrap_err();
        assert!(
            matches!(&none, NoPiper::NoVoice { lang, .. } if lang == "en-US"),
            "{none}"
        );
        voice(&folder.join("voices/de"), "de_DE-eva", "de_DE");
        voice(&folder.join("voices/en/a"), "en_GB-alan", "en_GB");
        let joe = voice(&folder.join("voices/en/en_US/joe/medium"), "en_US-joe", "en_US");
        let found = find(&wanted).await.unwrap();
        assert_eq!((found.rate, &*found.lang), (16_000, "en-US"));
        assert_eq!(found.words[0], folder.join("bin/piper").display().to_string());
        assert_eq!(found.words[2], joe.display().to_string());
    }

    #[tokio::test]
    async fn a_voice_that_is_named_must_be_one() {
        let folder = tempfile::tempdir().unwrap();
        program(&folder.path().join("bin"), "usage: piper [--output_raw]");
        let mut wanted = wanted(folder.path());
        let named = voice(folder.path(), "mine", "de_DE");
        wanted.voice = Some(named.clone());
        assert_eq!(find(&wanted).await.unwrap().lang, "de-DE");
        fs::write(folder.path().join("mine.onnx.json"), "[]").unwrap();
        let error = find(&wanted).await.unwrap_err().to_string();
        assert!(
            error.contains("mine.onnx.json is no description of a voice"),
            "{error}"
        );
    }
}
