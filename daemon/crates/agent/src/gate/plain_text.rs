//! A call's arguments as one plain text, to be compared with what was said. Judges nothing.

use serde_json::{Map, Value};

/// Joins the arguments to one text.
pub(crate) fn texts(arguments: &Map<String, Value>) -> String {
    arguments.values().map(text).collect::<Vec<_>>().join(" ")
}

/// Joins the texts and numbers of a value, with a blank between two of them.
pub(crate) fn text(value: &Value) -> String {
    let joined = |texts: Vec<String>| texts.join(" ");
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => joined(items.iter().map(text).collect()),
        Value::Object(members) => texts(members),
        other => other.to_string(),
    }
}
