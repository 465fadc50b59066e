//! Thinking for others.

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_models::Catalogue;
use loquat_skills::Resources;
use loquat_workers_part::{Thinker, Thinking};

use super::{Roll, local_model};
use crate::mind::Brains;
use crate::models_in_use::ModelsInUse;
use crate::settings::{self, Environment, Settings};
use crate::spoken_tools::SpokenTools;

/// The brains of this machine.
#[derive(Debug)]
pub(super) struct OwnBrains {
    pub(super) settings: Settings,
    /// The environment they were read from.
    pub(super) environment: Environment,
}

impl Thinking for OwnBrains {
    fn thinker(&self, persona: Option<&str>) -> Option<Thinker> {
        let (settings, environment) = (&self.settings, &self.environment);
        let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
        let mut brains = Brains::new(
            settings.folders.clone(),
            local_model(settings, environment, &models),
        );
        let (spoken, _) = SpokenTools::load(settings::sentences(settings), None);
        let resources = Resources::volatile(Arc::clone(spoken.locales()));
        let roll = Roll::call(settings, environment, &mut brains, &resources);
        let wanted = persona.map(str::to_owned).or_else(|| roll.default_name());
        let personas = roll.ready;
        let persona = match &wanted {
            Some(wanted) => personas
                .iter()
                .find(|persona| persona.name.eq_ignore_ascii_case(wanted)),
            None => personas.first(),
        }?;
        let local = brains.local();
        let end = async move {
            for local in local {
                local.shutdown().await;
            }
        };
        Some(Thinker {
            persona: persona.name.clone(),
            brain: Arc::clone(&persona.thinker()?.brain),
            end: end.boxed(),
        })
    }
}
