//! `[voice]`: speaking on this machine.

use std::path::PathBuf;

use loquat_settings::form::Form;
use loquat_settings::{choice, section};
use serde::{Deserialize, Serialize};

choice! {
    /// Says whether a program that speaks is used.
    Installed {
        /// Piper is used where it is installed.
        Auto = "auto",
        /// Never.
        Never = "never",
    }
}

/// The address of a speech server, with `http://` or `https://`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpeechUrl(String);

impl SpeechUrl {
    /// Gives the address to which sentences are posted.
    pub fn address(&self) -> String {
        self.0.clone()
    }
}

impl TryFrom<String> for SpeechUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        let parsed = reqwest::Url::parse(&url).map_err(|error| error.to_string())?;
        if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() && parsed.username().is_empty() {
            Ok(Self(url))
        } else {
            Err("an address with http:// or https://".to_owned())
        }
    }
}

impl From<SpeechUrl> for String {
    fn from(SpeechUrl(url): SpeechUrl) -> Self {
        url
    }
}

impl Form for SpeechUrl {
    fn expected() -> String {
        "an address with http:// or https://, as in \"http://127.0.0.1:5000/\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// The voice of this machine when no OVOS audio service is on the bus. What speaks is the first of these that works:
    /// `command`, `url`, Piper, espeak-ng. espeak-ng speaks what is in another language too.
    "voice" Voice {
        /// A program that is kept running and speaks the device's language: it reads a line of text and writes its sound as
        /// raw PCM (16 bits, mono). `{length_scale}` becomes how much slower than usual it is to speak, such as 1.25.
        /// It runs with the rights of this service.
        command: Vec<String> = Vec::new();
        /// How many samples a second that program writes.
        sample_rate: u32 = 22050 => 8000..=48000;
        /// A speech server of the shape of Piper's: it is posted `{"text": …}` and gives a WAV file.
        /// What is spoken is sent there. Absent: none.
        url: Option<SpeechUrl> = None, eg "http://127.0.0.1:5000/";
        /// "auto" (speak through Piper where it is installed with a voice for the device's language, unless `command` or
        /// `url` is set) or "never". Voices lie in `piper-voices` below the folder of models, ~/.local/share or /usr/share.
        piper: Installed = Installed::Auto;
        /// The voice of Piper: an .onnx file with its .onnx.json beside it.
        /// Absent: the first that speaks the device's language.
        piper_voice: Option<PathBuf> = None, eg "/usr/share/piper-voices/en_US-joe-medium.onnx";
        /// "auto" (speak through espeak-ng where it is installed and nothing better works) or "never".
        espeak: Installed = Installed::Auto;
        /// How fast it speaks, where what speaks can do so. "Speak more slowly" and "speak faster" change it by a fifth.
        words_per_minute: u16 = 175 => 80..=450;
        /// Whether what was asked aloud is answered sentence by sentence while the model still writes. A sentence that turns out
        /// to be wrong is taken back aloud.
        early: bool = true;
        /// The loudspeaker: its id, a pattern of ids or names with `*` and `?`, or a part of its name, in the sound system that
        /// `speech.host` names. Absent: the sound system's own choice.
        device: Option<String> = None, eg "alsa_output.usb-speaker";
    }
}
