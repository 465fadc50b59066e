//! Calls under labels that no table knows, since models translate labels into the person's language: a line whose label
//! introduces the name of a tool on offer, and below it one whose label introduces a JSON object.
//!
//! It is the shape that counts, so it is strict: the name is exact and alone, and nothing follows the object on its line.

use super::call::{Arguments, Call, Names};
use super::react::next_line;

/// A label of more characters is a sentence.
const LONGEST_LABEL: usize = 40;

/// More lines that name a tool are not tried, so that time stays linear.
const MOST_PLACES: usize = 8;

/// The first such call.
pub(super) fn call(text: &str, names: &Names) -> Option<Call> {
    let mut tried = 0;
    let mut position = 0;
    while position < text.len() && tried < MOST_PLACES {
        let next = next_line(text, position);
        let named = text.get(position..next).and_then(labelled);
        let tool = named.and_then(|value| names.iter().find(|name| *name == bare(value)));
        if let Some(tool) = tool {
            tried += 1;
            if let Some(arguments) = text.get(next..).and_then(arguments) {
                return Some(Call {
                    id: None,
                    tool: tool.to_owned(),
                    arguments,
                });
            }
        }
        position = next;
    }
    None
}

/// What a line's label introduces, if it has one.
fn labelled(line: &str) -> Option<&str> {
    let (label, value) = line.split_once([':', '：'])?;
    let is_label = label.chars().any(char::is_alphabetic)
        && label.chars().nth(LONGEST_LABEL).is_none()
        && !label.contains(['.', '!', '?', '"', '{', '(', '<', '。']);
    is_label.then_some(value)
}

/// A name without white space and emphasis around it.
fn bare(value: &str) -> &str {
    value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '<' | '>'))
}

/// The object that the next label introduces, alone on its lines.
fn arguments(below: &str) -> Option<Arguments> {
    let below = below.trim_start();
    let line = below.lines().next()?;
    let value = below
        .get(line.len() - labelled(line)?.len()..)?
        .trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    let (body, fenced) = match super::fence::block_at(value) {
        Some(block) => (block.body, true),
        None => (value.trim_start_matches('`'), false),
    };
    let parsed = body
        .starts_with('{')
        .then(|| super::json::parse_prefix(body).ok())
        .flatten()?;
    let rest = body.get(parsed.end..)?.lines().next().unwrap_or_default();
    let alone = fenced || rest.trim_matches(['`', '*', ' ', '\r']).is_empty();
    (alone && parsed.value.is_object()).then(|| Arguments::from_value(parsed.value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<(String, serde_json::Value)> {
        let names = Names::new(["add".to_owned(), "now".to_owned()]);
        call(text, &names).map(|call| (call.tool, json!(call.arguments.named())))
    }

    #[test]
    fn labels_of_any_language_make_a_call() {
        let sum = Some(("add".to_owned(), json!({"a": 1, "b": 2})));
        for text in [
            "Мысль: x\nДействие: add\nВходные данные: {\"a\": 1, \"b\": 2}",
            "思考：x\n行动：add\n行动输入：{\"a\": 1, \"b\": 2}",
            "Actie: `add`\nActie-invoer: `{\"a\": 1, \"b\": 2}`\nObservatie: 3",
            "**Akcja:** add\n\n**Dane wejściowe:** {\"a\": 1, \"b\": 2}",
            "Function: add\nArguments:\n```json\n{\"a\": 1, \"b\": 2}\n```",
            "Call: add\nWith: {\n  'a': 1,\n  'b': 2,\n}\nThen I wait.",
        ] {
            assert_eq!(read(text), sum, "for {text:?}");
        }
        assert_eq!(read("Дія: now\nВхід: {}"), Some(("now".to_owned(), json!({}))));
    }

    #[test]
    fn other_shapes_are_prose() {
        for text in [
            "Name: add",
            "Name: add\nIt sums {\"a\": 1}",
            "Name: adder\nArguments: {\"a\": 1}",
            "Name: add and more\nArguments: {\"a\": 1}",
            "Name: add\nArguments: {\"a\": 1} are what it takes.",
            "Name: add\nArguments: two numbers",
            "Say it like this. Name: add\nArguments: {\"a\": 1}",
        ] {
            assert_eq!(read(text), None, "for {text:?}");
        }
    }
}
