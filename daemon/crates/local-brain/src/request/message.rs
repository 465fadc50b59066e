//! Messages of the conversation, and how tool calls and their outcomes become text. Never knows the model's template.

use std::fmt;
use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Says who speaks, as chat templates know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// They are instructions.
    System,
    /// They are words of the person, or of tools.
    User,
    Assistant,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) role: Role,
    /// The words that were said, tool calls included.
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct WireMessage {
    role: WireRole,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Option<Vec<WireCall>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WireRole {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Deserialize)]
struct WireCall {
    function: WireFunction,
}

#[derive(Debug, Deserialize)]
struct WireFunction {
    name: String,
    #[serde(default)]
    arguments: String,
}

impl WireMessage {
    pub(super) fn into_message(self, index: usize) -> Result<Message, Refusal> {
        let calls = self.tool_calls.unwrap_or_default();
        if self.content.is_none() && calls.is_empty() {
            let field = format!("messages[{index}].content");
            let message = format!("failed to read the request: `{field}`: it is missing");
            return Err(Refusal::bad_request(Some(field), message));
        }
        let content = self.content.map(|content| content.0).unwrap_or_default();
        let (role, text) = match self.role {
            WireRole::System | WireRole::Developer => (Role::System, content),
            WireRole::User => (Role::User, content),
            WireRole::Assistant => (Role::Assistant, with_calls(content, &calls)),
            // Templates have no common role for tools. This form is that of Hermes, which Qwen and SmolLM were taught.
            WireRole::Tool => (
                Role::User,
                format!("<tool_response>\n{content}\n</tool_response>"),
            ),
        };
        Ok(Message { role, text })
    }
}

fn with_calls(mut content: String, calls: &[WireCall]) -> String {
    for call in calls {
        if !content.is_empty() {
            content.push('\n');
        }
        // Arguments that the model itself got wrong are shown to it as it wrote them.
        let arguments = serde_json::from_str(&call.function.arguments)
            .unwrap_or_else(|_| Value::from(call.function.arguments.as_str()));
        let call = json!({"name": call.function.name, "arguments": arguments});
        write!(content, "<tool_call>\n{call}\n</tool_call>").ok();
    }
    content
}

/// A text, or an array of parts of which all are text.
#[derive(Debug)]
struct Content(String);

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type")]
    _kind: PartKind,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PartKind {
    Text,
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of text parts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Content, E> {
        Ok(Content(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Content, A::Error> {
        let mut text = String::new();
        while let Some(part) = parts.next_element::<Part>()? {
            text.push_str(&part.text);
        }
        Ok(Content(text))
    }
}
