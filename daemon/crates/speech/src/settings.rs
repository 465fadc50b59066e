//! What a caller may choose about hearing. Reading these from files is the daemon's business.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Says when a capture begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListenMode {
    /// A capture begins when `listen()` asks for it, or at a wake word.
    #[default]
    PushToTalk,
    /// Whenever a person speaks.
    Continuous,
}

/// Says through which sound system the microphone is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AudioHost {
    /// PulseAudio (or what stands in for it) where it answers, else ALSA.
    #[default]
    Auto,
    /// Uses PulseAudio's native protocol only.
    PulseAudio,
    /// Uses ALSA only.
    Alsa,
    /// JACK, where it is built in (feature `jack`).
    Jack,
    /// `PipeWire`'s own protocol, where it is built in (feature `pipewire`).
    PipeWire,
}

impl AudioHost {
    /// Names the sound system for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "PulseAudio or ALSA",
            Self::PulseAudio => "PulseAudio",
            Self::Alsa => "ALSA",
            Self::Jack => "JACK",
            Self::PipeWire => "PipeWire",
        }
    }

    /// Lists the sound systems that are tried, in order: a sound server first, because it shares the card
    /// with others.
    pub(crate) fn tried(self) -> &'static [Self] {
        match self {
            Self::Auto => &[Self::PulseAudio, Self::Alsa],
            Self::PulseAudio => &[Self::PulseAudio],
            Self::Alsa => &[Self::Alsa],
            Self::Jack => &[Self::Jack],
            Self::PipeWire => &[Self::PipeWire],
        }
    }
}

/// Everything that hearing depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeechSettings {
    /// The file of a whisper model in whisper.cpp's ggml format.
    pub whisper_model: PathBuf,
    /// The file of the Silero voice activity model in whisper.cpp's ggml format.
    pub vad_model: PathBuf,
    /// The number of threads that whisper computes with; by default the cores of the machine, at most 4.
    pub threads: usize,
    /// Says when a capture begins.
    pub mode: ListenMode,
    /// The input device, by id, by a pattern with `*` and `?`, or by a part of its name; the system's default when absent.
    pub device: Option<String>,
    /// The sound system of the microphone.
    pub host: AudioHost,
    /// Says whether a sound server's microphone without echoes is taken in the place of its default.
    pub without_echo: bool,
    /// The language that is spoken, as a tag such as `en-US`; absent, a multilingual model detects it.
    pub lang: Option<String>,
    /// All languages that are spoken here, as tags, where there are several: what is asked for in `lang` is then detected among
    /// them, if the model knows more than English.
    pub langs: Vec<String>,
    /// Silence that ends an utterance of which it is not known whether it is whole.
    pub end_silence: Duration,
    /// Silence that ends an utterance that the device knows as a whole command; never more than `end_silence`.
    pub whole_silence: Duration,
    /// Silence that ends an utterance whose text goes on, such as one that ends in "and"; never less than `end_silence`.
    pub open_silence: Duration,
    /// Silence after which the text is looked for already. From `end_silence` on, nothing is.
    pub early_silence: Duration,
    /// An utterance that is longer is ended there and recognised.
    pub max_utterance: Duration,
    /// An opened capture waits this long for speech.
    pub listen_timeout: Duration,
    /// Speech that must be heard before it counts as an utterance.
    pub min_speech: Duration,
    /// This much sound is kept from before the speech was noticed, so that no first consonant is lost.
    pub pre_roll: Duration,
    /// The probability from which a frame counts as speech, between 0 and 1.
    pub vad_threshold: f32,
    /// Says whether a wake word behind which something is heard counts only where whisper finds something like it,
    /// too.
    pub check_wake_words: bool,
    /// Says whether the detector hears what is said in a capture that needs no wake word, too: its scores are shown
    /// there, and none of its words counts.
    pub score_wake_words: bool,
}

/// A recording of all sound into a file, in place of listening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingSettings {
    /// The path of the file. It must not be there, and its folder must.
    pub path: PathBuf,
    /// It ends when it is as long.
    pub longest: Duration,
    /// It ends when nothing was said for so long.
    pub silence: Duration,
}

impl SpeechSettings {
    /// Takes the defaults with these two model files.
    pub fn new(whisper_model: impl Into<PathBuf>, vad_model: impl Into<PathBuf>) -> Self {
        Self {
            whisper_model: whisper_model.into(),
            vad_model: vad_model.into(),
            threads: default_threads(),
            mode: ListenMode::default(),
            device: None,
            host: AudioHost::default(),
            without_echo: true,
            lang: None,
            langs: Vec::new(),
            end_silence: Duration::from_millis(700),
            whole_silence: Duration::from_millis(400),
            open_silence: Duration::from_millis(1_200),
            early_silence: Duration::from_millis(250),
            max_utterance: Duration::from_secs(20),
            listen_timeout: Duration::from_secs(8),
            min_speech: Duration::from_millis(160),
            pre_roll: Duration::from_millis(300),
            vad_threshold: 0.5,
            check_wake_words: false,
            score_wake_words: false,
        }
    }
}

/// whisper.cpp gains little beyond four threads on the small models, and the rest of the device wants cores too.
fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(4))
}
