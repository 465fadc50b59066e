//! What a persona file says of single channels: which rights are taken away there, and with which engine, brain and instructions
//! is answered there. No right is given here.
//!
//! A slip of the pen would deny nothing, and what has no effect promises what is not so: with either the persona is left out.

use std::collections::BTreeMap;

use loquat_agent::engine::ENGINES;
use loquat_settings::wording::{listed, nearest};
use serde_json::{Map, Value};

use super::brain_choice::{self, Chosen};
use super::fields::{self, Report, Shape, Spec, Stake};
use super::scopes::Scopes;

/// The channels by which a persona is asked, and the doors through which some of what is said there comes.
const CHANNELS: [&str; 8] = [
    "voice",
    "text",
    "query",
    "scheduled",
    "event",
    "satellite",
    "hive",
    "mcp",
];

/// The most steps that a channel leaves.
const STEPS: &str = "max_iterations";

/// Who answers.
const ENGINE: &str = "engine";
const BRAIN: &str = "brain";
const PROMPT: &str = "system_prompt";

/// The keys that may be set for a channel.
const KEYS: &[Spec<'static>] = &[
    (
        "categories",
        Shape::SomeOf(&["safe", "terminal", "dangerous", "async"]),
    ),
    ("tools", Shape::Texts),
    ("multi_action", Shape::Switch),
    (STEPS, Shape::Whole(1, 100)),
    ("decompose", Shape::Switch),
    (ENGINE, Shape::Text),
    (BRAIN, Shape::Any),
    (PROMPT, Shape::Text),
];

/// The keys that only some engines heed.
const OF_ENGINES: [&str; 3] = ["multi_action", STEPS, "decompose"];

/// Who answers by a channel, where it is not who answers otherwise.
#[derive(Debug, Default)]
pub(super) struct Answering {
    pub(super) engine_id: Option<String>,
    pub(super) brains: Vec<Chosen>,
    /// They come behind the instructions that hold everywhere.
    pub(super) prompt: Option<String>,
}

/// Reads what stands under `channels`. What it says of rights stays there, and who answers is taken out.
pub(super) fn read(
    settings: &mut Map<String, Value>,
    engine_id: &str,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> BTreeMap<String, Answering> {
    let own_steps = settings.get(STEPS).and_then(Value::as_u64);
    let Some(Value::Object(channels)) = settings.get_mut("channels") else {
        return BTreeMap::new();
    };
    let path = fields::join(path, "channels");
    let specs = CHANNELS.map(|channel| (channel, Shape::Object));
    *channels = fields::block(channels, &path, &specs, Stake::Rights, report);
    let mut answering = BTreeMap::new();
    for (channel, rights) in channels {
        let Value::Object(rights) = rights else { continue };
        let path = fields::join(&path, channel);
        *rights = fields::block(rights, &path, KEYS, Stake::Rights, report);
        let own = take_answering(rights, &path, scopes, report);
        refuse_without_effect(
            rights,
            own.engine_id.as_deref().unwrap_or(engine_id),
            &path,
            report,
        );
        refuse_more_steps(rights, own_steps, &path, report);
        answering.insert(channel.clone(), own);
    }
    answering
}

fn take_answering(
    rights: &mut Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Answering {
    let text = |value: Value| value.as_str().map(|text| text.trim().to_owned());
    let engine_id = rights.remove(ENGINE).and_then(text);
    let engine_id = engine_id.and_then(|id| {
        let known = scopes.known.engine(&id).map(str::to_owned);
        if known.is_none() {
            let engines = &scopes.known.engines;
            let meant = nearest(&id, engines.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean {near}? "));
            report.refuse(format!(
                "{path}.{ENGINE}: there is no engine {id} here; {meant}the engines are {}",
                listed(engines)
            ));
        }
        known
    });
    let brain = rights.remove(BRAIN);
    let brains = brain.map(|brain| brain_choice::choose(&brain, &fields::join(path, BRAIN), scopes, report));
    Answering {
        engine_id,
        brains: brains.unwrap_or_default(),
        prompt: rights
            .remove(PROMPT)
            .and_then(text)
            .filter(|prompt| !prompt.is_empty()),
    }
}

fn refuse_without_effect(rights: &Map<String, Value>, engine_id: &str, path: &str, report: &mut Report) {
    let Some(engine) = ENGINES.iter().find(|engine| engine.id == engine_id) else {
        return;
    };
    let heeds = |key: &str| engine.settings.iter().any(|setting| setting.key == key);
    for key in OF_ENGINES
        .into_iter()
        .filter(|key| rights.contains_key(*key) && !heeds(key))
    {
        let having = ENGINES
            .iter()
            .filter(|engine| engine.settings.iter().any(|setting| setting.key == key));
        let having: Vec<&str> = having.map(|engine| engine.id).collect();
        report.refuse(format!(
            "{path}.{key} has no effect with {engine_id}; leave it out, or choose {}",
            listed(&having)
        ));
    }
    for (key, _) in rights.iter().filter(|(_, value)| **value == Value::Bool(true)) {
        report.refuse(format!(
            "{path}.{key} has no effect: a channel only takes away; leave it out, or write false"
        ));
    }
}

/// A channel that would leave more steps than there are takes none away.
fn refuse_more_steps(rights: &Map<String, Value>, own: Option<u64>, path: &str, report: &mut Report) {
    let wanted = rights.get(STEPS).and_then(Value::as_u64);
    if let (Some(wanted), Some(own)) = (wanted, own.filter(|own| *own > 0))
        && wanted > own
    {
        report.refuse(format!(
            "{path}.{STEPS} has no effect: {wanted} is more than the {own} that hold everywhere; write less, or more there"
        ));
    }
}
