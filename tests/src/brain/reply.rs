//! One scripted reply and the way it is put on the wire.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

/// How the bytes of a reply travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Delivery {
    /// All at once.
    #[default]
    Whole,
    /// In pieces of a few characters where the request asks for a stream.
    Pieces,
    /// One byte after another, with this pause between them.
    Dripping(Duration),
    /// The first half, then the connection breaks.
    CutInHalf,
    /// The first half, then nothing more, for ever.
    StallsHalfway,
    /// Not even a status line, for ever.
    Never,
    /// So many mebibytes of streamed text, and the reply after them.
    Flood(usize),
}

/// Holds replies back until a test opens it.
#[derive(Debug, Clone)]
pub struct Gate(watch::Sender<bool>);

impl Default for Gate {
    fn default() -> Self {
        Self(watch::channel(false).0)
    }
}

impl Gate {
    /// Lets everything through from now on.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Waits until it is open.
    pub(super) async fn opened(&self) {
        let mut state = self.0.subscribe();
        state
            .wait_for(|open| *open)
            .await
            .expect("the gate holds its own sender");
    }
}

/// What the scripted brain answers to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The text; JSON `null` when absent.
    pub content: Option<String>,
    /// What the server marks as reasoning.
    pub reasoning_content: Option<String>,
    /// Native calls: id, name and the arguments as raw text.
    pub tool_calls: Vec<(String, String, String)>,
    /// Overrides `stop`, or `tool_calls` when there are calls.
    pub finish_reason: Option<String>,
    /// HTTP status.
    pub status: u16,
    /// Sent as the body exactly as it is.
    pub raw_body: Option<String>,
    /// More headers, for example `Retry-After`.
    pub headers: Vec<(String, String)>,
    /// Waits this long before the first byte.
    pub delay: Duration,
    /// Waits until this is open before the first byte.
    pub gate: Option<Gate>,
    /// The pacing.
    pub delivery: Delivery,
    /// Stops behind this text of a streamed reply in pieces, and goes on when that is open.
    pub halts: Option<(String, Gate)>,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            content: None,
            reasoning_content: None,
            tool_calls: Vec::new(),
            finish_reason: None,
            status: 200,
            raw_body: None,
            headers: Vec::new(),
            delay: Duration::ZERO,
            gate: None,
            delivery: Delivery::Whole,
            halts: None,
        }
    }
}

impl Reply {
    /// Replies with a plain text.
    pub fn says(content: impl Into<String>) -> Self {
        Self {
            content: Some(content.into()),
            ..Self::default()
        }
    }

    /// Ends a turn in the text protocol of `ReAct`.
    pub fn answers(answer: &str) -> Self {
        Self::says(format!("Thought: I know enough.\nFINAL_ANSWER: {answer}"))
    }

    /// Calls a tool in the text protocol of `ReAct`.
    pub fn acts(tool: &str, arguments: &Value) -> Self {
        Self::says(format!(
            "Thought: I need a tool.\nAction: {tool}\nAction Input: {arguments}"
        ))
    }

    /// Calls a tool natively.
    pub fn calls(tool: &str, arguments: &Value) -> Self {
        Self {
            tool_calls: vec![("call_1".into(), tool.into(), arguments.to_string())],
            ..Self::default()
        }
    }

    /// Fails as a server does, with an error in its usual shape.
    pub fn fails(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// Answers with a body that is no chat completion.
    pub fn garbage(body: &str) -> Self {
        Self {
            raw_body: Some(body.into()),
            ..Self::default()
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Waits for `delay` before the first byte.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Waits until the gate is open.
    #[must_use]
    pub fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Is streamed up to this text and a little more, and goes on when the gate is open.
    #[must_use]
    pub fn halting(mut self, behind: &str, gate: &Gate) -> Self {
        self.halts = Some((behind.into(), gate.clone()));
        self.delivered(Delivery::Pieces)
    }

    /// Sets another pacing.
    #[must_use]
    pub fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// Reads a reply of a conformance scenario.
    pub fn from_scenario(value: &Value) -> Self {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Self {
            content: text("content"),
            reasoning_content: text("reasoning_content"),
            tool_calls: scenario_calls(value),
            finish_reason: text("finish_reason"),
            status: value["http_status"].as_u64().map_or(200, |status| status as u16),
            raw_body: text("raw_body"),
            ..Self::default()
        }
    }

    /// Says why it ends, in the server's words.
    pub(super) fn finish(&self) -> &str {
        let usual = if self.tool_calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        self.finish_reason.as_deref().unwrap_or(usual)
    }

    /// Writes the calls in the form of the protocol.
    pub(super) fn calls_json(&self) -> Vec<Value> {
        self.tool_calls
            .iter()
            .map(|(id, name, arguments)| {
                json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
            })
            .collect()
    }
}

fn scenario_calls(value: &Value) -> Vec<(String, String, String)> {
    let calls = value["tool_calls"].as_array().cloned().unwrap_or_default();
    calls
        .iter()
        .enumerate()
        .map(|(position, call)| {
            let arguments = &call["arguments"];
            (
                call["id"]
                    .as_str()
                    .map_or_else(|| format!("call_{position}"), str::to_owned),
                call["name"].as_str().unwrap_or_default().to_owned(),
                arguments
                    .as_str()
                    .map_or_else(|| arguments.to_string(), str::to_owned),
            )
        })
        .collect()
}
