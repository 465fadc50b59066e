//! Compares a record with that of the first run. How long something took is measured once, in the first run; a replay
//! has no times of its own.

use serde_json::Value;

use loquat_conversation::record::Record;

/// The members of a record that hold measured times.
const TIMES: [&str; 2] = ["elapsed", "brain_time"];

/// Records of older versions lack these members. They follow from what the turn began with and from its results, so
/// that nothing is missed.
const YOUNGER: [&str; 4] = ["brain_error", "changes", "foreign", "taint"];

/// The record with the times of the first run wherever both have the same step or call.
pub(super) fn with_times_of(record: &Record, first: &Record) -> Option<Record> {
    let mut value = serde_json::to_value(record).ok()?;
    take_times(&mut value, &serde_json::to_value(first).ok()?);
    serde_json::from_value(value).ok()
}

fn take_times(value: &mut Value, first: &Value) {
    match (value, first) {
        (Value::Object(members), Value::Object(first)) => {
            for (key, member) in members {
                match first.get(key) {
                    Some(time) if TIMES.contains(&key.as_str()) => member.clone_from(time),
                    Some(first) => take_times(member, first),
                    None => {}
                }
            }
        }
        (Value::Array(items), Value::Array(first)) => {
            for (item, first) in items.iter_mut().zip(first) {
                take_times(item, first);
            }
        }
        _ => {}
    }
}

/// Tells where two records differ, one line each.
pub(super) fn differences(record: &Record, first: &Record) -> Vec<String> {
    let mut found = Vec::new();
    let values = (serde_json::to_value(first), serde_json::to_value(record));
    if let (Ok(first), Ok(value)) = values {
        compare("", &first, &value, &mut found);
    }
    found
}

fn compare(path: &str, first: &Value, value: &Value, found: &mut Vec<String>) {
    match (first, value) {
        (Value::Object(first), Value::Object(members)) => {
            for (key, member) in members {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                match first.get(key) {
                    Some(first) => compare(&path, first, member, found),
                    None if YOUNGER.contains(&key.as_str()) => {}
                    None => compare(&path, &Value::Null, member, found),
                }
            }
        }
        (Value::Array(first), Value::Array(items)) => {
            if first.len() != items.len() {
                found.push(format!(
                    "{path} had {} entries and has {}",
                    first.len(),
                    items.len()
                ));
            }
            for (index, (first, item)) in first.iter().zip(items).enumerate() {
                compare(&format!("{path}[{index}]"), first, item, found);
            }
        }
        (first, value) if first != value => found.push(format!("{path} was {first} and is {value}")),
        _ => {}
    }
}
