//! The sender of a frame has it back after everybody else has it.
//!
//! A client takes the echo of a frame for the proof that the bus has relayed it, and sends a frame without one again
//! when the bus dies. Were the echo written first, a bus that is killed behind it would have lost the frame for all
//! others unnoticed. So each of the others holds a share, and the echo waits until all shares are gone, or for a
//! moment where a client does not read. Nothing but the echo and what is behind it is kept back.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};

/// An echo waits this long. Writing to everybody takes microseconds; a client whose connection takes nothing more at
/// this moment does not hold up the others for longer than this, and once that is known not at all.
const PATIENCE: Duration = Duration::from_millis(100);

/// The sender's end.
#[derive(Debug, Clone)]
pub(super) struct Receipt {
    written: CancellationToken,
    until: Instant,
}

/// The end of another client; dropped when the frame is written to them, or when they are gone.
#[derive(Debug, Clone)]
pub(super) struct Share(#[expect(dead_code, reason = "dropping it is its use")] Arc<DropGuard>);

impl Receipt {
    /// Makes a receipt, and the share of which everybody else has a copy.
    pub(super) fn new() -> (Self, Share) {
        let written = CancellationToken::new();
        let share = Share(Arc::new(written.clone().drop_guard()));
        let until = Instant::now() + PATIENCE;
        (Self { written, until }, share)
    }

    /// Tells whether the sender may have its echo.
    pub(super) fn is_due(&self) -> bool {
        self.written.is_cancelled() || Instant::now() >= self.until
    }

    /// Waits until it may. Cancel safe.
    pub(super) async fn due(&self) {
        // Late is as good as written.
        drop(timeout_at(self.until, self.written.cancelled()).await);
    }
}
