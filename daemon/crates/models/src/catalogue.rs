//! The catalogue: every model that has a name here, with its size, licence, checksums and sources.
//!
//! It is part of the program, so that a device without a network can still say what it lacks.

use std::num::NonZeroU8;

use serde::Deserialize;

const TEXT: &str = include_str!("../catalogue.toml");

/// The model hub.
const HUB: &str = "https://huggingface.co";

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Thinking: GGUF for llama.cpp.
    Language,
    /// Hearing words: ggml for whisper.cpp.
    Speech,
    /// Telling speech from silence: ggml for whisper.cpp.
    VoiceActivity,
    /// Noticing that the device is spoken to: `TensorFlow` Lite from microWakeWord.
    WakeWord,
    /// Understanding sentences without a language model: a wheel of `home-assistant-intents`.
    Sentences,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What people and settings call it.
    pub name: String,
    /// What it is for.
    pub kind: Kind,
    /// One line about it.
    pub about: String,
    /// The file's name in the folder of models.
    pub file: String,
    /// The file's length in bytes.
    pub size: u64,
    /// SPDX identifier.
    pub licence: String,
    /// BCP-47 tags; `*` is all that there are.
    pub languages: Vec<String>,
    /// Memory that the machine should have, in GiB.
    pub memory_gib: f64,
    /// From this much memory on it is the usual model of its kind; absent is never.
    #[serde(default)]
    pub preferred_from_gib: Option<f64>,
    /// Of a wake word, when it counts as heard.
    #[serde(default)]
    pub spotting: Option<Spotting>,
    /// Where it is.
    pub hub: Hub,
}

impl Model {
    /// Whether its licence forbids commercial use. Such a model is fetched only for a person who says that they accept that.
    pub fn is_non_commercial(&self) -> bool {
        let forbids = |part: &str| ["nc", "noncommercial"].contains(&part.to_lowercase().as_str());
        self.licence.split(['-', ' ']).any(forbids)
    }
}

/// When a wake word counts as heard.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotting {
    /// The mean probability above which it does, between 0 and 1.
    pub cutoff: f32,
    /// How many probabilities are averaged.
    pub window: NonZeroU8,
}

/// Where a model is, and how it is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// `OWNER/REPO/resolve/REVISION/FILE` on the model hub and on each mirror of it.
    pub path: String,
    /// Where it is, if the hub does not have it.
    #[serde(default)]
    pub url: Option<String>,
    /// Of the whole file, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Of the same weights, made from another format of them.
    #[serde(default)]
    pub converted_sha256: Option<String>,
}

impl Hub {
    /// Where the file is when no mirror is asked.
    pub fn url(&self) -> String {
        let on_the_hub = || format!("{HUB}/{}", self.path);
        self.url.clone().unwrap_or_else(on_the_hub)
    }

    /// Whether this is the checksum of the model.
    pub fn knows(&self, checksum: &str) -> bool {
        checksum == self.sha256 || Some(checksum) == self.converted_sha256.as_deref()
    }
}

/// All models.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    #[serde(rename = "model")]
    models: Vec<Model>,
}

/// There is no model of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("find a model called '{name}'{} known are {}", hint(near.as_deref()), known.join(", "))]
pub struct UnknownModel {
    /// As it was written.
    pub name: String,
    /// The known name most like it.
    pub near: Option<String>,
    /// All known names.
    pub known: Vec<String>,
}

fn hint(near: Option<&str>) -> String {
    near.map_or_else(|| ";".to_owned(), |near| format!("; did you mean '{near}'?"))
}

impl Catalogue {
    /// The catalogue that is part of the program.
    pub fn embedded() -> Self {
        // A test reads it, so that it cannot come out empty.
        Self::parse(TEXT).unwrap_or_default()
    }

    /// Reads a catalogue in the form of the embedded one.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// All models, in the order of the catalogue.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The model of this name, or with a file of this name.
    pub fn find(&self, name: &str) -> Result<&Model, UnknownModel> {
        let model = self
            .models
            .iter()
            .find(|model| model.name == name || model.file == name);
        model.ok_or_else(|| self.unknown(name))
    }

    /// The first model of a kind, which is the usual one.
    pub fn first_of(&self, kind: Kind) -> Option<&Model> {
        self.models.iter().find(|model| model.kind == kind)
    }

    /// Whether this is the name of a wake word's model.
    pub fn has_wake_word(&self, name: &str) -> bool {
        self.find(name).is_ok_and(|model| model.kind == Kind::WakeWord)
    }

    /// The usual language model of a machine with so many bytes of memory.
    pub fn default_language_model(&self, total_memory: u64) -> Option<&Model> {
        // The kernel and the firmware keep some: a machine sold with 4 GiB reports a little less.
        let gib = total_memory as f64 / f64::from(1 << 30) * 1.1;
        let languages = self.models.iter().filter(|model| model.kind == Kind::Language);
        let usual = languages.filter_map(|model| Some((model.preferred_from_gib?, model)));
        let fitting = usual.filter(|(from, _)| *from <= gib);
        fitting
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, model)| model)
    }

    fn unknown(&self, name: &str) -> UnknownModel {
        let wanted = name.to_lowercase();
        let distance = |known: &str| strsim::normalized_damerau_levenshtein(&wanted, known);
        let near = self.models.iter().map(|model| (distance(&model.name), model));
        let near = near
            .filter(|(likeness, _)| *likeness >= 0.6)
            .max_by(|one, other| one.0.total_cmp(&other.0));
        UnknownModel {
            name: name.to_owned(),
            near: near.map(|(_, model)| model.name.clone()),
            known: self.models.iter().map(|model| model.name.clone()).collect(),
        }
    }
}
