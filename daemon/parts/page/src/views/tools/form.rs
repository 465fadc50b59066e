//! A form out of a JSON Schema, and arguments out of what was sent with it. The gate judges them; nothing here does.

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::submission::Submission;

/// References that are followed from one schema to the next.
const DEEPEST: usize = 8;

/// How a value is typed.
#[derive(Debug, Clone, PartialEq)]
enum Field {
    Text,
    Number {
        whole: bool,
    },
    Truth,
    Choice(Vec<String>),
    /// Each line is a text.
    Texts,
    /// Anything else is written as JSON.
    Json,
}

/// Lists what is asked for, in the order of the schema.
fn properties(schema: &Value) -> Vec<(&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().collect()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|known| known == name))
}

/// Finds the schema itself behind references and choices that have nothing but an absent value beside it.
fn resolved<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..DEEPEST {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let referred = reference.and_then(|reference| root.pointer(reference.strip_prefix('#')?));
        let choices = ["anyOf", "oneOf"]
            .into_iter()
            .find_map(|key| schema.get(key)?.as_array());
        let mut others = choices
            .into_iter()
            .flatten()
            .filter(|choice| choice.get("type").and_then(Value::as_str) != Some("null"));
        let only = others.next().filter(|_| others.next().is_none());
        match referred.or(only) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

fn field(root: &Value, schema: &Value) -> Field {
    let schema = resolved(root, schema);
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Option<Vec<String>> = words
            .iter()
            .filter(|word| !word.is_null())
            .map(|word| word.as_str().map(str::to_owned))
            .collect();
        return words.map_or(Field::Json, Field::Choice);
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kinds: Vec<&str> = kinds.into_iter().filter(|kind| *kind != "null").collect();
    match kinds.as_slice() {
        ["string"] => Field::Text,
        ["integer"] => Field::Number { whole: true },
        ["number"] => Field::Number { whole: false },
        ["boolean"] => Field::Truth,
        ["array"] => {
            let items = schema.get("items").map(|items| field(root, items));
            if items == Some(Field::Text) {
                Field::Texts
            } else {
                Field::Json
            }
        }
        _ => Field::Json,
    }
}

/// Shows the fields of a form.
pub(super) fn fields(schema: &Value) -> Markup {
    let all = properties(schema);
    html! {
        @if all.is_empty() { p.hint { "It takes no arguments." } }
        @for (number, (name, property)) in all.into_iter().enumerate() {
            (one(schema, number, name, property))
        }
    }
}

fn one(root: &Value, number: usize, name: &str, property: &Value) -> Markup {
    let (id, key) = (format!("arg-{number}"), format!("arg:{name}"));
    let hint = format!("hint-{number}");
    let required = is_required(root, name);
    let about = property
        .get("description")
        .or_else(|| resolved(root, property).get("description"))
        .and_then(Value::as_str);
    let described = about.map(|_| hint.as_str());
    html! {
        div.field {
            label for=(id) { code { (name) } @if !required { " (may be left out)" } }
            @match field(root, property) {
                Field::Text => input #(id) name=(key) required[required] autocomplete="off" aria-describedby=[described];,
                Field::Number { whole } => input #(id) name=(key) type="number" step=(if whole { "1" } else { "any" })
                    required[required] aria-describedby=[described];,
                Field::Truth => select #(id) name=(key) aria-describedby=[described] {
                    @if !required { option value="" { "–" } }
                    option value="true" { "yes" }
                    option value="false" { "no" }
                },
                Field::Choice(words) => select #(id) name=(key) aria-describedby=[described] {
                    @if !required { option value="" { "–" } }
                    @for word in words { option value=(word) { (word) } }
                },
                Field::Texts => textarea #(id) name=(key) rows="3" placeholder="one a line" required[required]
                    aria-describedby=[described] {},
                Field::Json => textarea #(id) name=(key) rows="3" placeholder="JSON" required[required]
                    aria-describedby=[described] {},
            }
            @if let Some(about) = about { p.hint id=(hint) { (about) } }
        }
    }
}

/// Gathers the arguments that were sent; a field that was left empty is left out.
pub(super) fn arguments(schema: &Value, sent: &Submission) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    for (name, property) in properties(schema) {
        let text = sent.get(&format!("arg:{name}")).unwrap_or_default().trim();
        if !text.is_empty() {
            arguments.insert(name.clone(), value(name, &field(schema, property), text)?);
        }
    }
    Ok(arguments)
}

fn value(name: &str, field: &Field, text: &str) -> Result<Value, String> {
    let understood = |value: Option<Value>, wanted| value.ok_or_else(|| format!("{name}: {wanted}"));
    match field {
        Field::Text | Field::Choice(_) => Ok(Value::from(text)),
        Field::Number { whole: true } => {
            understood(text.parse::<i64>().ok().map(Value::from), "write a whole number")
        }
        Field::Number { whole: false } => {
            understood(text.parse::<f64>().ok().map(Value::from), "write a number")
        }
        Field::Truth => understood(text.parse::<bool>().ok().map(Value::from), "choose yes or no"),
        Field::Texts => Ok(text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(Value::from)
            .collect()),
        Field::Json => understood(
            serde_json::from_str(text).ok(),
            "write JSON, as in [1, 2] or {\"a\": true}",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_value_has_a_field_and_comes_back() {
        let schema = json!({
            "type": "object",
            "$defs": {"unit": {"type": "string", "enum": ["metric", "imperial"]}},
            "properties": {
                "word": {"type": "string"},
                "count": {"type": ["integer", "null"]},
                "share": {"type": "number"},
                "loud": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
                "unit": {"$ref": "#/$defs/unit"},
                "items": {"type": "array", "items": {"type": "string"}},
                "more": {"type": "object"},
            },
            "required": ["word"],
        });
        let sent = Submission::of(&[
            ("arg:word", " hello "),
            ("arg:count", "3"),
            ("arg:share", "0.5"),
            ("arg:loud", "true"),
            ("arg:unit", "metric"),
            ("arg:items", "milk\n\n eggs"),
            ("arg:more", "{\"a\": 1}"),
            ("arg:unknown", "x"),
        ]);
        let wanted = json!({"word": "hello", "count": 3, "share": 0.5, "loud": true, "unit": "metric",
                            "items": ["milk", "eggs"], "more": {"a": 1}});
        assert_eq!(Value::Object(arguments(&schema, &sent).unwrap()), wanted);
        let html = fields(&schema).into_string();
        assert!(
            html.contains("<option value=\"imperial\">") && html.contains("type=\"number\""),
            "{html}"
        );
        let wrong = arguments(&schema, &Submission::of(&[("arg:count", "three")])).unwrap_err();
        assert_eq!(wrong, "count: write a whole number");
    }
}
