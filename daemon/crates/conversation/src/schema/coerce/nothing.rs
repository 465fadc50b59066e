//! What models write in the place of an argument that they mean to leave out: `null` in all its spellings, words that say that
//! nothing is known, and texts, lists and objects with nothing in them. Whether a schema takes it as a value is said by its
//! rules.

use serde_json::Value;

/// Programs, tables and forms have these for nothing. A person may mean such a word, too, and says it then.
const WORDS: [&str; 10] = [
    "null",
    "none",
    "nil",
    "undefined",
    "n/a",
    "unknown",
    "unspecified",
    "not specified",
    "not given",
    "default",
];

/// Tells whether a value says that there is none.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty() || is_word(text),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

pub(super) fn is_word(text: &str) -> bool {
    let bare = text.trim().trim_matches(['"', '\'', '`', '<', '>']);
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(bare))
}
