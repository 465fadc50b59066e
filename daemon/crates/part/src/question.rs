//! A question put on the bus as any client would, and its answer.

use std::time::Duration;

use clap::Args;
use loquat_bus::{Bus, EmitError, Subscription, Topics};
use loquat_wire::{Message, Session, topic, with};
use serde_json::{Value, json};

use super::owners_word::{OwnersWord, QUESTION};

/// Longer than any turn may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Whom to ask, and in which conversation.
#[derive(Debug, Clone, Default, Args)]
pub struct Addressee {
    /// The persona that answers; the default persona if absent.
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
    /// The bus ended first.
    #[error("the bus went away before the answer came")]
    Alone,
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
        let frames = bus.subscribe(Topics::of([topic::SPEAK, topic::UTTERANCE_HANDLED]).including_own());
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
    pub async fn answer(self) -> Result<String, Unanswered> {
        match tokio::time::timeout(PATIENCE, self.hear()).await {
            Ok(answer) => answer,
            Err(_) => Err(Unanswered::Endless),
        }
    }

    async fn hear(mut self) -> Result<String, Unanswered> {
        let mut said: Vec<String> = Vec::new();
        while let Some(frame) = self.frames.recv().await {
            if frame.message.context.text(QUESTION) != Some(&self.id) {
                continue;
            }
            if frame.canonical == topic::UTTERANCE_HANDLED {
                return Ok(said.join("\n"));
            }
            said.extend(
                frame
                    .message
                    .data
                    .get("utterance")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
        }
        Err(Unanswered::Alone)
    }
}
