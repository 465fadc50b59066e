//! Replies in the OpenAI shape: whole, and in chunks. Never decides what is in them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::model::{Finish, Usage};

const CHUNK: &str = "chat.completion.chunk";

static REPLIES: AtomicU64 = AtomicU64::new(1);

/// The fields that all parts of one reply share.
#[derive(Debug)]
pub(super) struct Completion {
    id: String,
    created: u64,
    model: String,
}

impl Completion {
    /// Begins a reply of this model.
    pub(super) fn new(model: &str) -> Self {
        let number = REPLIES.fetch_add(1, Ordering::Relaxed);
        Self {
            id: format!("chatcmpl-{}-{number}", std::process::id()),
            created: now(),
            model: model.to_owned(),
        }
    }

    pub(super) fn whole(&self, content: &str, finish: Finish, usage: Usage) -> Value {
        json!({
            "id": self.id,
            "object": "chat.completion",
            "created": self.created,
            "model": self.model,
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": finish_reason(finish),
            }],
            "usage": usage_json(usage),
        })
    }

    /// The first chunk says who speaks.
    pub(super) fn first_chunk(&self) -> Value {
        self.chunk(&json!({"role": "assistant", "content": ""}), None)
    }

    pub(super) fn text_chunk(&self, text: &str) -> Value {
        self.chunk(&json!({"content": text}), None)
    }

    /// The chunk that says why the reply ended.
    pub(super) fn finish_chunk(&self, finish: Finish) -> Value {
        self.chunk(&json!({}), Some(finish_reason(finish)))
    }

    /// The last chunk, without a choice: what the reply cost.
    pub(super) fn usage_chunk(&self, usage: Usage) -> Value {
        json!({
            "id": self.id,
            "object": CHUNK,
            "created": self.created,
            "model": self.model,
            "choices": [],
            "usage": usage_json(usage),
        })
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id,
            "object": CHUNK,
            "created": self.created,
            "model": self.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
    }
}

pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs())
}

fn finish_reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
    }
}

fn usage_json(usage: Usage) -> Value {
    let written = usage.written;
    json!({
        "prompt_tokens": usage.prompt,
        "completion_tokens": written.all,
        "total_tokens": usage.prompt + written.all,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {
            "guessed_tokens": written.guessed,
            "accepted_tokens": written.accepted,
            "forced_tokens": written.forced,
        },
    })
}
