//! Which other personas a persona may ask as tools, how often, and what they are shown.

use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Stake};

/// The toolbox that stands for other personas.
pub const PERSONA_TOOLS: &str = "loquat-persona-tools";

/// Personas are asked this often in one turn unless the file says otherwise.
const USUAL_DELEGATIONS: u32 = 3;

/// Says what is kept apart when one persona asks another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Insulation {
    /// Nothing is kept apart: the asked one is shown the conversation, and the asking one what tools the other has
    /// called.
    None,
    /// The asking one is shown the answer alone; the asked one is shown the conversation.
    Orchestrator,
    /// The asked one is shown the question alone, too.
    #[default]
    Delegate,
}

/// The personas that may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaChoice {
    /// The names or ids of the personas that may be asked.
    pub personas: Vec<String>,
    /// The number of times that personas may be asked in one turn, by those that were asked too.
    pub max_delegations: u32,
    /// The number of personas that may stand between the person and the one that is asked.
    pub max_depth: u32,
    /// Says what is kept apart.
    pub insulation: Insulation,
}

pub(super) fn read(settings: &Map<String, Value>, path: &str, report: &mut Report) -> Option<PersonaChoice> {
    let specs = [
        ("personas", Shape::Texts),
        ("max_delegations", Shape::Whole(1, 100)),
        ("max_depth", Shape::Whole(1, 10)),
        ("insulation", Shape::OneOf(&["none", "orchestrator", "delegate"])),
    ];
    let settings = fields::block(settings, path, &specs, Stake::Settings, report);
    let names = settings.get("personas").and_then(Value::as_array);
    let names: Vec<String> = names
        .into_iter()
        .flatten()
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect();
    if names.is_empty() {
        let path = fields::join(path, "personas");
        report.warn(format!(
            "{path} is missing, so none is asked; it lists the personas that may be, for example [\"Scout\"]"
        ));
        return None;
    }
    let number = |key: &str| {
        let number = settings.get(key).and_then(Value::as_u64);
        number.and_then(|number| u32::try_from(number).ok())
    };
    Some(PersonaChoice {
        personas: names,
        max_delegations: number("max_delegations").unwrap_or(USUAL_DELEGATIONS),
        max_depth: number("max_depth").unwrap_or(USUAL_DELEGATIONS),
        insulation: match settings.get("insulation").and_then(Value::as_str) {
            Some("none") => Insulation::None,
            Some("orchestrator") => Insulation::Orchestrator,
            _ => Insulation::Delegate,
        },
    })
}
