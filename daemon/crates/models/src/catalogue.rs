//! The catalogue: every model that has a name here, with its size, licence, checksums and sources.
//!
//! It is part of the program, so that a device without a network can still say what it lacks.

use std::num::NonZeroU8;

use serde::Deserialize;

const TEXT: &str = include_str!("../catalogue.toml");

/// The model hub, which is asked where no mirror is set.
const HUB: &str = "https://huggingface.co";

/// The use of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The model thinks: GGUF for llama.cpp.
    Language,
    /// The model hears words: ggml for whisper.cpp.
    Speech,
    /// The model tells speech from silence: ggml for whisper.cpp.
    VoiceActivity,
    /// Noticing that the device is spoken to: `TensorFlow` Lite from microWakeWord.
    WakeWord,
    /// The sentences are understood without a language model: a wheel of `home-assistant-intents`.
    Sentences,
}

/// A model of the catalogue.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name by which people and settings call it.
    pub name: String,
    /// The use to which it is put.
    pub kind: Kind,
    /// A line about it, for people.
    pub about: String,
    /// The file's name in the folder of models.
    pub file: String,
    /// The length of its file in bytes.
    pub size: u64,
    /// The identifier of its licence, as SPDX has it.
    pub licence: String,
    /// The languages that it knows, as BCP-47 tags; `*` stands for all that there are.
    pub languages: Vec<String>,
    /// Memory that the machine should have, in GiB.
    pub memory_gib: f64,
    /// It is the usual model of its kind on machines with this much memory, in GiB, or more; absent where it never
    /// is.
    #[serde(default)]
    pub preferred_from_gib: Option<f64>,
    /// Tells when a wake word counts as heard; absent for other kinds.
    #[serde(default)]
    pub spotting: Option<Spotting>,
    /// The place of its file, and its checksums.
    pub hub: Hub,
}

impl Model {
    /// Tells whether its licence forbids commercial use. Such a model is fetched only for a person who says that they
    /// accept that.
    pub fn is_non_commercial(&self) -> bool {
        let forbids = |part: &str| ["nc", "noncommercial"].contains(&part.to_lowercase().as_str());
        self.licence.split(['-', ' ']).any(forbids)
    }
}

/// Tells when a wake word counts as heard.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotting {
    /// The mean probability above which it does, between 0 and 1.
    pub cutoff: f32,
    /// This many probabilities are averaged.
    pub window: NonZeroU8,
}

/// Says where a model is and how it is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// The path on the model hub and on each mirror of it: `OWNER/REPO/resolve/REVISION/FILE`.
    pub path: String,
    /// The address of the file; absent where the hub has it.
    #[serde(default)]
    pub url: Option<String>,
    /// The SHA-256 of the whole file, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The SHA-256 of a file with the same weights that was made from another format; absent where there is none.
    #[serde(default)]
    pub converted_sha256: Option<String>,
}

impl Hub {
    /// The address of the file when no mirror is asked.
    pub fn url(&self) -> String {
        let on_the_hub = || format!("{HUB}/{}", self.path);
        self.url.clone().unwrap_or_else(on_the_hub)
    }

    /// Tells whether this is the checksum of the model.
    pub fn knows(&self, checksum: &str) -> bool {
        checksum == self.sha256 || Some(checksum) == self.converted_sha256.as_deref()
    }
}

/// All models that have a name here.
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
    /// The name as it was written.
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

    /// Tells whether this is the name of a wake word's model.
    pub fn has_wake_word(&self, name: &str) -> bool {
        self.find(name).is_ok_and(|model| model.kind == Kind::WakeWord)
    }

    /// The usual language model of a machine with this many bytes of memory.
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
