//! What our own tools understand, as the files of this device hold it, and what all toolboxes of this process share.

use std::sync::Arc;

use loquat_models::Catalogue;
use loquat_part::guests::Guests;
use loquat_skills::Resources;
use loquat_skills::home::HomeAssistant;

use super::surroundings::{addresses, with_network};
use crate::home_assistant;
use crate::mcp_servers;
use crate::models_in_use::ModelsInUse;
use crate::sentence_pack;
use crate::settings::{self, Complaint, Environment, QuietHours, Settings};
use crate::skill_files;
use crate::spoken_tools::{CurrentSentences, Foresight, SpokenTools};
use crate::state::State;

pub(super) struct Understood {
    pub(super) sentences: CurrentSentences,
    /// Finds out what sentences would do.
    pub(super) foresight: Foresight,
    home: Option<Arc<HomeAssistant>>,
    /// What is wrong with the files.
    pub(super) complaints: Vec<Complaint>,
}

impl Understood {
    pub(super) fn load(settings: &Settings, models: &ModelsInUse) -> Self {
        let home = home(settings);
        let (spoken, complaints) = sentences(settings, models, home.clone());
        let sentences = CurrentSentences::new(spoken);
        Self {
            foresight: Foresight::new(sentences.clone()),
            sentences,
            home,
            complaints,
        }
    }

    /// Gathers what the toolboxes of this process share, as far as settings and environment say it.
    pub(super) fn resources(
        &self,
        settings: &Settings,
        environment: &Environment,
        state: Option<&State>,
    ) -> Resources {
        let locales = Arc::clone(self.sentences.now().locales());
        let resources = match state {
            Some(state) => Resources::new(locales, Arc::new(state.clone())),
            None => Resources::volatile(locales),
        };
        let hours = settings.rest.quiet_hours.map(|QuietHours(hours)| hours);
        with_network(resources, settings)
            .with_understanding(Arc::new(self.foresight.clone()))
            .with_messages(mcp_servers::with_resources(
                settings.desk.awaited.0.clone(),
                settings::mcp(settings).mcp,
            ))
            .with_answers(Arc::new(self.sentences.clone()))
            .with_doors(door_of)
            .with_quiet_hours(hours, settings.mycroft.location.time_zone.as_deref())
            .with_home_assistant(self.home.clone())
            .with_services(settings.services.allowed.0.clone())
            .with_skill_folders(skill_files::folders(&settings.folders, environment))
            .with_device(&addresses(environment))
            .with_mcp(mcp_servers::rules(settings::mcp(settings), environment))
    }
}

/// The door of a guest's session.
fn door_of(session_id: &str) -> Option<String> {
    let guest = Guests::default().of_session(session_id)?;
    Some(guest.by)
}

/// Finds the Home Assistant that the settings name.
fn home(settings: &Settings) -> Option<Arc<HomeAssistant>> {
    home_assistant::of(&settings.home_assistant, &settings.folders)
}

/// What the daemon would understand without a brain, as files and settings are now.
pub fn understood_here(settings: &Settings, environment: &Environment) -> SpokenTools {
    let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
    let (spoken, _) = sentences(settings, &models, home(settings));
    spoken
}

/// Gathers the sentences of the skills, of the machine, of the person and of the pack, and what is wrong with
/// their files.
pub(super) fn sentences(
    settings: &Settings,
    models: &ModelsInUse,
    home: Option<Arc<HomeAssistant>>,
) -> (SpokenTools, Vec<Complaint>) {
    let wanted = settings::sentences(settings);
    let (spoken, complaints) = SpokenTools::load(wanted, home.clone());
    let pack = sentence_pack::of(models.sentences.as_ref());
    (spoken.with_pack(pack, wanted, home), complaints)
}
