//! Unwraps an answer that is JSON: a voice says the words in it, never its brackets.

use serde_json::{Map, Value};

use crate::json::parse_whole;

/// The words are found under these keys, the best first.
const WORDS: &[&str] = &[
    "answer",
    "final_answer",
    "response",
    "reply",
    "speech",
    "text",
    "message",
    "content",
    "result",
    "output",
    "value",
];

/// Gives the words of a text that is one JSON value; any other text as it is.
pub(super) fn unwrap(text: &str) -> String {
    let body = unfenced(text.trim());
    if !body.starts_with(['{', '[', '"']) {
        return text.to_owned();
    }
    match serde_json::from_str::<Value>(body) {
        Ok(value) => words(&value),
        Err(_) if body.starts_with(['{', '[']) => match parse_whole(body) {
            Ok(parsed) if is_wrapper(&parsed.value) => words(&parsed.value),
            _ => text.to_owned(),
        },
        Err(_) => text.to_owned(),
    }
}

fn unfenced(text: &str) -> &str {
    let inside = text
        .strip_prefix("```")
        .and_then(|inside| inside.strip_suffix("```"));
    inside.map_or(text, |inside| {
        inside
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .trim()
    })
}

/// Tells a wrapper from prose: what only looks a little like JSON is prose unless it has keys.
fn is_wrapper(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(Value::is_object),
        _ => false,
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(words)
            .filter(|words| !words.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(members) => words_of_object(members),
        other => other.to_string(),
    }
}

fn words_of_object(members: &Map<String, Value>) -> String {
    if is_call(members) {
        return String::new();
    }
    let wanted = WORDS
        .iter()
        .find_map(|key| members.get(*key).filter(|value| !value.is_null()));
    match (wanted, members.len()) {
        (Some(value), _) => words(value),
        (None, 1) => members.values().map(words).collect(),
        (None, _) => {
            let lines = members
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "thought" | "reasoning"));
            lines
                .map(|(key, value)| format!("{}: {}", key.replace('_', " "), words(value)))
                .collect::<Vec<_>>()
                .join("\n")
        }
    }
}

/// A call has no words.
fn is_call(members: &Map<String, Value>) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
    has(&["arguments", "parameters", "action_input", "tool_input"])
        && has(&["name", "tool", "function", "action"])
        || has(&["call", "tool_call", "tool_calls", "function_call"]) && !has(&["answer", "final_answer"])
}
