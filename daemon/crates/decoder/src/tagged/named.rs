//! Calls that are a tool's name with its arguments behind it, however servers dress the name.

use std::borrow::Cow;

use serde_json::Value;

use super::super::call::{Arguments, Call, Ending, Names, is_identifier};
use super::super::fence;

/// These stand between the name of a tool and its arguments.
const SEPARATORS: &[&str] = &[
    "<｜tool▁sep｜>",
    "<|tool_call_argument_begin|>",
    "<|message|>",
    "[ARGS]",
];

/// `FunctionGemma` and Gemma 4 write these around their texts, which hold anything and escape nothing.
pub(super) const QUOTES: [&str; 2] = ["<escape>", "<|\"|>"];

/// Reads `add{"a": 2}`, `add[ARGS]{"a": 2}`, `function<｜tool▁sep｜>add\n{…}`,
/// `functions.add:0<|tool_call_argument_begin|>{…}` and `call:add{a:2}`.
pub(super) fn named_then_json(body: &str, names: &Names) -> Option<Vec<Call>> {
    let body = with_quotes(body);
    let body = body.as_ref();
    let parts = SEPARATORS.iter().find_map(|separator| body.split_once(separator));
    let (name, arguments) = match parts {
        Some((name, arguments)) if fence::unwrap(arguments).starts_with('{') => (name, arguments),
        // What kind of call it is may stand before the name.
        parts => {
            let named = parts.map_or(body, |(_, named)| named);
            named.split_at(named.find(['{', '`', '\n'])?)
        }
    };
    let tool = bare_name(name, names)
        .filter(|name| is_identifier(name))?
        .to_owned();
    let arguments = fence::unwrap(arguments);
    arguments.starts_with('{').then(|| {
        let arguments = Arguments::from_text(arguments, Ending::Lax);
        vec![Call {
            id: None,
            tool,
            arguments,
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

/// Puts the quotes of JSON in the place of Gemma's. A text that is not closed stays open.
fn with_quotes(body: &str) -> Cow<'_, str> {
    let Some(quote) = QUOTES.iter().find(|quote| body.contains(**quote)) else {
        return Cow::Borrowed(body);
    };
    let mut quoted = String::with_capacity(body.len());
    let mut parts = body.split(quote);
    quoted.extend(parts.next());
    while let Some(text) = parts.next() {
        let json = Value::String(text.to_owned()).to_string();
        match parts.next() {
            Some(behind) => quoted.extend([&json, behind]),
            None => quoted.extend(json.strip_suffix('"')),
        }
    }
    Cow::Owned(quoted)
}
