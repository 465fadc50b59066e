//! Speech by `espeak-ng`, a process for each sentence. Its voice comes from frames of strangers, and so never reaches it unless
//! it is a language. It writes sound; playing is ours.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use loquat_speech::wav;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::time::timeout;

use super::piece::{MakeSpeechError, Piece, Pieces};
use super::speed::Speed;

/// The longest that a sentence may take to be made.
const PATIENCE: Duration = Duration::from_secs(10);

/// A sentence has at most this many bytes of sound, which is three minutes.
const MOST_BYTES: u64 = 8 << 20;

/// The longest that a language is written.
const LONGEST: usize = 35;

/// Looks for `espeak-ng` in the `PATH`.
pub(super) fn find(search_path: &str) -> Option<PathBuf> {
    search_path
        .split(':')
        .map(|folder| Path::new(folder).join("espeak-ng"))
        .find(|program| program.is_file())
}

/// Makes speech by `espeak-ng`, which is started anew for each sentence.
#[derive(Debug, Clone)]
pub(super) struct Espeak {
    program: PathBuf,
    lang: String,
    speed: Speed,
}

impl Espeak {
    pub(super) fn new(program: PathBuf, lang: &str, speed: Speed) -> Self {
        let lang = voice(lang).unwrap_or_else(|| "en".to_owned());
        Self { program, lang, speed }
    }

    pub(super) fn name(&self) -> String {
        self.program.display().to_string()
    }

    /// Makes speech of a sentence; what is no language becomes the device's. Dropping it ends the process.
    pub(super) async fn make(
        &self,
        sentence: &str,
        lang: &str,
        pieces: &Pieces,
    ) -> Result<(), MakeSpeechError> {
        let program = self.name();
        let Ok(sound) = timeout(PATIENCE, self.sound(sentence, lang)).await else {
            let seconds = PATIENCE.as_secs();
            return Err(MakeSpeechError::Silent { program, seconds });
        };
        let sound = sound?;
        let read = wav::read_bytes_as_they_are(&sound, "its output");
        let (rate, samples) = read.map_err(|source| MakeSpeechError::NoSound { program, source })?;
        // It may not be wanted any more.
        drop(pieces.send(Piece { rate, samples }).await);
        Ok(())
    }

    async fn sound(&self, sentence: &str, lang: &str) -> Result<Vec<u8>, MakeSpeechError> {
        let program = self.name();
        let spawned = self.command(lang).spawn();
        let mut child = spawned.map_err(|source| MakeSpeechError::NotStarted {
            program: program.clone(),
            source,
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let write = async {
            if let Some(mut input) = input {
                // One that does not read tells by its status.
                drop(input.write_all(sentence.as_bytes()).await);
            }
        };
        let read = async {
            let mut sound = Vec::new();
            if let Some(output) = output {
                drop(output.take(MOST_BYTES + 1).read_to_end(&mut sound).await);
            }
            sound
        };
        let ((), sound) = tokio::join!(write, read);
        if sound.len() as u64 > MOST_BYTES {
            let seconds = PATIENCE.as_secs();
            return Err(MakeSpeechError::Endless { program, seconds });
        }
        match child.wait().await {
            Ok(status) if status.success() => Ok(sound),
            Ok(status) => Err(MakeSpeechError::Ended {
                program,
                how: status.to_string(),
            }),
            Err(source) => Err(MakeSpeechError::NotStarted { program, source }),
        }
    }

    fn command(&self, lang: &str) -> Command {
        let voice = voice(lang).unwrap_or_else(|| self.lang.clone());
        let speed = self.speed.words_per_minute().to_string();
        let mut command = Command::new(&self.program);
        command
            .args(["-v", &voice, "-s", &speed, "--stdin", "--stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// Checks that `espeak-ng` may be given a language such as `pt-BR`, or a variant such as `en+f3`. It has two
/// or three letters, and then short words of letters and digits.
fn voice(lang: &str) -> Option<String> {
    let voice = lang.trim().to_ascii_lowercase();
    let mut words = voice.split(['-', '+']);
    let language = words.next()?;
    let is_language =
        (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_word =
        |word: &str| (1..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_language && voice.len() <= LONGEST && words.all(is_word)).then_some(voice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_language_is_a_voice() {
        for (lang, name) in [
            ("en", "en"),
            ("pt-BR", "pt-br"),
            ("cmn-Latn-pinyin", "cmn-latn-pinyin"),
            ("en+F3", "en+f3"),
        ] {
            assert_eq!(voice(lang).as_deref(), Some(name));
        }
        let long = "en-".to_owned() + &"a-".repeat(20) + "a";
        for lang in [
            "",
            "e",
            "-w/tmp/x",
            "--path=/tmp",
            "../../etc/passwd",
            "en/../x",
            "en us",
            "en-",
            "en\u{0}",
            "english",
            &long,
        ] {
            assert_eq!(voice(lang), None, "{lang}");
        }
    }

    #[test]
    fn the_devices_language_takes_the_place_of_what_is_none() {
        let espeak = Espeak::new("espeak-ng".into(), "de-DE", Speed::new(140));
        let arguments = |lang: &str| -> Vec<String> {
            let command = espeak.command(lang);
            let arguments = command.as_std().get_args();
            arguments
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(
            arguments("fr-FR"),
            ["-v", "fr-fr", "-s", "140", "--stdin", "--stdout"]
        );
        assert_eq!(
            arguments("--path=/tmp"),
            ["-v", "de-de", "-s", "140", "--stdin", "--stdout"]
        );
    }
}
