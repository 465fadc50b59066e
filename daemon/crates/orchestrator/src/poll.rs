//! Asking several skills at once who wants something, and hearing them out (STOP-1 §4, CONVERSE-1 §4, FALLBACK-1 §6).
//!
//! A round ends when all that were asked have answered, or with its window. Answers of others, second answers and
//! answers of another round count for nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_wire::Message;
use loquat_wire::extent::shed;
use serde_json::Value;
use tokio::time::Instant;

/// Bytes that are kept of an answer.
const LARGEST: usize = 4 * 1024;

/// How long skills have to answer.
pub const WINDOW: Duration = Duration::from_millis(500);

/// A round.
#[derive(Debug)]
pub struct Poll<'a> {
    /// They are asked in this order.
    pub pings: Vec<Message>,
    /// Where answers are heard, in canonical names.
    pub pongs: &'a [&'a str],
    /// Who is asked.
    pub asked: &'a [String],
    /// How long they have.
    pub window: Duration,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Pong {
    /// Whether the skill wants it.
    pub claims: bool,
    /// It answered under this canonical topic.
    pub topic: String,
    /// All that it said.
    pub data: serde_json::Map<String, Value>,
}

impl Poll<'_> {
    /// Asks, and gives the answers by skill.
    pub async fn run(self, bus: &Bus) -> BTreeMap<String, Pong> {
        let mut pongs = BTreeMap::new();
        let Some(cause) = self.pings.first().cloned() else {
            return pongs;
        };
        let mut answers = bus.subscribe(Topics::of(self.pongs));
        for ping in self.pings {
            if let Err(error) = bus.emit(ping).await {
                tracing::warn!(%error, "failed to ask the skills");
                return pongs;
            }
        }
        let deadline = Instant::now() + self.window;
        while pongs.len() < self.asked.len() {
            let Some(received) = answers.recv_by(deadline).await else {
                break;
            };
            if let Some((skill_id, pong)) = read(received, &cause) {
                if self.asked.contains(&skill_id) {
                    pongs.entry(skill_id).or_insert(pong);
                }
            }
        }
        pongs
    }
}

fn read(received: Received, cause: &Message) -> Option<(String, Pong)> {
    let Received {
        mut message,
        canonical,
        ..
    } = received;
    if !same_round(&message, cause) {
        return None;
    }
    let skill_id = message.data.get("skill_id")?.as_str()?.to_owned();
    // The two names that the field has had; CONVERSE-1's catalogue and code disagree.
    let says = |key: &str| message.data.get(key).and_then(Value::as_bool);
    let claims = says("result")
        .or_else(|| says("can_handle"))
        .or_else(|| says("can_answer"))
        .unwrap_or(false);
    shed(&mut message.data, LARGEST);
    let pong = Pong {
        claims,
        topic: canonical,
        data: message.data,
    };
    Some((skill_id, pong))
}

/// Tells whether a frame belongs to the utterance of another: by its id, or by its session where it carries
/// none.
pub fn same_round(message: &Message, cause: &Message) -> bool {
    match message.context.utterance_id() {
        Some(id) => Some(id) == cause.context.utterance_id(),
        None => message.context.session_id() == cause.context.session_id(),
    }
}
