//! Calls between the marks of model families: Hermes, Qwen and GLM `<tool_call>`, Qwen's `<function=…>`, Mistral
//! `[TOOL_CALLS]`, Llama `<|python_tag|>` and `<|python_start|>`, Granite and Phi `<|tool_call|>`, Kimi, `gpt-oss`, LFM2, Cohere, Nemotron,
//! `DeepSeek` and Gemma.

mod marks;
mod named;
#[cfg(test)]
mod tests;

use super::call::{Call, Names};
use super::markup;
use super::object::{self, Meaning};
use super::pythonic;
pub(super) use marks::ends_open;
use marks::{body, element, next_mark};
use named::named_then_json;

/// More marks than this in one reply are not looked at, so that a flood of them costs linear time.
const MOST_MARKS: usize = 64;

/// The calls between marks.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tagged<'t> {
    pub calls: Vec<Call>,
    /// Says why a marked call could not be read, if one could not.
    pub broken: Option<String>,
    /// The text before the first mark.
    pub before: &'t str,
    /// The text behind the last closer, and behind what closes the marks around it.
    pub behind: &'t str,
}

/// Reads all marked calls; nothing when there is neither a mark nor an element that names a call.
pub(crate) fn read<'t>(text: &'t str, names: &Names) -> Option<Tagged<'t>> {
    let Some((first, ..)) = next_mark(text, 0) else {
        return element(text, names).map(|at| Tagged {
            before: text.get(..at).unwrap_or_default().trim(),
            broken: Some("the call stands in elements that no form of a call has".to_owned()),
            ..Tagged::default()
        });
    };
    let mut tagged = Tagged {
        before: text.get(..first)?.trim(),
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
        let read = if opener == "<function=" || opener.ends_with("invoke name=") {
            markup::named_tag(body)
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
    tagged.behind = behind_closers(text.get(position..)?);
    Some(tagged)
}

/// Takes the elements and tokens off that a text begins with.
fn behind_closers(text: &str) -> &str {
    const LONGEST: usize = 64;
    let mut rest = text.trim();
    while let Some(inside) = rest.strip_prefix('<') {
        let close = inside.char_indices().take(LONGEST).find(|(_, c)| *c == '>');
        match close.and_then(|(at, c)| inside.get(at + c.len_utf8()..)) {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    rest
}

fn calls_in(body: &str, names: &Names) -> Result<Vec<Call>, String> {
    let body = super::fence::unwrap(body);
    if body.is_empty() {
        return Ok(Vec::new());
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

/// Reads one JSON value, or several of them one after the other.
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

/// Gives what follows a call that ends at `end`, without what may stand between two calls.
fn after_call(text: &str, end: usize) -> &str {
    let after = text.get(end..).unwrap_or_default();
    after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '}' | ']'))
}
