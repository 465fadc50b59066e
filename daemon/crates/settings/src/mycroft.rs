//! What OVOS's own `mycroft.conf` says about things that OVOS owns: the bus, the language, the units, the place,
//! the listener and the personas.
//!
//! Other keys are OVOS's business and are not looked at. Nothing here ever writes the file.

mod reader;
mod stack;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use reader::Reader;
use stack::Stack;

use crate::complaint::{Complaint, Origin};
use crate::environment::Environment;

/// The parts of `mycroft.conf` that concern us, after all layers are merged.
#[derive(Debug, Clone, PartialEq)]
pub struct Mycroft {
    /// The message bus is at this address.
    pub websocket: Websocket,
    /// The language of the device, BCP-47, as it is written there.
    pub lang: String,
    /// Further languages that the device understands.
    pub secondary_langs: Vec<String>,
    /// It is `metric` or `imperial`.
    pub system_unit: String,
    /// `half` (12 hours) or `full` (24 hours); absent is what the language of each session is used to. OVOS's own defaults,
    /// which are American, are not taken over.
    pub time_format: Option<String>,
    /// The order of a date: `MDY`, `DMY` or `YMD`; absent where the language's own counts.
    pub date_format: Option<String>,
    /// Says whether a sound tells that the device listens.
    pub confirm_listening: bool,
    /// The device is at this place.
    pub location: Location,
    /// These settings are the listener's.
    pub listener: Listener,
    /// The words that the listener's plugins hear.
    pub hotwords: Vec<Hotword>,
    /// The sounds that are played when the device begins and ends to listen.
    pub sounds: Sounds,
    /// These settings are the persona service's.
    pub persona: PersonaService,
    stack: Stack,
}

/// `websocket` says where the message bus is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Websocket {
    /// Host name or address.
    pub host: String,
    /// It listens on this TCP port.
    pub port: u16,
    /// It has a leading slash.
    pub route: String,
    /// Says whether the connection is encrypted.
    pub ssl: bool,
}

/// `location` says where the device is. OVOS's own defaults (a town in Kansas) are not taken over.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Location {
    /// IANA name of the time zone; absent is that of the machine.
    pub time_zone: Option<String>,
    /// It is in degrees north.
    pub latitude: Option<f64>,
    /// It is in degrees east.
    pub longitude: Option<f64>,
    /// Name of the town.
    pub city: Option<String>,
    /// Name of the state or region.
    pub region: Option<String>,
    /// Name of the country.
    pub country: Option<String>,
}

/// `listener` says how the device hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The microphone is not heard while the device speaks.
    pub mute_during_output: bool,
    /// An utterance ends after a silence of this length.
    pub silence_end: Duration,
    /// An utterance may be this long.
    pub recording_timeout: Duration,
    /// A recording that a program asked for ends after a silence of this length.
    pub recording_silence: Duration,
    /// Name of the wake word.
    pub wake_word: Option<String>,
}

/// `hotwords` has one of these for each word, as far as it matters here. It is already decided whether the word is on
/// where nothing is said of that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hotword {
    /// The name of the word, with `_` for spaces.
    pub name: String,
    /// The plugin that hears it there.
    pub module: Option<String>,
    /// The file of that plugin's model; absent where it names none.
    pub model: Option<PathBuf>,
    /// The name of a model of microWakeWord, as the plugin for those takes it.
    pub model_name: Option<String>,
    /// An utterance that is said behind the word is heard.
    pub listen: bool,
    /// It ends a sleep.
    pub wakeup: bool,
    /// It ends a recording.
    pub stopword: bool,
    /// The sound that is played when the word was heard; absent where there is none.
    pub sound: Option<String>,
}

/// `sounds`, as audio services take them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sounds {
    /// The device begins to listen.
    pub start_listening: String,
    /// This is played when a recording has ended.
    pub end_listening: String,
}

/// `intents.persona` has the settings of the persona service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonaService {
    /// Name of the persona that answers where no other was asked for.
    pub default_persona: Option<String>,
    /// Says whether a persona answers what no skill does; absent where the file does not say it.
    pub handle_fallback: Option<bool>,
    /// Persona files are in this folder instead of the usual one.
    pub personas_path: Option<PathBuf>,
    /// Names of personas that are not loaded.
    pub persona_blacklist: Vec<String>,
}

/// Stands in a complaint for the format that is used where nothing is said.
const OF_LANGUAGE: &str = "that of the language";

impl Mycroft {
    /// Reads all layers. What is wrong is said, and the next lower layer or the default is used.
    pub fn load(environment: &Environment) -> (Self, Vec<Complaint>) {
        let (stack, mut complaints) = Stack::read(environment);
        let mut reader = Reader::new(&stack);
        reader.tables();
        let websocket = reader.websocket();
        let location = reader.location();
        let listener = reader.listener();
        let hotwords = reader.hotwords(listener.wake_word.as_deref(), environment);
        let sounds = reader.sounds();
        let persona = reader.persona(environment);
        let mycroft = Self {
            websocket,
            location,
            listener,
            hotwords,
            sounds,
            persona,
            lang: reader.text("lang").unwrap_or_else(|| "en-US".to_owned()),
            secondary_langs: reader.texts("secondary_langs"),
            system_unit: reader
                .word("system_unit", &["metric", "imperial"], "\"metric\"")
                .unwrap_or_else(|| "metric".to_owned()),
            time_format: reader.word("time_format", &["half", "full"], OF_LANGUAGE),
            date_format: reader.word("date_format", &["MDY", "DMY", "YMD"], OF_LANGUAGE),
            confirm_listening: reader.switch("confirm_listening", true),
            stack: Stack::default(),
        };
        complaints.append(&mut reader.into_complaints());
        (Self { stack, ..mycroft }, complaints)
    }

    /// Finds the place from which the value of a key comes, for example that of `websocket.port`.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.stack.origin_of(key)
    }

    /// Lists the files that were read, the weakest first.
    pub fn files(&self) -> impl Iterator<Item = &std::path::Path> {
        self.stack.files()
    }
}
