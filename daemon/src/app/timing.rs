//! Has the language models of the device timed, once, while the device hears no speech. The start does not wait for it, and a person who speaks
//! ends it until it is quiet again.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Topics};
use loquat_failure::with_causes;
use loquat_mind::model_speed::{self, ModelSpeeds, NotMeasured, Rates};
use loquat_models::{Catalogue, ModelFile};
use loquat_part::events::Hub;
use loquat_part::model_files::available_memory;
use loquat_part::reload::Reload;
use loquat_wire::topic;
use tokio::time::timeout;

use super::local_brain::model_of;
use crate::mind::LocalModel;
use crate::models_in_use::ModelsInUse;
use crate::settings::{Environment, LoadOptions, Settings};

/// It is quiet when no person has spoken for so long.
const QUIET: Duration = Duration::from_secs(60);

/// What a model takes beside its weights while it is timed, in bytes.
const BESIDE_THE_WEIGHTS: u64 = 300 << 20;

/// Times models and keeps what it finds.
pub(super) struct Timing {
    pub(super) environment: Environment,
    pub(super) options: LoadOptions,
    pub(super) bus: Bus,
    pub(super) hub: Hub,
    /// Has the model exchanged when another one is chosen by what was found.
    pub(super) reloading: Arc<dyn Reload>,
}

impl Timing {
    /// Until all are timed that are here now.
    pub(super) async fn run(self) {
        let (settings, _) = Settings::load_leniently(&self.environment, &self.options);
        let before = self.chosen(&settings);
        let mut given_up = HashSet::new();
        while let Some(file) = self.next(&settings, &given_up) {
            self.wait_for_quiet().await;
            let model = model_of(&settings, &self.environment, &file);
            let measured = tokio::select! {
                biased;
                () = self.somebody_speaks() => continue,
                measured = model_speed::measure(model.settings()) => measured,
            };
            if !noted(&settings, &model, &file, measured) {
                given_up.insert(file.path);
            }
        }
        if before != self.chosen(&settings)
            && let Err(error) = self.reloading.reload().await
        {
            tracing::warn!(
                error = with_causes(&error),
                "the model that was chosen by its speed is used from the next start on"
            );
        }
    }

    fn chosen(&self, settings: &Settings) -> PathBuf {
        ModelsInUse::choose(settings, &self.environment, &Catalogue::embedded())
            .language
            .path
    }

    /// The next model to be timed: the smallest of those that were not. Behind one that takes too long none is, since a larger
    /// one does so, too.
    fn next(&self, settings: &Settings, given_up: &HashSet<PathBuf>) -> Option<ModelFile> {
        let speeds = ModelSpeeds::recall(&settings.folders.state);
        let bound = Duration::from_secs_f64(settings.local_brain.answer_seconds);
        let threads = settings.local_brain.threads.map(u32::from);
        for file in ModelsInUse::language_models(settings, &self.environment) {
            match speeds.of(&file.path, threads).map(Rates::one_tool_request) {
                Some(took) if took > bound => return None,
                Some(_) => {}
                None if given_up.contains(&file.path) || !has_room(&file) => {}
                None => return Some(file),
            }
        }
        None
    }

    async fn wait_for_quiet(&self) {
        while timeout(QUIET, self.somebody_speaks()).await.is_ok() {}
    }

    /// Until a person speaks or types, here or elsewhere, or is answered.
    async fn somebody_speaks(&self) {
        let topics = Topics::of([topic::RECORD_STARTED, topic::UTTERANCE_HANDLE]);
        let mut frames = self.bus.subscribe(topics.including_own());
        let mut news = self.hub.subscribe();
        tokio::select! {
            _ = frames.recv() => {}
            _ = news.recv() => {}
        }
    }
}

/// Timing a model must not push others out of memory.
fn has_room(file: &ModelFile) -> bool {
    let has_room = available_memory().is_none_or(|free| free > file.bytes + BESIDE_THE_WEIGHTS);
    if !has_room {
        tracing::info!(
            model = file.name,
            "a language model is not timed: too little memory is free"
        );
    }
    has_room
}

/// Keeps what was measured; whether there is anything.
fn noted(
    settings: &Settings,
    model: &LocalModel,
    file: &ModelFile,
    measured: Result<Rates, NotMeasured>,
) -> bool {
    let rates = match measured {
        Ok(rates) => rates,
        Err(error) => {
            tracing::warn!(
                model = file.name,
                error = with_causes(&error),
                "a language model cannot be timed"
            );
            return false;
        }
    };
    let (read, written, seconds) = (rates.read, rates.written, rates.one_tool_request().as_secs_f64());
    tracing::info!(
        model = file.name,
        read,
        written,
        seconds,
        "a language model was timed"
    );
    let mut speeds = ModelSpeeds::recall(&settings.folders.state);
    speeds.put(&file.path, model.threads, rates);
    match speeds.keep(&settings.folders.state) {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!(%error, "how quick a language model is is not kept, and measured again at the next start");
            false
        }
    }
}
