//! Takes typed values out of a persona file, noting everything that is wrong with it on the way.

use serde_json::{Map, Value};

use loquat_settings::complaint::{Complaint, Origin};
use loquat_settings::wording::{listed, nearest, shown};

#[derive(Debug)]
pub(super) struct Report {
    origin: Origin,
    pub(super) complaints: Vec<Complaint>,
}

impl Report {
    pub(super) fn new(origin: Origin) -> Self {
        Self {
            origin,
            complaints: Vec::new(),
        }
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The persona cannot be used.
    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.complaints
            .push(Complaint::refusal(self.origin.clone(), text));
    }

    /// The persona can be used, but not quite as it is written.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.complaints
            .push(Complaint::warning(self.origin.clone(), text));
    }

    pub(super) fn refused(&self) -> bool {
        self.complaints.iter().any(Complaint::is_refusal)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Text,
    Texts,
    Switch,
    /// A whole number between these. A text that holds one will do, since OVOS converts it.
    Whole(u64, u64),
    /// It is one of these words.
    OneOf(&'static [&'static str]),
    /// A list of some of these words.
    SomeOf(&'static [&'static str]),
    /// It is a number between these.
    Number(f64, f64),
    /// A text, or a list of texts.
    TextOrTexts,
    Object,
    Address,
    /// Taken as it is.
    Any,
    /// OVOS has such a key; here it changes nothing and is dropped.
    Without,
}

/// A key that may stand in a block, and what its value may look like.
pub(super) type Spec<'a> = (&'a str, Shape);

/// Says what hangs on a block. Where it takes rights away, what is not understood in it would leave them, and the
/// persona cannot be used. Elsewhere a key that is unknown may belong to another plugin or release, and one with a
/// wrong value counts as absent; both are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stake {
    Rights,
    Settings,
}

/// Keys that take rights away, or bound what a turn may cost, wherever they stand. Their usual value allows more.
fn restricts(path: &str, key: &str) -> bool {
    matches!(key, "channels" | "confirm" | "tools" | "skills" | "enabled")
        || path == "budget" && matches!(key, "max_tokens" | "max_cost")
}

impl Shape {
    fn expected(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Self::OneOf(words) => format!("one of {}", listed(words)),
            Self::SomeOf(words) => format!("a list of some of {}", listed(words)),
            Self::Number(low, high) => format!("a number from {low} to {high}"),
            Self::TextOrTexts => "a text or a list of texts".to_owned(),
            Self::Object => "an object".to_owned(),
            Self::Address => "an address that begins with http://, https:// or unix:/".to_owned(),
            Self::Any | Self::Without => "anything".to_owned(),
        }
    }

    /// Gives the value as it is used from here on, or nothing when it has another shape.
    fn accept(self, value: &Value) -> Option<Value> {
        let is_texts = |value: &Value| {
            value
                .as_array()
                .is_some_and(|list| list.iter().all(Value::is_string))
        };
        match self {
            Self::Text => value.is_string().then(|| value.clone()),
            Self::Texts => is_texts(value).then(|| value.clone()),
            Self::Switch => value.is_boolean().then(|| value.clone()),
            Self::TextOrTexts => (value.is_string() || is_texts(value)).then(|| value.clone()),
            Self::Object => value.is_object().then(|| value.clone()),
            Self::Any | Self::Without => Some(value.clone()),
            Self::Address => {
                let address = value.as_str()?;
                let beginnings = ["http://", "https://", "unix:/"];
                let known = beginnings.iter().any(|beginning| address.starts_with(beginning));
                known.then(|| value.clone())
            }
            Self::Whole(low, high) => {
                let number = match value {
                    Value::String(text) => text.trim().parse().ok()?,
                    other => other.as_u64().or_else(|| whole(other.as_f64()?))?,
                };
                (low..=high).contains(&number).then(|| Value::from(number))
            }
            Self::OneOf(words) => {
                let word = value.as_str()?.trim().to_lowercase();
                words.contains(&word.as_str()).then(|| Value::from(word))
            }
            Self::SomeOf(words) => {
                let each = value
                    .as_array()?
                    .iter()
                    .map(|word| Self::OneOf(words).accept(word));
                each.collect::<Option<Vec<_>>>().map(Value::Array)
            }
            Self::Number(low, high) => {
                let number = value.as_f64()?;
                (low..=high).contains(&number).then(|| value.clone())
            }
        }
    }
}

/// Takes a number without a fraction that was written with one, as some tools write all numbers: `5.0`.
fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    is_whole.then_some(number as u64)
}

/// Checks one value; `null` counts as absent, and so does a wrong one, unless rights hang on it.
pub(super) fn take(
    map: &Map<String, Value>,
    path: &str,
    key: &str,
    shape: Shape,
    report: &mut Report,
) -> Option<Value> {
    take_with(map, path, key, shape, Stake::Settings, report)
}

fn take_with(
    map: &Map<String, Value>,
    path: &str,
    key: &str,
    shape: Shape,
    stake: Stake,
    report: &mut Report,
) -> Option<Value> {
    let value = map.get(key).filter(|value| !value.is_null())?;
    let accepted = shape.accept(value);
    if accepted.is_none() {
        let place = join(path, key);
        let wrong = format!("{place} must be {}, not {}", shape.expected(), shown(value));
        if stake == Stake::Rights || restricts(path, key) {
            report.refuse(wrong);
        } else {
            report.warn(format!("{wrong}; it counts as absent"));
        }
    }
    accepted.filter(|_| shape != Shape::Without)
}

/// Tells whether something is switched off. What cannot be understood is, since it was meant to say something.
pub(super) fn is_off(map: &Map<String, Value>, path: &str, report: &mut Report) -> bool {
    match map.get("enabled") {
        None | Some(Value::Null | Value::Bool(true)) => false,
        Some(Value::Bool(false)) => true,
        Some(other) => {
            let place = join(path, "enabled");
            let other = shown(other);
            report.warn(format!(
                "{place} must be true or false, not {other}; it counts as false"
            ));
            true
        }
    }
}

/// Completes a block with keys that take rights away under their own names, where they are written almost so
/// and their values are such as take rights away: a person who writes them does not want them passed over.
pub(super) fn restricting(
    map: &Map<String, Value>,
    path: &str,
    keys: &[Spec<'static>],
    report: &mut Report,
) -> Map<String, Value> {
    let mut block = Map::new();
    for (key, value) in map {
        let fitting = keys.iter().filter(|(_, shape)| shape.accept(value).is_some());
        let near = nearest(key, fitting.map(|(name, _)| *name));
        let near = near.filter(|near| !map.contains_key(*near));
        if let Some(near) = near {
            let (place, meant) = (join(path, key), join(path, near));
            report.warn(format!("{place} is read as {meant}, since it takes rights away"));
        }
        block.insert(near.unwrap_or(key).to_owned(), value.clone());
    }
    block
}

/// Reads a text that is not empty.
pub(super) fn text(map: &Map<String, Value>, path: &str, key: &str, report: &mut Report) -> Option<String> {
    let value = take(map, path, key, Shape::Text, report)?;
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Checks a whole block and returns what is good in it.
pub(super) fn block(
    map: &Map<String, Value>,
    path: &str,
    specs: &[Spec<'_>],
    stake: Stake,
    report: &mut Report,
) -> Map<String, Value> {
    let useful = specs.iter().filter(|(_, shape)| *shape != Shape::Without);
    let names: Vec<&str> = useful.map(|(name, _)| *name).collect();
    let mut accepted = Map::new();
    for key in map.keys() {
        match specs.iter().find(|(name, _)| name == key) {
            Some((_, shape)) => {
                if let Some(value) = take_with(map, path, key, *shape, stake, report) {
                    accepted.insert(key.clone(), value);
                }
            }
            None => unknown(path, key, &names, stake, report),
        }
    }
    accepted
}

/// Says that a key is unknown. Keys that begin with an underscore are people's comments.
pub(super) fn unknown(path: &str, key: &str, known: &[&str], stake: Stake, report: &mut Report) {
    if key.starts_with('_') {
        return;
    }
    let place = join(path, key);
    let near = nearest(key, known.iter().copied()).map(|near| join(path, near));
    match (near, stake) {
        (Some(near), Stake::Rights) => report.refuse(format!("{place} is no setting; did you mean {near}?")),
        (None, Stake::Rights) => {
            let known = listed(known);
            report.refuse(format!("{place} is no setting; known here are {known}"));
        }
        (Some(near), Stake::Settings) => {
            report.warn(format!("{place} is not used here; did you mean {near}?"));
        }
        (None, Stake::Settings) => report.warn(format!("{place} is not used here")),
    }
}

pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
