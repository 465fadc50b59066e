//! What the thread of the state is told, and what of it matters most when there is hardly any room.

use std::sync::Arc;

use loquat_agent::journal::{Entry, Happened};
use loquat_kit::records::Change;
use tokio::sync::oneshot;

use super::memory::Remembered;
use super::pending_turn::{Interrupted, PendingTurn};
use super::records::{self, Record};

#[derive(Debug)]
pub(super) enum Order {
    Write {
        turn_id: Arc<str>,
        attempt: usize,
        entry: Box<Entry>,
        /// Told when the entry is on the disk; dropped when it is not.
        done: Option<oneshot::Sender<()>>,
    },
    Pending {
        pending: Box<PendingTurn>,
        /// Told when it would survive this process; dropped when it would not.
        done: Option<oneshot::Sender<()>>,
    },
    /// A turn's answer is about to be given.
    Closing {
        turn_id: String,
        /// The words that are said, as JSON.
        said: String,
        /// Told when it would survive this process; dropped when it would not.
        done: Option<oneshot::Sender<()>>,
    },
    Opened(String),
    Settled(String),
    /// A turn is about to be gone on with.
    Resumed {
        turn_id: String,
        /// Told when that is on the disk; dropped when it is not.
        done: Option<oneshot::Sender<()>>,
    },
    AllPending(Option<oneshot::Sender<Vec<Interrupted>>>),
    Remember(Box<Remembered>),
    Recall(Option<oneshot::Sender<Vec<Remembered>>>),
    /// Changes records of skills.
    Keep {
        changes: Vec<Change>,
        /// Told when that is on the disk; dropped when it is not.
        done: Option<oneshot::Sender<()>>,
    },
    /// Reads all records of a kind.
    Records {
        kind: &'static str,
        answer: Option<oneshot::Sender<Vec<Record>>>,
    },
    /// Finds what was remembered for this owner and holds one of these words, the best first.
    Search {
        owner: String,
        words: Vec<String>,
        most: usize,
        answer: Option<oneshot::Sender<Vec<Record>>>,
    },
    /// Told when everything before it is on the disk; dropped when it is not.
    Flush(Option<oneshot::Sender<()>>),
    /// Show that the thread turns.
    Beat,
}

impl Order {
    /// Tells whether a caller waits until it is on the disk, and not only with the system.
    pub(super) fn is_durable(&self) -> bool {
        match self {
            Self::Write { done, .. }
            | Self::Resumed { done, .. }
            | Self::Keep { done, .. }
            | Self::Flush(done) => done.is_some(),
            _ => false,
        }
    }

    /// Tells whether a caller waits for it to be carried out.
    pub(super) fn is_awaited(&self) -> bool {
        match self {
            Self::Pending { done, .. } | Self::Closing { done, .. } => done.is_some(),
            _ => self.is_durable(),
        }
    }

    fn promise(&mut self) -> Option<oneshot::Sender<()>> {
        match self {
            Self::Write { done, .. }
            | Self::Pending { done, .. }
            | Self::Closing { done, .. }
            | Self::Resumed { done, .. }
            | Self::Keep { done, .. }
            | Self::Flush(done) => done.take(),
            _ => None,
        }
    }

    /// It is written.
    pub(super) fn keep_promise(&mut self) {
        // The caller that waited may have gone.
        self.promise().map(|done| done.send(()).ok());
    }

    /// It could not be carried out, and the caller that waits for it is told so. Tells whether there was one.
    pub(super) fn break_promise(&mut self) -> bool {
        self.promise().is_some()
    }

    /// Tells whether it is written before something begins, which does not begin when it is not. Written later it
    /// would tell of what never was.
    pub(super) fn begins_something(&self) -> bool {
        match self {
            Self::Write { entry, .. } => matches!(entry.happened, Happened::ToolCalled { .. }),
            Self::Resumed { .. } | Self::Keep { .. } => true,
            _ => false,
        }
    }

    /// Tells whether it is small and keeps something from happening twice.
    pub(super) fn is_mark(&self) -> bool {
        match self {
            Self::Write { done, .. } => done.is_some(),
            Self::Keep { changes, .. } => records::are_small(changes),
            Self::Pending { .. }
            | Self::Opened(_)
            | Self::Closing { .. }
            | Self::Settled(_)
            | Self::Resumed { .. } => true,
            Self::AllPending(_)
            | Self::Remember(_)
            | Self::Recall(_)
            | Self::Records { .. }
            | Self::Search { .. }
            | Self::Flush(_)
            | Self::Beat => false,
        }
    }

    /// Tells whether it changes the file.
    pub(super) fn is_written(&self) -> bool {
        self.is_mark() || matches!(self, Self::Write { .. } | Self::Remember(_) | Self::Keep { .. })
    }
}
