//! Which chat models answer for a persona, and with which settings.

mod settings;

use std::fmt;

use loquat_settings::secret::Secret;
use loquat_settings::wording::{nearest, shown};
use serde_json::{Map, Value};

use self::settings::read;
use super::fields::{self, Report, join};
use super::scopes::Scopes;

/// The id of the client of OpenAI-compatible servers. Older ids in persona files become this one.
pub const OPENAI_BRAIN: &str = "ovos-chat-openai-plugin";

/// The model that runs on this machine.
pub const LOCAL_BRAIN: &str = "loquat-local-brain";

/// The id under which several brains are listed, in the order in which they are asked. It is no brain of its own.
const LADDER: &str = "loquat-ladder";

/// The names of the OpenAI plugin in earlier OVOS releases (`neon.plugin.solver`, before 2.0.7), and the name of its
/// package, which some examples write.
const OLDER_OPENAI_BRAINS: [&str; 3] = [
    "ovos-solver-openai-plugin",
    "ovos-solver-openai-persona-plugin",
    "ovos-openai-plugin",
];

/// A brain and its settings. `Debug` names the settings and not their values.
#[derive(Clone)]
pub struct BrainChoice {
    /// [`OPENAI_BRAIN`] or [`LOCAL_BRAIN`], which also stands in for a server without address and key.
    pub id: String,
    /// The settings in OVOS's names and of the right types, without key and instructions. For [`OPENAI_BRAIN`] there
    /// is always a `model` and an `api_url`, which ends before `/chat/completions`.
    pub settings: Map<String, Value>,
    /// The key for the server; absent where it wants none.
    pub key: Option<Secret>,
}

impl fmt::Debug for BrainChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.settings.keys().collect();
        f.debug_struct("BrainChoice")
            .field("id", &self.id)
            .field("settings", &names)
            .field("key", &self.key)
            .finish()
    }
}

/// A brain as it was read, with the instructions that were written beside it.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) brain: BrainChoice,
    pub(super) prompt: Option<String>,
    /// Complaints name its settings by this path in the file.
    pub(super) path: String,
}

/// Lists the ids that may be written for a brain.
pub(super) fn known_ids() -> Vec<&'static str> {
    let mut ids = vec![OPENAI_BRAIN, LOCAL_BRAIN, LADDER];
    ids.extend(OLDER_OPENAI_BRAINS);
    ids
}

/// Reads what stands under `brain`: an id, or a list of ids and of objects `{"plugin": id, settings…}`. Brains that are
/// not here are passed over; where none is left, the model of this device answers.
pub(super) fn choose(value: &Value, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Vec<Chosen> {
    let one = std::slice::from_ref(value);
    let entries = value.as_array().map_or(one, Vec::as_slice);
    let mut chosen = Vec::new();
    for entry in entries {
        match entry {
            Value::String(id) => chosen.append(&mut named(id, path, scopes, report)),
            Value::Object(settings) => chosen.extend(inline(settings, path, scopes, report)),
            other => report.warn(format!(
                "{path} must be the id of a brain or a list of them, not {}; it is passed over",
                shown(other)
            )),
        }
    }
    if !chosen.is_empty() || report.refused() {
        return chosen;
    }
    report.warn(format!(
        "{path} names no brain that is here; the model of this device answers"
    ));
    named(LOCAL_BRAIN, path, scopes, report)
}

/// Reads a brain by its id, with the settings that stand elsewhere in the file.
pub(super) fn named(id: &str, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Vec<Chosen> {
    let (settings, place) = scopes.settings_of(id, report);
    if id == LADDER {
        return ladder(&settings, &place, scopes, report);
    }
    let Some(canonical) = canonical(id) else {
        unknown_brain(id, path, report);
        return Vec::new();
    };
    read(canonical, &settings, &place, scopes, report)
        .into_iter()
        .collect()
}

fn inline(
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Chosen> {
    let Some(id) = fields::text(settings, path, "plugin", report) else {
        report.warn(format!(
            "{path} has an entry without \"plugin\", the id of the brain; it is passed over"
        ));
        return None;
    };
    let Some(canonical) = canonical(&id) else {
        unknown_brain(&id, path, report);
        return None;
    };
    let mut settings = settings.clone();
    settings.remove("plugin");
    read(canonical, &settings, path, scopes, report)
}

fn ladder(
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<Chosen> {
    let path = join(path, "brains");
    match settings.get("brains") {
        Some(Value::Array(rungs)) if !rungs.iter().any(|rung| rung == LADDER) => {
            let inner = scopes.within(LADDER, settings);
            choose(&Value::Array(rungs.clone()), &path, &inner, report)
        }
        _ => {
            report.warn(format!(
                "{path} must be a list of brains, asked in order; it is passed over"
            ));
            Vec::new()
        }
    }
}

fn canonical(id: &str) -> Option<&'static str> {
    match id {
        OPENAI_BRAIN => Some(OPENAI_BRAIN),
        LOCAL_BRAIN => Some(LOCAL_BRAIN),
        older if OLDER_OPENAI_BRAINS.contains(&older) => Some(OPENAI_BRAIN),
        _ => None,
    }
}

/// Most often it is that of a plugin that OVOS has and this device does not.
fn unknown_brain(id: &str, path: &str, report: &mut Report) {
    let near = nearest(id, known_ids()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    report.warn(format!(
        "{path}: there is no brain {id} here; it is passed over{near}"
    ));
}
