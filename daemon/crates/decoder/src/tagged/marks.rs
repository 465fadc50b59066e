//! The marks themselves: where one opens, and where what it holds ends; and the elements that are no marks although they
//! name a call.

use super::super::call::{Names, squash};
use super::super::tags::next_tag;
use super::super::{fence, harmony};
use super::named::QUOTES;

/// The opener and closer of each mark. Without a closer the calls go on to the next mark or the end.
const MARKS: &[(&str, &str)] = &[
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<function=", "</function>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call>", "<tool_call|>"),
    ("<|python_tag|>", ""),
    ("<|python_start|>", "<|python_end|>"),
    ("[tool_calls]", "[/tool_calls]"),
    ("functools[", ""),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    (harmony::CALL, harmony::CALL_END),
    ("<toolcall>", "</toolcall>"),
    ("<tools>", "</tools>"),
    ("<|start_action|>", "<|end_action|>"),
    ("<|action_start|><|plugin|>", "<|action_end|>"),
    ("<start_function_call>", "<end_function_call>"),
    ("<invoke name=", "</invoke>"),
    ("<｜DSML｜invoke name=", "</｜DSML｜invoke>"),
    ("```tool_code", "```"),
    ("```tool_call", "```"),
];

/// The names of elements that models invent for a call begin so: `<tool>`, `<tool_input>`, `<function>`, `<invoke>`.
const CALLING: &[&str] = &["tool", "function", "action", "invoke", "argument", "parameter"];

/// Finds where the first element opens that names a call or is named as a tool. Which call it means is not known for
/// sure, so it is neither run nor said.
pub(super) fn element(text: &str, names: &Names) -> Option<usize> {
    let calls = |name: &str| {
        let own = squash(name.rsplit(':').next().unwrap_or(name));
        CALLING.iter().any(|word| own.starts_with(word)) || names.iter().any(|tool| tool == name)
    };
    let opens = |at: &usize| {
        let here = text.get(*at..).filter(|here| !here.starts_with("< "));
        let tag = here.and_then(next_tag);
        tag.is_some_and(|tag| !tag.closing && calls(tag.name)) && !text.get(..*at).is_some_and(fence::is_code)
    };
    text.match_indices('<').map(|(at, _)| at).find(opens)
}

/// Tells whether a text ends where a call was to begin.
pub(crate) fn ends_open(text: &str) -> bool {
    let text = text.trim_end();
    MARKS.iter().any(|(opener, _)| {
        let start = text.len().checked_sub(opener.len());
        let end = start.and_then(|start| text.get(start..));
        opener.ends_with(['>', ']']) && end.is_some_and(|end| end.eq_ignore_ascii_case(opener))
    })
}

pub(super) fn next_mark(text: &str, from: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut position = from;
    loop {
        let mut bytes = text.get(position..)?.bytes();
        let start = position + bytes.position(|byte| matches!(byte, b'<' | b'[' | b'f' | b'`'))?;
        let here = text.get(start..)?;
        let spoken_of = fence::is_code(text.get(..start)?);
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

/// Gives the text between an opener and its closer, the next mark or the end; and where it ends.
pub(super) fn body<'t>(text: &'t str, start: usize, closer: &str) -> (&'t str, usize) {
    let rest = text.get(start..).unwrap_or_default();
    // What stands in a text of a value is no mark.
    let inside = json_length(rest).max(quoted_length(rest, closer));
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
    match closed {
        // A mark may hold others, as Qwen's `<tool_call>` a `<function=…>`; what they hold is theirs.
        Some(end) if start + end <= next => (rest.get(..end).unwrap_or_default(), start + end + closer.len()),
        _ => (text.get(start..next).unwrap_or_default(), next),
    }
}

/// Measures up to where a text reaches with the last text between quotes of Gemma's that begins in front of
/// the closer and of any mark.
fn quoted_length(text: &str, closer: &str) -> usize {
    let (mut length, mut position) = (0, 0);
    while let Some(offset) = text.get(position..).and_then(|rest| rest.find('<')) {
        let at = position + offset;
        let here = text.get(at..).unwrap_or_default();
        if let Some(quote) = QUOTES.iter().find(|quote| here.starts_with(**quote)) {
            let inside = here.get(quote.len()..).unwrap_or_default();
            let Some(end) = inside.find(quote) else {
                return length;
            };
            position = at + end + 2 * quote.len();
            length = position;
        } else if !closer.is_empty() && here.starts_with(closer)
            || MARKS.iter().any(|(opener, _)| here.starts_with(opener))
        {
            return length;
        } else {
            position = at + 1;
        }
    }
    length
}

/// Measures the JSON values with which a text begins, one after the other.
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
