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

/// Stands in the place of the list for every toolbox that the device has.
const ALL: &str = "all";

/// The keys that may be set for a single tool of it.
const OWN_TOOL_KEYS: &[Spec<'static>] = &[
    ("confirm", Shape::OneOf(&["ask", "pin"])),
    ("progress_phrase", Shape::Text),
];

/// A toolbox of a persona. `Debug` names the settings and not their values.
#[derive(Clone)]
pub struct ToolboxChoice {
    /// The toolbox has this id.
    pub id: String,
    /// A toolbox of another program on the bus is trusted so; one of this program needs no trust.
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

impl ToolboxChoice {
    /// One of which nothing is said.
    fn plain(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            on_bus: None,
            caution: Caution::default(),
            settings: Map::new(),
            skills: None,
            personas: None,
        }
    }
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

/// Tells whether a file wants every toolbox.
pub(super) fn wants_all(list: Option<&Value>) -> bool {
    let is_all = |entry: &Value| entry == ALL;
    list.is_some_and(|list| is_all(list) || list.as_array().is_some_and(|list| list.iter().any(is_all)))
}

pub(super) fn choose(
    list: Option<&Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<ToolboxChoice> {
    let entries = match list {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(entries)) => entries.as_slice(),
        Some(word) if word == ALL => std::slice::from_ref(word),
        Some(other) => {
            not_a_list(other, path, report);
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
            Some(ALL) => {
                let all = all(path, scopes, report).into_iter();
                let is_new = |new: &ToolboxChoice| chosen.iter().all(|choice| choice.id != new.id);
                let new: Vec<_> = all.filter(is_new).collect();
                chosen.extend(new);
            }
            Some(id) if chosen.iter().any(|choice| choice.id == id) => {}
            Some(id) => chosen.extend(read(id, path, scopes, report)),
        }
    }
    chosen
}

/// Where a word was meant to stand for all, a persona without any tool would be another one than its owner wrote.
fn not_a_list(value: &Value, path: &str, report: &mut Report) {
    let written = shown(value);
    if value.as_str().and_then(|word| nearest(word, [ALL])).is_some() {
        report.refuse(format!(
            "{path} must be a list of texts or \"{ALL}\", not {written}"
        ));
    } else {
        report.warn(format!(
            "{path} must be a list of texts, not {written}; there are none"
        ));
    }
}

/// Every toolbox of the program and of the owner's servers, and every installed skill. Those that a persona has to set up
/// are there where it does, and other personas where it names them.
fn all(path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Vec<ToolboxChoice> {
    let known = scopes.known;
    let is_meant = |id: &&String| {
        let waits = known.set_up.contains(id) || *id == PERSONA_TOOLS;
        !waits || scopes.has(id)
    };
    let ids = known.toolboxes.iter().filter(is_meant);
    let read = ids.filter_map(|id| {
        if id == SKILL_TOOLS && !scopes.has(id) {
            return Some(ToolboxChoice {
                skills: Some(SkillChoice::all()),
                ..ToolboxChoice::plain(id)
            });
        }
        read(id, path, scopes, report)
    });
    read.collect()
}

fn read(id: &str, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Option<ToolboxChoice> {
    let configured = scopes.has(id);
    let own = &scopes.known.toolboxes;
    let (mut settings, place) = scopes.rights_of(id, report)?;
    let none = ToolboxChoice::plain(id);
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
            caution: caution(&mut settings, &place, report),
            settings,
            ..none
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
        on_bus: Some(trust(&settings, &place, report)),
        ..none
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
