//! One request as the scripted brain got it, and what a strict server would say to it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

/// Who may say a message.
const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// A request of a chat completion.
#[derive(Debug, Clone)]
pub struct Request {
    raw: Bytes,
    body: OnceLock<Value>,
    /// The header `Authorization`.
    pub authorization: Option<String>,
    /// When it had come in.
    pub seen: Instant,
}

/// What a reply depends on. The server shares its processor with the measured program, so it reads no more than this.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Outline<'r> {
    #[serde(borrow)]
    pub(super) model: Cow<'r, str>,
    pub(super) stream: bool,
    #[serde(borrow)]
    messages: Vec<Speaker<'r>>,
}

#[derive(Debug, Deserialize)]
struct Speaker<'r> {
    #[serde(borrow, default)]
    role: Cow<'r, str>,
}

impl Outline<'_> {
    /// Counts how often the brain has spoken in the conversation.
    pub(super) fn spoken(&self) -> usize {
        let own = self.messages.iter().filter(|message| message.role == "assistant");
        own.count()
    }
}

impl Request {
    /// Takes a request that has just come in.
    pub(super) fn new(raw: Bytes, authorization: Option<String>) -> Self {
        Self {
            raw,
            body: OnceLock::new(),
            authorization,
            seen: Instant::now(),
        }
    }

    /// Gives the body; it is `null` when it is no JSON.
    pub fn body(&self) -> &Value {
        self.body
            .get_or_init(|| serde_json::from_slice(&self.raw).unwrap_or_default())
    }

    /// Reads what a reply depends on; it is empty when the body is not what it should be.
    pub(super) fn outline(&self) -> Outline<'_> {
        serde_json::from_slice(&self.raw).unwrap_or_default()
    }

    /// Gives the messages, oldest first.
    pub fn messages(&self) -> &[Value] {
        self.body()["messages"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Gives the text of the newest message.
    pub fn newest(&self) -> String {
        self.messages().last().map(content).unwrap_or_default().to_owned()
    }

    /// Gives all that the brain is shown, one message a line.
    pub fn text(&self) -> String {
        self.messages().iter().map(content).collect::<Vec<_>>().join("\n")
    }

    /// Counts the characters of all messages together.
    pub fn chars(&self) -> usize {
        self.messages()
            .iter()
            .map(|message| content(message).chars().count())
            .sum()
    }

    /// Names the native tools that it offers.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.body()["tools"].as_array().cloned().unwrap_or_default();
        tools
            .iter()
            .filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned))
            .collect()
    }

    /// Lists what a strict server would refuse.
    pub fn violations(&self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.body()["model"].is_string() {
            found.push("`model` is no text".into());
        }
        if self.messages().is_empty() {
            found.push("`messages` is empty".into());
        }
        found.extend(self.messages().iter().filter_map(malformed));
        found.extend(self.unanswered_calls());
        found.extend(self.repeated_instructions());
        found.extend(self.malformed_tools());
        found
    }

    /// Each call is answered by exactly one message of role `tool`, before anything else is said.
    fn unanswered_calls(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open: BTreeSet<String> = BTreeSet::new();
        for message in self.messages() {
            if message["role"] == "tool" {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                if !open.remove(id) {
                    found.push(format!("the tool message for `{id}` answers no open call"));
                }
                continue;
            }
            found.extend(
                open.iter()
                    .map(|id| format!("the call `{id}` has no observation")),
            );
            open = call_ids(message);
        }
        found.extend(
            open.iter()
                .map(|id| format!("the call `{id}` has no observation")),
        );
        found
    }

    fn repeated_instructions(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let instructions = self
            .messages()
            .iter()
            .filter(|message| message["role"] == "system");
        instructions
            .filter(|message| !content(message).is_empty() && !seen.insert(content(message).to_owned()))
            .map(|_| "the same instructions are delivered twice".to_owned())
            .collect()
    }

    fn malformed_tools(&self) -> Vec<String> {
        let Some(tools) = self.body().get("tools") else {
            return Vec::new();
        };
        let Some(tools) = tools.as_array().filter(|tools| !tools.is_empty()) else {
            return vec!["`tools` is there but holds nothing".into()];
        };
        let whole = |tool: &&Value| {
            tool["type"] == "function"
                && tool["function"]["name"].is_string()
                && tool["function"]["parameters"].is_object()
        };
        tools
            .iter()
            .filter(|tool| !whole(tool))
            .map(|tool| format!("malformed tool {tool}"))
            .collect()
    }
}

fn content(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

fn call_ids(message: &Value) -> BTreeSet<String> {
    let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
    calls
        .iter()
        .filter_map(|call| call["id"].as_str().map(str::to_owned))
        .collect()
}

fn malformed(message: &Value) -> Option<String> {
    let role = message["role"].as_str().unwrap_or_default();
    if !ROLES.contains(&role) {
        return Some(format!("a message has the role `{role}`"));
    }
    let calls = !call_ids(message).is_empty();
    let said = message["content"].is_string() || (calls && message["content"].is_null());
    (!said).then(|| format!("a message of role `{role}` has no text"))
}
