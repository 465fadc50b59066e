//! Our personas as the orchestrator knows them: by id. It looks them up and never makes one answer.

use loquat_orchestrator::search::Personas;

use super::Mind;

impl Personas for Mind {
    fn find(&self, id_or_name: &str) -> Option<String> {
        Self::find(self, id_or_name).map(|persona| persona.id.clone())
    }

    fn find_offered(&self, id_or_name: &str) -> Option<String> {
        Self::find_offered(self, id_or_name).map(|persona| persona.id.clone())
    }

    fn leaves_to_tools(&self, id: &str) -> bool {
        Self::find(self, id).is_none_or(|persona| persona.leaves_to_tools)
    }

    fn has_toolbox(&self, id: &str, toolbox_id: &str) -> bool {
        Self::find(self, id).is_some_and(|persona| persona.has_toolbox_for_guests(toolbox_id))
    }

    fn default_persona(&self) -> Option<String> {
        Self::default_persona(self).map(|persona| persona.id.clone())
    }
}
