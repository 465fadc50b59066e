//! What survives a restart: one SQLite file in the state folder, written by one thread.
//!
//! It holds the journal, each turn with everything that reached it, and what was said last in each session. A device
//! without a place to write goes on without it. Nothing here decides what a turn does.

mod archive;
mod file;
mod memory;
mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::journal::{Care, Entry, Journal};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

pub use archive::{Archive, Kept, Turn};
pub use file::StateError;
pub use memory::Remembered;
use writer::Order;

/// Entries that may wait for the disk: a few of each turn where a thousand run at once. Whoever writes one more waits,
/// for nothing of a turn may be lost.
const WAITING: usize = 4096;

/// A turn whose person is owed an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Owed {
    /// The turn's id.
    pub turn_id: String,
    /// The session's id.
    pub session_id: String,
    /// What was said.
    pub utterance: String,
    /// Whatever the desk needs to go on with it, as JSON.
    pub cause: String,
    /// Seconds since 1970.
    pub since: f64,
    /// Whether its beginning has been announced.
    pub opened: bool,
}

/// The way to the file. Clones share it.
#[derive(Debug, Clone)]
pub struct State {
    orders: mpsc::Sender<Order>,
}

impl State {
    /// Starts the thread that opens the file, or makes it. The last `keep_turns` turns that are over are kept.
    ///
    /// Nobody waits for the disk here: what is written meanwhile waits for the file. Where it cannot be opened, that is
    /// logged once and nothing is kept; a file that is damaged is put aside.
    pub fn open(folder: &Path, keep_turns: u32) -> io::Result<Self> {
        let (orders, received) = mpsc::channel(WAITING);
        writer::start(folder.to_owned(), keep_turns, received)?;
        Ok(Self { orders })
    }

    /// Where a turn is written to; a persona's handlers that are tried one after the other are attempts.
    pub fn journal(&self, turn_id: &str, attempt: usize) -> Arc<dyn Journal> {
        Arc::new(TurnJournal {
            state: self.clone(),
            turn_id: turn_id.into(),
            attempt,
        })
    }

    /// Somebody is owed an answer from now on.
    pub async fn owe(&self, owed: Owed) {
        self.order(Order::Owe(Box::new(owed))).await;
    }

    /// The beginning of a turn has been announced.
    pub async fn opened(&self, turn_id: &str) {
        self.order(Order::Opened(turn_id.to_owned())).await;
    }

    /// The answer was given, or there is none to give.
    pub async fn settled(&self, turn_id: &str) {
        self.order(Order::Settled(turn_id.to_owned())).await;
    }

    /// Everybody who is still owed an answer, and what their turns have come to by attempt, longest waiting first.
    pub async fn debts(&self) -> Vec<(Owed, Vec<Vec<Entry>>)> {
        let (answer, debts) = oneshot::channel();
        self.order(Order::Debts(answer)).await;
        debts.await.unwrap_or_default()
    }

    /// Keeps what was said in a session, in the place of what was kept of it before.
    pub async fn remember(&self, remembered: Remembered) {
        self.order(Order::Remember(Box::new(remembered))).await;
    }

    /// What was kept of the sessions, those that spoke last first.
    pub async fn recall(&self) -> Vec<Remembered> {
        let (answer, remembered) = oneshot::channel();
        self.order(Order::Recall(answer)).await;
        remembered.await.unwrap_or_default()
    }

    /// Waits until everything so far is on the disk.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        self.order(Order::Flush(Some(done))).await;
        // A thread that is gone has complained already.
        written.await.unwrap_or_default();
    }

    async fn order(&self, order: Order) {
        if self.orders.send(order).await.is_err() {
            tracing::error!("the state's thread has ended; nothing is written any more");
        }
    }
}

struct TurnJournal {
    state: State,
    turn_id: Arc<str>,
    attempt: usize,
}

impl Journal for TurnJournal {
    fn write(&self, entry: Entry, care: Care) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let (done, written) = oneshot::channel();
            let order = Order::Write {
                turn_id: Arc::clone(&self.turn_id),
                attempt: self.attempt,
                entry: Box::new(entry),
                done: (care == Care::Durable).then_some(done),
            };
            self.state.order(order).await;
            if care == Care::Durable {
                // A thread that is gone has complained already.
                written.await.unwrap_or_default();
            }
        })
    }
}

#[cfg(test)]
mod tests;
