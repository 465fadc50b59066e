//! What programs want of the device, put on the OVOS bus as any client of it would. Decides nothing about who may.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::Bus;
use loquat_failure::with_causes;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use zbus::fdo;

use crate::app::Reloading;
use crate::cli::Addressee;
use crate::cli::question::Question;
use crate::desk::spoken;

/// What we are called on the OVOS bus.
const SOURCE: &str = "loquat-desktop";

/// Of what is asked or to be said, in bytes. The desk takes no longer utterance.
const LONGEST: usize = 8 << 10;

/// Questions that are answered at once; one more is refused.
const QUESTIONS: usize = 4;

/// A listener that is there says at once whether it hears.
const LISTENER_PATIENCE: Duration = Duration::from_secs(1);

/// Gives orders. Clones share the count of questions.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    bus: Bus,
    reloading: Reloading,
    lang: String,
    questions: Arc<Semaphore>,
}

impl Orders {
    pub(super) fn new(bus: Bus, reloading: Reloading, lang: &str) -> Self {
        Self {
            bus,
            reloading,
            lang: lang.to_owned(),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
        }
    }

    /// The answer to a question in the device's own session.
    pub(super) async fn ask(&self, question: &str) -> fdo::Result<String> {
        let question = bounded(question)?;
        let _place = self.questions.try_acquire().map_err(|_| {
            fdo::Error::LimitsExceeded(format!(
                "{QUESTIONS} questions are being answered; try again later"
            ))
        })?;
        let to = Addressee {
            persona: None,
            session: DEFAULT_SESSION_ID.to_owned(),
            lang: None,
        };
        let asked = Question::put(&self.bus, SOURCE, question, &to, &self.lang).await;
        let failed = |error: anyhow::Error| fdo::Error::Failed(format!("{error:#}"));
        asked.map_err(failed)?.answer().await.map_err(failed)
    }

    /// Ends what the device does and says.
    pub(super) async fn stop(&self) -> fdo::Result<()> {
        self.emit(in_own_session(topic::STOP, json!({}))).await
    }

    /// Opens the microphone of whichever program listens on this device.
    pub(super) async fn listen(&self) -> fdo::Result<()> {
        let question = in_own_session(topic::MIC_GET_STATUS, json!({}));
        let heard = self.bus.request(question, None, LISTENER_PATIENCE).await;
        let heard = heard.map_err(|_| {
            fdo::Error::Failed(
                "no program listens on this device; loquat check says what the microphone lacks".to_owned(),
            )
        })?;
        if heard.data.get("muted") == Some(&Value::Bool(true)) {
            return Err(fdo::Error::Failed(
                "the microphone is muted, or the device is speaking".to_owned(),
            ));
        }
        self.emit(in_own_session(topic::MIC_LISTEN, json!({}))).await
    }

    /// Has these words spoken.
    pub(super) async fn say(&self, words: &str) -> fdo::Result<()> {
        let mut frame = spoken::remark(bounded(words)?, &self.lang);
        frame.context.set_source(SOURCE);
        self.emit(frame).await
    }

    /// Reads settings and personas again, and tells what came of it.
    pub(super) async fn reload(&self) -> fdo::Result<String> {
        let report = self.reloading.reload().await;
        report.map_err(|error| fdo::Error::Failed(with_causes(&error)))
    }

    async fn emit(&self, frame: Message) -> fdo::Result<()> {
        let emitted = self.bus.emit(frame).await;
        emitted.map_err(|error| fdo::Error::Failed(format!("failed to reach the OVOS bus: {error}")))
    }
}

fn in_own_session(topic: &str, data: Value) -> Message {
    let mut frame = Message::new(topic, data);
    frame.context.set_source(SOURCE);
    frame.context.set_session(&Session::named(DEFAULT_SESSION_ID));
    frame
}

/// Words, if there are any and not too many.
fn bounded(text: &str) -> fdo::Result<&str> {
    let text = text.trim();
    if text.is_empty() {
        return Err(fdo::Error::InvalidArgs("the text is empty".to_owned()));
    }
    if text.len() > LONGEST {
        return Err(fdo::Error::LimitsExceeded(format!(
            "the text has {} bytes; at most {LONGEST} are taken",
            text.len()
        )));
    }
    Ok(text)
}
