//! Calls under labels that no table knows, since models translate labels into the person's language: a line whose label
//! introduces the name of a tool on offer, and below it one whose label introduces a JSON object.
//!
//! It is the shape that counts, so it is strict: the name is exact and alone, nothing follows the object on its line, the
//! reply begins with a label or ends with the object, and one call is all it holds. Words that explain a call, and lists of
//! tools, begin or go on otherwise. A caller that runs such a call has to bear in mind that it may be an explanation
//! all the same.

use super::call::{Arguments, Call, Names};
use super::embedded::announces;
use super::line::next_line;

/// A label of more characters is a sentence.
const LONGEST_LABEL: usize = 40;

/// More lines that name a tool are not tried, so that time stays linear.
const MOST_PLACES: usize = 8;

pub(super) fn call(text: &str, names: &Names) -> Option<Call> {
    let begins = begins_labelled(text);
    let mut found = None;
    let mut tried = 0;
    let mut position = 0;
    while position < text.len() && tried < MOST_PLACES {
        let next = next_line(text, position);
        let named = text.get(position..next).and_then(labelled);
        let tool = named.and_then(|value| names.iter().find(|name| *name == bare(value)));
        if let Some(tool) = tool {
            tried += 1;
            if let Some((arguments, end)) = text.get(next..).and_then(arguments) {
                if found.is_some() {
                    return None;
                }
                found = Some(Call {
                    id: None,
                    tool: tool.to_owned(),
                    arguments,
                });
                let ends = text.get(next + end..).is_none_or(|rest| bare(rest).is_empty());
                let before = text.get(..position).unwrap_or_default();
                let counts = begins || ends && !announces(before);
                if !counts {
                    return None;
                }
                // Behind an observation that the brain invents, further calls are invented too.
                if goes_on(text.get(next + end..).unwrap_or_default(), names) {
                    return found;
                }
            }
        }
        position = next;
    }
    found
}

/// Tells whether a reply begins as a step does, with a thought or a name under a label.
fn begins_labelled(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first
        .and_then(labelled)
        .is_some_and(|value| !bare(value).is_empty())
}

/// Tells whether what follows an object is a line under a label of its own, as an observation is, and no other tool.
fn goes_on(below: &str, names: &Names) -> bool {
    let mut lines = below.lines().skip(1).filter(|line| !line.trim().is_empty());
    let value = lines.next().and_then(labelled).map(bare);
    value.is_some_and(|value| !value.is_empty() && !names.iter().any(|name| name == value))
}

/// Gives what a line's label introduces, if it has one.
fn labelled(line: &str) -> Option<&str> {
    let (label, value) = line.split_once([':', '：'])?;
    let is_label = label.chars().any(char::is_alphabetic)
        && label.chars().nth(LONGEST_LABEL).is_none()
        && !label.contains(['.', '!', '?', '"', '{', '(', '<', '。']);
    is_label.then_some(value)
}

/// Takes white space and emphasis off a name.
fn bare(value: &str) -> &str {
    value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '<' | '>'))
}

/// Reads the object that the next label introduces, alone on its lines, and says where it ends.
fn arguments(text: &str) -> Option<(Arguments, usize)> {
    let below = text.trim_start();
    let line = below.lines().next()?;
    let value = below
        .get(line.len() - labelled(line)?.len()..)?
        .trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    let start = text.len() - value.len();
    let (body, fenced) = match super::fence::block_at(value) {
        Some(block) => (block.body, Some(start + block.end)),
        None => (value.trim_start_matches('`'), None),
    };
    let parsed = body
        .starts_with('{')
        .then(|| super::json::parse_prefix(body).ok())
        .flatten()?;
    let rest = body.get(parsed.end..)?.lines().next().unwrap_or_default();
    let alone = fenced.is_some() || rest.trim_matches(['`', '*', ' ', '\r']).is_empty();
    let end = fenced.unwrap_or_else(|| text.len() - body.len() + parsed.end);
    (alone && parsed.value.is_object()).then(|| (Arguments::from_value(parsed.value), end))
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
            "Je vais additionner.\nOutil : add\nParamètres : {\"a\": 1, \"b\": 2}",
            "```\nActie: add\nInvoer: {\"a\": 1, \"b\": 2}\n```",
            "Call: add\nWith: {\n  'a': 1,\n  'b': 2,\n}\nThen I wait.",
        ] {
            assert_eq!(read(text), sum, "for {text:?}");
        }
        let invented = "Actie: add\nInvoer: {\"a\": 1, \"b\": 2}\nObservatie: 3\nActie: now\nInvoer: {}";
        assert_eq!(read(invented), sum);
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
            "You write it like this:\nName: add\nArguments: {\"a\": 1, \"b\": 2}\nThat gives 3.",
            "Like this:\nName: add\nArguments: {\"a\": 1}",
            "These are my tools.\n\nName: add\nArguments: {\"a\": 1}\n\nName: now\nArguments: {}",
            "Like this:\n```text\nName: add\nArguments: {\"a\": 1}\n```",
            "Name: add\nArguments: {\"a\": 1, \"b\": 2}\n\nName: now\nArguments: {}",
        ] {
            assert_eq!(read(text), None, "for {text:?}");
        }
    }
}
