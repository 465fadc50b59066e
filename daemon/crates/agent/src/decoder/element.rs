//! Calls written as elements of XML, as some models do whatever they are told: `<function name="add">{…}</function>`,
//! `<tool>add</tool><tool_input>{…}</tool_input>`, `<add><a>2</a></add>`.
//!
//! They count at the beginning of a line only, and only for tools that are on offer.

use serde_json::{Map, Value};

use super::call::{Arguments, Call, Ending, Names, squash};
use super::tags::{Tag, next_tag};

/// What such an element is called.
const CALLS: &[&str] = &[
    "toolcall",
    "toolcalls",
    "tools",
    "tool",
    "functioncall",
    "function",
    "action",
    "call",
    "toolname",
];

/// What the element beside it or within it is called that holds the arguments.
const INPUTS: &[&str] = &[
    "toolinput",
    "actioninput",
    "input",
    "arguments",
    "parameters",
    "args",
];

/// More elements than this are not looked at, so that time stays linear.
const MOST_PLACES: usize = 8;

/// An element.
struct Element<'t> {
    name: &'t str,
    /// The value of its attribute `name`.
    named: Option<&'t str>,
    inside: &'t str,
    /// Whether it ends, or is empty.
    closed: bool,
    /// How long it is with its tags.
    length: usize,
}

/// The calls in a text, in order.
pub(super) fn calls(text: &str, names: &Names) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    let mut position = 0;
    for _ in 0..MOST_PLACES {
        let Some(start) = next_element(text, position) else {
            break;
        };
        let here = text.get(start..)?;
        let Some(element) = element_at(here) else {
            position = start + 1;
            continue;
        };
        position = start + element.length;
        let found = one(&element, text.get(position..).unwrap_or_default(), names);
        calls.extend(found.into_iter().flatten());
    }
    (!calls.is_empty()).then_some(calls)
}

/// Where the next line begins with `<`, from `from` on; behind an element another may follow at once.
fn next_element(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let fresh = rest.trim_start();
    if fresh.starts_with('<') {
        return Some(text.len() - fresh.len());
    }
    let line = rest.match_indices('\n').map(|(at, _)| from + at + 1);
    line.into_iter().find_map(|begin| {
        let line = text.get(begin..)?.trim_start_matches([' ', '\t']);
        line.starts_with('<').then(|| text.len() - line.len())
    })
}

/// The element with which a text begins; one that never closes goes on to the end.
fn element_at(text: &str) -> Option<Element<'_>> {
    let tag: Tag<'_> = next_tag(text).filter(|tag| !tag.closing)?;
    let opener = text.get(..tag.length)?;
    let named = opener.split_once("name=").map(|(_, value)| {
        let value = value.trim_end_matches(['>', '/', ' ']);
        let quoted = value.strip_prefix(['"', '\'']);
        quoted.map_or(value, |inside| inside.split(['"', '\'']).next().unwrap_or(inside))
    });
    let body = if tag.self_closing {
        ""
    } else {
        text.get(tag.length..)?
    };
    let closers = body.match_indices("</").filter(|(at, _)| {
        let closer = body.get(*at..).and_then(next_tag);
        closer.is_some_and(|closer| closer.name.eq_ignore_ascii_case(tag.name))
    });
    let end = closers.map(|(at, _)| at).next();
    let inside = body.get(..end.unwrap_or(body.len()))?;
    let closer = end
        .and_then(|end| next_tag(body.get(end..)?))
        .map_or(0, |closer| closer.length);
    Some(Element {
        name: tag.name,
        named,
        inside: inside.trim(),
        closed: end.is_some() || tag.self_closing,
        length: tag.length + inside.len() + closer,
    })
}

fn one(element: &Element<'_>, after: &str, names: &Names) -> Option<Vec<Call>> {
    // Without an end only what can be nothing else counts.
    if !element.closed && !element.inside.starts_with(['{', '<']) {
        return None;
    }
    let kind = squash(element.name);
    if names.iter().any(|name| name == element.name) {
        return Some(vec![call(element.name, arguments(element.inside)?)]);
    }
    if !CALLS.contains(&kind.as_str()) {
        return None;
    }
    if let Some(tool) = element.named.and_then(|named| names.resolve(named)) {
        return Some(vec![call(tool, arguments(element.inside)?)]);
    }
    if let Some(tool) = names.iter().find(|name| *name == element.inside) {
        let input =
            element_at(after.trim_start()).filter(|next| INPUTS.contains(&squash(next.name).as_str()));
        let given = input.map_or(Some(Arguments::Named(Map::new())), |input| {
            arguments(input.inside)
        });
        return Some(vec![call(tool, given?)]);
    }
    let calls = super::tagged::json_calls(super::fence::unwrap(element.inside), names).ok()?;
    let known = |call: &Call| names.resolve(&call.tool).is_some();
    (!calls.is_empty() && calls.iter().all(known)).then_some(calls)
}

fn call(tool: &str, arguments: Arguments) -> Call {
    Call {
        id: None,
        tool: tool.to_owned(),
        arguments,
    }
}

/// A JSON object, an element each, or words for a tool that takes just a text; nothing when it is half the one and half the other.
fn arguments(inside: &str) -> Option<Arguments> {
    let inside = super::fence::unwrap(inside);
    if inside.is_empty() {
        return Some(Arguments::Named(Map::new()));
    }
    if !inside.starts_with('<') {
        return Some(Arguments::from_text(inside, Ending::Strict));
    }
    let mut named = Map::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let element = element_at(rest)?;
        if named.is_empty() && INPUTS.contains(&squash(element.name).as_str()) {
            return Some(Arguments::from_text(element.inside, Ending::Strict));
        }
        let key = element.named.unwrap_or(element.name);
        named.insert(key.to_owned(), Value::String(element.inside.to_owned()));
        rest = rest.get(element.length..)?.trim_start();
    }
    Some(Arguments::Named(named))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        let names = Names::new(["add".to_owned(), "now".to_owned()]);
        let calls = calls(text, &names)?;
        Some(
            calls
                .iter()
                .map(|call| json!([call.tool, call.arguments.named()]))
                .collect(),
        )
    }

    #[test]
    fn elements_are_calls() {
        let sum = Some(json!([["add", {"a": 1, "b": 2}]]));
        for text in [
            "<function name=\"add\">{\"a\": 1, \"b\": 2}</function>",
            "<tool_call name='add'>{\"a\": 1, \"b\": 2}</tool_call>",
            "<tool>add</tool><tool_input>{\"a\": 1, \"b\": 2}</tool_input>",
            "I add.\n<action>add</action>\n<action_input>{\"a\": 1, \"b\": 2}</action_input>\nDone.",
            "<tool-call>{\"name\": \"add\", \"arguments\": {\"a\": 1, \"b\": 2}}</tool-call>",
            "<tools>\n{\"name\": \"add\", \"arguments\": {\"a\": 1, \"b\": 2}}\n</tools>",
            "<add>{\"a\": 1, \"b\": 2}</add>",
            "<add>{\"a\": 1, \"b\": 2}",
        ] {
            assert_eq!(read(text), sum, "for {text:?}");
        }
        let texts = Some(json!([["add", {"a": "1", "b": "2"}]]));
        assert_eq!(read("<add>\n<a>1</a>\n<b>2</b>\n</add>"), texts);
        assert_eq!(
            read(
                "<function name=\"add\"><parameter name=\"a\">1</parameter><parameter name=\"b\">2</parameter></function>"
            ),
            texts
        );
        assert_eq!(
            read("<now/>\n<add>{\"a\": 1}</add>"),
            Some(json!([["now", {}], ["add", {"a": 1}]]))
        );
    }

    #[test]
    fn other_elements_are_none() {
        for text in [
            "<b>add</b>",
            "<tool>sub</tool><tool_input>{}</tool_input>",
            "The <add> element adds.",
            "<add> is an element.",
            "<action>We add the numbers.</action>",
            "5 < 7",
            "<add><a>1</a> and so on</add>",
        ] {
            assert_eq!(read(text), None, "for {text:?}");
        }
    }
}
