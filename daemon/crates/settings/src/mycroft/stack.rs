//! The layers of `mycroft.conf`, found and merged as OVOS finds and merges them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::commented_json;
use crate::complaint::{Complaint, Origin};
use crate::environment::Environment;

/// Says who may write a layer. The machine's owner can keep keys from the person and from the assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    System,
    Person,
    Assistant,
}

#[derive(Debug, Clone, PartialEq)]
struct Layer {
    path: PathBuf,
    writer: Writer,
    values: Map<String, Value>,
}

/// All layers, the weakest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Stack {
    layers: Vec<Layer>,
    merged: Value,
}

impl Stack {
    /// Reads the files that exist. One that cannot be read is left out, as OVOS does, with a complaint.
    pub(super) fn read(environment: &Environment) -> (Self, Vec<Complaint>) {
        let mut complaints = Vec::new();
        let mut layers: Vec<Layer> = places(environment)
            .into_iter()
            .filter_map(|(path, writer)| read_layer(path, writer, &mut complaints))
            .collect();
        protect(&mut layers);
        let mut merged = Value::Object(Map::new());
        for layer in &layers {
            merge(&mut merged, Value::Object(layer.values.clone()));
        }
        (Self { layers, merged }, complaints)
    }

    /// Gives the merged value of a dotted key. `null` counts as absent.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        find(&self.merged, key.split('.')).filter(|value| !value.is_null())
    }

    pub(super) fn origin_of(&self, key: &str) -> Origin {
        self.layers
            .iter()
            .rev()
            .find(|layer| find_in(&layer.values, key.split('.')).is_some())
            .map_or(Origin::Default, |layer| Origin::file(&layer.path))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().map(|layer| layer.path.as_path())
    }
}

/// Lists the places in which OVOS looks, the weakest first (`ovos_config.locations`, release 3.9).
fn places(environment: &Environment) -> Vec<(PathBuf, Writer)> {
    let folder = environment
        .variable("OVOS_CONFIG_BASE_FOLDER")
        .unwrap_or("mycroft");
    let name = environment
        .variable("OVOS_CONFIG_FILENAME")
        .unwrap_or("mycroft.conf");
    let below = |base: &str| environment.system_path(base).join(folder).join(name);
    let mut places = Vec::new();
    let default = environment.path("OVOS_DEFAULT_CONFIG");
    places.extend(default.map(|path| (path, Writer::System)));
    let distribution = environment
        .path("OVOS_DISTRIBUTION_CONFIG")
        .unwrap_or_else(|| below("usr/share"));
    places.push((distribution, Writer::Person));
    let system = environment
        .path("MYCROFT_SYSTEM_CONFIG")
        .unwrap_or_else(|| below("etc"));
    places.push((system, Writer::System));
    let home = environment.config_home().map(|home| home.join(folder));
    let assistant = home.as_ref().map(|home| home.join("runtime.conf"));
    places.extend(assistant.map(|path| (path, Writer::Assistant)));
    let shared = match environment.variable("XDG_CONFIG_DIRS") {
        Some(list) => list.split(':').map(PathBuf::from).collect(),
        None => vec![environment.system_path("etc/xdg")],
    };
    places.extend(
        shared
            .into_iter()
            .map(|base| (base.join(folder).join(name), Writer::Person)),
    );
    places.extend(home.map(|home| (home.join(name), Writer::Person)));
    places
}

fn read_layer(path: PathBuf, writer: Writer, complaints: &mut Vec<Complaint>) -> Option<Layer> {
    if path
        .extension()
        .is_some_and(|extension| extension == "yml" || extension == "yaml")
        && path.exists()
    {
        let text = "is YAML, which is not read here; OVOS takes JSON too";
        complaints.push(Complaint::warning(Origin::file(path), text));
        return None;
    }
    match commented_json::read_object(&path) {
        Ok(values) => values.map(|values| Layer { path, writer, values }),
        Err(fault) => {
            let text = format!("{}; OVOS leaves such a file out, and so do we", fault.text);
            complaints.push(Complaint::warning(fault.origin, text));
            None
        }
    }
}

/// Applies `system.disable_user_config` and `system.protected_keys`, with which the machine's owner keeps keys to
/// themselves. Only a system layer can set them.
fn protect(layers: &mut Vec<Layer>) {
    let rules = layers
        .iter()
        .rev()
        .filter(|layer| layer.writer == Writer::System)
        .find_map(|layer| layer.values.get("system"))
        .cloned()
        .unwrap_or_default();
    if rules.get("disable_user_config") == Some(&Value::Bool(true)) {
        layers.retain(|layer| layer.writer != Writer::Person);
    }
    for layer in layers {
        let writer = match layer.writer {
            Writer::System => continue,
            Writer::Person => "user",
            Writer::Assistant => "assistant",
        };
        let keys = rules
            .get("protected_keys")
            .and_then(|keys| keys.get(writer)?.as_array());
        for key in keys.into_iter().flatten().filter_map(Value::as_str) {
            remove(&mut layer.values, key);
        }
    }
}

/// Removes a key that is written `outer:inner`.
fn remove(values: &mut Map<String, Value>, key: &str) {
    match key.split_once(':') {
        None => {
            values.remove(key);
        }
        Some((outer, inner)) => {
            if let Some(Value::Object(nested)) = values.get_mut(outer) {
                remove(nested, inner);
            }
        }
    }
}

/// Objects are merged, everything else is replaced, lists too.
fn merge(base: &mut Value, delta: Value) {
    match (base, delta) {
        (Value::Object(base), Value::Object(delta)) => {
            for (key, value) in delta {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, delta) => *base = delta,
    }
}

fn find<'a>(value: &'a Value, mut path: std::str::Split<'_, char>) -> Option<&'a Value> {
    match path.next() {
        None => Some(value),
        Some(key) => find(value.get(key)?, path),
    }
}

fn find_in<'a>(values: &'a Map<String, Value>, mut path: std::str::Split<'_, char>) -> Option<&'a Value> {
    find(values.get(path.next()?)?, path)
}
