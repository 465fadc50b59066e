//! The brain of this device, as the settings want it: which model, which worker and what that may know. Starts nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_brain::{Ahead, LocalBrain, Sandbox};
use loquat_models::ModelFile;

use crate::mind::{Brains, LocalModel};
use crate::models_in_use::ModelsInUse;
use crate::settings::{self, Environment, Settings};

/// Makes the device's own brain, as a persona without settings of its own would get it.
pub fn local_brain(settings: &Settings, environment: &Environment, models: &ModelsInUse) -> LocalBrain {
    LocalBrain::new(local_model(settings, environment, models).settings())
}

/// Begins without a brain, and with the model of this device for the first persona that asks for it.
pub(super) fn brains(settings: &Settings, environment: &Environment, models: &ModelsInUse) -> Brains {
    Brains::new(
        settings.folders.clone(),
        local_model(settings, environment, models),
    )
}

/// Gives the model that the settings name, and how its worker is started.
pub(super) fn local_model(
    settings: &Settings,
    environment: &Environment,
    models: &ModelsInUse,
) -> LocalModel {
    model_of(settings, environment, &models.language)
}

/// A model, and how its worker would be started.
pub fn model_of(settings: &Settings, environment: &Environment, file: &ModelFile) -> LocalModel {
    let local = &settings.local_brain;
    LocalModel {
        program: local
            .program
            .clone()
            .unwrap_or_else(|| worker_program(environment)),
        file: file.path.clone(),
        name: file.is_in_catalogue.then(|| file.name.clone()),
        bytes: file.bytes,
        // A folder of its own, since it may remove what is in it.
        runtime: settings.folders.runtime.join("brain"),
        context_tokens: local.context_tokens,
        earlier_conversations: local.earlier_conversations,
        ahead: Ahead {
            guessed: local.guessed_tokens,
            forced: local.forced_tokens,
        },
        instructions: local
            .keep_instructions
            .then(|| settings.folders.state.join("instructions")),
        threads: local.threads.map(u32::from),
        sandbox: match local.sandbox {
            settings::Sandbox::Required => Sandbox::Required,
            settings::Sandbox::BestEffort => Sandbox::BestEffort,
            settings::Sandbox::Off => Sandbox::Off,
        },
        environment: worker_environment(environment),
        idle_stop: Duration::from_secs(local.idle_stop_seconds.into()),
    }
}

/// Chooses what the worker may know of our environment: how it logs and computes, and where its libraries
/// are.
fn worker_environment(environment: &Environment) -> Vec<(String, String)> {
    const KNOWN: [&str; 4] = ["LD_LIBRARY_PATH", "OMP_", "RUST_BACKTRACE", "RUST_LOG"];
    let known = KNOWN
        .into_iter()
        .flat_map(|name| environment.beginning_with(name));
    known
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The worker lies beside us; a package may have put it elsewhere on the search path.
fn worker_program(environment: &Environment) -> PathBuf {
    const NAME: &str = "loquat-local-brain";
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(NAME));
    let path = environment.variable("PATH").unwrap_or_default();
    let elsewhere = path.split(':').map(|folder| Path::new(folder).join(NAME));
    let found = beside
        .iter()
        .cloned()
        .chain(elsewhere)
        .find(|program| program.is_file());
    found.or(beside).unwrap_or_else(|| NAME.into())
}
