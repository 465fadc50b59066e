//! Which models this device uses: those of hearing, the language model and the pack of sentences, as the settings name them or as
//! they fit the device.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_hearing::models::HearingModels;
use loquat_hearing::settings::Speech;
use loquat_mind::models::{Wish, language_model, sentence_pack, to_be_measured};
use loquat_models::{Catalogue, Mirror, ModelFile, Store};
use loquat_part::model_files::{self, ModelFiles};
use loquat_part::model_speed::Choice;

use crate::settings::{self, Environment, Secret, Settings};

/// The models of this device.
#[derive(Debug, Clone)]
pub struct ModelsInUse {
    /// It is the language model.
    pub language: ModelFile,
    /// It was chosen for this reason.
    pub language_choice: Choice,
    /// They are those for hearing.
    pub hearing: HearingModels,
    /// The pack of sentences, unless it is switched off.
    pub sentences: Option<ModelFile>,
}

impl ModelsInUse {
    /// Chooses them.
    pub fn choose(settings: &Settings, environment: &Environment, catalogue: &Catalogue) -> Self {
        let files = ModelFiles::new(catalogue, &settings.folders, environment);
        let speech = settings.tables.get::<Speech>();
        let (language, language_choice) = language_model(wish(settings), &files);
        Self {
            language,
            language_choice,
            hearing: HearingModels::choose(settings::hearing(settings, &speech), &files),
            sentences: sentence_pack(&settings.sentences.pack, &files),
        }
    }

    /// The language models whose speed matters here, the smallest first.
    pub fn language_models(settings: &Settings, environment: &Environment) -> Vec<ModelFile> {
        let catalogue = Catalogue::embedded();
        let files = ModelFiles::new(&catalogue, &settings.folders, environment);
        to_be_measured(wish(settings), &files)
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
        logged_in(
            model_files::store(&settings.folders).with_mirror(mirror),
            settings,
        )
    }

    /// Lists all that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        self.hearing.all().chain([&self.language]).chain(&self.sentences)
    }
}

/// What is wanted of the language model.
fn wish(settings: &Settings) -> Wish<'_> {
    let local = &settings.local_brain;
    Wish {
        model: &local.model,
        threads: local.threads.map(u32::from),
        bound: Duration::from_secs_f64(local.answer_seconds),
        state: &settings.folders.state,
    }
}

/// With what logs a person in at the hub. A file that is named and cannot be read is told of; that there is no credential is usual.
fn logged_in(store: Store, settings: &Settings) -> Store {
    let models = &settings.models;
    let place = match &models.token_file {
        Some(file) => Secret::File(file.clone()),
        None => Secret::Credential(models.token_credential.clone()),
    };
    match place.fetch(&settings.folders) {
        Ok(token) => store.with_token(Some(token)),
        Err(error) => {
            if models.token_file.is_some() {
                tracing::warn!(
                    error = with_causes(&error),
                    "nobody is logged in at the model hub"
                );
            }
            store
        }
    }
}
