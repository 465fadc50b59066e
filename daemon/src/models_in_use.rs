//! Which models this device uses: those of hearing, the language model and the pack of sentences, as the settings name them or as
//! they fit the device.

use loquat_hearing::models::HearingModels;
use loquat_models::{Catalogue, Kind, Mirror, ModelFile, Store};
use loquat_part::model_files::{self, ModelFiles, ROOMY, total_memory};

use crate::settings::{self, Environment, Settings};

/// The models of this device.
#[derive(Debug, Clone)]
pub struct ModelsInUse {
    /// The language model.
    pub language: ModelFile,
    /// Those of hearing.
    pub hearing: HearingModels,
    /// The pack of sentences, unless it is switched off.
    pub sentences: Option<ModelFile>,
}

impl ModelsInUse {
    /// Chooses them.
    pub fn choose(settings: &Settings, environment: &Environment, catalogue: &Catalogue) -> Self {
        let files = ModelFiles::new(catalogue, &settings.folders, environment);
        Self {
            language: files.choose(&settings.local_brain.model, &language_models(total_memory())),
            hearing: HearingModels::choose(settings::hearing(settings), &files),
            sentences: sentences(&settings.sentences.pack, &files),
        }
    }

    /// Measures the whisper models between which "auto" has to choose, unless they were measured before. Blocks for some seconds a
    /// model, the first time.
    pub fn measure_whispers(settings: &Settings, environment: &Environment) {
        let catalogue = Catalogue::embedded();
        let files = ModelFiles::new(&catalogue, &settings.folders, environment);
        HearingModels::measure_whispers(settings::hearing(settings), &files);
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
        model_files::store(&settings.folders).with_mirror(mirror)
    }

    /// All that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        self.hearing.all().chain([&self.language]).chain(&self.sentences)
    }
}

/// The pack of sentences that the settings mean; "auto" is the first of the catalogue.
fn sentences(wanted: &str, files: &ModelFiles<'_>) -> Option<ModelFile> {
    match wanted {
        "off" => None,
        "auto" => Some(files.named(&files.catalogue.first_of(Kind::Sentences)?.name)),
        named => Some(files.named(named)),
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
