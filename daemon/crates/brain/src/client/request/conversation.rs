//! The messages of a request as servers take them.

use std::borrow::Cow;

use loquat_conversation::brain::{ChatMessage, ChatRequest, NativeCall, Role};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Names;

#[derive(Debug, Serialize)]
pub(super) struct Message<'r> {
    role: Role,
    content: Option<Cow<'r, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Called<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Called<'r> {
    Function { id: &'r str, function: Function<'r> },
}

#[derive(Debug, Serialize)]
struct Function<'r> {
    name: &'r str,
    arguments: &'r str,
}

/// Gives all messages, with one of instructions before them.
pub(super) fn of<'r>(request: &'r ChatRequest, names: &'r Names<'r>) -> Vec<Message<'r>> {
    let instructions = instructions(request);
    let leading = (!instructions.is_empty()).then_some(Message {
        role: Role::System,
        content: Some(instructions),
        tool_calls: Vec::new(),
        tool_call_id: None,
        name: None,
    });
    let others = request
        .messages
        .iter()
        .filter(|message| message.role != Role::System)
        .map(|message| spoken(message, names));
    leading.into_iter().chain(others).collect()
}

/// All instructions as one text. Many chat templates take a single system message at the beginning only, and drop or
/// refuse others. A text that another one already holds is not repeated.
fn instructions(request: &ChatRequest) -> Cow<'_, str> {
    let texts: Vec<&str> = request
        .messages
        .iter()
        .filter(|message| message.role == Role::System)
        .map(|message| message.content.trim())
        .filter(|text| !text.is_empty())
        .collect();
    let is_held_elsewhere = |(place, text): (usize, &str)| {
        texts.iter().enumerate().any(|(other, longer)| {
            other != place && longer.contains(text) && (longer.len() > text.len() || other < place)
        })
    };
    let kept: Vec<&str> = texts
        .iter()
        .enumerate()
        .filter(|(place, text)| !is_held_elsewhere((*place, text)))
        .map(|(_, text)| *text)
        .collect();
    match kept.as_slice() {
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join("\n\n")),
    }
}

fn spoken<'r>(message: &'r ChatMessage, names: &'r Names<'r>) -> Message<'r> {
    let silent = message.content.is_empty() && !message.tool_calls.is_empty();
    Message {
        role: message.role,
        content: (!silent).then_some(Cow::Borrowed(message.content.as_str())),
        tool_calls: message
            .tool_calls
            .iter()
            .map(|call| called(call, names))
            .collect(),
        tool_call_id: message.tool_call_id.as_deref(),
        name: message.name.as_deref().map(|name| names.fit(name)),
    }
}

/// Servers parse the arguments of earlier calls for their chat template and fail on what is no object. What was wrong
/// with them is in the observation, as far as the brain has to know.
fn called<'r>(call: &'r NativeCall, names: &'r Names<'r>) -> Called<'r> {
    let whole = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
    let arguments = if whole { call.arguments.as_str() } else { "{}" };
    Called::Function {
        id: &call.id,
        function: Function {
            name: names.fit(&call.name),
            arguments,
        },
    }
}
