//! Words that the tests share: replies to write, brains to ask, and an ear for what is streamed.

use std::time::Duration;

use loquat_brain::{OpenAiBrain, OpenAiSettings, Timeouts};
use loquat_conversation::brain::{Brain, BrainError, ChatMessage, ChatReply, ChatRequest, Delta, DeltaSink};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::server::{Act, Server};

/// No limit that the tests set comes near this.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<Act> {
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
    vec![Act::Send(text.into_bytes())]
}

pub(crate) fn failure(status: &str) -> Vec<Act> {
    answer(status, "", r#"{"error": {"message": "broken"}}"#)
}

pub(crate) fn plain(content: &str) -> Vec<Act> {
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    });
    answer("200 OK", "content-type: application/json\r\n", &body.to_string())
}

pub(crate) fn stream_head() -> Act {
    Act::Send(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec(),
    )
}

pub(crate) fn chunk(bytes: &[u8]) -> Act {
    let head = format!("{:x}\r\n", bytes.len());
    Act::Send([head.as_bytes(), bytes, b"\r\n"].concat())
}

pub(crate) fn event(value: &Value) -> Act {
    chunk(format!("data: {value}\n\n").as_bytes())
}

pub(crate) fn text(content: &str) -> Act {
    event(&json!({"choices": [{"delta": {"content": content}}]}))
}

pub(crate) fn stop() -> Act {
    event(&json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}))
}

pub(crate) fn end() -> Vec<Act> {
    vec![chunk(b"data: [DONE]\n\n"), Act::Send(b"0\r\n\r\n".to_vec())]
}

pub(crate) fn streamed(pieces: &[&str]) -> Vec<Act> {
    let mut acts = vec![stream_head()];
    acts.extend(pieces.iter().map(|piece| text(piece)));
    acts.push(stop());
    acts.push(event(
        &json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
    ));
    acts.extend(end());
    acts
}

/// Waits that no good reply comes near, also on a busy machine.
pub(crate) fn settings(url: String) -> OpenAiSettings {
    OpenAiSettings {
        timeouts: Timeouts {
            connect: Duration::from_secs(1),
            first_token: Duration::from_secs(8),
            next_token: Duration::from_secs(8),
            whole: DEADLINE,
        },
        ..OpenAiSettings::new(url, "test-model")
    }
}

/// Short waits, so that a test of a wait is short.
pub(crate) fn hasty(server: &Server) -> OpenAiBrain {
    let mut settings = settings(server.url());
    settings.timeouts.first_token = Duration::from_millis(800);
    settings.timeouts.next_token = Duration::from_millis(300);
    OpenAiBrain::new(settings).unwrap()
}

pub(crate) fn brain(server: &Server) -> OpenAiBrain {
    OpenAiBrain::new(settings(server.url())).unwrap()
}

pub(crate) fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::user("capital of France?").into()],
        ..ChatRequest::default()
    }
}

pub(crate) async fn ask(brain: &dyn Brain) -> Result<ChatReply, BrainError> {
    ask_aloud(brain, &()).await
}

/// Asks within the deadline, so that what hangs fails.
pub(crate) async fn ask_aloud(brain: &dyn Brain, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
    let request = question();
    tokio::time::timeout(DEADLINE, brain.chat(&request, sink))
        .await
        .expect("the brain neither replied nor failed")
}

/// Keeps what is streamed, with `|` for each restart.
#[derive(Debug)]
pub(crate) struct Heard(watch::Sender<String>);

impl Heard {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(String::new()))
    }

    pub(crate) fn so_far(&self) -> String {
        self.0.borrow().clone()
    }

    pub(crate) async fn until(&self, text: &str) {
        let mut heard = self.0.subscribe();
        let waited = tokio::time::timeout(DEADLINE, heard.wait_for(|heard| heard.contains(text))).await;
        assert!(waited.is_ok(), "only {:?} was heard", self.so_far());
    }
}

impl DeltaSink for Heard {
    fn delta(&self, delta: Delta) {
        self.0.send_modify(|heard| match delta {
            Delta::Content(text) | Delta::Reasoning(text) => heard.push_str(&text),
            Delta::Restart => heard.push('|'),
        });
    }
}
