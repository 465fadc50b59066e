//! Handing received messages to subscribers, without ever waiting for a slow one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tracing::warn;

use crate::mailbox::Mailbox;
use crate::received::Received;
use crate::topics::Topics;

/// One line in the log tells of all that was lost in this time.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// The frames that one subscriber hears. It ends when this is dropped.
#[derive(Debug)]
pub struct Subscription {
    inbox: Arc<Inbox>,
}

impl Subscription {
    /// Waits for the next message; it is `None` after the client has ended. Cancel safe.
    ///
    /// Messages of one session come in the order of arrival, and so do those of several as long as none has more than 64
    /// waiting. What this client emitted itself goes first, and an order to stop takes what its session has to the front.
    /// Overload: with 4,096 frames or 8 MiB waiting the oldest of the session that has most gives way. What
    /// is owed an answer leaves its outline behind, see [`Cut::Overload`](crate::Cut::Overload); the others are counted and logged.
    pub async fn recv(&mut self) -> Option<Received> {
        self.recv_sized().await.map(|(received, _)| received)
    }

    /// Waits for the next message until then; it is `None` after that moment and after the client has ended.
    /// On a busy bus there is always a message, so the clock is looked at first. Cancel safe.
    pub async fn recv_by(&mut self, deadline: Instant) -> Option<Received> {
        self.recv_sized_by(deadline).await.map(|(received, _)| received)
    }

    pub(crate) async fn recv_sized_by(&mut self, deadline: Instant) -> Option<(Received, usize)> {
        if Instant::now() >= deadline {
            return None;
        }
        timeout_at(deadline, self.recv_sized()).await.ok().flatten()
    }

    /// Receives a message with the size of its frame in bytes.
    pub(crate) async fn recv_sized(&mut self) -> Option<(Received, usize)> {
        loop {
            let notified = self.inbox.arrived.notified();
            {
                let mut waiting = self.inbox.lock();
                if let Some(received) = waiting.mailbox.take() {
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
        self.inbox.lock().closed = true;
    }
}

#[derive(Debug)]
struct Inbox {
    topics: Topics,
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    mailbox: Mailbox,
    closed: bool,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock()
    }

    /// Adds a frame of that size; how many had to go for it without a trace.
    fn put(&self, received: Received, bytes: usize) -> u64 {
        let mut waiting = self.lock();
        if waiting.closed {
            return 0;
        }
        let lost = waiting.mailbox.put(received, bytes);
        drop(waiting);
        self.arrived.notify_one();
        lost
    }
}

/// Counts what was lost since the log was told.
#[derive(Debug, Default)]
struct Losses {
    frames: u64,
    told_at: Option<Instant>,
}

impl Losses {
    /// Counts, and gives what one line in the log is to tell of: there is at most one in an interval.
    fn add(&mut self, frames: u64, now: Instant) -> Option<u64> {
        self.frames += frames;
        if self.told_at.is_some_and(|at| now.duration_since(at) < LOG_EVERY) {
            return None;
        }
        self.told_at = Some(now);
        Some(std::mem::take(&mut self.frames))
    }
}

/// All subscribers of a client.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    list: Mutex<Listeners>,
    losses: Mutex<Losses>,
}

#[derive(Debug, Default)]
struct Listeners {
    inboxes: Vec<Weak<Inbox>>,
    closed: bool,
}

impl Subscribers {
    pub(crate) fn add(&self, topics: Topics) -> Subscription {
        let inbox = Arc::new(Inbox {
            topics,
            waiting: Mutex::default(),
            arrived: Notify::new(),
        });
        let mut list = self.lock();
        inbox.lock().closed = list.closed;
        list.inboxes.retain(|inbox| inbox.strong_count() > 0);
        list.inboxes.push(Arc::downgrade(&inbox));
        Subscription { inbox }
    }

    /// Tells whether a subscriber wants a frame on the topic.
    pub(crate) fn any_want(&self, canonical: &str, own: bool) -> bool {
        let list = self.lock();
        let mut inboxes = list.inboxes.iter().filter_map(Weak::upgrade);
        inboxes.any(|inbox| inbox.topics.want(canonical, own))
    }

    /// Hands a frame of that size in bytes to everybody who wants it.
    pub(crate) fn deliver(&self, received: Received, bytes: usize, missed: &AtomicU64) {
        let wants = |inbox: &Arc<Inbox>| inbox.topics.want(&received.canonical, received.own);
        let all = self.lock();
        let mut inboxes: Vec<_> = all
            .inboxes
            .iter()
            .filter_map(Weak::upgrade)
            .filter(wants)
            .collect();
        drop(all);
        // Nearly always there is one, which needs no copy.
        let Some(last) = inboxes.pop() else { return };
        let copies = inboxes.iter().map(|inbox| inbox.put(received.clone(), bytes));
        let lost = copies.sum::<u64>() + last.put(received, bytes);
        if lost > 0 {
            missed.fetch_add(lost, Ordering::Relaxed);
            self.tell_of(lost);
        }
    }

    fn tell_of(&self, lost: u64) {
        let mut losses = self.losses.lock();
        if let Some(count) = losses.add(lost, Instant::now()) {
            warn!(
                count,
                "more comes from the bus than is taken; messages gave way to others"
            );
        }
    }

    /// Ends all subscriptions after what is waiting in them.
    pub(crate) fn close(&self) {
        let mut list = self.lock();
        list.closed = true;
        for inbox in list.inboxes.drain(..).filter_map(|inbox| inbox.upgrade()) {
            inbox.lock().closed = true;
            inbox.arrived.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Listeners> {
        self.list.lock()
    }
}

#[cfg(test)]
mod tests;
