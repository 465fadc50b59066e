//! `[speech]`: hearing on this machine.

mod wake_words;

use std::time::Duration;

use loquat_part::Ground;
use loquat_settings::form::Form;
use loquat_settings::mycroft::Listener;
use loquat_settings::{Folders, Mycroft, choice, section};
use loquat_transcription::recognizers::{self, Recognizers};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

pub use self::wake_words::{FurtherWord, FurtherWords, WordEffect};

/// What the settings say about hearing: the table of this part, and what OVOS's own file and the folders have for it.
#[derive(Debug, Clone, Copy)]
pub struct HearingSettings<'a> {
    /// The table of this part.
    pub speech: &'a Speech,
    /// What OVOS's own file says.
    pub mycroft: &'a Mycroft,
    /// Where things are kept.
    pub folders: &'a Folders,
}

impl<'a> HearingSettings<'a> {
    /// What the ground of a part says, with the table that was read of it.
    pub fn of(ground: &'a Ground, speech: &'a Speech) -> Self {
        Self {
            speech,
            mycroft: &ground.mycroft,
            folders: &ground.folders,
        }
    }
}

/// Whether something is done: by the look of the machine, surely, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// When the machine allows it.
    Auto,
    /// Always; what is missing is a fault.
    On,
    /// Never.
    Off,
}

impl Form for Switch {
    fn expected() -> String {
        "true, false or \"auto\"".to_owned()
    }
}

impl Serialize for Switch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::On => serializer.serialize_bool(true),
            Self::Off => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SwitchVisitor;

        impl Visitor<'_> for SwitchVisitor {
            type Value = Switch;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&Switch::expected())
            }

            fn visit_bool<E: Error>(self, on: bool) -> Result<Switch, E> {
                Ok(if on { Switch::On } else { Switch::Off })
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Switch, E> {
                match word {
                    "auto" => Ok(Switch::Auto),
                    other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
                }
            }
        }

        deserializer.deserialize_any(SwitchVisitor)
    }
}

choice! {
    /// When the microphone is heard.
    Listening {
        /// After `ovos.mic.listen`, a key press or the like.
        PushToTalk = "push-to-talk",
        /// After the wake word or a key press, and after an utterance for a while without either.
        Hybrid = "hybrid",
        /// Always; everything that is said near it is an utterance.
        Continuous = "continuous",
    }
}

choice! {
    /// The sound system.
    SoundHost {
        /// A PulseAudio server, or what stands in for it, where one answers, else ALSA.
        Auto = "auto",
        /// PulseAudio's protocol, whichever server speaks it.
        PulseAudio = "pulseaudio",
        /// ALSA alone.
        Alsa = "alsa",
        /// JACK, where Loquat was built with it.
        Jack = "jack",
        /// The protocol of `PipeWire`, where Loquat was built with it.
        PipeWire = "pipewire",
    }
}

choice! {
    /// Whether the device's own voice is taken out of what it hears.
    EchoCancellation {
        /// While it speaks.
        Auto = "auto",
        /// Never.
        Off = "off",
    }
}

section! {
    /// The microphone and what becomes of it.
    "speech" Speech {
        /// Whether the microphone is opened: true, false or "auto" (when there is one, a model is installed and no
        /// other listener is on the bus).
        enabled: Switch = Switch::Auto;
        /// "push-to-talk" (listen when asked to, or after the wake word), "hybrid" (the same, and for `hybrid_seconds` after
        /// an utterance without the wake word) or "continuous". A program may change it until the next start.
        /// With "continuous" everything said near the microphone is answered.
        mode: Listening = Listening::PushToTalk;
        /// How long "hybrid" listens without the wake word after an utterance or its answer, in seconds.
        hybrid_seconds: u16 = 45 => 1..=600;
        /// The usual wake word: "auto" (`listener.wake_word` of mycroft.conf if there is a model for it, else `hey_mycroft`,
        /// once `loquat models fetch` has brought it, and the `hotwords` there that there are models for), "off", a name
        /// that `loquat models` lists, or the path of a microWakeWord manifest (.json, with its .tflite beside it).
        wake_word: String = "auto".to_owned();
        /// How sure the wake word's model must be; more misses words, less hears them in other talk.
        /// Absent: as the model's authors found it best.
        wake_word_cutoff: Option<f64> = None => 0.05..=1, eg 0.95;
        /// Words that are listened for beside the usual one, each in a table of its own:
        /// `[speech.wake_words.hey_jarvis]`
        /// `persona = "Scout"` (what is said behind it goes to that persona)
        /// `[speech.wake_words.be_quiet]`
        /// `model = "~/models/be_quiet.json"` (else the model of that name)
        /// `effect = "stop"` (silences the device and ends what it is at; "listen", the usual one, hears what is said behind
        /// it; "wake" ends a sleep, which the others then do not)
        /// Further keys: `cutoff` (as `wake_word_cutoff`) and `sound` (what is played when it was heard).
        /// The words of a stronger file replace all of these.
        wake_words: FurtherWords = FurtherWords::default();
        /// The word that stops the device while it speaks or rings, and does nothing else: "auto" (the model `stop`, once
        /// `loquat models fetch stop` has brought it), "off", a name that `loquat models` lists, or the path of a
        /// microWakeWord manifest. Whisper listens for "stop" all the same, and takes longer for it.
        stop_word: String = "auto".to_owned();
        /// Whether whisper is asked, too, before what is said behind a wake word counts: where it finds nothing like the word,
        /// nothing is heard. It costs a moment of computing for each word, and a word whose effect is "stop" is not checked.
        wake_word_check: bool = false;
        /// The whisper model: "auto", a name that `loquat models` lists, or a path. With "auto" it is, of those that are installed
        /// and that memory and language allow, the largest that turns three seconds of speech into text within
        /// `whisper_seconds` on this machine, which is measured once; `loquat check` says which and why.
        whisper_model: String = "auto".to_owned();
        /// How long a model that "auto" chooses may take for three seconds of speech.
        whisper_seconds: f64 = 0.6 => 0.1..=10.0;
        /// Who turns speech into text, the first one first: "local" (the whisper of this device) and names of `recognizers`.
        /// Where one fails or takes longer than `rung_seconds`, the next is asked. What is asked of another machine hears all
        /// that is said to this one.
        ladder: Vec<String> = vec![recognizers::LOCAL.to_owned()];
        /// How long one of the ladder may take before the next is asked. The whisper of this device takes its time where it is
        /// the last.
        rung_seconds: f64 = 5.0 => 0.2..=60.0;
        /// Recognisers elsewhere for the ladder, each in a table of its own:
        /// `[speech.recognizers.cellar]`
        /// `kind = "openai"` (OpenAI's own, or a server of that shape) or `"ovos"` (ovos-stt-http-server)
        /// `url = "https://cellar.lan/v1"` (openai: what stands before /audio/transcriptions; ovos: what stands before /stt)
        /// `model = "whisper-1"` (openai alone) and `key = { credential = "cellar" }`, or `file`, where it wants one
        /// With http:// its host must be on this machine, or in a network of your own and in `keys.clear_text_hosts`.
        /// The recognisers of a stronger file replace all of these.
        recognizers: Recognizers = Recognizers::default();
        /// The voice activity model: "auto", a name or a path.
        vad_model: String = "auto".to_owned();
        /// The sound system: "auto", "pulseaudio" or "alsa"; also "jack" or "pipewire" where Loquat was built with the feature of
        /// that name.
        host: SoundHost = SoundHost::Auto;
        /// The microphone: its id as `loquat listen --devices` shows it, a pattern of ids or names with `*` and `?`, or a part
        /// of its name.
        /// Absent: the sound system's own choice.
        device: Option<String> = None, eg "alsa_input.usb-mic";
        /// Whether the device's own voice is taken out of what it hears, so that the wake word and "stop" are heard while it
        /// speaks: "auto" (by itself while it speaks itself; by the sound server, where that has a microphone without echoes and
        /// no `device` is set) or "off".
        echo_cancellation: EchoCancellation = EchoCancellation::Auto;
        /// Whether a word that stops, said over the device's own voice, counts without the wake word also with "push-to-talk".
        /// Nothing else that is said there does. It needs `echo_cancellation`, and that the device speaks itself.
        stop_over_speech: bool = true;
        /// Threads of whisper.
        /// Absent: the number of processors, four at most.
        threads: Option<u16> = None => 1..=64, eg 2;
        /// How long a silence ends an utterance, in milliseconds. Of a person who pauses longer within sentences it is more,
        /// up to `open_silence_ms`; of one who never does it is a fifth less.
        /// Absent: `listener.silence_end` of mycroft.conf, else 700.
        end_silence_ms: Option<u32> = None => 100..=10000, eg 700;
        /// How long a silence ends a sentence that the device knows as a whole, such as "stop", in milliseconds; never more
        /// than `end_silence_ms`.
        whole_silence_ms: u32 = 400 => 100..=10000;
        /// How long a silence ends a sentence that goes on, such as one that ends in "and", in milliseconds; never less than
        /// `end_silence_ms`. So long a silence also ends one of which the text is not known yet.
        open_silence_ms: u32 = 1200 => 100..=10000;
        /// How sure the voice activity model must be that it hears speech; more hears less of a noisy room.
        vad_threshold: f64 = 0.5 => 0.1..=0.95;
        /// The longest utterance, in seconds; what comes later is cut off.
        /// Absent: `listener.recording_timeout` of mycroft.conf, else 10.
        max_utterance_seconds: Option<f64> = None => 1..=60, eg 10;
        /// The longest recording that a program may ask for (`recognizer_loop:state.set` with the state "recording"), in
        /// minutes. Recordings lie in the folder `recordings` of the state folder, where only the device's user reads them.
        recording_minutes: u16 = 60 => 1..=600;
        /// How much room all recordings together may take, in megabytes; there is no further one until some are removed.
        recordings_mb: u32 = 500 => 1..=1_000_000;
    }
}

impl Speech {
    /// Tells how long a silence ends an utterance: this setting says it, else `listener` of `mycroft.conf`.
    pub fn end_silence(&self, listener: &Listener) -> Duration {
        match self.end_silence_ms {
            Some(milliseconds) => Duration::from_millis(milliseconds.into()),
            None => listener.silence_end,
        }
    }

    /// Tells how long an utterance may be: this setting says it, else `listener` of `mycroft.conf`.
    pub fn longest_utterance(&self, listener: &Listener) -> Duration {
        match self.max_utterance_seconds {
            Some(seconds) => Duration::from_secs_f64(seconds),
            None => listener.recording_timeout,
        }
    }

    /// Says what is wrong with the ladder and those it names, and which key that is about. Keys and sound may
    /// be sent in the clear to these hosts.
    pub fn complaint(&self, clear_text_hosts: &[String]) -> Option<(&'static str, String)> {
        if let Some(complaint) = recognizers::complaint(&self.ladder, &self.recognizers) {
            return Some(("speech.ladder", complaint));
        }
        let exposed = recognizers::exposed(&self.ladder, &self.recognizers, clear_text_hosts);
        exposed.map(|why| ("speech.recognizers", format!("speech.recognizers.{why}")))
    }
}
