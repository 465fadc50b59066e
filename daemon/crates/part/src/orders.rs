//! What a program of the desktop or a person on the page wants of the device, put on the OVOS bus as any client of it would.
//! Decides nothing about who may.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::printable::printable;
use loquat_bus::Bus;
use loquat_orchestrator::frames;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::question::{Addressee, Question, Unanswered};
use super::reload::{Reload, ReloadError};

/// Of what is asked or to be said, in bytes. The desk takes no longer utterance.
const LONGEST: usize = 8 << 10;

/// Questions that are answered at once; one more is refused.
const QUESTIONS: usize = 4;

/// A listener that is there says at once whether it hears.
const LISTENER_PATIENCE: Duration = Duration::from_secs(1);

/// Why an order is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// There are no words.
    #[error("the text is empty")]
    Empty,
    /// There are too many.
    #[error("the text has {0} bytes; at most {LONGEST} are taken")]
    TooLong(usize),
    /// Others are asking.
    #[error("{QUESTIONS} questions are being answered; try again later")]
    Busy,
    /// No listener is there.
    #[error("no program listens on this device; loquat check says what the microphone lacks")]
    NoListener,
    /// The listener hears nothing now.
    #[error("the microphone is muted, or the device is speaking")]
    Muted,
    /// The bus does not take it.
    #[error("failed to reach the OVOS bus: {0}")]
    Bus(String),
    /// It was not answered.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// Settings or personas are wrong.
    #[error(transparent)]
    Reload(#[from] ReloadError),
}

/// Gives orders. Clones share the count of questions.
#[derive(Debug, Clone)]
pub struct Orders {
    /// What frames say that they come from.
    source: &'static str,
    bus: Bus,
    /// By which questions go out.
    asks_by: Bus,
    reloading: Arc<dyn Reload>,
    lang: String,
    questions: Arc<Semaphore>,
}

impl Orders {
    /// Gives orders as a client of this name, in the language of the device.
    pub fn new(source: &'static str, bus: Bus, reloading: Arc<dyn Reload>, lang: &str) -> Self {
        Self {
            source,
            asks_by: bus.clone(),
            bus,
            reloading,
            lang: lang.to_owned(),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
        }
    }

    /// Puts questions by the daemon's own client: by its source the desk knows that its owner has typed them.
    #[must_use]
    pub fn of_the_owner(self, own: Bus) -> Self {
        Self { asks_by: own, ..self }
    }

    /// Asks a question in the device's own session and waits for the answer.
    pub async fn ask(&self, question: &str) -> Result<String, OrderError> {
        let question = bounded(question)?;
        let _place = self.questions.try_acquire().map_err(|_| OrderError::Busy)?;
        let asked = self.put(question).await?;
        Ok(asked.answer().await?.text)
    }

    /// Puts a question in the device's own session, and waits for no answer. Gives its id, which comes back on everything that
    /// it causes.
    pub async fn tell(&self, question: &str) -> Result<String, OrderError> {
        let asked = self.put(bounded(question)?).await?;
        Ok(asked.into_id())
    }

    async fn put(&self, question: &str) -> Result<Question, OrderError> {
        let to = Addressee {
            persona: None,
            session: DEFAULT_SESSION_ID.to_owned(),
            lang: None,
        };
        let asked = Question::put(&self.asks_by, self.source, question, &to, &self.lang).await;
        Ok(asked?)
    }

    /// Ends what the device does and says.
    pub async fn stop(&self) -> Result<(), OrderError> {
        self.emit(self.in_own_session(topic::STOP, json!({}))).await
    }

    /// Opens the microphone of whichever program listens on this device.
    pub async fn listen(&self) -> Result<(), OrderError> {
        let question = self.in_own_session(topic::MIC_GET_STATUS, json!({}));
        let heard = self.bus.request(question, None, LISTENER_PATIENCE).await;
        let heard = heard.map_err(|_| OrderError::NoListener)?;
        if heard.data.get("muted") == Some(&Value::Bool(true)) {
            return Err(OrderError::Muted);
        }
        self.emit(self.in_own_session(topic::MIC_LISTEN, json!({}))).await
    }

    /// Has these words spoken.
    pub async fn say(&self, words: &str) -> Result<(), OrderError> {
        let cause = Message::new(topic::SPEAK, json!({}));
        let mut frame = frames::speak(&cause, &printable(bounded(words)?), &self.lang);
        frame.context.set_source(self.source);
        self.emit(frame).await
    }

    /// Reads settings and personas again, and tells what came of it.
    pub async fn reload(&self) -> Result<String, OrderError> {
        Ok(self.reloading.reload().await?)
    }

    async fn emit(&self, frame: Message) -> Result<(), OrderError> {
        let emitted = self.bus.emit(frame).await;
        emitted.map_err(|error| OrderError::Bus(error.to_string()))
    }

    fn in_own_session(&self, topic: &str, data: Value) -> Message {
        let mut frame = Message::new(topic, data);
        frame.context.set_source(self.source);
        frame.context.set_session(&Session::named(DEFAULT_SESSION_ID));
        frame
    }
}

/// Words, if there are any and not too many.
fn bounded(text: &str) -> Result<&str, OrderError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(OrderError::Empty);
    }
    if text.len() > LONGEST {
        return Err(OrderError::TooLong(text.len()));
    }
    Ok(text)
}
