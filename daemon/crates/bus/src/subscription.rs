//! Handing received messages to whoever wants them, without ever waiting for a slow one.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use loquat_wire::Message;
use tokio::sync::Notify;
use tracing::warn;

use crate::state::count_and_tell;
use crate::topics::Topics;

/// How many frames wait for one subscriber. A turn causes about ten, so this is far behind.
const MAX_WAITING: usize = 4096;

/// How many bytes of frames wait for one subscriber: two of the largest, and room for many small ones.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// A message from the bus.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The message with the topic it came on, and its payload in the canonical shape.
    pub message: Message,
    /// The canonical name of its topic.
    pub canonical: String,
    /// Whether this client emitted it.
    pub own: bool,
}

/// What one subscriber hears. Ends when dropped.
#[derive(Debug)]
pub struct Subscription {
    mailbox: Arc<Mailbox>,
}

impl Subscription {
    /// The next message, in the order of arrival; `None` after the client has ended. Cancel safe.
    ///
    /// Overload: a subscriber that is 4,096 frames or 64 MiB behind loses the oldest, which is counted and logged.
    pub async fn recv(&mut self) -> Option<Received> {
        loop {
            let notified = self.mailbox.arrived.notified();
            {
                let mut waiting = self.mailbox.lock();
                if let Some((received, bytes)) = waiting.frames.pop_front() {
                    waiting.bytes -= bytes;
                    return Some(received);
                }
                if waiting.closed {
                    return None;
                }
            }
            notified.await;
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.mailbox.lock().closed = true;
    }
}

#[derive(Debug)]
struct Mailbox {
    topics: Topics,
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<(Received, usize)>,
    bytes: usize,
    closed: bool,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a frame of that size; how many older ones had to go for it.
    fn put(&self, received: Received, bytes: usize) -> u64 {
        let mut waiting = self.lock();
        if waiting.closed {
            return 0;
        }
        waiting.frames.push_back((received, bytes));
        waiting.bytes += bytes;
        let mut lost = 0;
        while waiting.frames.len() > 1
            && (waiting.frames.len() > MAX_WAITING || waiting.bytes > MAX_WAITING_BYTES)
        {
            if let Some((_, bytes)) = waiting.frames.pop_front() {
                waiting.bytes -= bytes;
                lost += 1;
            }
        }
        drop(waiting);
        self.arrived.notify_one();
        lost
    }
}

/// All subscribers of a client.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    list: Mutex<Listeners>,
}

#[derive(Debug, Default)]
struct Listeners {
    mailboxes: Vec<Weak<Mailbox>>,
    closed: bool,
}

impl Subscribers {
    pub(crate) fn add(&self, topics: Topics) -> Subscription {
        let mailbox = Arc::new(Mailbox {
            topics,
            waiting: Mutex::default(),
            arrived: Notify::new(),
        });
        let mut list = self.lock();
        mailbox.lock().closed = list.closed;
        list.mailboxes.retain(|mailbox| mailbox.strong_count() > 0);
        list.mailboxes.push(Arc::downgrade(&mailbox));
        Subscription { mailbox }
    }

    /// Whether somebody wants a frame on the topic.
    pub(crate) fn any_want(&self, canonical: &str, own: bool) -> bool {
        let list = self.lock();
        let mut mailboxes = list.mailboxes.iter().filter_map(Weak::upgrade);
        mailboxes.any(|mailbox| mailbox.topics.want(canonical, own))
    }

    /// Hands a frame of that size in bytes to everybody who wants it.
    pub(crate) fn deliver(&self, received: &Received, bytes: usize, missed: &AtomicU64) {
        let mailboxes: Vec<_> = self.lock().mailboxes.iter().filter_map(Weak::upgrade).collect();
        for mailbox in mailboxes {
            if !mailbox.topics.want(&received.canonical, received.own) {
                continue;
            }
            for _ in 0..mailbox.put(received.clone(), bytes) {
                if let Some(count) = count_and_tell(missed) {
                    warn!(topic = %received.canonical, count, "a subscriber is too slow and lost its oldest message");
                }
            }
        }
    }

    /// Ends all subscriptions after what is waiting in them.
    pub(crate) fn close(&self) {
        let mut list = self.lock();
        list.closed = true;
        for mailbox in list.mailboxes.drain(..).filter_map(|mailbox| mailbox.upgrade()) {
            mailbox.lock().closed = true;
            mailbox.arrived.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Listeners> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
