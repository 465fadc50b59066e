//! Calls between the marks of model families: Hermes and Qwen `<tool_call>`, Qwen's `<function=…>`, Mistral
//! `[TOOL_CALLS]`, Llama `<|python_tag|>`, Granite and Phi `<|tool_call|>`, `DeepSeek` and Gemma.

use serde_json::{Map, Value};

use super::call::{Arguments, Call, Names, is_identifier};
use super::object::{self, Meaning};
use super::pythonic;

/// Opener and closer; without a closer the calls go on to the next mark or the end.
const MARKS: &[(&str, &str)] = &[
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<tool_use>", "</tool_use>"),
    ("<function=", "</function>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call>", "</tool_call|>"),
    ("<|tool_calls|>", "<|/tool_calls|>"),
    ("<|python_tag|>", ""),
    ("[tool_calls]", "[/tool_calls]"),
    ("functools[", ""),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("```tool_code", "```"),
    ("```tool_call", "```"),
];

/// More marks than this in one reply are not looked at, so that a flood of them costs linear time.
const MOST_MARKS: usize = 64;

/// What stood between marks.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tagged {
    /// The calls in order.
    pub(crate) calls: Vec<Call>,
    /// Why a marked call could not be read, if one could not.
    pub(crate) broken: Option<String>,
    /// The text before the first mark.
    pub(crate) before: String,
}

/// Reads all marked calls; nothing when there is no mark.
pub(crate) fn read(text: &str, names: &Names) -> Option<Tagged> {
    let (first, ..) = next_mark(text, 0)?;
    let mut tagged = Tagged {
        before: text.get(..first)?.trim().to_owned(),
        ..Tagged::default()
    };
    let mut position = first;
    for _ in 0..MOST_MARKS {
        let Some((start, opener, closer)) = next_mark(text, position) else {
            break;
        };
        let body_start = start + opener.len();
        let (body, end) = body(text, body_start, closer);
        position = end;
        let body = if opener == "<function=" {
            text.get(start..end).unwrap_or(body)
        } else {
            body
        };
        let body = if opener == "functools[" {
            text.get(body_start - 1..end).unwrap_or(body)
        } else {
            body
        };
        match calls_in(body, names) {
            Ok(calls) => tagged.calls.extend(calls),
            Err(why) => tagged.broken = tagged.broken.or(Some(why)),
        }
    }
    Some(tagged)
}

fn next_mark(text: &str, from: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut position = from;
    loop {
        let start = position + text.get(position..)?.find(['<', '[', 'f', '`'])?;
        let here = text.get(start..)?;
        let spoken_of = super::fence::is_code(text.get(..start)?);
        let begins = |opener: &str| {
            here.get(..opener.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(opener))
        };
        match MARKS.iter().find(|(opener, _)| begins(opener)) {
            Some((opener, closer)) if !spoken_of => return Some((start, opener, closer)),
            _ => position = start + 1,
        }
    }
}

/// The text between an opener and its closer, the next mark or the end; and where it ends.
fn body<'t>(text: &'t str, start: usize, closer: &str) -> (&'t str, usize) {
    let rest = text.get(start..).unwrap_or_default();
    let next = next_mark(text, start).map_or(text.len(), |(at, ..)| at);
    let closed = if closer.is_empty() {
        None
    } else {
        rest.find(closer).or_else(|| rest.find(&closer.to_uppercase()))
    };
    // Qwen's `<tool_call>` holds a `<function=…>`, which is a mark of its own.
    let holds_mark =
        |end: usize| start + end > next && text.get(next..).is_some_and(|at| at.starts_with("<function="));
    match closed {
        Some(end) if start + end <= next || holds_mark(end) => {
            (rest.get(..end).unwrap_or_default(), start + end + closer.len())
        }
        _ => (text.get(start..next).unwrap_or_default(), next),
    }
}

fn calls_in(body: &str, names: &Names) -> Result<Vec<Call>, String> {
    let body = super::fence::unwrap(body);
    if body.is_empty() {
        return Ok(Vec::new());
    }
    if body.starts_with("<function=") {
        return Ok(xml_calls(body));
    }
    let list = body.strip_prefix('[').map(str::trim_start);
    if body.starts_with(['{', '`']) || list.is_some_and(|inside| inside.starts_with(['{', ']'])) {
        return json_calls(body, names);
    }
    pythonic::calls(body, names)
        .or_else(|| pythonic::list_at(body, names).map(|(calls, _)| calls))
        .or_else(|| named_then_json(body))
        .ok_or_else(|| "the call cannot be read".to_owned())
}

/// One JSON value or several of them, one after the other.
pub(crate) fn json_calls(body: &str, names: &Names) -> Result<Vec<Call>, String> {
    let mut calls = Vec::new();
    let mut rest = body;
    loop {
        // Each call may stand in a fence of its own.
        if let Some(block) = super::fence::block_at(rest).filter(|block| block.body.starts_with(['{', '['])) {
            calls.extend(json_calls(block.body, names)?);
            rest = after_call(rest, block.end);
            continue;
        }
        if !rest.starts_with(['{', '[']) {
            return Ok(calls);
        }
        let parsed = super::json::parse_prefix(rest)
            .map_err(|error| format!("the call is no JSON object: {error}"))?;
        match object::meaning(&parsed.value, names) {
            Meaning::Calls(more) => calls.extend(more),
            _ if calls.is_empty() => return Err("the JSON names no tool with its arguments".to_owned()),
            _ => return Ok(calls),
        }
        rest = after_call(rest, parsed.end);
    }
}

/// What follows a call that ends at `end`, without what may stand between two.
fn after_call(text: &str, end: usize) -> &str {
    let after = text.get(end..).unwrap_or_default();
    after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '}' | ']'))
}

/// `add{"a": 2}`, `add[ARGS]{"a": 2}`, `function<｜tool▁sep｜>add\n{…}`.
fn named_then_json(body: &str) -> Option<Vec<Call>> {
    let body = body
        .rsplit_once("<｜tool▁sep｜>")
        .map_or(body, |(_, after)| after);
    let length = body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let name = body.get(..length).filter(|name| is_identifier(name))?;
    let rest = body.get(length..)?;
    let arguments = rest
        .rsplit_once("[ARGS]")
        .map_or(rest, |(_, arguments)| arguments);
    let arguments = super::fence::unwrap(arguments);
    arguments.starts_with('{').then(|| {
        let arguments = Arguments::from_text(arguments, super::call::Ending::Lax);
        vec![Call {
            id: None,
            tool: name.to_owned(),
            arguments,
        }]
    })
}

/// `<function=add><parameter=a>2</parameter></function>` or `<function=add>{"a": 2}</function>`, any number of them.
fn xml_calls(body: &str) -> Vec<Call> {
    body.split("<function=").skip(1).filter_map(xml_call).collect()
}

fn xml_call(text: &str) -> Option<Call> {
    let (name, inside) = text.split_once('>')?;
    let inside = inside.split("</function>").next().unwrap_or(inside);
    let tool = name.trim().trim_matches(['"', '\'']).to_owned();
    if super::fence::unwrap(inside).starts_with('{') {
        let arguments = Arguments::from_text(inside, super::call::Ending::Lax);
        return Some(Call {
            id: None,
            tool,
            arguments,
        });
    }
    let mut arguments = Map::new();
    for parameter in inside.split("<parameter=").skip(1) {
        let (key, value) = parameter.split_once('>')?;
        let value = value.split("</parameter>").next().unwrap_or(value).trim();
        arguments.insert(key.trim().to_owned(), Value::String(value.to_owned()));
    }
    Some(Call::named(tool, arguments))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(text: &str, expected: &Value) {
        let names = Names::new(["add".to_owned(), "lookup".to_owned()]);
        let tagged = read(text, &names).unwrap_or_default();
        let found: Vec<Value> = tagged
            .calls
            .iter()
            .map(|call| match &call.arguments {
                Arguments::Named(named) => json!([call.tool, named]),
                other => json!([call.tool, format!("{other:?}")]),
            })
            .collect();
        assert_eq!(&Value::Array(found), expected, "for {text:?}: {tagged:?}");
    }

    #[test]
    fn every_family_is_understood() {
        let sum = json!([["add", {"a": 2, "b": 3}]]);
        check(
            "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}\n</tool_call>",
            &sum,
        );
        check(
            "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}",
            &sum,
        );
        check(
            "<tool_call>{{\"name\": \"add\", \"arguments\": {{\"a\": 2, \"b\": 3}}}}</tool_call>",
            &sum,
        );
        check(
            "[TOOL_CALLS] [{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
            &sum,
        );
        check("[TOOL_CALLS]add[ARGS]{\"a\": 2, \"b\": 3}", &sum);
        check("[TOOL_CALLS]add{\"a\": 2, \"b\": 3}", &sum);
        check(
            "<|python_tag|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}",
            &sum,
        );
        check("<|python_tag|>add.call(a=2, b=3)", &sum);
        check(
            "<|tool_call|>[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
            &sum,
        );
        check("<function=add>{\"a\": 2, \"b\": 3}</function>", &sum);
        check(
            "functools[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]",
            &sum,
        );
        check("```tool_code\nprint(add(a=2, b=3))\n```", &sum);
        check(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{\"a\": 2, \"b\": 3}\n```<｜tool▁call▁end｜>",
            &sum,
        );
        check(
            "<tool_call>\n<function=add>\n<parameter=a>\n2\n</parameter>\n<parameter=b>3</parameter>\n</function>\n</tool_call>",
            &json!([["add", {"a": "2", "b": "3"}]]),
        );
    }

    #[test]
    fn several_calls_keep_their_order() {
        let two = json!([["add", {"a": 1}], ["lookup", {"query": "x"}]]);
        let one = "{\"name\": \"add\", \"arguments\": {\"a\": 1}}";
        let other = "{\"name\": \"lookup\", \"arguments\": {\"query\": \"x\"}}";
        check(
            &format!("<tool_call>{one}</tool_call>\n<tool_call>{other}</tool_call>"),
            &two,
        );
        check(&format!("<tool_call>{one}<tool_call>{other}"), &two);
        check(&format!("<tool_call>{one}\n{other}</tool_call>"), &two);
        check(&format!("<|python_tag|>{one}; {other}"), &two);
        check(&format!("[TOOL_CALLS] [{one}, {other}]"), &two);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let names = Names::new(["add".to_owned()]);
        let tagged = read(
            "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x",
            &names,
        )
        .unwrap();
        assert!(tagged.calls.is_empty() && tagged.broken.is_some(), "{tagged:?}");
        assert_eq!(read("Use the `<tool_call>` mark; 5 < 7.", &names), None);
    }
}
