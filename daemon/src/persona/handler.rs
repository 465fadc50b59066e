//! The ways in which a persona answers: an engine with its brains and toolboxes, or a brain alone.

use serde_json::{Map, Value};

use super::brain_choice::{self, Chosen};
use super::fields::{self, Owner, Report, Shape, Spec};
use super::known::Known;
use super::parse::Scopes;
use super::{Handler, toolbox_choice};
use crate::settings::wording::{listed, nearest, shown};

/// What a brain without an engine is run by: without toolboxes the ReAct engine is a plain conversation.
const PLAIN_ENGINE: &str = "ovos-react-loop";

/// Handlers of OVOS that only say that nothing was found; the daemon does that by itself.
pub(super) const IGNORED_HANDLERS: &[&str] = &["ovos-solver-failure-plugin"];

/// Settings of OVOS's engines (`ovos-agentic-loop` 0.2.5). Those of another engine do no harm.
const LOOP_KEYS: &[&str] = &[
    "max_iterations",
    "max_steps",
    "max_step_iterations",
    "max_reflections",
    "max_follow_ups",
    "max_critique_rounds",
    "n_branches",
    "beam_width",
    "max_depth",
];

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
    let (settings, path) = scopes.settings_of(id, report);
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
        system_prompt: instructions([prompt.map(str::to_owned), first_prompt(&brains)]),
        brains: brains.into_iter().map(|chosen| chosen.brain).collect(),
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
    let nested: Vec<&str> = toolboxes.iter().map(|toolbox| toolbox.id.as_str()).collect();
    Handler {
        engine_id: id.to_owned(),
        system_prompt: instructions([prompt.map(str::to_owned), own, first_prompt(&brains)]),
        engine_settings: engine_settings(settings, path, &nested, scopes.known, report),
        brains: brains.into_iter().map(|chosen| chosen.brain).collect(),
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
    specs.extend(LOOP_KEYS.iter().map(|key| (*key, Shape::Whole(1, 100))));
    specs.extend(known.engine_keys.iter().map(|key| (key.as_str(), Shape::Any)));
    let plugins = brain_choice::known_ids().into_iter();
    let plugins = plugins.chain(toolboxes.iter().copied());
    let plugins = plugins.chain(known.toolboxes.iter().map(String::as_str));
    specs.extend(plugins.map(|id| (id, Shape::Without)));
    fields::block(settings, path, &specs, Owner::Ovos, report)
}

fn first_prompt(brains: &[Chosen]) -> Option<String> {
    brains.first()?.prompt.clone()
}

/// All instructions, each once.
fn instructions<const COUNT: usize>(prompts: [Option<String>; COUNT]) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for prompt in prompts.into_iter().flatten() {
        if !distinct.contains(&prompt) {
            distinct.push(prompt);
        }
    }
    distinct.join("\n\n")
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
