//! Counts wrong secrets in a row, and lets no more be tried for a while after too many. Knows no secret.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// The count.
#[derive(Debug)]
pub(crate) struct Lockout {
    most: u32,
    span: Duration,
    state: Mutex<Tries>,
}

#[derive(Debug, Default)]
struct Tries {
    wrong: u32,
    locked_at: Option<Instant>,
}

impl Lockout {
    /// One that locks for this span after so many wrong ones in a row.
    pub(crate) fn new(most: u32, span: Duration) -> Self {
        Self {
            most,
            span,
            state: Mutex::default(),
        }
    }

    /// Whether none is taken now.
    pub(crate) fn is_locked(&self) -> bool {
        let since = self.state.lock().locked_at;
        since.is_some_and(|since| since.elapsed() < self.span)
    }

    /// One more was wrong. Noted before the comparison, so that calling it off is no way to try for free.
    pub(crate) fn note_wrong(&self) {
        let mut tries = self.state.lock();
        tries.wrong += 1;
        if tries.wrong >= self.most {
            *tries = Tries {
                wrong: 0,
                locked_at: Some(Instant::now()),
            };
        }
    }

    /// The last one was right.
    pub(crate) fn forgive(&self) {
        *self.state.lock() = Tries::default();
    }
}
