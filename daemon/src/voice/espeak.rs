//! How `espeak-ng` is called. Its voice comes from frames of strangers, and so never reaches it unless it is a language.

use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::Command;

use super::speed::Speed;

/// The longest that a language is written.
const LONGEST: usize = 35;

/// The program, and the language of the device.
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

    /// Ready to be given the text on standard input; what is no language becomes the device's.
    pub(super) fn command(&self, lang: &str) -> Command {
        let voice = voice(lang).unwrap_or_else(|| self.lang.clone());
        let mut command = Command::new(&self.program);
        command
            .args([
                "-v",
                &voice,
                "-s",
                &self.speed.words_per_minute().to_string(),
                "--stdin",
            ])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// What `espeak-ng` calls a language such as `pt-BR` or a variant such as `en+f3`: two or three letters, and then short
/// words of letters and digits.
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
        assert_eq!(arguments("fr-FR"), ["-v", "fr-fr", "-s", "140", "--stdin"]);
        assert_eq!(arguments("--path=/tmp"), ["-v", "de-de", "-s", "140", "--stdin"]);
    }
}
