//! Which toolboxes a persona may use, and how careful it is with those of this program.

use std::collections::BTreeMap;
use std::fmt;

use loquat_agent::toolbox::Confirm;
use loquat_settings::wording::{listed, nearest, shown};
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Spec, Stake};
use super::persona_choice::{self, PERSONA_TOOLS, PersonaChoice};
use super::scopes::Scopes;
use super::skill_choice::{self, SKILL_TOOLS, SkillChoice};
use super::trust::{CAUTION_KEYS, ToolTrust, Trust, confirmation, tools, trust};

/// The keys that may be set for a single tool of it.
const OWN_TOOL_KEYS: &[Spec<'static>] = &[
    ("confirm", Shape::OneOf(&["ask", "pin"])),
    ("progress_phrase", Shape::Text),
];

/// A toolbox of a persona. `Debug` names the settings and not their values.
#[derive(Clone)]
pub struct ToolboxChoice {
    /// The id of the toolbox.
    pub id: String,
    /// The trust in a toolbox of another program on the bus; absent for those of this program.
    pub on_bus: Option<Trust>,
    /// The caution with which tools of this program are called.
    pub caution: Caution,
    /// The settings as they stand in the file.
    pub settings: Map<String, Value>,
    /// The skills that may be called, where it stands for those.
    pub skills: Option<SkillChoice>,
    /// The personas that may be asked, where it stands for those.
    pub personas: Option<PersonaChoice>,
}

/// Says how careful a persona is with tools of this program. It can only have the person asked more often.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caution {
    /// Says whether the person is asked before a tool that changes something.
    pub confirm: Option<Confirm>,
    /// The settings of single tools, by name.
    pub tools: BTreeMap<String, ToolTrust>,
}

impl fmt::Debug for ToolboxChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.settings.keys().collect();
        f.debug_struct("ToolboxChoice")
            .field("id", &self.id)
            .field("on_bus", &self.on_bus)
            .field("caution", &self.caution)
            .field("settings", &names)
            .field("skills", &self.skills)
            .field("personas", &self.personas)
            .finish()
    }
}

pub(super) fn choose(
    list: Option<&Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<ToolboxChoice> {
    let entries = match list {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            let other = shown(other);
            report.warn(format!(
                "{path} must be a list of texts, not {other}; there are none"
            ));
            return Vec::new();
        }
    };
    let mut chosen: Vec<ToolboxChoice> = Vec::new();
    for entry in entries {
        match entry.as_str() {
            None => {
                let entry = shown(entry);
                report.warn(format!("{path} must be a list of texts; {entry} is passed over"));
            }
            Some(id) if chosen.iter().any(|choice| choice.id == id) => {}
            Some(id) => chosen.extend(read(id, path, scopes, report)),
        }
    }
    chosen
}

fn read(id: &str, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Option<ToolboxChoice> {
    let configured = scopes.has(id);
    let own = &scopes.known.toolboxes;
    let (mut settings, place) = scopes.rights_of(id, report)?;
    let none = ToolboxChoice {
        id: id.to_owned(),
        on_bus: None,
        caution: Caution::default(),
        settings: Map::new(),
        skills: None,
        personas: None,
    };
    if id == SKILL_TOOLS {
        let skills = skill_choice::read(&settings, &place, report)?;
        return Some(ToolboxChoice {
            skills: Some(skills),
            ..none
        });
    }
    if id == PERSONA_TOOLS {
        let personas = persona_choice::read(&settings, &place, report)?;
        return Some(ToolboxChoice {
            personas: Some(personas),
            ..none
        });
    }
    let built_in = own.iter().any(|own| own == id);
    if built_in {
        return Some(ToolboxChoice {
            id: id.to_owned(),
            on_bus: None,
            caution: caution(&mut settings, &place, report),
            settings,
            skills: None,
            personas: None,
        });
    }
    if !configured {
        let near = nearest(id, own.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        report.warn(format!(
            "{path}: {id} is no toolbox of Loquat's own ({}); it is looked for on the bus, and its tools are \
             dangerous unless \"{id}\": {{\"trust\": \"safe\"}} says otherwise{near}",
            listed(own)
        ));
    }
    Some(ToolboxChoice {
        id: id.to_owned(),
        on_bus: Some(trust(&settings, &place, report)),
        caution: Caution::default(),
        settings: Map::new(),
        skills: None,
        personas: None,
    })
}

/// Takes out of the settings of a toolbox of this program what is said of its tools; the rest is for the toolbox.
fn caution(settings: &mut Map<String, Value>, path: &str, report: &mut Report) -> Caution {
    *settings = fields::restricting(settings, path, CAUTION_KEYS, report);
    let keys = CAUTION_KEYS.iter().map(|(key, _)| *key);
    let said = keys.filter_map(|key| settings.remove_entry(key)).collect();
    let said = fields::block(&said, path, CAUTION_KEYS, Stake::Rights, report);
    Caution {
        confirm: confirmation(said.get("confirm")),
        tools: tools(said.get("tools"), path, OWN_TOOL_KEYS, None, report),
    }
}
