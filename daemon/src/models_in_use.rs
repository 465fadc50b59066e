//! Which models this device uses: those of hearing, the language model and the pack of sentences, as the settings name them or as
//! they fit the device.

use loquat_hearing::models::HearingModels;
use loquat_hearing::settings::Speech;
use loquat_mind::models::{language_model, sentence_pack};
use loquat_models::{Catalogue, Mirror, ModelFile, Store};
use loquat_part::model_files::{self, ModelFiles};

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
        let speech = settings.tables.get::<Speech>();
        Self {
            language: language_model(&settings.local_brain.model, &files),
            hearing: HearingModels::choose(settings::hearing(settings, &speech), &files),
            sentences: sentence_pack(&settings.sentences.pack, &files),
        }
    }

    /// Measures the whisper models between which "auto" has to choose, unless they were measured before. Blocks for some seconds a
    /// model, the first time.
    pub fn measure_whispers(settings: &Settings, environment: &Environment) {
        let catalogue = Catalogue::embedded();
        let files = ModelFiles::new(&catalogue, &settings.folders, environment);
        let speech = settings.tables.get::<Speech>();
        HearingModels::measure_whispers(settings::hearing(settings, &speech), &files);
    }

    /// Opens the folder of models, and says where they come from: the mirror of the settings, in which a
    /// folder's `~` is the person's home, or the usual places.
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

    /// Lists all that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        self.hearing.all().chain([&self.language]).chain(&self.sentences)
    }
}
