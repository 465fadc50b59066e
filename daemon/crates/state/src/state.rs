//! The way to the thread that writes the file: what is written, asked and waited for. Touches no disk itself.

mod records;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::Thread;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::journal::{Care, Entry, Journal, Unwritten};
use loquat_kit::records::Change;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::condition::{Condition, Trouble};
use super::memory::Remembered;
use super::order::Order;
use super::pending_turn::PendingTurn;
use super::writer;

/// Entries that may wait for the disk: a few of each turn where a thousand run at once. A turn that writes one more waits,
/// for nothing of a turn may be lost.
const WAITING: usize = 4096;

/// A frame waits this long for what has to be written before it. A file that takes longer is locked or on a sick
/// disk, and the person is answered all the same.
const PATIENCE: Duration = Duration::from_millis(500);

/// The way to the thread that writes the file. Clones share it.
#[derive(Debug, Clone)]
pub struct State {
    orders: mpsc::Sender<Order>,
    thread: Thread,
    beats: Arc<AtomicU64>,
    condition: watch::Receiver<Condition>,
}

impl State {
    /// Starts the thread that opens the file, or makes it. The last `keep_turns` turns that are over are kept.
    ///
    /// Nothing waits for the disk here: what is written meanwhile waits for the file. Where it cannot be opened, that is
    /// logged once and nothing is kept; a file that is damaged is put aside.
    pub fn open(folder: &Path, keep_turns: u32) -> io::Result<Self> {
        Self::begin(|received, report| writer::start(folder.to_owned(), keep_turns, received, report))
    }

    /// Starts a thread that writes nothing, since the lock of the folder is not to be had; that is told as the trouble of a
    /// file that cannot be written.
    pub fn without_lock() -> io::Result<Self> {
        Self::begin(writer::start_without_file)
    }

    fn begin(
        start: impl FnOnce(mpsc::Receiver<Order>, writer::Report) -> io::Result<Thread>,
    ) -> io::Result<Self> {
        let (orders, received) = mpsc::channel(WAITING);
        let beats = Arc::default();
        let (news, condition) = watch::channel(Condition::default());
        let report = writer::Report {
            beats: Arc::clone(&beats),
            condition: news,
        };
        Ok(Self {
            orders,
            thread: start(received, report)?,
            beats,
            condition,
        })
    }

    /// Grows whenever the thread has done something; see [`State::prod`].
    pub fn beats(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.beats)
    }

    /// Has the thread show that it turns, and look whether a disk that was full has room again.
    pub fn prod(&self) {
        // A thread with much to do beats in any case.
        self.orders.try_send(Order::Beat).unwrap_or_default();
    }

    /// Follows how the file fares.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.clone()
    }

    /// Gives the journal of a turn. Handlers of a persona that are tried one after the other are attempts.
    pub fn journal(&self, turn_id: &str, attempt: usize) -> Arc<dyn Journal> {
        Arc::new(TurnJournal {
            state: self.clone(),
            turn_id: turn_id.into(),
            attempt,
        })
    }

    /// Writes down a turn that has to be answered. Returns when that is written, so that it survives this process, or
    /// cannot be written in time.
    pub async fn note_pending(&self, pending: PendingTurn) {
        let (done, written) = oneshot::channel();
        let pending = Box::new(pending);
        self.order(Order::Pending {
            pending,
            done: Some(done),
        })
        .await;
        self.patiently(written).await;
    }

    /// The end of a turn is about to be told; `said` is what is said then, as JSON. Returns as
    /// [`note_pending`](Self::note_pending) does.
    pub async fn closing(&self, turn_id: &str, said: String) {
        let (done, written) = oneshot::channel();
        let turn_id = turn_id.to_owned();
        self.order(Order::Closing {
            turn_id,
            said,
            done: Some(done),
        })
        .await;
        self.patiently(written).await;
    }

    /// The beginning of a turn has been announced.
    pub async fn opened(&self, turn_id: &str) {
        self.order(Order::Opened(turn_id.to_owned())).await;
    }

    /// A turn that was cut off is about to be gone on with; whether that is on the disk. If it is not, the turn must not
    /// be gone on with, since it could not be told how often that was tried.
    pub async fn resumes(&self, turn_id: &str) -> bool {
        let (done, written) = oneshot::channel();
        let turn_id = turn_id.to_owned();
        self.order(Order::Resumed {
            turn_id,
            done: Some(done),
        })
        .await;
        written.await.is_ok()
    }

    /// The answer was given, or there is none to give.
    pub async fn settled(&self, turn_id: &str) {
        self.order(Order::Settled(turn_id.to_owned())).await;
    }

    /// All turns without an end, and what was written of them by attempt, longest waiting first.
    pub async fn pending(&self) -> Vec<(PendingTurn, Vec<Vec<Entry>>)> {
        let (answer, pending) = oneshot::channel();
        self.order(Order::AllPending(Some(answer))).await;
        pending.await.unwrap_or_default()
    }

    /// Keeps records. Returns at once: they are on the disk before what is ordered later.
    pub async fn note(&self, changes: Vec<Change>) {
        self.order(Order::Keep { changes, done: None }).await;
    }

    /// Keeps what was said in a session, in the place of what was kept of it before.
    pub async fn remember(&self, remembered: Remembered) {
        self.order(Order::Remember(Box::new(remembered))).await;
    }

    /// Reads what was kept of the sessions, those that spoke last first.
    pub async fn recall(&self) -> Vec<Remembered> {
        let (answer, remembered) = oneshot::channel();
        self.order(Order::Recall(Some(answer))).await;
        remembered.await.unwrap_or_default()
    }

    /// Waits until everything so far is on the disk.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        self.order(Order::Flush(Some(done))).await;
        // A thread that is gone has complained already.
        written.await.unwrap_or_default();
    }

    /// Waits for a promise that frames of a turn wait for. Not for a file known to be locked: each frame would wait.
    async fn patiently(&self, written: oneshot::Receiver<()>) {
        let trouble = self.condition.borrow().trouble;
        if trouble != Some(Trouble::Locked) {
            timeout(PATIENCE, written).await.map(drop).unwrap_or_default();
        }
    }

    async fn order(&self, order: Order) {
        let is_awaited = order.is_awaited();
        if self.orders.send(order).await.is_err() {
            tracing::error!("the state's thread has ended; nothing is written any more");
        }
        if is_awaited {
            self.thread.unpark();
        }
    }
}

struct TurnJournal {
    state: State,
    turn_id: Arc<str>,
    attempt: usize,
}

impl Journal for TurnJournal {
    fn write(&self, entry: Entry, care: Care) -> BoxFuture<'_, Result<(), Unwritten>> {
        Box::pin(async move {
            let (done, written) = oneshot::channel();
            let order = Order::Write {
                turn_id: Arc::clone(&self.turn_id),
                attempt: self.attempt,
                entry: Box::new(entry),
                done: (care == Care::Durable).then_some(done),
            };
            self.state.order(order).await;
            match care {
                Care::Usual => Ok(()),
                Care::Durable => written.await.map_err(|_| Unwritten),
            }
        })
    }
}
