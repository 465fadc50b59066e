//! Thinking for others.

use std::sync::Arc;

use loquat_agent::brain::Brain;
use loquat_brain::LocalBrain;
use loquat_models::Catalogue;
use loquat_skills::Resources;
use loquat_workers_part::settings::Workers as WorkersTable;

use super::{Roll, local_model};
use crate::mind::Brains;
use crate::models_in_use::ModelsInUse;
use crate::settings::{Environment, Settings};
use crate::spoken_tools::SpokenTools;

/// What `loquat worker` thinks with.
#[derive(Debug)]
pub struct Thinker {
    /// The persona whose brain it is.
    pub persona: String,
    /// The brain.
    pub brain: Arc<dyn Brain>,
    /// The models of this machine that belong to it, to be shut down.
    pub local: Vec<Arc<LocalBrain>>,
}

/// The brain of the persona of this name, or of the default one; nothing where there is none that asks a brain.
pub fn thinker(settings: &Settings, environment: &Environment) -> Option<Thinker> {
    let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
    let mut brains = Brains::new(
        settings.folders.clone(),
        local_model(settings, environment, &models),
    );
    let (spoken, _) = SpokenTools::load(settings, None);
    let resources = Resources::volatile(Arc::clone(spoken.locales()));
    let roll = Roll::call(settings, environment, &mut brains, &resources);
    let wanted = settings
        .table::<WorkersTable>()
        .persona
        .clone()
        .or_else(|| roll.default_name());
    let personas = roll.ready;
    let persona = match &wanted {
        Some(wanted) => personas
            .iter()
            .find(|persona| persona.name.eq_ignore_ascii_case(wanted)),
        None => personas.first(),
    }?;
    Some(Thinker {
        persona: persona.name.clone(),
        brain: Arc::clone(&persona.thinker()?.brain),
        local: brains.local(),
    })
}
