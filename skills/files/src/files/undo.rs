//! Taking back that a file was written: it holds again what it held, or is gone. One that was changed since stays as it is.

use std::hash::{DefaultHasher, Hash, Hasher};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::results::Unwritten;
use super::root::Root;
use super::write::{Content, Place};

/// What makes a file what it was.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Undo {
    file: String,
    /// What was written, as a digest.
    written: String,
    /// What it held before; absent where there was none.
    before: Option<String>,
}

/// What takes back that this was written; nothing where it is not known what was there before.
pub(super) fn of_written(path: &str, content: &str, before: Content) -> Map<String, Value> {
    let before = match before {
        Content::Absent => None,
        Content::Text(text) => Some(text),
        Content::Unknown => return Map::new(),
    };
    let members = [
        ("file", json!(path)),
        ("written", json!(digest(content))),
        ("before", json!(before)),
    ];
    let known = members.into_iter().filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(super) fn restore_file(root: &Root, undo: &Undo) -> Result<Unwritten, Fault> {
    let path = root.within(&undo.file)?;
    let place = Place::of(root, &path)?;
    let is_as_left = matches!(place.content(), Content::Text(text) if digest(&text) == undo.written);
    if !is_as_left {
        let complaint = "it was changed since it was written, so it stays as it is";
        return Err(Fault::argument("file", complaint));
    }
    match &undo.before {
        Some(content) => place.write(content)?,
        None => place.remove()?,
    }
    Ok(Unwritten { path: place.shown })
}

/// Tells two contents apart; nothing depends on that being hard to deceive.
fn digest(content: &str) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
