//! Writes entries, and knows what was written before.

use parking_lot::{Mutex, MutexGuard};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::recording::{Past, Recording};
use super::{Care, Entry, Happened, Journal, Offer, Unwritten};

/// Says whether a turn is played from its journal alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// What the journal does not hold happens now, and is written.
    Live,
    /// What the journal does not hold did not happen.
    Replay,
}

/// A crash that happened in the first run happens again in the same place.
pub(super) fn crash_again() -> ! {
    resume_unwind(Box::new("it crashed in the first run"))
}

/// Writes the entries of one turn. Its brain, its toolboxes and its person share it.
pub(super) struct Recorder {
    journal: Arc<dyn Journal>,
    course: Course,
    recording: Mutex<Recording>,
    started: Instant,
    /// The time that the turn had taken before a crash.
    earlier: Duration,
    numbers: AtomicU32,
    /// Told after each look into the recording.
    taken: Notify,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder")
            .field("course", &self.course)
            .finish_non_exhaustive()
    }
}

impl Recorder {
    pub(super) fn new(journal: Arc<dyn Journal>, course: Course, recording: Recording) -> Self {
        let earlier = match course {
            Course::Live => recording.last,
            Course::Replay => Duration::ZERO,
        };
        Self {
            journal,
            course,
            started: Instant::now(),
            earlier,
            numbers: AtomicU32::new(recording.free),
            recording: Mutex::new(recording),
            taken: Notify::new(),
        }
    }

    pub(super) fn is_replay(&self) -> bool {
        self.course == Course::Replay
    }

    fn recording(&self) -> MutexGuard<'_, Recording> {
        self.recording.lock()
    }

    /// Tells whether everything that was asked has been asked again.
    pub(super) fn has_caught_up(&self) -> bool {
        self.recording().is_spent()
    }

    /// Waits in a replay until everything that was asked before this moment has been asked again.
    pub(super) async fn catch_up(&self, at: Duration) {
        sleep_until(self.started + at).await;
        while !self.has_caught_up() {
            self.taken.notified().await;
        }
    }

    /// Looks something up. What was over then is over at the same time now, when the turn is replayed.
    pub(super) async fn past<T>(&self, look_up: impl FnOnce(&mut Recording) -> Past<T> + Send) -> Past<T> {
        let past = look_up(&mut self.recording());
        self.taken.notify_one();
        if let (Past::Over(at, _) | Past::Crashed(at), true) = (&past, self.is_replay()) {
            sleep_until(self.started + *at).await;
        }
        past
    }

    /// The toolboxes that had come at this look for them, if any had.
    pub(super) fn came(&self, look: u32) -> Option<Offer> {
        self.recording().came.remove(&look)
    }

    /// Tells whether toolboxes came at all.
    pub(super) fn has_arrivals(&self) -> bool {
        !self.recording().came.is_empty()
    }

    /// Waits for something live. Should it crash, that is written, and goes on to the caller that keeps a crash from
    /// spreading.
    pub(super) async fn fenced<T>(&self, number: u32, care: Care, live: impl Future<Output = T>) -> T {
        match AssertUnwindSafe(live).catch_unwind().await {
            Ok(value) => value,
            Err(panic) => {
                self.write(Happened::Crashed { number }, care).await;
                resume_unwind(panic)
            }
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Writes what needs not be on the disk before the turn goes on.
    pub(super) async fn write(&self, happened: Happened, care: Care) {
        // The journal has complained already.
        self.try_write(happened, care).await.unwrap_or_default();
    }

    pub(super) async fn try_write(&self, happened: Happened, care: Care) -> Result<(), Unwritten> {
        if self.is_replay() {
            return Ok(());
        }
        let at = self.earlier + self.started.elapsed();
        self.journal.write(Entry { at, happened }, care).await
    }
}
