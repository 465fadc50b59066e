//! The handle: what everybody who talks on the bus holds. Cheap to clone; does nothing but talk to the actor.

mod request;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use loquat_wire::Message;
use tokio::sync::{oneshot, watch};

pub use self::request::RequestError;
use crate::outbox::{EmitError, Outbox, Sending};
use crate::shared::Shared;
use crate::state::{ConnectionState, Counts};
use crate::subscription::Subscription;
use crate::topics::Topics;

/// A handle to the client of a bus.
#[derive(Debug, Clone)]
pub struct Bus {
    shared: Arc<Shared>,
    outbox: Outbox,
}

impl Bus {
    pub(crate) fn new(shared: Arc<Shared>, outbox: Outbox) -> Self {
        Self { shared, outbox }
    }

    /// Queues a message for sending. On a canonical topic that has a legacy twin, the marked twin goes right behind it.
    ///
    /// While there is no connection messages wait, and are sent in order once there is one. What the bus did not send
    /// back before a connection broke is sent again on the next, marked as a repetition. Overload: with 1,024 messages
    /// or 64 MiB waiting, this waits for room, and refuses the message after
    /// [`emit_patience`](crate::ClientOptions::emit_patience). Cancel safe: the message is queued whole or not at all.
    ///
    /// # Errors
    /// [`EmitError`]; the message was not queued.
    pub async fn emit(&self, message: Message) -> Result<(), EmitError> {
        self.emit_as(message, Sending::AtLeastOnce).await
    }

    /// Emits what an earlier process may have sent already, at most `age` ago, before it died: the message
    /// and its twin are marked as repetitions, and receivers that know the mark hear each frame once.
    ///
    /// # Errors
    /// [`EmitError`]; the message was not queued.
    pub async fn emit_again(&self, message: Message, age: Duration) -> Result<(), EmitError> {
        self.emit_as(message, Sending::Again(age)).await
    }

    /// Emits what must not happen twice: where the bus dies that may have told it to a client, it is not sent again, and the
    /// receiver is told so. Without a connection it waits for one, as all messages do.
    ///
    /// # Errors
    /// [`EmitError`]; the message was not queued.
    pub async fn emit_once(&self, message: Message) -> Result<oneshot::Receiver<()>, EmitError> {
        let (tell, unsure) = oneshot::channel();
        self.emit_as(message, Sending::AtMostOnce(tell)).await?;
        Ok(unsure)
    }

    pub(crate) async fn emit_as(&self, message: Message, sending: Sending) -> Result<(), EmitError> {
        self.outbox.put(message, sending).await
    }

    /// Advanced whenever the client's actor turns, which it does at least once a second.
    pub fn pulse(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.shared.pulse)
    }

    /// Hears the topics from now on. Both vocabularies arrive, twins once; what this client emits arrives only with
    /// [`Topics::including_own`].
    pub fn subscribe(&self, topics: Topics) -> Subscription {
        self.shared.subscribers.add(topics)
    }

    /// Emits a request and waits for its answer on the topic, by default `<topic>.response`.
    ///
    /// Without a connection it waits for one within the time limit, and sends nothing if there is none: a request
    /// nothing waits for any more is not made. An answer is recognised by a private key in its context, or, from a peer
    /// that drops what it does not know, by topic and session while no other request asks the same. An answer that names
    /// another toolbox, tool or skill than the request is none.
    /// Dropping the future abandons the request.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn request(
        &self,
        message: Message,
        reply_topic: Option<&str>,
        timeout: Duration,
    ) -> Result<Message, RequestError> {
        request::request(self, message, reply_topic, timeout).await
    }

    /// Requests what must not happen twice: where the bus dies that may have told it to a client, it is
    /// not sent again, and an answer without the key is none.
    ///
    /// # Errors
    /// [`RequestError`]; in that case [`RequestError::Unsure`], at once.
    pub async fn request_once(
        &self,
        message: Message,
        reply_topic: Option<&str>,
        timeout: Duration,
    ) -> Result<Message, RequestError> {
        request::request_once(self, message, reply_topic, timeout).await
    }

    /// Emits a request and gives all answers that arrive on the topic within the window, in their order.
    /// Overload: after 256 answers or 8 MiB of them the window ends; answers of more than 1 MiB do not count.
    ///
    /// Empty when no client answers and when the request could not be sent.
    pub async fn collect(
        &self,
        message: Message,
        reply_topic: Option<&str>,
        window: Duration,
    ) -> Vec<Message> {
        self.collect_until(message, reply_topic, window, |_| false).await
    }

    /// Collects answers, but no longer than until one is `enough`, which is shown each of them once.
    pub async fn collect_until(
        &self,
        message: Message,
        reply_topic: Option<&str>,
        window: Duration,
        enough: impl FnMut(&Message) -> bool,
    ) -> Vec<Message> {
        request::collect(self, message, reply_topic, window, enough).await
    }

    /// Sends messages now and again on every new connection, before anything that waits. What was announced under the
    /// same key before is replaced.
    pub fn announce(&self, key: &str, messages: Vec<Message>) {
        self.shared.announcements.announce(key, messages);
    }

    /// Announces what is under the key no more. Emits nothing: taking it back on the bus is the caller's part.
    pub fn withdraw(&self, key: &str) {
        self.shared.announcements.withdraw(key);
    }

    /// Sends all announcements again, for a core that was restarted and knows them no more.
    pub fn reannounce(&self) {
        self.shared.announcements.renew();
    }

    /// Follows what the connection is doing.
    pub fn state(&self) -> watch::Receiver<ConnectionState> {
        self.shared.state.subscribe()
    }

    /// Counts what went wrong so far without stopping anything.
    pub fn counts(&self) -> Counts {
        self.shared.counters.read()
    }
}
