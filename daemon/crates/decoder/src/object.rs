//! What a JSON value out of a reply means: calls, an answer, no tool at all, or nothing we know.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::call::{Arguments, Call, Names, is_identifier, squash};

// The keys are in lower case and without separators: "Action Input", "action_input" and "actionInput" are one.

const THOUGHTS: &[&str] = &[
    "thought",
    "thoughts",
    "reasoning",
    "thinking",
    "analysis",
    "reason",
];
/// The first of them say that it is one; the others may be arguments.
const ANSWERS: &[&str] = &[
    "answer",
    "finalanswer",
    "final",
    "response",
    "reply",
    "speech",
    "content",
    "text",
    "message",
];
const PLAIN_ANSWERS: usize = 3;
const TOOLS: &[&str] = &["name", "tool", "toolname", "function", "action"];
const ARGUMENTS: &[&str] = &[
    "arguments",
    "parameters",
    "args",
    "inputs",
    "input",
    "params",
    "actioninput",
    "toolinput",
];
/// This key beside a call says that its result is the whole answer.
pub const LAST: &str = "last";
/// These keys may stand beside an answer.
const REMARKS: &[&str] = &["type", "role", "status", "confidence", "language", "lang"];
const WRAPPERS: &[&str] = &["call", "toolcall", "functioncall", "tooluse", "action", "tool"];
const LISTS: &[&str] = &["toolcalls", "calls", "functioncalls", "tools", "actions"];

/// Says what a JSON value was meant as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    /// Tool calls, in order.
    Calls(Vec<Call>),
    /// The answer; `dropped` names the calls it beat.
    Answer {
        text: String,
        /// The tools that were named beside it.
        dropped: Vec<String>,
    },
    /// A call form that says that no tool is needed.
    NoTool,
    Unknown,
}

/// Reads what the value says the brain thought.
pub(crate) fn thought(value: &Value) -> String {
    let text = value
        .as_object()
        .and_then(|members| pick(members, THOUGHTS))
        .and_then(Value::as_str);
    text.unwrap_or_default().trim().to_owned()
}

/// Tells whether a call with arguments, or a list of calls, says that its result is the whole answer.
pub(crate) fn is_last(value: &Value) -> bool {
    let members = value.as_object();
    members.is_some_and(|members| {
        let calls = pick(members, ARGUMENTS).or_else(|| pick(members, LISTS));
        calls.is_some() && members.get(LAST) == Some(&Value::Bool(true))
    })
}

/// Reads a value that stands where a step is expected.
pub(crate) fn meaning(value: &Value, names: &Names) -> Meaning {
    match value {
        Value::Array(items) => meaning_of_list(items, names),
        Value::Object(members) => meaning_of_object(members, names),
        _ => Meaning::Unknown,
    }
}

/// Finds the calls that a value is or holds.
pub fn calls_in(value: &Value, names: &Names) -> Vec<Call> {
    match meaning(value, names) {
        Meaning::Calls(calls) => calls,
        _ => Vec::new(),
    }
}

fn meaning_of_list(items: &[Value], names: &Names) -> Meaning {
    let mut calls = Vec::new();
    for item in items {
        match item.as_object().map(|members| calls_of(members, names)) {
            Some(Some(more)) => calls.extend(more),
            _ => return Meaning::Unknown,
        }
    }
    if calls.is_empty() {
        Meaning::Unknown
    } else {
        Meaning::Calls(calls)
    }
}

fn meaning_of_object(members: &Map<String, Value>, names: &Names) -> Meaning {
    let calls = calls_of(members, names);
    let answer = answer_of(members, calls.is_some());
    match (answer, calls) {
        (Some(text), calls) => {
            let dropped = calls.into_iter().flatten().map(|call| call.tool).collect();
            Meaning::Answer { text, dropped }
        }
        (None, Some(calls)) => finishing_call(calls, names),
        (None, None) if says_no_tool(members, names) => Meaning::NoTool,
        (None, None) => Meaning::Unknown,
    }
}

/// Takes `{"action": "Final Answer", "action_input": "Paris"}` for an answer.
fn finishing_call(calls: Vec<Call>, names: &Names) -> Meaning {
    match calls.as_slice() {
        [call] if is_finish(&call.tool, names) => match finish_text(&call.arguments) {
            Some(text) => Meaning::Answer {
                text,
                dropped: Vec::new(),
            },
            None => Meaning::NoTool,
        },
        [call] if is_no_tool(&call.tool, names) => Meaning::NoTool,
        _ => Meaning::Calls(calls),
    }
}

/// Tells whether a "tool" of this name, which is not on offer, means that the brain wants to answer.
pub(crate) fn is_finish(tool: &str, names: &Names) -> bool {
    names.resolve(tool).is_none()
        && matches!(
            squash(tool).as_str(),
            "finalanswer" | "finish" | "respond" | "answer"
        )
}

/// Tells whether a "tool" of this name, which is not on offer, means that none is needed.
pub(crate) fn is_no_tool(tool: &str, names: &Names) -> bool {
    names.resolve(tool).is_none()
        && matches!(
            squash(tool).as_str(),
            "" | "none" | "null" | "na" | "notool" | "nothing" | "noaction"
        )
}

/// Reads what is said with such a tool.
pub(crate) fn finish_text(arguments: &Arguments) -> Option<String> {
    let text = match arguments {
        Arguments::Single(value) => scalar(value)?,
        Arguments::Named(members) => match pick(members, ANSWERS) {
            Some(value) => scalar(value)?,
            None if members.len() == 1 => scalar(members.values().next()?)?,
            None => return None,
        },
        Arguments::Listed { positional, .. } => scalar(positional.first()?)?,
        Arguments::Broken(_) => return None,
    };
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Reads the answer of an object that holds one. Beside a call only the plain keys count, since `text` and
/// `content` may be arguments; and a mere true or false tells an intent, not an answer.
fn answer_of(members: &Map<String, Value>, beside_call: bool) -> Option<String> {
    let keys = if beside_call {
        ANSWERS.get(..PLAIN_ANSWERS).unwrap_or_default()
    } else {
        ANSWERS
    };
    let value = under(members, keys).find(|value| !value.is_null())?;
    let beside = [THOUGHTS, ANSWERS, TOOLS, ARGUMENTS, WRAPPERS, REMARKS];
    let alone = members
        .iter()
        .all(|(key, value)| value.is_null() || beside.iter().any(|list| is_among(key, list)));
    // `"final_answer": "false"` is a stringified intent.
    let intent = value.is_boolean()
        || (beside_call
            && value
                .as_str()
                .is_some_and(|text| matches!(squash(text).as_str(), "true" | "false")));
    if intent || !alone {
        return None;
    }
    scalar(value)
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn says_no_tool(members: &Map<String, Value>, names: &Names) -> bool {
    let names_none = |value: &Value| match value {
        Value::Null => true,
        Value::String(name) => is_no_tool(name, names),
        _ => false,
    };
    under(members, TOOLS)
        .chain(under(members, WRAPPERS))
        .any(names_none)
}

fn calls_of(members: &Map<String, Value>, names: &Names) -> Option<Vec<Call>> {
    if let Some(Value::Array(items)) = pick(members, LISTS) {
        let calls: Option<Vec<Call>> = items
            .iter()
            .map(|item| item.as_object().and_then(|members| call_of(members, names)))
            .collect();
        return calls.filter(|calls| !calls.is_empty());
    }
    if let Some(Value::Object(inner)) = pick(members, WRAPPERS) {
        return call_of(inner, names).map(|call| vec![call]);
    }
    call_of(members, names).map(|call| vec![call])
}

/// Reads the call that an object is: a name beside arguments.
fn call_of(members: &Map<String, Value>, names: &Names) -> Option<Call> {
    if let Some(Value::Object(function)) = members.get("function") {
        return call_of(function, names);
    }
    let named = under(members, TOOLS).find_map(Value::as_str);
    let arguments = pick(members, ARGUMENTS);
    match (named.map(str::trim), arguments) {
        (Some(tool), Some(arguments)) if is_identifier(tool) || is_finish(tool, names) => Some(Call {
            id: None,
            tool: tool.to_owned(),
            arguments: Arguments::from_value(arguments.clone()),
        }),
        (Some(tool), None) if names.resolve(tool).is_some() || is_finish(tool, names) => {
            Some(flat_call(tool, members))
        }
        _ => None,
    }
}

/// Reads `{"tool": "add", "a": 2, "b": 3}`: everything but the name is an argument.
fn flat_call(tool: &str, members: &Map<String, Value>) -> Call {
    let aside = |key: &str| {
        is_among(key, TOOLS) || is_among(key, THOUGHTS) || matches!(key, "type" | "id" | "final_answer")
    };
    let arguments = members
        .iter()
        .filter(|(key, _)| !aside(key))
        .map(|(key, value)| (key.clone(), value.clone()));
    Call::named(tool, arguments.collect())
}

fn pick<'m>(members: &'m Map<String, Value>, keys: &'static [&str]) -> Option<&'m Value> {
    under(members, keys).next()
}

/// Finds the members under these keys, in the order of the keys.
fn under<'m>(members: &'m Map<String, Value>, keys: &'static [&str]) -> impl Iterator<Item = &'m Value> {
    let under_one = |key: &'static str| {
        let named = members.iter().filter(move |(written, _)| is_key(written, key));
        named.map(|(_, value)| value)
    };
    keys.iter().flat_map(move |key| under_one(key))
}

fn is_among(written: &str, keys: &[&str]) -> bool {
    keys.iter().any(|key| is_key(written, key))
}

/// Tells whether a key is this one but for its case and separators.
fn is_key(written: &str, key: &str) -> bool {
    let letters = written.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).eq(key.chars())
}
