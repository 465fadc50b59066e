//! How a tool is described to a brain in one line: name, arguments with their types, what it does.

use serde_json::{Map, Value};

use super::Prepared;
use crate::toolbox::Tool;

/// A description is cut at its end of sentence before this many characters.
const LONGEST_DESCRIPTION: usize = 240;

/// In a list of very many it is cut before this many.
const SHORT_DESCRIPTION: usize = 90;

/// A description of one argument is cut after this many characters.
const LONGEST_ARGUMENT: usize = 100;

/// Writes `add(a: number, b: number): Add two numbers.`
pub(super) fn line(tool: &Tool) -> String {
    let description = shortened(&tool.description, LONGEST_DESCRIPTION);
    format!(
        "{}({}): {description}",
        tool.name,
        arguments(&tool.argument_schema, true)
    )
}

/// Writes `add(a, b): Add two numbers.`
pub(super) fn short(tool: &Tool) -> String {
    let description = shortened(&tool.description, SHORT_DESCRIPTION);
    format!("{}({}): {description}", tool.name, names(&tool.argument_schema))
}

impl Prepared {
    /// The argument of a tool that needs nothing but one text.
    pub fn only_text(&self) -> Option<&str> {
        let schema = &self.tool.argument_schema;
        let properties = schema.get("properties")?.as_object()?;
        let required = schema.get("required").and_then(Value::as_array);
        let mut needed = required.into_iter().flatten().filter_map(Value::as_str);
        let name = match (needed.next(), needed.next()) {
            (Some(one), None) => one,
            (None, _) if properties.len() == 1 => properties.keys().next()?,
            _ => return None,
        };
        let (name, property) = properties.get_key_value(name)?;
        let is_text = property.get("type").is_none_or(|kind| {
            kind == "string"
                || kind
                    .as_array()
                    .is_some_and(|kinds| kinds.contains(&"string".into()))
        });
        is_text.then_some(name.as_str())
    }

    /// Says how to call the tool, for a brain that got it wrong.
    pub fn usage(&self) -> String {
        format!(
            "Call it as {}({}).",
            self.tool.name,
            arguments(&self.tool.argument_schema, false)
        )
    }
}

/// The names of the arguments.
fn names(schema: &Value) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(Map::keys);
    let names: Vec<String> = names
        .map(|name| format!("{name}{}", mark(schema, name)))
        .collect();
    names.join(", ")
}

/// A question mark behind what may be left out.
fn mark(schema: &Value, name: &str) -> &'static str {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|required| required.iter().any(|one| one == name));
    if is_required { "" } else { "?" }
}

/// The arguments, those that may be left out with a question mark.
fn arguments(schema: &Value, described: bool) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let one = |(name, property): (&String, &Value)| {
        let mark = mark(schema, name);
        let description = property
            .get("description")
            .and_then(Value::as_str)
            .filter(|_| described);
        let description =
            description.map(|text| format!(" ({})", shortened(text, LONGEST_ARGUMENT).trim_end_matches('.')));
        format!(
            "{name}{mark}: {}{}",
            kind(property),
            description.unwrap_or_default()
        )
    };
    properties
        .into_iter()
        .flat_map(Map::iter)
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

fn kind(property: &Value) -> String {
    if let Some(options) = property.get("enum").and_then(Value::as_array) {
        return options
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(" | ");
    }
    match property.get("type") {
        Some(Value::String(name)) if name == "array" => match property.get("items") {
            Some(items) if items.get("type").is_some() => format!("list of {}", kind(items)),
            _ => "list".to_owned(),
        },
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect::<Vec<_>>()
            .join(" | "),
        _ => {
            let branches = ["anyOf", "oneOf"]
                .iter()
                .find_map(|key| property.get(*key))
                .and_then(Value::as_array);
            let kinds = branches
                .into_iter()
                .flatten()
                .map(kind)
                .filter(|kind| kind != "null" && kind != "any");
            let kinds = kinds.collect::<Vec<_>>().join(" | ");
            if kinds.is_empty() { "any".to_owned() } else { kinds }
        }
    }
}

/// A text on one line, up to its last whole sentence or word within `longest` characters.
fn shortened(text: &str, longest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(longest) else {
        return line;
    };
    let head = line.get(..end).unwrap_or_default();
    match head.rfind(". ") {
        Some(stop) => head.get(..=stop).unwrap_or(head).to_owned(),
        None => format!(
            "{}…",
            head.rfind(' ')
                .and_then(|blank| head.get(..blank))
                .unwrap_or(head)
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_told_in_one_line() {
        let schema = json!({
            "properties": {
                "query": {"type": "string", "description": "What to look up."},
                "room": {"enum": ["kitchen", "hall"]},
                "numbers": {"type": "array", "items": {"type": "number"}},
                "zone": {"anyOf": [{"type": "string"}, {"type": "null"}]}
            },
            "required": ["query"]
        });
        assert_eq!(
            arguments(&schema, true),
            "query: string (What to look up), room?: \"kitchen\" | \"hall\", numbers?: list of number, zone?: string"
        );
    }

    #[test]
    fn long_descriptions_end_with_a_sentence() {
        assert_eq!(shortened("One. Two is longer than that.", 12), "One.");
        assert_eq!(shortened("one two three", 9), "one two…");
    }
}
