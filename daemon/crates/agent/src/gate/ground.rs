//! Whether an identifier was named before, or guessed.
//!
//! An id or a path has to come from the person, from what was said before, from an observation, or from the schema.
//! Words count in any order and without their separators: who says "the light in the kitchen" has named `light.kitchen`.

use std::cell::OnceCell;
use std::collections::HashSet;

use serde_json::{Map, Value};

use loquat_conversation::toolbox::Tool;
use loquat_decoder::squash;
use loquat_wire::text::words;

/// Everything that was said and shown, read when it is needed.
pub(crate) struct Grounds<'t> {
    texts: Vec<&'t str>,
    read: OnceCell<Read>,
}

struct Read {
    /// It holds all letters and digits.
    whole: String,
    words: HashSet<String>,
}

impl<'t> Grounds<'t> {
    /// The texts in which a name counts as named.
    pub(crate) fn new(texts: Vec<&'t str>) -> Self {
        Self {
            texts,
            read: OnceCell::new(),
        }
    }

    fn read(&self) -> &Read {
        self.read.get_or_init(|| Read {
            whole: squash(&self.texts.join(" ")),
            words: self.texts.iter().flat_map(|text| words(text)).collect(),
        })
    }

    fn hold(&self, value: &str) -> bool {
        let squashed = squash(value);
        // A single letter or digit is no name, and a root or a wildcard is none either.
        squashed.chars().count() < 2
            || self.read().whole.contains(&squashed)
            || words(value).all(|word| self.read().words.contains(&word))
    }

    /// Tells whether all words of a text were said.
    pub(crate) fn have_words_of(&self, text: &str) -> bool {
        words(text).all(|word| self.read().words.contains(&word))
    }

    /// Tells whether this word was said.
    pub(super) fn have_word(&self, word: &str) -> bool {
        self.read().words.contains(word)
    }
}

/// Names the arguments whose values were guessed. What the tool says of itself counts as named, too.
pub(super) fn guessed(arguments: &Map<String, Value>, tool: &Tool, grounds: &Grounds<'_>) -> Vec<String> {
    let schema = &tool.argument_schema;
    let properties = schema.get("properties").and_then(Value::as_object);
    let property = |name: &str| properties.and_then(|all| all.get(name));
    let suspect = arguments.iter().filter(|(name, value)| {
        let own = property(name);
        is_identifier(name, own, tool.read_only) && !is_offered(value, own)
    });
    let suspect: Vec<_> = suspect.collect();
    if suspect.is_empty() {
        return Vec::new();
    }
    let own = own(tool);
    suspect
        .into_iter()
        .filter(|(_, value)| {
            texts(value)
                .iter()
                .any(|text| !grounds.hold(text) && !own.hold(text))
        })
        .map(|(name, _)| name.clone())
        .collect()
}

pub(super) fn own(tool: &Tool) -> Grounds<'_> {
    let properties = tool.argument_schema.get("properties").and_then(Value::as_object);
    let descriptions = properties
        .into_iter()
        .flat_map(Map::values)
        .filter_map(|own| own.get("description").and_then(Value::as_str));
    Grounds::new(descriptions.chain([tool.description.as_str()]).collect())
}

/// Tells whether each word of a text is a word in one of these.
pub(super) fn hold_all(grounds: [&Grounds<'_>; 2], text: &str) -> bool {
    words(text).all(|word| grounds.iter().any(|grounds| grounds.read().words.contains(&word)))
}

/// Tells whether an argument names something that exists. A tool that writes may be given the path of something new.
fn is_identifier(name: &str, property: Option<&Value>, reads_only: bool) -> bool {
    let format = property.and_then(|own| own.get("format")).and_then(Value::as_str);
    let last = name
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let ends_with_id = last.eq_ignore_ascii_case("id") || last.ends_with("Id") || last.ends_with("ID");
    let id = ends_with_id || last.eq_ignore_ascii_case("uuid") || format == Some("uuid");
    let path = ["Path", "File", "Filename", "FileName", "Folder", "Directory"]
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word) || last.ends_with(word));
    id || path && reads_only
}

/// Tells whether the schema itself names the value.
fn is_offered(value: &Value, property: Option<&Value>) -> bool {
    let Some(property) = property else {
        return false;
    };
    let listed = |key: &str| {
        property
            .get(key)
            .and_then(Value::as_array)
            .is_some_and(|all| all.contains(value))
    };
    listed("enum")
        || listed("examples")
        || property.get("const") == Some(value)
        || property.get("default") == Some(value)
}

/// Collects the texts and numbers of a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(arguments: &Value, said: &str, expected: &[&str]) {
        let tool = Tool {
            argument_schema: json!({"properties": {
                "room_id": {"enum": ["attic"]},
                "pageId": {"default": "start"},
                "calendar_id": {"description": "For example primary."},
            }}),
            ..Tool::safe("box", "open", "Opens something.")
        };
        let found = guessed(arguments.as_object().unwrap(), &tool, &Grounds::new(vec![said]));
        assert_eq!(found, expected, "for {arguments}");
    }

    #[test]
    fn what_nobody_named_is_guessed() {
        let said =
            "Turn on the light in the kitchen. {\"id\":\"a-17\",\"file\":\"/home/notes.txt\"} Straße 42";
        check(&json!({"entity_id": "light.kitchen"}), said, &[]);
        check(&json!({"entity_id": "light.cellar"}), said, &["entity_id"]);
        check(&json!({"id": "A17"}), said, &[]);
        check(&json!({"deviceID": 4711}), said, &["deviceID"]);
        check(&json!({"id": 42}), said, &[]);
        check(&json!({"path": "notes.txt"}), said, &[]);
        check(&json!({"path": "/etc/passwd"}), said, &["path"]);
        check(&json!({"path": "/"}), said, &[]);
        check(&json!({"ids": ["a-17"], "paths": ["x"]}), said, &[]);
        check(&json!({"room_id": "attic", "pageId": "start"}), said, &[]);
        check(&json!({"room_id": "cellar"}), said, &["room_id"]);
        check(&json!({"calendar_id": "primary"}), said, &[]);
        check(
            &json!({"query": "anything", "valid": "x1", "grid": "zz"}),
            said,
            &[],
        );
    }

    #[test]
    fn a_writing_tool_may_name_something_new() {
        let arguments = json!({"path": "new.txt", "user_id": "bob"});
        let grounds = Grounds::new(vec!["Write it down."]);
        let tool = Tool {
            read_only: false,
            ..Tool::safe("box", "write", "Writes something.")
        };
        assert_eq!(
            guessed(arguments.as_object().unwrap(), &tool, &grounds),
            ["user_id"]
        );
    }
}
