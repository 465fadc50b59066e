//! What a skill is made of: an id, a folder of sentences, the intents they belong to, and the toolbox.
//!
//! Each folder beside declares one of these; the table is in `lib.rs`. Nothing here knows what a skill does.

use std::fmt;
use std::sync::Arc;

use include_dir::Dir;
use loquat_agent::toolbox::Toolbox;
use serde_json::{Map, Value};

use crate::intent::Intent;
use crate::permission::PermittedToolbox;
use crate::resources::Resources;
use crate::settings::{ToolboxSettingsError, refuse_unknown};

/// Makes a toolbox with its part of a persona's settings.
type Make = fn(&Map<String, Value>, &Resources) -> Result<Arc<dyn Toolbox>, ToolboxSettingsError>;

/// A skill.
pub(crate) struct Skill {
    /// The id of its toolbox.
    pub(crate) id: &'static str,
    /// What its folder of files is called.
    pub(crate) folder: &'static str,
    /// Its files, one for each language.
    pub(crate) sentences: Dir<'static>,
    /// What people say for its tools.
    pub(crate) intents: &'static [Intent],
    /// The settings that a persona may give it.
    pub(crate) settings: &'static [&'static str],
    /// Makes the toolbox. The settings are among those above; their values are for the skill to judge.
    pub(crate) make: Make,
}

impl Skill {
    /// The toolbox, with its part of a persona's settings.
    pub(crate) fn toolbox(
        &self,
        settings: &Map<String, Value>,
        resources: &Resources,
    ) -> Result<Arc<dyn Toolbox>, ToolboxSettingsError> {
        refuse_unknown(self.id, settings, self.settings)?;
        let made = (self.make)(settings, resources)?;
        Ok(PermittedToolbox::of(made, resources.asking()))
    }

    /// Whether a list of sentences or of fillings belongs to something: to an intent, or to a gap of one.
    pub(crate) fn has_use_for(&self, list: &str) -> bool {
        match list.rsplit_once('.') {
            Some((name, "intent")) => self.intents.iter().any(|intent| intent.name == name),
            Some((name, "entity")) => self.intents.iter().any(|intent| intent.slot(name).is_some()),
            _ => false,
        }
    }
}

impl fmt::Debug for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skill").field(&self.id).finish()
    }
}
