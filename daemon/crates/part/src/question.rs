//! A question put on the bus as any client would, and its answer.

use std::time::Duration;

use clap::Args;
use loquat_agent::record::Reason;
use loquat_bus::{Bus, EmitError, Subscription, Topics};
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::search::UNKNOWN;
use loquat_wire::{Message, Session, topic, with};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error as NoReason;
use serde_json::{Map, Value, json};

use super::owners_word::{OwnersWord, QUESTION};

/// Longer than any turn may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// What is said, how it came out, and the end.
const HEARD: [&str; 6] = [
    topic::SPEAK,
    topic::HANDLER_COMPLETE,
    topic::HANDLER_ERROR,
    topic::SKILL_HANDLER_ERROR,
    topic::INTENT_UNMATCHED,
    topic::UTTERANCE_HANDLED,
];

/// Whom to ask, and in which conversation.
#[derive(Debug, Clone, Default, Args)]
pub struct Addressee {
    /// The persona that answers this question alone; the default persona if absent.
    #[arg(long)]
    pub persona: Option<String>,
    /// The conversation; "default" is the device's own.
    #[arg(long, default_value = "default")]
    pub session: String,
    /// Language of the question, as in de-DE.
    #[arg(long)]
    pub lang: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The bus does not take the question.
    #[error(transparent)]
    Bus(#[from] EmitError),
    /// The end of it was waited for.
    #[error("nobody ended the question within {} s; is the daemon stuck?", PATIENCE.as_secs())]
    Endless,
    /// There is no bus, and none could be brought.
    #[error("failed to bring a bus of our own on 127.0.0.1")]
    NoBus,
    /// The bus ended first.
    #[error("the bus went away before the answer came")]
    Alone,
}

/// How a question came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A persona or a skill answered.
    #[default]
    Answered,
    /// No persona and no skill did, or the model failed. What was said says so.
    Unknown,
    /// It took longer than it may.
    Late,
    /// A person or a rule did not allow it.
    Refused,
}

/// What was said, and how the question came out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// All that was said, one sentence behind the other in lines.
    pub text: String,
    /// How it came out.
    pub outcome: Outcome,
}

/// A question on its way.
#[derive(Debug)]
pub struct Question {
    frames: Subscription,
    id: String,
}

impl Question {
    /// Puts it on the bus, as a client of this name; with the word of the owner for it, where that can be given.
    pub async fn put_by_owner(
        bus: &Bus,
        source: &str,
        word: &OwnersWord,
        text: &str,
        to: &Addressee,
        lang: &str,
    ) -> Result<Self, Unanswered> {
        let (question, frame) = Self::new(bus, source, text, to, lang);
        // Who may not write there asks as any program does.
        if let Err(error) = word.give(&question.id).await {
            tracing::debug!(%error, "the question is not asked as the owner's");
        }
        bus.emit(frame).await?;
        Ok(question)
    }

    /// Puts it on the bus, as a client of this name.
    pub async fn put(
        bus: &Bus,
        source: &str,
        text: &str,
        to: &Addressee,
        lang: &str,
    ) -> Result<Self, Unanswered> {
        let (question, frame) = Self::new(bus, source, text, to, lang);
        bus.emit(frame).await?;
        Ok(question)
    }

    fn new(bus: &Bus, source: &str, text: &str, to: &Addressee, lang: &str) -> (Self, Message) {
        let frames = bus.subscribe(Topics::of(HEARD).including_own());
        let id = uuid::Uuid::new_v4().to_string();
        let mut data = json!({"utterances": [text]});
        // The language in which a question is typed is known only where it is named (PIPELINE-1 §9.1).
        if let Some(lang) = &to.lang {
            data = with(data, "lang", lang.as_str());
        }
        let mut frame = Message::new(topic::UTTERANCE_HANDLE, data);
        let mut session = Session::named(&to.session);
        session.insert("lang", json!(to.lang.as_deref().unwrap_or(lang)));
        if let Some(persona) = &to.persona {
            session.set_persona_id(Some(persona));
        }
        frame.context.set_session(&session);
        frame.context.set_source(source);
        frame.context.set_destination("skills");
        frame.context.insert(QUESTION, json!(id));
        (Self { frames, id }, frame)
    }

    /// Gives its id, and waits for no answer.
    pub fn into_id(self) -> String {
        self.id
    }

    /// Waits for everything that is said until the end marker.
    pub async fn answer(self) -> Result<Answer, Unanswered> {
        match tokio::time::timeout(PATIENCE, self.hear()).await {
            Ok(answer) => answer,
            Err(_) => Err(Unanswered::Endless),
        }
    }

    async fn hear(mut self) -> Result<Answer, Unanswered> {
        let mut said: Vec<String> = Vec::new();
        let mut outcome = Outcome::default();
        while let Some(frame) = self.frames.recv().await {
            if frame.message.context.text(QUESTION) != Some(&self.id) {
                continue;
            }
            if frame.canonical == topic::UTTERANCE_HANDLED {
                let text = said.join("\n");
                return Ok(Answer { text, outcome });
            }
            let data = &frame.message.data;
            if frame.canonical == topic::SPEAK {
                // What failed before has been answered by another one.
                outcome = Outcome::Answered;
                said.extend(text(data, "utterance").map(str::to_owned));
            } else if let Some(failure) = failed(&frame.canonical, data) {
                outcome = failure;
            }
        }
        Err(Unanswered::Alone)
    }
}

/// How a question came out, where such a frame says that it failed.
fn failed(topic: &str, data: &Map<String, Value>) -> Option<Outcome> {
    match topic {
        topic::HANDLER_COMPLETE => is_unknown(data).then_some(Outcome::Unknown),
        topic::INTENT_UNMATCHED => Some(Outcome::Unknown),
        _ => Some(outcome_of(text(data, "exception").unwrap_or_default())),
    }
}

/// Tells whether a handler of ours has only said that there is no answer.
fn is_unknown(data: &Map<String, Value>) -> bool {
    text(data, "skill_id") == Some(SKILL_ID) && text(data, "intent_name") == Some(UNKNOWN)
}

fn text<'a>(data: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    data.get(key).and_then(Value::as_str)
}

/// Reads why a turn failed: the reason is the last word.
fn outcome_of(exception: &str) -> Outcome {
    let last = exception.rsplit(' ').next().unwrap_or_default();
    let reason: Result<Reason, NoReason> = Reason::deserialize(last.into_deserializer());
    match reason {
        Ok(Reason::Deadline) => Outcome::Late,
        Ok(Reason::ConfirmationDenied | Reason::DangerousTool | Reason::EmergencyStop) => Outcome::Refused,
        _ => Outcome::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_failed_is_read_from_the_frames_of_its_handler() {
        for (topic, key, value, outcome) in [
            (topic::HANDLER_COMPLETE, "intent_name", "ask", None),
            (
                topic::HANDLER_COMPLETE,
                "intent_name",
                "unknown",
                Some(Outcome::Unknown),
            ),
            (topic::INTENT_UNMATCHED, "lang", "en-US", Some(Outcome::Unknown)),
            (
                topic::HANDLER_ERROR,
                "exception",
                "turn ended: deadline",
                Some(Outcome::Late),
            ),
            (
                topic::HANDLER_ERROR,
                "exception",
                "turn ended: llm_error",
                Some(Outcome::Unknown),
            ),
            (
                topic::SKILL_HANDLER_ERROR,
                "exception",
                "turn ended: emergency_stop",
                Some(Outcome::Refused),
            ),
            (topic::HANDLER_ERROR, "exception", "", Some(Outcome::Unknown)),
        ] {
            let ours = ("skill_id".to_owned(), json!(SKILL_ID));
            let data = Map::from_iter([ours, (key.to_owned(), json!(value))]);
            assert_eq!(failed(topic, &data), outcome, "{topic}: {value}");
        }
    }
}
