//! Which models this device uses: what the settings name, or what fits its memory and language.

use std::path::{Path, PathBuf};

use loquat_models::{Catalogue, Mirror, Store};

use crate::settings::{Environment, Settings};
use crate::wake_word::{WakeWords, choice};

/// From this much memory on the larger model of a kind is the usual one.
const ROOMY: u64 = 4 << 30;

/// A model file of the catalogue, or one that the settings name by its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFile {
    /// The file, present or not.
    pub path: PathBuf,
    /// The catalogue's name, or that of the file.
    pub name: String,
    /// Whether `loquat models fetch` knows the name.
    pub is_in_catalogue: bool,
}

impl ModelFile {
    /// Whether the file is there; what is in it shows when it is loaded.
    pub fn is_present(&self) -> bool {
        self.path.is_file()
    }

    /// What a person can do about a file that is not there.
    pub fn mend(&self) -> String {
        if self.is_in_catalogue {
            return format!("run `loquat models fetch {}`", self.name);
        }
        "put the file there, or name one of `loquat models list` in the settings".to_owned()
    }
}

/// The models of this device.
#[derive(Debug, Clone)]
pub struct ModelsInUse {
    /// The language model.
    pub language: ModelFile,
    /// Whisper.
    pub whisper: ModelFile,
    /// Voice activity.
    pub voice_activity: ModelFile,
    /// The wake words; the model of each, or the manifest of one.
    pub wake_words: WakeWords,
}

impl ModelsInUse {
    /// Chooses them.
    pub fn choose(settings: &Settings, environment: &Environment, catalogue: &Catalogue) -> Self {
        let store = Store::new(&settings.folders.models);
        let memory = total_memory();
        let lang = &settings.mycroft.lang;
        let chooser = Chooser {
            catalogue,
            store: &store,
            environment,
        };
        Self {
            language: chooser.choose(&settings.local_brain.model, &language_models(memory)),
            whisper: chooser.choose(&settings.speech.whisper_model, &whisper_models(memory, lang)),
            voice_activity: chooser.choose(&settings.speech.vad_model, &["ggml-silero-v6.2.0"]),
            wake_words: choice::choose(settings, catalogue, |name| chooser.named(name)),
        }
    }

    /// The folder of models, and where they come from: the mirror of the settings, in which a folder's `~` is the person's
    /// home, or the usual places.
    pub fn store(settings: &Settings, environment: &Environment) -> Store {
        let mirror = settings
            .models
            .mirror
            .as_ref()
            .map(|mirror| match Mirror::new(mirror) {
                Mirror::Folder(folder) => Mirror::Folder(environment.expand_home(&folder)),
                server @ Mirror::Server(_) => server,
            });
        Store::new(&settings.folders.models).with_mirror(mirror)
    }

    /// All that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        [&self.voice_activity, &self.whisper, &self.language]
            .into_iter()
            .chain(self.wake_words.words.iter().map(|word| &word.file))
    }
}

struct Chooser<'a> {
    catalogue: &'a Catalogue,
    store: &'a Store,
    environment: &'a Environment,
}

impl Chooser<'_> {
    /// The model that is named; with "auto", the first preference that is installed, else the first of all.
    fn choose(&self, wanted: &str, preferences: &[&str]) -> ModelFile {
        if wanted != "auto" {
            return self.named(wanted);
        }
        let mut files = preferences.iter().map(|name| self.named(name));
        let first = files.next();
        let installed = first.iter().cloned().chain(files).find(ModelFile::is_present);
        installed.or(first).unwrap_or_else(|| self.named(wanted))
    }

    fn named(&self, wanted: &str) -> ModelFile {
        if let Ok(model) = self.catalogue.find(wanted) {
            return ModelFile {
                path: self.store.file_of(model),
                name: model.name.clone(),
                is_in_catalogue: true,
            };
        }
        let path = self.environment.expand_home(Path::new(wanted));
        ModelFile {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            path,
            is_in_catalogue: false,
        }
    }
}

/// On few gigabytes the smaller model is the only one that leaves room for the rest of the device.
fn language_models(memory: u64) -> Vec<&'static str> {
    let (small, large) = (
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
    );
    if memory < ROOMY {
        vec![small]
    } else {
        vec![large, small]
    }
}

/// The model for English only is smaller and hears English better than others of its size.
fn whisper_models(memory: u64, lang: &str) -> Vec<&'static str> {
    let english = lang.to_lowercase().starts_with("en");
    match (memory < ROOMY, english) {
        (true, true) => vec!["ggml-tiny.en", "ggml-tiny.en-q8_0", "ggml-base-q8_0"],
        (false, true) => vec!["ggml-base-q8_0", "ggml-base", "ggml-tiny.en", "ggml-tiny.en-q8_0"],
        (_, false) => vec!["ggml-base-q8_0", "ggml-base"],
    }
}

/// What the kernel says, in bytes; as much as a Pi has where it does not.
pub fn total_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = text.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    });
    kibibytes.map_or(ROOMY / 2, |kibibytes: u64| kibibytes << 10)
}
