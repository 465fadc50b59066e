//! What the fields of a session that are read here may hold: their types, and how much of each. Fields that no code here
//! knows are neither read nor judged.

use serde_json::{Map, Value};

use super::Session;
use crate::extent::{extent, extent_of};

/// A text has at most this many bytes.
pub const TEXT: usize = 256;

/// A list has at most this many entries, and a session this many notes.
pub const ENTRIES: usize = 64;

/// An entry that is no text, and a note with its key, have at most this many bytes.
const ENTRY: usize = 512;

/// An object has at most this many bytes.
const MAP: usize = 4 * 1024;

/// The name of a field that is known by its beginning or its end has at most this many bytes.
const NAME: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    List,
    Map,
    /// An object whose members are entries.
    Notes,
}

impl Kind {
    /// The type that the specification gives to a field (SESSION-1 §3); `None` for fields it does not know.
    fn of(field: &str) -> Option<Self> {
        match field {
            "session_id" | "lang" | "output_lang" | "stt_lang" | "request_lang" | "detected_lang"
            | "persona_id" | "site_id" | "system_unit" | "time_format" | "date_format" => Some(Self::Text),
            "secondary_langs" | "pipeline" | "fallback_handlers" | "active_handlers"
            | "converse_handlers" | "active_skills" => Some(Self::List),
            "response_mode" | "location" => Some(Self::Map),
            "intent_context" => Some(Self::Notes),
            _ if field.len() > NAME => None,
            _ if field.starts_with("blacklisted_") || field.ends_with("_transformers") => Some(Self::List),
            _ => None,
        }
    }

    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::List => value.is_array(),
            Self::Map | Self::Notes => value.is_object(),
        }
    }

    /// Cuts a value to what may be held. `None` where nothing of it may be.
    fn bounded(self, mut value: Value) -> Option<Value> {
        match &mut value {
            Value::String(text) if text.len() > TEXT => return None,
            Value::Array(entries) => {
                entries.retain(is_small);
                entries.truncate(ENTRIES);
            }
            Value::Object(notes) if self == Self::Notes => bound_notes(notes),
            Value::Object(members) if extent_of(members, MAP).is_none() => return None,
            _ => {}
        }
        Some(value)
    }
}

impl Session {
    /// Lists the known fields that have a wrong type, and so count as absent, with that type; it is worth a
    /// warning that names both (SESSION-1 §2).
    pub fn mistyped(&self) -> Vec<(&str, &'static str)> {
        let wrong =
            |(field, value): &(&String, &Value)| Kind::of(field).is_some_and(|kind| !kind.is_of(value));
        let present = self.as_map().iter().filter(|(_, value)| !value.is_null());
        present
            .filter(wrong)
            .map(|(field, value)| (field.as_str(), type_of(value)))
            .collect()
    }

    /// Cuts every known field to what may be held of it: texts that are too long go, of lists and notes what is too
    /// large or too much. Whether anything was cut.
    pub fn bound(&mut self) -> bool {
        let before = std::mem::take(&mut self.0);
        let mut cut = false;
        for (field, value) in before {
            let bounded = match Kind::of(&field) {
                Some(kind) if kind.is_of(&value) => kind.bounded(value.clone()),
                _ => Some(value.clone()),
            };
            cut |= bounded.as_ref() != Some(&value);
            self.0.extend(bounded.map(|value| (field, value)));
        }
        cut
    }
}

fn is_small(entry: &Value) -> bool {
    match entry {
        Value::String(text) => text.len() <= TEXT,
        entry => extent(entry, ENTRY).is_some(),
    }
}

/// Drops notes beyond the bound. Those that end first go first; those whose end cannot be told go last.
fn bound_notes(notes: &mut Map<String, Value>) {
    notes.retain(|key, note| key.len() <= TEXT && extent(note, ENTRY.saturating_sub(key.len())).is_some());
    let surplus = notes.len().saturating_sub(ENTRIES);
    if surplus == 0 {
        return;
    }
    let mut ends: Vec<(i64, f64, String)> = notes
        .iter()
        .map(|(key, note)| (turns_of(note), moment_of(note), key.clone()))
        .collect();
    ends.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    for (_, _, key) in ends.into_iter().take(surplus) {
        notes.remove(&key);
    }
}

fn turns_of(note: &Value) -> i64 {
    let turns = note.get("turns_remaining").and_then(Value::as_i64);
    turns.unwrap_or(i64::MAX)
}

fn moment_of(note: &Value) -> f64 {
    let until = note.get("expires_at").and_then(Value::as_f64);
    until.unwrap_or(f64::INFINITY)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bounded(fields: Value) -> Value {
        let mut session = Session::from(crate::object(fields));
        session.bound();
        Value::Object(session.into())
    }

    #[test]
    fn known_fields_hold_so_much_and_unknown_ones_travel() {
        let long = "x".repeat(TEXT + 1);
        let handler = json!({"skill_id": "tea", "activated_at": 1.0});
        assert_eq!(
            bounded(json!({
                "lang": long, "site_id": "attic", "zzz": long, "persona_id": 7,
                "pipeline": ["a", long, "b"],
                "active_handlers": [handler, {"skill_id": "x".repeat(ENTRY)}],
                "location": {"tz": "x".repeat(MAP)},
                "response_mode": {"skill_id": "tea"},
            })),
            json!({
                "site_id": "attic", "zzz": long, "persona_id": 7, "pipeline": ["a", "b"],
                "active_handlers": [handler], "response_mode": {"skill_id": "tea"},
            })
        );
        let many: Vec<usize> = (0..=ENTRIES).collect();
        let cut = bounded(json!({"blacklisted_skills": many}));
        assert_eq!(cut["blacklisted_skills"].as_array().map(Vec::len), Some(ENTRIES));
    }

    #[test]
    fn of_many_notes_those_go_that_end_first() {
        let note = |number: usize| {
            let note = match number % 2 {
                0 => json!({"turns_remaining": number}),
                _ => json!({"expires_at": number}),
            };
            (number.to_string(), note)
        };
        let notes: Map<String, Value> = (0..40_000).map(note).collect();
        let cut = bounded(json!({"intent_context": notes}));
        let left = cut["intent_context"].as_object().unwrap();
        assert_eq!(left.len(), ENTRIES);
        assert!(
            left.contains_key("39999") && !left.contains_key("39998"),
            "{left:?}"
        );
    }
}
