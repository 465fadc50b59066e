//! The ways in which a persona answers: an engine with its brains and toolboxes, or a brain alone.

use serde_json::{Map, Value};

use super::brain_choice::{self, BrainChoice, Chosen};
use super::fields::{self, Owner, Report, Shape, Spec};
use super::known::Known;
use super::parse::Scopes;
use super::{Handler, toolbox_choice};
use crate::settings::wording::{listed, nearest, shown};

/// What a brain without an engine is run by: without toolboxes the ReAct engine is a plain conversation.
const PLAIN_ENGINE: &str = "ovos-react-loop";

/// Handlers of OVOS that only say that nothing was found; the daemon does that by itself.
pub(super) const IGNORED_HANDLERS: &[&str] = &["ovos-solver-failure-plugin"];

/// Settings of the engines: those of OVOS's (`ovos-agentic-loop` 0.2.5), then ours. Those of another engine do no harm.
/// OVOS takes zero for each of its limits; an engine that could do nothing with it counts it as one.
const LOOP_KEYS: &[Spec<'static>] = &[
    ("max_iterations", Shape::Whole(0, 100)),
    ("max_steps", Shape::Whole(0, 100)),
    ("max_step_iterations", Shape::Whole(0, 100)),
    ("max_reflections", Shape::Whole(0, 100)),
    ("max_follow_ups", Shape::Whole(0, 100)),
    ("max_critique_rounds", Shape::Whole(0, 100)),
    ("n_branches", Shape::Whole(0, 100)),
    ("beam_width", Shape::Whole(0, 100)),
    ("max_depth", Shape::Whole(0, 100)),
    ("max_replans", Shape::Whole(0, 100)),
    ("samples", Shape::Whole(1, 100)),
    ("concurrency", Shape::Whole(1, 100)),
    ("threshold", Shape::Whole(0, 10)),
    ("search", Shape::OneOf(&["bfs", "dfs"])),
    ("generate", Shape::OneOf(&["sample", "propose"])),
    ("evaluate", Shape::OneOf(&["value", "vote"])),
    ("assessment", Shape::OneOf(&["off", "heuristic", "brain"])),
    ("multi_action", Shape::Switch),
    ("decompose", Shape::Switch),
    ("channels", Shape::Object),
];

/// How a persona is asked.
const CHANNELS: [&str; 3] = ["voice", "text", "query"];

/// What may be said of a channel.
const CHANNEL_KEYS: &[Spec<'static>] = &[
    (
        "categories",
        Shape::SomeOf(&["safe", "terminal", "dangerous", "async"]),
    ),
    ("tools", Shape::Texts),
    ("multi_action", Shape::Switch),
    ("max_iterations", Shape::Whole(1, 100)),
    ("decompose", Shape::Switch),
];

/// Settings that name another engine.
const ENGINE_KEYS: &[&str] = &["inner_engine", "step_engine", "decompose_engine"];

/// Reads `handlers`, which older files call `solvers`.
pub(super) fn all(
    file: &Map<String, Value>,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<Handler> {
    let is_empty = |value: &&Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let written = ["handlers", "solvers"]
        .into_iter()
        .find_map(|key| Some((key, file.get(key).filter(|value| !is_empty(value))?)));
    let (key, list) = match written {
        None => {
            report.refuse("handlers is missing; it lists the plugins that answer, in order");
            return Vec::new();
        }
        Some((key, Value::Array(list))) => (key, list),
        Some((key, other)) => {
            report.refuse(format!(
                "{key} must be a list of plugin ids, not {}",
                shown(other)
            ));
            return Vec::new();
        }
    };
    let mut handlers = Vec::new();
    for (index, entry) in list.iter().enumerate() {
        let place = format!("{key}[{index}]");
        match entry.as_str() {
            None => report.refuse(format!("{place} must be a plugin id, not {}", shown(entry))),
            Some(id) if IGNORED_HANDLERS.contains(&id) => {}
            Some(id) => handlers.extend(one(id, &place, prompt, scopes, report)),
        }
    }
    if handlers.is_empty() && !report.refused() {
        report.refuse(format!("{key} names nothing that could answer"));
    }
    handlers
}

fn one(
    id: &str,
    place: &str,
    prompt: Option<&str>,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Handler> {
    let is_engine = scopes.known.engines.iter().any(|engine| engine == id);
    let is_brain = brain_choice::known_ids().contains(&id);
    if !is_engine && !is_brain {
        report.refuse(unknown_plugin(id, place, scopes.known));
        return None;
    }
    let (settings, path) = scopes.settings_of(id, report)?;
    if settings.get("enabled") == Some(&Value::Bool(false)) {
        return None;
    }
    if is_brain {
        return Some(plain(id, place, prompt, scopes, report));
    }
    Some(engine(id, &path, &settings, prompt, scopes, report))
}

fn plain(id: &str, place: &str, prompt: Option<&str>, scopes: &Scopes<'_>, report: &mut Report) -> Handler {
    let brains = brain_choice::named(id, place, scopes, report);
    Handler {
        engine_id: PLAIN_ENGINE.to_owned(),
        system_prompt: instructions(prompt, None, &brains, report),
        brains: without_prompts(brains),
        toolboxes: Vec::new(),
        engine_settings: Map::new(),
    }
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
    Handler {
        engine_id: id.to_owned(),
        system_prompt: instructions(prompt, own.as_deref(), &brains, report),
        brains: without_prompts(brains),
        engine_settings: engine_settings(settings, path, &nested, scopes.known, report),
        toolboxes,
    }
}

fn brains(
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<Chosen> {
    let Some(brain) = settings.get("brain").filter(|brain| !brain.is_null()) else {
        let example = brain_choice::LOCAL_BRAIN;
        report.refuse(format!(
            "{path}.brain is missing; it names the brain, for example \"{example}\""
        ));
        return Vec::new();
    };
    brain_choice::choose(brain, &format!("{path}.brain"), scopes, report)
}

/// The settings of the engine itself, without what is about its brains and toolboxes.
fn engine_settings(
    settings: &Map<String, Value>,
    path: &str,
    toolboxes: &[&str],
    known: &Known,
    report: &mut Report,
) -> Map<String, Value> {
    let mut specs: Vec<Spec<'_>> = vec![
        ("brain", Shape::Without),
        ("toolboxes", Shape::Without),
        ("system_prompt", Shape::Without),
        ("enabled", Shape::Without),
    ];
    specs.extend(LOOP_KEYS);
    specs.extend(ENGINE_KEYS.iter().map(|key| (*key, Shape::Text)));
    specs.extend(known.engine_keys.iter().map(|key| (key.as_str(), Shape::Any)));
    let plugins = brain_choice::known_ids().into_iter();
    let plugins = plugins.chain(toolboxes.iter().copied());
    let plugins = plugins.chain(known.toolboxes.iter().map(String::as_str));
    specs.extend(plugins.map(|id| (id, Shape::Without)));
    let mut accepted = fields::block(settings, path, &specs, Owner::Ovos, report);
    check_channels(&mut accepted, path, report);
    for key in ENGINE_KEYS {
        let named = accepted.get(*key).and_then(Value::as_str);
        if let Some(id) = named.filter(|id| !known.engines.iter().any(|engine| engine == id)) {
            let meant = nearest(id, known.engines.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean {near}? "));
            report.refuse(format!(
                "{path}.{key}: there is no engine {id} here; {meant}the engines are {}",
                listed(&known.engines)
            ));
        }
    }
    accepted
}

/// A slip of the pen in what a channel is denied would deny nothing.
fn check_channels(settings: &mut Map<String, Value>, path: &str, report: &mut Report) {
    let Some(Value::Object(channels)) = settings.get_mut("channels") else {
        return;
    };
    let path = fields::join(path, "channels");
    let specs = CHANNELS.map(|channel| (channel, Shape::Object));
    *channels = fields::block(channels, &path, &specs, Owner::Ours, report);
    for (channel, rights) in channels {
        if let Value::Object(rights) = rights {
            let path = fields::join(&path, channel);
            *rights = fields::block(rights, &path, CHANNEL_KEYS, Owner::Ours, report);
        }
    }
}

/// The instructions of the persona, the engine and the first brain, the same ones once.
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

/// Whether a file names this plugin as a handler.
pub(super) fn names(file: &Map<String, Value>, id: &str) -> bool {
    let lists = ["handlers", "solvers"]
        .into_iter()
        .filter_map(|key| file.get(key)?.as_array());
    lists.flatten().any(|handler| handler.as_str() == Some(id))
}

fn unknown_plugin(id: &str, place: &str, known: &Known) -> String {
    let brains = brain_choice::known_ids();
    let engines = known.engines.iter().map(String::as_str);
    let meant = nearest(id, engines.chain(brains.iter().copied()))
        .map_or_else(String::new, |near| format!("did you mean {near}? "));
    format!(
        "{place}: there is no plugin {id} here; {meant}the engines are {}, the brains {}",
        listed(&known.engines),
        listed(&brains)
    )
}
