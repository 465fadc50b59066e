//! Takes typed values out of the merged `mycroft.conf`, complaining about those that make no sense.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::stack::Stack;
use super::{Hotword, Listener, Location, PersonaService, Sounds, Websocket};
use crate::complaint::Complaint;
use crate::environment::Environment;
use crate::wording::{listed, shown};

/// Tables that are read here, or by the parts of ours that OVOS sets up.
const TABLES: [&str; 13] = [
    "websocket",
    "location",
    "location.timezone",
    "location.coordinate",
    "location.city",
    "location.city.state",
    "location.city.state.country",
    "listener",
    "sounds",
    "intents",
    "intents.persona",
    "tts",
    "stt",
];

pub(super) struct Reader<'a> {
    stack: &'a Stack,
    complaints: Vec<Complaint>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(stack: &'a Stack) -> Self {
        Self {
            stack,
            complaints: Vec::new(),
        }
    }

    pub(super) fn into_complaints(self) -> Vec<Complaint> {
        self.complaints
    }

    /// Complains of tables that are none, so that nothing in them counts. `hotwords` tells that by itself.
    pub(super) fn tables(&mut self) {
        for key in TABLES {
            let usual = if key == "tts" {
                "the usual voice"
            } else {
                "what is usual"
            };
            self.take(key, "a table", usual, Value::as_object);
        }
    }

    pub(super) fn websocket(&mut self) -> Websocket {
        let route = self.text("websocket.route").unwrap_or_else(|| "/core".to_owned());
        Websocket {
            host: self
                .text("websocket.host")
                .unwrap_or_else(|| "127.0.0.1".to_owned()),
            port: self
                .take("websocket.port", "a whole number from 1 to 65535", "8181", port)
                .unwrap_or(8181),
            route: if route.starts_with('/') {
                route
            } else {
                format!("/{route}")
            },
            ssl: self.switch("websocket.ssl", false),
        }
    }

    pub(super) fn location(&mut self) -> Location {
        Location {
            time_zone: self.text("location.timezone.code"),
            latitude: self.degrees("location.coordinate.latitude", 90.0),
            longitude: self.degrees("location.coordinate.longitude", 180.0),
            city: self.text("location.city.name"),
            region: self.text("location.city.state.name"),
            country: self.text("location.city.state.country.name"),
        }
    }

    pub(super) fn listener(&mut self) -> Listener {
        Listener {
            mute_during_output: self.switch("listener.mute_during_output", false),
            silence_end: self.seconds("listener.silence_end", 0.7),
            recording_timeout: self.seconds("listener.recording_timeout", 10.0),
            recording_silence: self.seconds("listener.recording_mode_max_silence_seconds", 30.0),
            wake_word: self.text("listener.wake_word"),
        }
    }

    pub(super) fn sounds(&mut self) -> Sounds {
        let mut sound = |key: &str, usual: &str| self.text(key).unwrap_or_else(|| usual.to_owned());
        Sounds {
            start_listening: sound("sounds.start_listening", "snd/start_listening.wav"),
            end_listening: sound("sounds.end_listening", "snd/end_listening.wav"),
        }
    }

    /// Lists the words that are switched on: as in OVOS the wake word and the one that ends a sleep, unless
    /// they are switched off, and others that say so.
    pub(super) fn hotwords(&mut self, wake_word: Option<&str>, environment: &Environment) -> Vec<Hotword> {
        let words = self.take("hotwords", "a table", "none", Value::as_object);
        let mut names: Vec<&String> = words.into_iter().flat_map(serde_json::Map::keys).collect();
        names.sort();
        let main = wake_word.unwrap_or("hey_mycroft").replace(' ', "_");
        let waking = self.text("listener.stand_up_word");
        let waking = waking.as_deref().unwrap_or("wake_up").replace(' ', "_");
        let mut hotwords = Vec::new();
        for key in names {
            let name = key.replace(' ', "_");
            let key = |part: &str| format!("hotwords.{key}.{part}");
            if self.switch(&key("active"), name == main || name == waking) {
                hotwords.push(Hotword {
                    module: self.text(&key("module")),
                    model: self
                        .text(&key("model"))
                        .map(|model| environment.expand_home(&PathBuf::from(model))),
                    model_name: self.text(&key("model_name")),
                    listen: self.switch(&key("listen"), false) || name == main,
                    wakeup: self.switch(&key("wakeup"), false),
                    stopword: self.switch(&key("stopword"), false),
                    sound: self.text(&key("sound")),
                    name,
                });
            }
        }
        hotwords
    }

    pub(super) fn persona(&mut self, environment: &Environment) -> PersonaService {
        PersonaService {
            default_persona: self.text("intents.persona.default_persona"),
            handle_fallback: self.take(
                "intents.persona.handle_fallback",
                "true or false",
                "true",
                Value::as_bool,
            ),
            personas_path: self
                .text("intents.persona.personas_path")
                .map(|path| environment.expand_home(&PathBuf::from(path))),
            persona_blacklist: self.texts("intents.persona.persona_blacklist"),
        }
    }

    /// Reads a text. An empty one counts as absent.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.take(key, "a text", "the default", |value| {
            Some(value.as_str()?.to_owned())
        })
        .filter(|text| !text.is_empty())
    }

    pub(super) fn texts(&mut self, key: &str) -> Vec<String> {
        self.take(key, "a list of texts", "none", |value| {
            let list = value.as_array()?.iter();
            list.map(|text| text.as_str().map(str::to_owned)).collect()
        })
        .unwrap_or_default()
    }

    pub(super) fn switch(&mut self, key: &str, default: bool) -> bool {
        self.take(key, "true or false", &default.to_string(), Value::as_bool)
            .unwrap_or(default)
    }

    /// Reads one of a few words, in any case. `default` is what the person is told of when the value is none of them.
    pub(super) fn word(&mut self, key: &str, words: &[&str], default: &str) -> Option<String> {
        let quoted = words.iter().map(|word| format!("\"{word}\""));
        let expected = format!("one of {}", listed(quoted));
        let word = self.take(key, &expected, default, |value| {
            let text = value.as_str()?;
            words.iter().find(|word| word.eq_ignore_ascii_case(text))
        });
        word.map(|word| (*word).to_owned())
    }

    fn seconds(&mut self, key: &str, default: f64) -> Duration {
        let seconds = self.take(
            key,
            "a number of seconds above 0",
            &default.to_string(),
            |value| {
                let seconds = value.as_f64()?;
                (seconds > 0.0 && seconds <= 3600.0).then_some(seconds)
            },
        );
        Duration::from_secs_f64(seconds.unwrap_or(default))
    }

    fn degrees(&mut self, key: &str, limit: f64) -> Option<f64> {
        let expected = format!("a number from -{limit} to {limit}");
        self.take(key, &expected, "none", |value| {
            value.as_f64().filter(|degrees| degrees.abs() <= limit)
        })
    }

    fn take<Taken>(
        &mut self,
        key: &str,
        expected: &str,
        instead: &str,
        parse: impl FnOnce(&'a Value) -> Option<Taken>,
    ) -> Option<Taken> {
        let value = self.stack.get(key)?;
        let taken = parse(value);
        if taken.is_none() {
            let value = shown(value);
            let text = format!("{key} must be {expected}, not {value}; {instead} is used");
            let origin = self.stack.origin_of(key);
            self.complaints.push(Complaint::warning(origin, text));
        }
        taken
    }
}

/// Reads a port. OVOS pastes it into an address, so it may as well be a text there.
fn port(value: &Value) -> Option<u16> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_u64()?,
    };
    u16::try_from(number).ok().filter(|port| *port > 0)
}
