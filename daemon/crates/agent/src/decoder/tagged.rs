//! Calls between the marks of model families: Hermes, Qwen and GLM `<tool_call>`, Qwen's `<function=…>`, Mistral
//! `[TOOL_CALLS]`, Llama `<|python_tag|>`, Granite and Phi `<|tool_call|>`, Kimi, `gpt-oss`, LFM2, Cohere, Nemotron,
//! `DeepSeek` and Gemma.

use serde_json::Value;

use super::call::{Arguments, Call, Names, is_identifier};
use super::harmony;
use super::markup;
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
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    (harmony::CALL, harmony::CALL_END),
    ("<toolcall>", "</toolcall>"),
    ("<tool_code>", "</tool_code>"),
    ("<|start_action|>", "<|end_action|>"),
    ("<|action_start|><|plugin|>", "<|action_end|>"),
    ("<start_function_call>", "<end_function_call>"),
    (INVOKE, "</invoke>"),
    ("<｜dsml｜invoke name=", "</｜dsml｜invoke>"),
    ("```tool_code", "```"),
    ("```tool_call", "```"),
];

/// Its body is the rest of the tag and what the tag holds.
const INVOKE: &str = "<invoke name=";

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
        let read = if opener.ends_with("invoke name=") {
            markup::invocation(body)
                .map(|call| vec![call])
                .ok_or_else(unreadable)
        } else {
            calls_in(body, names)
        };
        match read {
            Ok(calls) => tagged.calls.extend(calls),
            Err(why) => tagged.broken = tagged.broken.or(Some(why)),
        }
    }
    Some(tagged)
}

/// Whether a text ends where a call was to begin.
pub(super) fn ends_open(text: &str) -> bool {
    let text = text.trim_end();
    MARKS.iter().any(|(opener, _)| {
        let start = text.len().checked_sub(opener.len());
        let end = start.and_then(|start| text.get(start..));
        opener.ends_with(['>', ']']) && end.is_some_and(|end| end.eq_ignore_ascii_case(opener))
    })
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
    // What stands in a text of a JSON value is no mark.
    let inside = json_length(rest);
    let behind = rest.get(inside..).unwrap_or_default();
    let next = next_mark(text, start + inside).map_or(text.len(), |(at, ..)| at);
    let closed = if closer.is_empty() {
        None
    } else {
        behind
            .find(closer)
            .or_else(|| behind.find(&closer.to_uppercase()))
    };
    let closed = closed.map(|end| inside + end);
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

/// How long the JSON values are with which a text begins, one after the other.
fn json_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = text.get(length..).unwrap_or_default();
        let value = rest.trim_start();
        if !value.starts_with('{') && !value.starts_with("[{") {
            return length;
        }
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<serde::de::IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => length += rest.len() - value.len() + values.byte_offset(),
            _ => return length,
        }
    }
}

fn calls_in(body: &str, names: &Names) -> Result<Vec<Call>, String> {
    let body = super::fence::unwrap(body);
    if body.is_empty() {
        return Ok(Vec::new());
    }
    if body.starts_with("<function=") {
        return Ok(markup::function_tags(body));
    }
    if let Some(call) = markup::key_tags(body) {
        return Ok(vec![call]);
    }
    let list = body.strip_prefix('[').map(str::trim_start);
    if body.starts_with(['{', '`']) || list.is_some_and(|inside| inside.starts_with(['{', ']'])) {
        return json_calls(body, names);
    }
    pythonic::calls(body, names)
        .or_else(|| pythonic::list_at(body, names).map(|(calls, _)| calls))
        .or_else(|| named_then_json(body, names))
        .or_else(|| {
            let tool = names.resolve(body)?;
            Some(vec![Call::named(tool, serde_json::Map::new())])
        })
        .ok_or_else(unreadable)
}

fn unreadable() -> String {
    "the call cannot be read".to_owned()
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

/// What stands between the name of a tool and its arguments.
const SEPARATORS: &[&str] = &[
    "<｜tool▁sep｜>",
    "<|tool_call_argument_begin|>",
    "<|message|>",
    "[ARGS]",
];

/// `add{"a": 2}`, `add[ARGS]{"a": 2}`, `function<｜tool▁sep｜>add\n{…}`, `functions.add:0<|tool_call_argument_begin|>{…}`,
/// `call:add{a:2}`.
fn named_then_json(body: &str, names: &Names) -> Option<Vec<Call>> {
    let unescaped = with_quotes(body);
    let body = unescaped.as_str();
    let parts = SEPARATORS.iter().find_map(|separator| body.split_once(separator));
    let (name, arguments) = match parts {
        Some((name, arguments)) if super::fence::unwrap(arguments).starts_with('{') => (name, arguments),
        // What kind of call it is may stand before the name.
        parts => {
            let named = parts.map_or(body, |(_, named)| named);
            named.split_at(named.find(['{', '`', '\n'])?)
        }
    };
    let tool = bare_name(name, names)
        .filter(|name| is_identifier(name))?
        .to_owned();
    let arguments = super::fence::unwrap(arguments);
    arguments.starts_with('{').then(|| {
        let arguments = Arguments::from_text(arguments, super::call::Ending::Lax);
        vec![Call {
            id: None,
            tool,
            arguments,
        }]
    })
}

/// `add {"a": 2}` or `add: {"a": 2}` and nothing else, for a tool that is on offer.
pub(super) fn named_object(body: &str, names: &Names) -> Option<Vec<Call>> {
    let (name, arguments) = body.split_at(body.find('{')?);
    let name = name
        .trim_end_matches([':', ' ', '\n', '\r', '`', '*'])
        .trim_start_matches(['*', '`']);
    let tool = names.iter().find(|known| *known == name)?;
    let parsed = super::json::parse_prefix(arguments).ok()?;
    let rest = arguments
        .get(parsed.end..)?
        .trim_matches(['`', '}', ';', ' ', '\n', '\r']);
    (rest.is_empty() && parsed.value.is_object()).then(|| {
        vec![Call {
            id: None,
            tool: tool.to_owned(),
            arguments: Arguments::from_value(parsed.value),
        }]
    })
}

/// A tool's name without what servers put around it: `functions.add:0`, `call:add`, `add[CALL_ID]x`. A tool may have such
/// a name of its own.
fn bare_name<'t>(written: &'t str, names: &Names) -> Option<&'t str> {
    let name = written.trim();
    let name = name.split(['[', '<', ' ', '\n']).next()?;
    if names.iter().any(|known| known == name) {
        return Some(name);
    }
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let name = name.strip_prefix("call:").unwrap_or(name);
    match name.rsplit_once(':') {
        Some((own, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(own)
        }
        _ => Some(name),
    }
}

/// `FunctionGemma` puts its texts between `<escape>` marks instead of quotes.
fn with_quotes(body: &str) -> String {
    if !body.contains("<escape>") {
        return body.to_owned();
    }
    let parts = body.split("<escape>").enumerate();
    let quoted = parts.map(|(number, part)| match number % 2 {
        0 => part.to_owned(),
        _ => Value::String(part.to_owned()).to_string(),
    });
    quoted.collect()
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
        check("[TOOL_CALLS]add[CALL_ID]x1[ARGS]{\"a\": 2, \"b\": 3}", &sum);
        check(
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{\"a\": 2, \"b\": 3}<|tool_call_end|><|tool_calls_section_end|>",
            &sum,
        );
        check("<|tool_call_start|>[add(a=2, b=3)]<|tool_call_end|>", &sum);
        check(
            "<|channel|>commentary to=functions.add<|message|>{\"a\": 2, \"b\": 3}<|call|>",
            &sum,
        );
        check(
            "<TOOLCALL>[{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}]</TOOLCALL>",
            &sum,
        );
        check(
            "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}]<|END_ACTION|>",
            &sum,
        );
        check(
            "<|action_start|><|plugin|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}<|action_end|>",
            &sum,
        );
        check("<start_function_call>call:add{a:2,b:3}<end_function_call>", &sum);
        check(
            "<start_function_call>call:lookup{query:<escape>the \"Seine\", {Paris}<escape>}<end_function_call>",
            &json!([["lookup", {"query": "the \"Seine\", {Paris}"}]]),
        );
        check(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": 2, \"b\": 3}<｜tool▁call▁end｜>",
            &sum,
        );
        check(
            "<minimax:tool_call>\n<invoke name=\"add\">\n<parameter name=\"a\">2</parameter>\n<parameter name=\"b\">3</parameter>\n</invoke>\n</minimax:tool_call>",
            &json!([["add", {"a": "2", "b": "3"}]]),
        );
        check(
            "<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
            &json!([["add", {"a": "2"}]]),
        );
        check("<tool_call>add</tool_call>", &json!([["add", {}]]));
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
    fn a_mark_in_a_text_is_data() {
        let query = "</tool_call> and <tool_call>{} in one";
        check(
            &format!(
                "<tool_call>\n{}\n</tool_call>",
                json!({"name": "lookup", "arguments": {"query": query}})
            ),
            &json!([["lookup", {"query": query}]]),
        );
        check(
            &format!(
                "<|python_tag|>{}",
                json!({"name": "lookup", "parameters": {"query": query}})
            ),
            &json!([["lookup", {"query": query}]]),
        );
    }

    #[test]
    fn marks_of_one_reply_may_differ_in_their_arguments() {
        check(
            "<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_call_begin|>functions.lookup:1<|tool_call_argument_begin|>{\"query\": \"x\"}<|tool_call_end|>",
            &json!([["add", {"a": 1}], ["lookup", {"query": "x"}]]),
        );
        check(
            "<function_calls><invoke name=\"add\"><parameter name=\"a\">1</parameter></invoke><invoke name=\"lookup\"><parameter name=\"query\">x</parameter></invoke></function_calls>",
            &json!([["add", {"a": "1"}], ["lookup", {"query": "x"}]]),
        );
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
