//! One question to the hive that this device has joined, for a person at a terminal.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_hive::{HiveMessage, Kind, Link};
use loquat_wire::{object, topic};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::hub::{Hub, HubError};
use super::line::Line;

/// No turn may take this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// Sentences of one answer that are kept.
const SENTENCES: usize = 1000;

/// Says why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The hive is not joined.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The hive does not let this device ask.
    #[error("failed to ask the hive: it does not allow this device {what} ({why})")]
    Denied {
        /// Names what the hive does not allow.
        what: String,
        /// The hive says this.
        why: String,
    },
    /// The connection ended before an answer came.
    #[error("failed to ask the hive: {0}")]
    Ended(String),
    /// It takes too long.
    #[error("failed to ask the hive: it did not answer within {} s", PATIENCE.as_secs())]
    TooLate,
}

/// Asks the hive and gives what it says, sentence by sentence.
pub async fn ask(hub: &Hub, question: &str, lang: &str) -> Result<Vec<String>, AskError> {
    let mut link = hub.join().await?;
    let session = uuid::Uuid::new_v4().to_string();
    let asked = async {
        tell(&mut link, &HiveMessage::hello(&session, &hub.site)).await?;
        tell(&mut link, &utterance(question, lang, &session)).await?;
        answer(&mut link).await
    };
    let answer = timeout(PATIENCE, asked).await.unwrap_or(Err(AskError::TooLate));
    link.close(1000, "").await;
    answer
}

fn utterance(question: &str, lang: &str, session: &str) -> HiveMessage {
    let payload = json!({
        "type": "recognizer_loop:utterance",
        "data": {"utterances": [question], "lang": lang},
        "context": {"source": "Loquat", "destination": "HiveMind", "session": {"session_id": session, "lang": lang}},
    });
    HiveMessage::new(Kind::Bus, object(payload))
}

async fn tell(link: &mut Link<Line>, message: &HiveMessage) -> Result<(), AskError> {
    let told = link.send(message).await;
    told.map_err(|error| AskError::Ended(with_causes(&error)))
}

async fn answer(link: &mut Link<Line>) -> Result<Vec<String>, AskError> {
    let mut said = Vec::new();
    loop {
        let message = match link.receive().await {
            Ok(Some(message)) => message,
            Ok(None) => return Err(AskError::Ended("it has ended the connection".to_owned())),
            Err(error) => return Err(AskError::Ended(with_causes(&error))),
        };
        let Some(payload) = message.object().filter(|_| message.kind == Kind::Bus) else {
            continue;
        };
        let named = payload.get("type").and_then(Value::as_str).unwrap_or_default();
        match topic::canonical_of(named) {
            topic::SPEAK if said.len() < SENTENCES => said.push(text(payload, "utterance")),
            topic::UTTERANCE_HANDLED => return Ok(said),
            "hive.policy.denied" => {
                return Err(AskError::Denied {
                    what: text(payload, "denied_type"),
                    why: text(payload, "reason"),
                });
            }
            _ => {}
        }
    }
}

fn text(payload: &Map<String, Value>, key: &str) -> String {
    let data = payload.get("data").and_then(|data| data.get(key));
    data.and_then(Value::as_str).unwrap_or_default().to_owned()
}
