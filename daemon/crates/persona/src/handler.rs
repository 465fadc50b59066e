//! The ways in which a persona answers: an engine with its brains and toolboxes, or a brain alone.

use std::collections::BTreeMap;

use loquat_settings::wording::{listed, nearest, shown};
use serde_json::{Map, Value};

use super::brain_choice::{self, BrainChoice, Chosen};
use super::channels::{self, Answering};
use super::engine_settings;
use super::fields::{self, Report, Shape, Spec, Stake};
use super::known::Known;
use super::scopes::Scopes;
use super::toolbox_choice::{self, ToolboxChoice};

/// The keys under which a file lists who answers, the newest first. `chat` holds one id.
const LISTS: [&str; 3] = ["handlers", "solvers", "chat"];

/// The engine of a brain that names none. Without toolboxes the ReAct engine is a plain conversation.
const PLAIN_ENGINE: &str = "ovos-react-loop";

/// The engine that looks a question up: one call, and no brain.
const LOOKUP_ENGINE: &str = "loquat-intent";

/// Handlers of OVOS that only say that nothing was found; the daemon does that by itself.
pub(super) const IGNORED_HANDLERS: &[&str] = &["ovos-solver-failure-plugin"];

/// One way to answer. The handlers of a persona are tried in order.
#[derive(Debug, Clone)]
pub struct Handler {
    /// The engine has this id.
    pub engine_id: String,
    /// They are all instructions for the brain, each once: of the persona, of the engine, and of the first brain.
    pub system_prompt: String,
    /// Brains in the order in which they are asked; empty only where a question is looked up.
    pub brains: Vec<BrainChoice>,
    /// They are in the order of the file.
    pub toolboxes: Vec<ToolboxChoice>,
    /// Says that these are all that there are, of which a brain is shown those that fit.
    pub has_all: bool,
    /// The engine's own settings, such as `max_iterations`. They have been checked.
    pub engine_settings: Map<String, Value>,
    /// Who answers by a channel instead, by its name.
    pub by_channel: BTreeMap<String, ByChannel>,
    /// The plugin of OVOS that looks the question up instead of asking a brain, where it is one.
    pub lookup: Option<String>,
}

/// Who answers by one channel, with the toolboxes and settings of the handler.
#[derive(Debug, Clone)]
pub struct ByChannel {
    /// The engine has this id.
    pub engine_id: String,
    /// They are all instructions for the brain there.
    pub system_prompt: String,
    /// Brains in the order in which they are asked.
    pub brains: Vec<BrainChoice>,
}

/// Reads `handlers`, which older files call `solvers` or `chat`. Plugins that are not here are passed over; where none is
/// left, the model of this device answers.
pub(super) fn all(
    file: &Map<String, Value>,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<Handler> {
    let is_empty = |value: &&Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let written = LISTS
        .into_iter()
        .find_map(|key| Some((key, file.get(key).filter(|value| !is_empty(value))?)));
    let (key, list) = match written {
        None => {
            report.refuse("handlers is missing; it lists the plugins that answer, in order");
            return Vec::new();
        }
        Some((key, id @ (Value::String(_) | Value::Object(_)))) => (key, std::slice::from_ref(id)),
        Some((key, Value::Array(list))) => (key, list.as_slice()),
        Some((key, other)) => {
            report.refuse(format!(
                "{key} must be a list of plugin ids, not {}",
                shown(other)
            ));
            return Vec::new();
        }
    };
    let mut handlers = Vec::new();
    let mut passed_over = false;
    for (index, entry) in list.iter().enumerate() {
        let place = format!("{key}[{index}]");
        match self::entry(entry, &place, prompt, scopes, report) {
            Entry::Handler(handler) => handlers.push(*handler),
            Entry::PassedOver => passed_over = true,
            Entry::Without => {}
        }
    }
    if handlers.is_empty() && passed_over && !report.refused() {
        report.warn(format!(
            "{key} names no plugin that is here; the model of this device answers"
        ));
        handlers.extend(plain(brain_choice::LOCAL_BRAIN, key, prompt, scopes, report));
    }
    if !handlers.is_empty() && handlers.iter().all(|handler| handler.lookup.is_some()) && !report.refused() {
        report.warn(format!(
            "{key} only looks questions up; the model of this device answers the others"
        ));
        handlers.extend(plain(brain_choice::LOCAL_BRAIN, key, prompt, scopes, report));
    }
    if handlers.is_empty() && !report.refused() {
        report.refuse(format!("{key} names nothing that could answer"));
    }
    handlers
}

/// The outcome of reading an entry of the list.
enum Entry {
    Handler(Box<Handler>),
    /// A plugin that is not here.
    PassedOver,
    /// The entry is switched off, not needed, or refused.
    Without,
}

/// An entry is a plugin id, or an object with the id under `module` and the settings under the id or beside it.
fn entry(
    entry: &Value,
    place: &str,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Entry {
    let Some(id) = plugin_of(entry) else {
        let entry = shown(entry);
        report.warn(format!(
            "{place} must be a plugin id, not {entry}; it is passed over"
        ));
        return Entry::PassedOver;
    };
    let mut own = entry.as_object().cloned().unwrap_or_default();
    own.remove("module");
    if !own.is_empty() && !own.contains_key(id) {
        own = Map::from_iter([(id.to_owned(), Value::Object(own))]);
    }
    one(id, place, prompt, &scopes.within(place, &own), report)
}

fn plugin_of(entry: &Value) -> Option<&str> {
    entry.as_str().or_else(|| entry.get("module")?.as_str())
}

fn one(id: &str, place: &str, prompt: Option<&str>, scopes: &Scopes<'_>, report: &mut Report) -> Entry {
    if IGNORED_HANDLERS.contains(&id) {
        return Entry::Without;
    }
    if scopes.known.lookups.iter().any(|known| known == id) {
        return lookup(id, scopes, report);
    }
    let engine_id = scopes.known.engine(id);
    let is_brain = brain_choice::known_ids().contains(&id);
    if engine_id.is_none() && !is_brain {
        return unknown_plugin(id, place, scopes.known, report);
    }
    let (settings, path) = scopes.settings_of(id, report);
    if fields::is_off(&settings, &path, report) {
        return Entry::Without;
    }
    let handler = match engine_id {
        Some(engine_id) => Some(engine(engine_id, &path, &settings, prompt, scopes, report)),
        None => plain(id, place, prompt, scopes, report),
    };
    handler.map_or(Entry::PassedOver, |handler| Entry::Handler(Box::new(handler)))
}

/// Makes a handler of a plugin that looks a question up. The servers and the language are the device's, so
/// that none of its settings counts.
fn lookup(id: &str, scopes: &Scopes<'_>, report: &mut Report) -> Entry {
    let (settings, path) = scopes.settings_of(id, report);
    fields::block(
        &settings,
        &path,
        &[("enabled", Shape::Without)],
        Stake::Settings,
        report,
    );
    if fields::is_off(&settings, &path, report) {
        return Entry::Without;
    }
    Entry::Handler(Box::new(Handler {
        engine_id: LOOKUP_ENGINE.to_owned(),
        system_prompt: String::new(),
        brains: Vec::new(),
        toolboxes: Vec::new(),
        has_all: false,
        engine_settings: Map::new(),
        by_channel: BTreeMap::new(),
        lookup: Some(id.to_owned()),
    }))
}

/// Makes the handler of a brain without an engine; there is none where the brain cannot be asked.
fn plain(
    id: &str,
    place: &str,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Handler> {
    let brains = brain_choice::named(id, place, scopes, report);
    (!brains.is_empty()).then(|| Handler {
        engine_id: PLAIN_ENGINE.to_owned(),
        system_prompt: instructions(prompt, None, &brains, report),
        brains: without_prompts(brains),
        toolboxes: Vec::new(),
        has_all: false,
        engine_settings: Map::new(),
        by_channel: BTreeMap::new(),
        lookup: None,
    })
}

fn engine(
    id: &str,
    path: &str,
    settings: &Map<String, Value>,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Handler {
    let inner = scopes.within(path, settings);
    let brains = brains(settings, path, &inner, report);
    let list = settings.get("toolboxes");
    let boxes = format!("{path}.toolboxes");
    let toolboxes = toolbox_choice::choose(list, &boxes, &inner, report);
    let own = fields::text(settings, path, "system_prompt", report);
    let nested = list.and_then(Value::as_array).into_iter().flatten();
    let nested: Vec<&str> = nested.filter_map(Value::as_str).collect();
    let mut engine_settings = engine_settings(settings, path, &nested, scopes.known, report);
    let answering = channels::read(&mut engine_settings, id, path, &inner, report);
    let system_prompt = instructions(prompt, own.as_deref(), &brains, report);
    let brains_everywhere: Vec<BrainChoice> = brains.iter().map(|chosen| chosen.brain.clone()).collect();
    let by_channel = answering.into_iter().filter_map(|(channel, answering)| {
        let Answering {
            engine_id,
            brains,
            prompt: there,
        } = answering;
        if engine_id.is_none() && brains.is_empty() && there.is_none() {
            return None;
        }
        let everywhere = if brains.is_empty() {
            system_prompt.clone()
        } else {
            instructions(prompt, own.as_deref(), &brains, report)
        };
        let by_channel = ByChannel {
            engine_id: engine_id.unwrap_or_else(|| id.to_owned()),
            system_prompt: [everywhere]
                .into_iter()
                .chain(there)
                .collect::<Vec<_>>()
                .join("\n\n"),
            brains: if brains.is_empty() {
                brains_everywhere.clone()
            } else {
                without_prompts(brains)
            },
        };
        Some((channel, by_channel))
    });
    Handler {
        engine_id: id.to_owned(),
        by_channel: by_channel.collect(),
        system_prompt,
        brains: without_prompts(brains),
        engine_settings,
        toolboxes,
        has_all: toolbox_choice::wants_all(list),
        lookup: None,
    }
}

fn brains(
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<Chosen> {
    let written = ["brain", "llm"]
        .into_iter()
        .find_map(|key| Some((key, settings.get(key).filter(|brain| !brain.is_null())?)));
    let Some((key, brain)) = written else {
        let own = brain_choice::LOCAL_BRAIN;
        report.warn(format!(
            "{path}.brain is missing; the model of this device answers, as with \"{own}\" there"
        ));
        return brain_choice::named(own, path, scopes, report);
    };
    brain_choice::choose(brain, &fields::join(path, key), scopes, report)
}

/// Gathers the settings of the engine itself, without what is about its brains and toolboxes.
fn engine_settings(
    settings: &Map<String, Value>,
    path: &str,
    toolboxes: &[&str],
    known: &Known,
    report: &mut Report,
) -> Map<String, Value> {
    let mut specs: Vec<Spec<'_>> = vec![
        ("brain", Shape::Without),
        ("llm", Shape::Without),
        ("toolboxes", Shape::Without),
        ("system_prompt", Shape::Without),
        ("enabled", Shape::Without),
    ];
    specs.extend(engine_settings::specs());
    specs.extend(known.engine_keys.iter().map(|key| (key.as_str(), Shape::Any)));
    let plugins = brain_choice::known_ids().into_iter();
    let plugins = plugins.chain(toolboxes.iter().copied());
    let plugins = plugins.chain(known.toolboxes.iter().map(String::as_str));
    specs.extend(plugins.map(|id| (id, Shape::Without)));
    let settings = fields::restricting(settings, path, &[("channels", Shape::Object)], report);
    let mut accepted = fields::block(&settings, path, &specs, Stake::Settings, report);
    for key in engine_settings::naming_engines() {
        let Some(named) = accepted.remove(key) else {
            continue;
        };
        let id = named.as_str().unwrap_or_default();
        if let Some(engine_id) = known.engine(id) {
            accepted.insert(key.to_owned(), Value::from(engine_id));
        } else {
            let meant = nearest(id, known.engines.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean {near}? "));
            report.warn(format!(
                "{path}.{key}: there is no engine {id} here, and the usual one is used; {meant}the engines are {}",
                listed(&known.engines)
            ));
        }
    }
    accepted
}

/// Joins the instructions of the persona, the engine and the first brain, the same ones once.
///
/// A turn has one set of instructions, whichever brain answers in the end; other ones of later brains are told of.
fn instructions(
    persona: Option<&str>,
    engine: Option<&str>,
    brains: &[Chosen],
    report: &mut Report,
) -> String {
    let mut prompts: Vec<&str> = Vec::new();
    let first = brains.first().and_then(|first| first.prompt.as_deref());
    for prompt in [persona, engine, first].into_iter().flatten() {
        if !prompts.contains(&prompt) {
            prompts.push(prompt);
        }
    }
    for later in brains.iter().skip(1) {
        if later
            .prompt
            .as_deref()
            .is_some_and(|prompt| !prompts.contains(&prompt))
        {
            let path = &later.path;
            report.warn(format!(
                "{path}.system_prompt is not used; the instructions are those of the first brain"
            ));
        }
    }
    prompts.join("\n\n")
}

fn without_prompts(brains: Vec<Chosen>) -> Vec<BrainChoice> {
    brains.into_iter().map(|chosen| chosen.brain).collect()
}

/// Tells whether a file names this plugin as a handler.
pub(super) fn names(file: &Map<String, Value>, id: &str) -> bool {
    let written = LISTS.into_iter().filter_map(|key| file.get(key));
    let mut entries = written.flat_map(|list| match list {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    });
    entries.any(|entry| plugin_of(entry) == Some(id))
}

/// Most often it is that of a plugin that OVOS has and this device does not.
fn unknown_plugin(id: &str, place: &str, known: &Known, report: &mut Report) -> Entry {
    let brains = brain_choice::known_ids();
    let lookups = known.lookups.iter().map(String::as_str);
    let ids = known
        .engines
        .iter()
        .map(String::as_str)
        .chain(lookups)
        .chain(brains);
    let near = nearest(id, ids).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    report.warn(format!(
        "{place}: there is no plugin {id} here; it is passed over{near}"
    ));
    Entry::PassedOver
}
