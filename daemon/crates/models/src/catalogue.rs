//! The catalogue: every model that has a name here, with its size, licence, checksums and sources.
//!
//! It is part of the program, so that a device without a network can still say what it lacks.

use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};

const TEXT: &str = include_str!("../catalogue.toml");

/// The model hub, which is asked where no mirror is set.
pub(super) const HUB: &str = "https://huggingface.co";

/// The use of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The model thinks, and is in GGUF for llama.cpp.
    Language,
    /// The model hears words: ggml for whisper.cpp.
    Speech,
    /// The model tells speech from silence: ggml for whisper.cpp.
    VoiceActivity,
    /// Noticing that the device is spoken to: `TensorFlow` Lite from microWakeWord.
    WakeWord,
    /// Noticing that a person stops the device while it speaks: likewise.
    StopWord,
    /// The sentences are understood without a language model: a wheel of `home-assistant-intents`.
    Sentences,
}

impl Kind {
    /// Says for people what it is used for.
    pub fn words(self) -> &'static str {
        match self {
            Self::Language => "thinking",
            Self::Speech => "hearing",
            Self::VoiceActivity => "voice activity",
            Self::WakeWord => "wake word",
            Self::StopWord => "stop word",
            Self::Sentences => "sentences",
        }
    }
}

/// A model of the catalogue, or one that a person has fetched from elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name by which people and settings call it.
    pub name: String,
    /// The use to which it is put.
    pub kind: Kind,
    /// People are told this of it, in one line.
    pub about: String,
    /// The file's name in the folder of models.
    pub file: String,
    /// Its file has so many bytes.
    pub size: u64,
    /// The identifier of its licence, as SPDX has it.
    pub licence: String,
    /// The languages that it knows, as BCP-47 tags; `*` stands for all that there are.
    pub languages: Vec<String>,
    /// Memory that the machine should have, in GiB.
    pub memory_gib: f64,
    /// Says whether a device may choose this language model by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub usual: bool,
    /// Tells when a wake word counts as heard; absent for other kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spotting: Option<Spotting>,
    /// The address or the file that a person has named; absent for models of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// It tells where the file is, and its checksums.
    pub hub: Hub,
}

impl Model {
    /// Tells whether its licence forbids commercial use. Such a model is fetched only for a person who says that they
    /// accept that.
    pub fn is_non_commercial(&self) -> bool {
        let forbids = |part: &str| ["nc", "noncommercial"].contains(&part.to_lowercase().as_str());
        self.licence.split(['-', ' ']).any(forbids)
    }

    /// Tells whether a device may choose it by itself: it is a usual one, or a person has fetched it from elsewhere.
    pub fn is_usual(&self) -> bool {
        self.usual || self.origin.is_some()
    }
}

/// Tells when a wake word counts as heard.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotting {
    /// The mean probability above which it does, between 0 and 1.
    pub cutoff: f32,
    /// This many probabilities are averaged.
    pub window: NonZeroU8,
}

/// Says where a model is and how it is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// It is `OWNER/REPO/resolve/REVISION/FILE`, on the model hub and on each mirror of it.
    pub path: String,
    /// The address of the file; absent where the hub has it at the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// It is that of the whole file, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The SHA-256 of a file with the same weights that was made from another format; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converted_sha256: Option<String>,
}

impl Hub {
    /// The address of the file when no mirror is asked, with the hub at this one.
    pub(super) fn url(&self, hub: &str) -> String {
        let on_the_hub = || format!("{hub}/{}", self.path);
        self.url.clone().unwrap_or_else(on_the_hub)
    }

    /// Tells whether this is the checksum of the model.
    pub fn knows(&self, checksum: &str) -> bool {
        checksum == self.sha256 || Some(checksum) == self.converted_sha256.as_deref()
    }
}

/// A language model that people use elsewhere. It can be fetched by its name, and its size and checksum are what the hub
/// says then. How it does was not measured here.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The name by which people and settings call it.
    pub name: String,
    /// People are told this of it, in one line.
    pub about: String,
    /// It is at this address on the hub.
    pub address: String,
    /// Its licence has this SPDX identifier.
    pub licence: String,
    /// The languages that its authors name, as BCP-47 tags; `*` stands for many.
    pub languages: Vec<String>,
    /// Memory that the machine should have, in GiB.
    pub memory_gib: f64,
}

/// All models that have a name here.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    #[serde(rename = "model")]
    models: Vec<Model>,
    #[serde(rename = "offer", default)]
    offers: Vec<Offer>,
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

    /// The models that can be fetched by name and are not there yet.
    pub fn offers(&self) -> impl Iterator<Item = &Offer> {
        let is_there = |offer: &&Offer| self.models.iter().all(|model| model.name != offer.name);
        self.offers.iter().filter(is_there)
    }

    /// With the models that a person has fetched from elsewhere. Of two with one name the first counts.
    #[must_use]
    pub(super) fn with(mut self, own: Vec<Model>) -> Self {
        for model in own {
            if self.models.iter().all(|known| known.name != model.name) {
                self.models.push(model);
            }
        }
        self
    }

    /// The model of this name, with a file of this name, or from this address.
    pub fn find(&self, name: &str) -> Result<&Model, UnknownModel> {
        let is_meant = |model: &&Model| {
            model.name == name || model.file == name || model.origin.as_deref() == Some(name)
        };
        let model = self.models.iter().find(is_meant);
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

    fn unknown(&self, name: &str) -> UnknownModel {
        let wanted = name.to_lowercase();
        let distance = |known: &str| strsim::normalized_damerau_levenshtein(&wanted, &known.to_lowercase());
        let names = self.models.iter().map(|model| &model.name);
        let names: Vec<&String> = names.chain(self.offers().map(|offer| &offer.name)).collect();
        let near = names.iter().map(|name| (distance(name), *name));
        let near = near
            .filter(|(likeness, _)| *likeness >= 0.6)
            .max_by(|one, other| one.0.total_cmp(&other.0));
        UnknownModel {
            name: name.to_owned(),
            near: near.map(|(_, name)| name.clone()),
            known: names.into_iter().cloned().collect(),
        }
    }
}
