//! How much of a sound has been heard, for those who have to know where a person interrupted it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::sleep;

use super::LOOK;
use super::queue::Progress;

/// Tells how much of a sound has been heard, also after the sound has ended. Clones share it.
#[derive(Debug, Clone)]
pub struct Hearing(Arc<State>);

#[derive(Debug)]
struct State {
    progress: Arc<Progress>,
    /// The frames that had been played before.
    before: u64,
    /// The length that was heard in the end.
    frozen: OnceLock<Duration>,
}

impl Hearing {
    pub(super) fn from_now(progress: &Arc<Progress>) -> Self {
        Self(Arc::new(State {
            progress: Arc::clone(progress),
            before: progress.played(),
            frozen: OnceLock::new(),
        }))
    }

    /// Tells how much of it has been heard so far, true to about 25 ms, which is one callback of the device.
    pub fn so_far(&self) -> Duration {
        let State {
            progress,
            before,
            frozen,
        } = &*self.0;
        let frames = || progress.heard().saturating_sub(*before);
        frozen
            .get()
            .copied()
            .unwrap_or_else(|| progress.time_of(frames()))
    }

    /// Waits until its first sound is heard, or it has ended; says whether any was. Cancel safe.
    pub async fn begun(&self) -> bool {
        while self.so_far().is_zero() && self.0.frozen.get().is_none() {
            sleep(LOOK).await;
        }
        !self.so_far().is_zero()
    }

    /// The sound has ended.
    pub(super) fn freeze(&self) {
        let heard = self.so_far();
        self.0.frozen.get_or_init(|| heard);
    }
}
