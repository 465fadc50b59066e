//! One persona file, once it is open: its top level. Finds no file.

use loquat_agent::brain::{ChatMessage, Role};
use loquat_settings::wording::shown;
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Spec, Stake};
use super::known::Known;
use super::names::slug;
use super::persona::{BudgetOverrides, Persona};
use super::prompts::{self, Prompts};
use super::scopes::Scopes;
use super::sources::Sources;
use super::{agents_md, brain_choice, handler, schedule};

/// The keys at the top of a file, OVOS's and ours.
pub(super) const TOP_KEYS: &[&str] = &[
    "name",
    "handlers",
    "solvers",
    "chat",
    "memory_module",
    "plugin-config",
    "enabled",
    "description",
    "system_prompt",
    "examples",
    "budget",
    "lang",
    "tags",
    "prompts",
    "intents",
    "network",
    "schedule",
];

/// The keys that collections of personas add for their own use.
const CATALOGUE_KEYS: &[&str] = &["author", "catch_phrase", "icon", "license", "url", "version"];

/// The memory that every OVOS persona has; ours does what it does.
const USUAL_MEMORY: &str = "ovos-agents-short-term-memory-plugin";

pub(super) const BUDGET_KEYS: &[Spec<'static>] = &[
    ("max_iterations", Shape::Whole(1, 100)),
    ("max_tool_calls", Shape::Whole(0, 1000)),
    ("max_tokens", Shape::Whole(1, 1_000_000_000)),
    ("max_cost", Shape::Number(0.0, 1_000_000.0)),
    ("deadline_seconds", Shape::Whole(1, 86_400)),
];

/// Reads a persona. `stem` is the name of the file, which is the persona's where it has no other. Nothing when it is
/// switched off or unusable; the report says why.
pub(super) fn persona(
    file: &Map<String, Value>,
    stem: &str,
    known: &Known,
    sources: &Sources,
    shared: &Prompts,
    report: &mut Report,
) -> Option<Persona> {
    if file.get("enabled") == Some(&Value::Bool(false)) {
        return None;
    }
    fields::take(file, "", "enabled", Shape::Switch, report);
    fields::take(file, "", "plugin-config", Shape::Object, report);
    let name = fields::text(file, "", "name", report).unwrap_or_else(|| stem.to_owned());
    let scopes = Scopes::of_file(file, known, sources);
    let system_prompt = fields::text(file, "", "system_prompt", report);
    let agents_md = agents_md::instructions(file, &scopes, &sources.agents_md, report);
    let prompts = system_prompt.into_iter().chain(agents_md);
    let system_prompt = Some(prompts.collect::<Vec<_>>().join("\n\n")).filter(|prompt| !prompt.is_empty());
    let handlers = handler::all(file, system_prompt.as_deref(), &scopes, report);
    let persona = Persona {
        id: [slug(&name), slug(stem), "persona".to_owned()]
            .into_iter()
            .find(|id| !id.is_empty())
            .unwrap_or_default(),
        name,
        description: fields::text(file, "", "description", report),
        handlers,
        system_prompt,
        examples: examples(file, report),
        budget: budget(file, report),
        lang: fields::text(file, "", "lang", report),
        tags: tags(file, report),
        prompts: prompts::of_persona(file, shared, report),
        remembers: remembers(file, report),
        leaves_to_tools: is_let(file, "intents", report),
        is_online: is_let(file, "network", report),
        schedule: schedule::read(file, report),
        origin: report.origin().clone(),
    };
    unused(file, &persona, known, report);
    (!report.refused()).then_some(persona)
}

/// Tells whether a switch that may forbid something is on. What cannot be understood was meant to forbid it.
fn is_let(file: &Map<String, Value>, key: &str, report: &mut Report) -> bool {
    match file.get(key) {
        None | Some(Value::Null | Value::Bool(true)) => true,
        Some(Value::Bool(false)) => false,
        Some(other) => {
            let other = shown(other);
            report.warn(format!(
                "{key} must be true or false, not {other}; it counts as false"
            ));
            false
        }
    }
}

fn tags(file: &Map<String, Value>, report: &mut Report) -> Vec<String> {
    let list = fields::take(file, "", "tags", Shape::Texts, report);
    let list = list.as_ref().and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|tag| Some(tag.as_str()?.to_owned())).collect()
}

fn budget(file: &Map<String, Value>, report: &mut Report) -> BudgetOverrides {
    let block = match file.get("budget") {
        None | Some(Value::Null) => return BudgetOverrides::default(),
        Some(Value::Object(block)) => block,
        Some(other) => {
            // It may well have been a limit to what a turn costs.
            report.refuse(format!("budget must be an object, not {}", shown(other)));
            return BudgetOverrides::default();
        }
    };
    let block = fields::block(block, "budget", BUDGET_KEYS, Stake::Settings, report);
    let number = |key: &str| block.get(key).and_then(Value::as_u64);
    let small = |key: &str| number(key).and_then(|number| u32::try_from(number).ok());
    BudgetOverrides {
        max_iterations: small("max_iterations"),
        max_tool_calls: small("max_tool_calls"),
        max_tokens: number("max_tokens"),
        max_cost: block.get("max_cost").and_then(Value::as_f64),
        deadline_seconds: number("deadline_seconds"),
    }
}

fn examples(file: &Map<String, Value>, report: &mut Report) -> Vec<ChatMessage> {
    let list = match file.get("examples") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list,
        Some(other) => {
            let other = shown(other);
            report.warn(format!(
                "examples must be a list of {{\"role\": …, \"content\": …}}, not {other}; there are none"
            ));
            return Vec::new();
        }
    };
    let example = |(index, entry): (usize, &Value)| {
        let path = format!("examples[{index}]");
        let message = example(entry);
        if message.is_none() {
            report.warn(format!(
                "{path} must be {{\"role\": \"user\" or \"assistant\", \"content\": a text}}; it is passed over"
            ));
        }
        message
    };
    list.iter().enumerate().filter_map(example).collect()
}

fn example(entry: &Value) -> Option<ChatMessage> {
    let entry = entry.as_object().filter(|entry| entry.len() == 2)?;
    let role = match entry.get("role")?.as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    Some(ChatMessage::new(role, entry.get("content")?.as_str()?))
}

fn remembers(file: &Map<String, Value>, report: &mut Report) -> bool {
    match file.get("memory_module") {
        None => true,
        Some(Value::Null) => false,
        Some(Value::String(module)) if module.is_empty() => false,
        Some(Value::String(module)) => {
            if module != USUAL_MEMORY && module != agents_md::ID {
                report.warn(format!(
                    "memory_module {module} is not here; the history of the session takes its place"
                ));
            }
            true
        }
        Some(other) => {
            report.warn(format!(
                "memory_module must be a text or null, not {}; it counts as null",
                shown(other)
            ));
            false
        }
    }
}

/// Complains of keys that nothing has read.
fn unused(file: &Map<String, Value>, persona: &Persona, known: &Known, report: &mut Report) {
    let mut ids: Vec<&str> = brain_choice::known_ids();
    ids.extend(known.engines.iter().map(String::as_str));
    ids.extend(known.toolboxes.iter().map(String::as_str));
    ids.extend(known.lookups.iter().map(String::as_str));
    let boxes = persona.handlers.iter().flat_map(|handler| &handler.toolboxes);
    ids.extend(boxes.map(|toolbox| toolbox.id.as_str()));
    let ignored = handler::IGNORED_HANDLERS;
    for (key, value) in file {
        let memory = file.get("memory_module").and_then(Value::as_str) == Some(key);
        let named = memory || handler::names(file, key);
        let expected = TOP_KEYS.contains(&key.as_str()) || CATALOGUE_KEYS.contains(&key.as_str());
        if named || expected || ignored.contains(&key.as_str()) || ids.contains(&key.as_str()) {
            continue;
        }
        let plugins: &[&str] = if value.is_object() { &ids } else { &[] };
        fields::unknown("", key, &[TOP_KEYS, plugins].concat(), Stake::Settings, report);
    }
}
