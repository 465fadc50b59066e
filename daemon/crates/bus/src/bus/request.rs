//! Asking on a bus that knows no questions: correlation of answers with requests (MSG-1 §5.4).
//!
//! A request carries a key of its own in its context, and its answer has the same key: a peer that derives a reply
//! keeps the keys that it does not know, as all hosts of OVOS do. A peer that drops them is understood by topic and
//! session, but never where the request may have an effect ([`request_once`]). In both cases what an answer says of
//! itself, such as its toolbox, must be what was asked. The bus has no identities: a client that has read the key off
//! the bus can still answer in another's place.

use std::future::pending;
use std::time::Duration;

use loquat_wire::{Message, context, topic};
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use super::Bus;
use crate::MAX_READ_BYTES;
use crate::outbox::{EmitError, Sending};
use crate::received::Received;
use crate::state::ConnectionState;
use crate::subscription::Subscription;
use crate::topics::Topics;

/// Unknown context keys come back in answers, so this one says which request is answered.
const CORRELATION: &str = context::REQUEST;

/// A request and its answer say by these keys what they are about. Where both have one, it has to be the same.
const SUBJECTS: [&str; 4] = ["toolbox_id", "name", "tool", "skill_id"];

const MAX_ANSWERS: usize = 256;

/// This many bytes of answers are collected. A toolbox describes itself in a few KiB.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// An answer without the key waits this long for one with it.
const SETTLE: Duration = Duration::from_millis(300);

/// Says why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The request could not be sent.
    #[error("failed to send a request")]
    NotSent(#[from] EmitError),
    /// There was no connection to send it on.
    #[error("failed to ask on `{topic}`: there is no connection to the bus")]
    NotConnected {
        /// The request has this topic.
        topic: String,
    },
    /// The connection broke while the request was on its way, and it is not to be made twice.
    #[error("failed to ask on `{topic}`: the bus was lost, and perhaps nobody has heard the request")]
    Unsure {
        /// The request has this topic.
        topic: String,
    },
    /// No client answered in time.
    #[error("nobody answered on `{reply_topic}` within {} ms", limit.as_millis())]
    TimedOut {
        /// The topic on which the answer was expected.
        reply_topic: String,
        /// The time for which it was waited.
        limit: Duration,
    },
    /// There is an answer, and it is larger than a client reads.
    #[error(
        "failed to read the answer on `{reply_topic}`: it is larger than the {limit} bytes that are read"
    )]
    TooLarge {
        /// The topic on which the answer came.
        reply_topic: String,
        /// The largest frame that is read, in bytes.
        limit: usize,
    },
    /// The client has ended.
    #[error("failed to wait for an answer on `{reply_topic}`: the bus client has ended")]
    Closed {
        /// The topic on which the answer was expected.
        reply_topic: String,
    },
}

/// A request that is being made.
struct Inquiry {
    key: String,
    session_id: String,
    /// The keys of the request that an answer may repeat.
    subject: Map<String, Value>,
    /// An answer without the key is none.
    demands_key: bool,
    asked_on: String,
    reply_topic: String,
    answers: Subscription,
}

/// Says why there is no answer.
enum NoAnswer {
    /// No answer came by the deadline.
    Late,
    /// The client has ended.
    Ended,
}

/// Says what a message is to an inquiry.
#[derive(Debug, PartialEq, Eq)]
enum Relation {
    Answer,
    /// An answer that may be its own: right topic and session, no key.
    Likely,
    /// Another client asked this question, so that an answer without a key may be for that client.
    Rival,
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
    mut enough: impl FnMut(&Message) -> bool,
) -> Vec<Message> {
    let deadline = Instant::now() + window;
    let mut answers = Vec::new();
    let sending = Sending::AtLeastOnce;
    let Ok(mut inquiry) = Inquiry::send(bus, message, reply_topic, deadline, sending).await else {
        return answers;
    };
    let mut bytes = 0;
    while answers.len() < MAX_ANSWERS && bytes < MAX_ANSWER_BYTES {
        let Some((received, size)) = inquiry.answers.recv_sized_by(deadline).await else {
            break;
        };
        let relation = inquiry.relation(&received);
        if received.cut.is_none() && matches!(relation, Relation::Answer | Relation::Likely) {
            bytes += size;
            let answer = inquiry.unmark(received.message);
            let is_last = enough(&answer);
            answers.push(answer);
            if is_last {
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
            // A client that heard the legacy twin may answer with a response to that.
            replies = replies.or([topic::response_to(legacy)]);
        }
        let key = format!("{:016x}", rand::random::<u64>());
        message.context.insert(CORRELATION, key.as_str());
        let inquiry = Self {
            key,
            session_id: message.context.session_id().to_owned(),
            subject: subject(&message.data),
            demands_key: matches!(sending, Sending::AtMostOnce(_)),
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
        let answer = self.answer(deadline).await;
        let reply_topic = self.reply_topic.clone();
        match answer {
            Ok(answer) if answer.cut.is_none() => Ok(self.unmark(answer.message)),
            Ok(_) => Err(RequestError::TooLarge {
                reply_topic,
                limit: MAX_READ_BYTES,
            }),
            Err(NoAnswer::Ended) => Err(RequestError::Closed { reply_topic }),
            Err(NoAnswer::Late) => Err(RequestError::TimedOut { reply_topic, limit }),
        }
    }

    /// Waits for the answer, whole or cut.
    async fn answer(&mut self, deadline: Instant) -> Result<Received, NoAnswer> {
        let mut likely: Option<(Received, Instant)> = None;
        let mut rival = false;
        loop {
            let settled = likely.as_ref().filter(|_| !rival).map(|(_, at)| *at + SETTLE);
            let until = settled.map_or(deadline, |settled| settled.min(deadline));
            // On a busy bus there is always a frame, and it would go before the moment that is waited for.
            let received = if Instant::now() < until {
                timeout_at(until, self.answers.recv()).await.ok()
            } else {
                None
            };
            let Some(received) = received else {
                let settled = settled.is_some_and(|settled| settled <= deadline);
                let likely = likely.filter(|_| settled);
                return likely.map(|(answer, _)| answer).ok_or(NoAnswer::Late);
            };
            let received = received.ok_or(NoAnswer::Ended)?;
            match self.relation(&received) {
                Relation::Answer => return Ok(received),
                Relation::Likely if likely.is_none() => likely = Some((received, Instant::now())),
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
        if !self.is_about_the_same(&received.message.data) {
            return Relation::None;
        }
        match key {
            Some(key) if key == self.key => Relation::Answer,
            None if self.may_be_meant(received) => Relation::Likely,
            _ => Relation::None,
        }
    }

    /// Tells whether an answer without a key can be for this inquiry.
    fn may_be_meant(&self, received: &Received) -> bool {
        let strange = self.demands_key || received.own || received.cut.is_some();
        !strange && received.message.context.session_id() == self.session_id
    }

    fn is_about_the_same(&self, answer: &Map<String, Value>) -> bool {
        let differs = |(key, asked): (&String, &Value)| {
            let answered = answer.get(key).filter(|answered| answered.is_string());
            answered.is_some_and(|answered| answered != asked)
        };
        !self.subject.iter().any(differs)
    }

    /// Takes our key out of the answer, since it is no concern of other clients.
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
    let connected = state.wait_for(|state| state.is_connected() || matches!(state, ConnectionState::Stopped));
    let connected = timeout_at(deadline, connected).await.ok()?.ok()?.is_connected();
    connected.then_some(())
}

/// Reads what data says of what it is about. A list in the place of a name is no way round the comparison.
fn subject(data: &Map<String, Value>) -> Map<String, Value> {
    let said = |key: &&str| data.get(*key).is_some_and(|value| !value.is_null());
    let subjects = SUBJECTS.iter().filter(|key| said(key));
    subjects
        .filter_map(|key| Some(((*key).to_owned(), data.get(*key)?.clone())))
        .collect()
}
