//! Which chat models answer for a persona, and with which settings.

use std::fmt;

use serde_json::{Map, Value};

use super::fields::{self, Owner, Report, Shape, Spec, join};
use super::parse::Scopes;
use crate::settings::secret::Secret;
use crate::settings::wording::{listed, nearest, shown};

/// The client of OpenAI-compatible servers; also what its older ids in persona files become.
pub const OPENAI_BRAIN: &str = "ovos-chat-openai-plugin";

/// The model that runs on this machine.
pub const LOCAL_BRAIN: &str = "loquat-local-brain";

/// Several brains, asked in order; only a way to write a list.
const LADDER: &str = "loquat-ladder";

/// What the OpenAI plugin was called in earlier OVOS releases (`neon.plugin.solver`, before 2.0.7).
const OLDER_OPENAI_BRAINS: [&str; 2] = ["ovos-solver-openai-plugin", "ovos-solver-openai-persona-plugin"];

/// Where OVOS's plugin asks when nothing else is said, and for which model (`ovos-openai-plugin` 2.0).
const USUAL_ADDRESS: &str = "https://api.openai.com/v1";
const USUAL_MODEL: &str = "gpt-4o-mini";

/// A wait of a brain, in seconds: a tenth is the least that a clock of the network can tell, an hour is for ever.
const WAIT: Shape = Shape::Number(0.1, 3600.0);

const OPENAI_KEYS: &[Spec<'static>] = &[
    ("api_url", Shape::Address),
    ("key", Shape::Any),
    ("api_key", Shape::Any),
    ("model", Shape::Text),
    ("system_prompt", Shape::Text),
    ("persona", Shape::Text),
    ("initial_prompt", Shape::Text),
    ("max_tokens", Shape::Whole(1, 1_000_000)),
    ("temperature", Shape::Number(0.0, 2.0)),
    ("top_p", Shape::Number(0.0, 1.0)),
    ("frequency_penalty", Shape::Number(-2.0, 2.0)),
    ("presence_penalty", Shape::Number(-2.0, 2.0)),
    ("stop_token", Shape::TextOrTexts),
    ("extra_params", Shape::Object),
    ("supports_tools", Shape::Switch),
    ("json_schema", Shape::Switch),
    ("stream", Shape::Switch),
    ("connect_timeout_seconds", WAIT),
    ("first_token_timeout_seconds", WAIT),
    ("next_token_timeout_seconds", WAIT),
    ("timeout_seconds", WAIT),
    ("retries", Shape::Whole(0, 10)),
    // Instructions always reach the model here.
    ("allow_system_prompts", Shape::Without),
    // The history is the persona's, not the brain's.
    ("enable_memory", Shape::Without),
    ("memory_size", Shape::Without),
    ("enable_tx", Shape::Without),
    ("enable_cache", Shape::Without),
    ("priority", Shape::Without),
    ("enabled", Shape::Without),
];

const LOCAL_KEYS: &[Spec<'static>] = &[
    ("model", Shape::Text),
    ("system_prompt", Shape::Text),
    ("max_tokens", Shape::Whole(1, 1_000_000)),
    ("temperature", Shape::Number(0.0, 2.0)),
    ("top_p", Shape::Number(0.0, 1.0)),
    ("first_token_timeout_seconds", WAIT),
    ("next_token_timeout_seconds", WAIT),
    ("timeout_seconds", WAIT),
    ("enabled", Shape::Without),
];

/// A brain and its settings. `Debug` names the settings and not their values.
#[derive(Clone)]
pub struct BrainChoice {
    /// [`OPENAI_BRAIN`] or [`LOCAL_BRAIN`].
    pub id: String,
    /// The settings in OVOS's names and of the right types, without key and instructions. For [`OPENAI_BRAIN`] there
    /// is always a `model` and an `api_url`, which ends before `/chat/completions`.
    pub settings: Map<String, Value>,
    /// The key for the server.
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
    /// Where its settings stand.
    pub(super) path: String,
}

/// The ids that may be written for a brain.
pub(super) fn known_ids() -> Vec<&'static str> {
    let mut ids = vec![OPENAI_BRAIN, LOCAL_BRAIN, LADDER];
    ids.extend(OLDER_OPENAI_BRAINS);
    ids
}

/// Reads what stands under `brain`: an id, or a list of ids and of objects `{"plugin": id, settings…}`.
pub(super) fn choose(value: &Value, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Vec<Chosen> {
    let one = std::slice::from_ref(value);
    let entries = value.as_array().map_or(one, Vec::as_slice);
    let mut chosen = Vec::new();
    for entry in entries {
        match entry {
            Value::String(id) => chosen.append(&mut named(id, path, scopes, report)),
            Value::Object(settings) => chosen.extend(inline(settings, path, scopes, report)),
            other => report.refuse(format!(
                "{path} must be the id of a brain or a list of them, not {}",
                shown(other)
            )),
        }
    }
    if chosen.is_empty() && !report.refused() {
        report.refuse(format!("{path} names no brain"));
    }
    chosen
}

/// A brain by its id, with the settings that stand elsewhere in the file.
pub(super) fn named(id: &str, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Vec<Chosen> {
    let Some((settings, place)) = scopes.settings_of(id, report) else {
        return Vec::new();
    };
    if id == LADDER {
        return ladder(&settings, &place, scopes, report);
    }
    let Some(canonical) = canonical(id) else {
        report.refuse(unknown_brain(id, path));
        return Vec::new();
    };
    vec![read(canonical, &settings, &place, scopes, report)]
}

fn inline(
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Chosen> {
    let Some(id) = fields::text(settings, path, "plugin", report) else {
        report.refuse(format!(
            "{path} has an entry without \"plugin\", the id of the brain"
        ));
        return None;
    };
    let Some(canonical) = canonical(&id) else {
        report.refuse(unknown_brain(&id, path));
        return None;
    };
    let mut settings = settings.clone();
    settings.remove("plugin");
    Some(read(canonical, &settings, path, scopes, report))
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
            report.refuse(format!("{path} must be a list of brains, asked in order"));
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

fn unknown_brain(id: &str, path: &str) -> String {
    let known = [OPENAI_BRAIN, LOCAL_BRAIN, LADDER];
    let meant = nearest(id, known_ids()).map_or_else(String::new, |near| format!("did you mean {near}? "));
    format!(
        "{path}: there is no brain {id} here; {meant}known are {}",
        listed(known)
    )
}

fn read(
    id: &str,
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Chosen {
    let (specs, owner) = if id == LOCAL_BRAIN {
        (LOCAL_KEYS, Owner::Ours)
    } else {
        (OPENAI_KEYS, Owner::Ovos)
    };
    if id == OPENAI_BRAIN && settings.get("api_url").is_none_or(Value::is_null) {
        let key = join(path, "api_url");
        report.warn(format!(
            "{key} is missing; what is said goes to {USUAL_ADDRESS}, as it does with OVOS"
        ));
    }
    let mut settings = fields::block(settings, path, specs, owner, report);
    let key = take_key(&mut settings, path, scopes, report);
    let prompt = take_prompt(&mut settings);
    if id == OPENAI_BRAIN {
        complete(&mut settings);
    }
    Chosen {
        brain: BrainChoice {
            id: id.to_owned(),
            settings,
            key,
        },
        prompt,
        path: path.to_owned(),
    }
}

/// `key`, or `api_key`, which OVOS's own examples write although its plugin does not read it.
fn take_key(
    settings: &mut Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Secret> {
    let alternative = settings.remove("api_key");
    let value = settings.remove("key").or(alternative)?;
    if value.as_str().is_some_and(str::is_empty) {
        return None;
    }
    let Some(secret) = Secret::from_setting(&value, scopes.environment) else {
        let path = join(path, "key");
        report.refuse(format!(
            "{path} must be a text, {{\"file\": \"PATH\"}} or {{\"credential\": \"NAME\"}}"
        ));
        return None;
    };
    report.complaints.extend(secret.remark(report.origin()));
    Some(secret)
}

/// `system_prompt`, or one of the names it had in earlier releases.
fn take_prompt(settings: &mut Map<String, Value>) -> Option<String> {
    let mut take = |key: &str| match settings.remove(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    };
    let prompts = [take("system_prompt"), take("initial_prompt")];
    let manner = take("persona").map(|manner| {
        // It was once a mere list of virtues, "helpful, creative, clever".
        let is_list = manner.chars().next().is_some_and(char::is_lowercase);
        if is_list {
            format!("You are {manner}")
        } else {
            manner
        }
    });
    prompts.into_iter().flatten().next().or(manner)
}

/// Fills in what OVOS's plugin fills in, and cuts off the end of the path, which the client appends and OVOS's own
/// examples write out.
fn complete(settings: &mut Map<String, Value>) {
    settings
        .entry("model")
        .or_insert_with(|| Value::from(USUAL_MODEL));
    let address = settings
        .entry("api_url")
        .or_insert_with(|| Value::from(USUAL_ADDRESS));
    if let Value::String(address) = address {
        let base = address.trim_end_matches('/');
        let base = base.strip_suffix("/chat/completions").unwrap_or(base);
        *address = base.trim_end_matches('/').to_owned();
    }
}
