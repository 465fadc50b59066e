//! Who could answer: the personas of this device, which of them are ready, and why the others are not. The daemon, its page
//! and the command line all ask here, so that they say the same. Starts no brain.

use std::collections::BTreeMap;
use std::sync::Arc;

use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_skills::Resources;

use super::local_brain::brains;
use super::sources::load_personas;
use crate::mcp_servers;
use crate::mind::{Brains, ReadyPersona};
use crate::models_in_use::ModelsInUse;
use crate::persona::{Persona, Personas};
use crate::settings::{self, Complaint, Environment, Settings};
use crate::skill_files;
use crate::spoken_tools::SpokenTools;

/// All personas of which the files can be used.
#[derive(Debug)]
pub struct Roll {
    /// As they stand in their files.
    pub personas: Personas,
    /// Those that can answer.
    pub ready: Vec<ReadyPersona>,
    /// What is wrong, and what there is to know. A refusal is about a persona that cannot answer.
    pub complaints: Vec<Complaint>,
    /// What is wrong with the skills that they name.
    pub skills: Vec<Complaint>,
    /// Why the others cannot, by their ids.
    why_not: BTreeMap<String, String>,
}

impl Roll {
    /// As they would answer, without a daemon.
    pub fn of(settings: &Settings, environment: &Environment) -> Self {
        let (spoken, _) = SpokenTools::load(settings::sentences(settings), None);
        let resources = Resources::volatile(Arc::clone(spoken.locales()))
            .with_skill_folders(skill_files::folders(&settings.folders, environment))
            .with_mcp(mcp_servers::rules(settings::mcp(settings), environment));
        Self::with(settings, environment, &resources)
    }

    /// As they would answer with these resources.
    pub fn with(settings: &Settings, environment: &Environment, resources: &Resources) -> Self {
        let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
        let mut brains = brains(settings, environment, &models);
        Self::call(settings, environment, &mut brains, resources)
    }

    /// Reads the personas and makes them ready.
    pub(super) fn call(
        settings: &Settings,
        environment: &Environment,
        brains: &mut Brains,
        resources: &Resources,
    ) -> Self {
        Self::of_these(load_personas(settings, environment), settings, brains, resources)
    }

    /// Makes personas ready that were read already, with what was wrong with their files.
    pub(super) fn of_these(
        (personas, mut complaints): (Personas, Vec<Complaint>),
        settings: &Settings,
        brains: &mut Brains,
        resources: &Resources,
    ) -> Self {
        let skills = skill_files::complaints(&personas, resources);
        let (mut ready, mut why_not) = (Vec::new(), BTreeMap::new());
        for persona in &personas {
            let mut remarks = Vec::new();
            let prepared = ReadyPersona::prepare(persona, brains, resources, settings.budget, &mut remarks);
            let remarks = remarks.into_iter();
            complaints.extend(remarks.map(|remark| Complaint::warning(persona.origin.clone(), remark)));
            match prepared {
                Ok(persona) => ready.push(persona),
                Err(error) => {
                    let why = with_causes(&error);
                    complaints.push(Complaint::refusal(persona.origin.clone(), why.clone()));
                    why_not.insert(persona.id.clone(), why);
                }
            }
        }
        Self {
            personas,
            ready,
            complaints,
            skills,
            why_not,
        }
    }

    /// Names the persona that answers where none is asked for, as it is set; it may not be ready.
    pub fn default_name(&self) -> Option<String> {
        Some(self.personas.default_persona()?.name.clone())
    }

    /// Gives the persona that does answer where none is asked for: that one, or else the first that can.
    pub fn default_persona(&self) -> Option<&Persona> {
        let is_ready = |persona: &&Persona| self.why_not(persona).is_none();
        let default = self.personas.default_persona().filter(is_ready);
        default.or_else(|| self.personas.iter().find(is_ready))
    }

    /// Says why a persona cannot answer; it is nothing where it can.
    pub fn why_not(&self, persona: &Persona) -> Option<&str> {
        self.why_not.get(&persona.id).map(String::as_str)
    }
}
