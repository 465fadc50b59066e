//! Asking on a bus that knows no questions: correlation of answers with requests (MSG-1 §5.4).

use std::future::pending;
use std::time::Duration;

use loquat_wire::{Message, topic};
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::bus::Bus;
use crate::outbox::{EmitError, Sending};
use crate::subscription::{Received, Subscription};
use crate::topics::Topics;

/// Unknown context keys come back in answers, so this one says which request is answered.
const CORRELATION: &str = "_loquat_request";

/// How long an answer without the key waits for one with it.
const SETTLE: Duration = Duration::from_millis(300);

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The request could not be sent.
    #[error("failed to send a request")]
    NotSent(#[from] EmitError),
    /// There was no connection to send it on.
    #[error("failed to ask on `{topic}`: there is no connection to the bus")]
    NotConnected {
        /// The topic of the request.
        topic: String,
    },
    /// The connection broke while the request was on its way, and it is not to be made twice.
    #[error("failed to ask on `{topic}`: the bus was lost, and perhaps nobody has heard the request")]
    Unsure {
        /// The topic of the request.
        topic: String,
    },
    /// Nobody answered in time.
    #[error("nobody answered on `{reply_topic}` within {} ms", limit.as_millis())]
    TimedOut {
        /// Where the answer was expected.
        reply_topic: String,
        /// The limit.
        limit: Duration,
    },
    /// The client has ended.
    #[error("failed to wait for an answer on `{reply_topic}`: the bus client has ended")]
    Closed {
        /// Where the answer was expected.
        reply_topic: String,
    },
}

/// A request that is being made.
struct Inquiry {
    key: String,
    session_id: String,
    asked_on: String,
    reply_topic: String,
    answers: Subscription,
}

/// What a message is to an inquiry.
#[derive(Debug, PartialEq, Eq)]
enum Relation {
    /// Its answer.
    Answer,
    /// An answer that may be its own: right topic and session, no key.
    Likely,
    /// The same question from somebody else, so that an answer without a key may be theirs.
    Rival,
    /// Nothing.
    None,
}

pub(crate) async fn request(
    bus: &Bus,
    message: Message,
    reply_topic: Option<&str>,
    limit: Duration,
) -> Result<Message, RequestError> {
    let deadline = Instant::now() + limit;
    let mut inquiry = Inquiry::send(bus, message, reply_topic, deadline, Sending::AtLeastOnce).await?;
    inquiry.answer_by(deadline, limit).await
}

pub(crate) async fn request_once(
    bus: &Bus,
    message: Message,
    reply_topic: Option<&str>,
    limit: Duration,
) -> Result<Message, RequestError> {
    let deadline = Instant::now() + limit;
    let (tell, unsure) = oneshot::channel();
    let sending = Sending::AtMostOnce(tell);
    let mut inquiry = Inquiry::send(bus, message, reply_topic, deadline, sending).await?;
    let topic = inquiry.asked_on.clone();
    let is_unsure = async {
        if unsure.await.is_err() {
            // It was relayed, and its answer comes even if the connection is another by then.
            pending::<()>().await;
        }
    };
    tokio::select! {
        biased;
        answer = inquiry.answer_by(deadline, limit) => answer,
        () = is_unsure => Err(RequestError::Unsure { topic }),
    }
}

pub(crate) async fn collect(
    bus: &Bus,
    message: Message,
    reply_topic: Option<&str>,
    window: Duration,
    enough: impl Fn(&[Message]) -> bool,
) -> Vec<Message> {
    let deadline = Instant::now() + window;
    let mut answers = Vec::new();
    let sending = Sending::AtLeastOnce;
    let Ok(mut inquiry) = Inquiry::send(bus, message, reply_topic, deadline, sending).await else {
        return answers;
    };
    while let Ok(Some(received)) = timeout_at(deadline, inquiry.answers.recv()).await {
        if matches!(inquiry.relation(&received), Relation::Answer | Relation::Likely) {
            answers.push(inquiry.unmark(received.message));
            if enough(&answers) {
                break;
            }
        }
    }
    answers
}

impl Inquiry {
    async fn send(
        bus: &Bus,
        mut message: Message,
        reply_topic: Option<&str>,
        deadline: Instant,
        sending: Sending,
    ) -> Result<Self, RequestError> {
        let asked_on = topic::canonical_of(&message.topic).to_owned();
        let reply_topic = reply_topic.map_or_else(|| topic::response_to(&asked_on), ToOwned::to_owned);
        let mut replies = Topics::of([&reply_topic, &asked_on]).including_own();
        if let Some(legacy) = topic::legacy_of(&asked_on) {
            // Whoever heard the legacy twin may answer with a response to that.
            replies = replies.or([topic::response_to(legacy)]);
        }
        let key = format!("{:016x}", rand::random::<u64>());
        message.context.insert(CORRELATION, key.as_str());
        let inquiry = Self {
            key,
            session_id: message.context.session_id().to_owned(),
            asked_on,
            reply_topic,
            answers: bus.subscribe(replies),
        };
        connected(bus, deadline)
            .await
            .ok_or_else(|| RequestError::NotConnected {
                topic: inquiry.asked_on.clone(),
            })?;
        bus.emit_as(message, sending).await?;
        Ok(inquiry)
    }

    /// The answer, if there is one by then; `limit` is for the error.
    async fn answer_by(&mut self, deadline: Instant, limit: Duration) -> Result<Message, RequestError> {
        let answer = timeout_at(deadline, self.answer()).await;
        let reply_topic = self.reply_topic.clone();
        match answer {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(RequestError::Closed { reply_topic }),
            Err(_) => Err(RequestError::TimedOut { reply_topic, limit }),
        }
    }

    /// The answer; `None` when the client has ended.
    async fn answer(&mut self) -> Option<Message> {
        let mut likely: Option<(Message, Instant)> = None;
        let mut rival = false;
        loop {
            let settled = likely.as_ref().filter(|_| !rival).map(|(_, at)| *at + SETTLE);
            let received = tokio::select! {
                biased;
                received = self.answers.recv() => received?,
                () = until(settled) => return likely.map(|(message, _)| self.unmark(message)),
            };
            match self.relation(&received) {
                Relation::Answer => return Some(self.unmark(received.message)),
                Relation::Likely if likely.is_none() => likely = Some((received.message, Instant::now())),
                Relation::Rival => rival = true,
                Relation::Likely | Relation::None => {}
            }
        }
    }

    fn relation(&self, received: &Received) -> Relation {
        let context = &received.message.context;
        let key = context.text(CORRELATION);
        if received.canonical == self.asked_on && (received.own || self.asked_on != self.reply_topic) {
            let ours = key == Some(&self.key) || context.session_id() != self.session_id;
            return if ours { Relation::None } else { Relation::Rival };
        }
        match key {
            Some(key) if key == self.key => Relation::Answer,
            None if context.session_id() == self.session_id && !received.own => Relation::Likely,
            _ => Relation::None,
        }
    }

    /// The answer without our key, which is nobody else's business.
    fn unmark(&self, mut answer: Message) -> Message {
        if answer.context.text(CORRELATION) == Some(&self.key) {
            answer.context.remove(CORRELATION);
        }
        answer
    }
}

/// Waits for a connection; `None` when there is none by the deadline.
async fn connected(bus: &Bus, deadline: Instant) -> Option<()> {
    let mut state = bus.state();
    let connected =
        state.wait_for(|state| state.is_connected() || matches!(state, crate::ConnectionState::Stopped));
    let connected = timeout_at(deadline, connected).await.ok()?.ok()?.is_connected();
    connected.then_some(())
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}
