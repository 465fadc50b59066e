//! This moment by two clocks: the one on the wall, which can be set, and the kernel's, which cannot.
//!
//! Tells no zone and no language.

use jiff::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Names this run of the kernel.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// A moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Now {
    /// By the clock on the wall.
    pub(super) wall: Timestamp,
    /// Seconds since the kernel began to run, sleep included.
    pub(super) uptime: f64,
    /// Which run of the kernel that is; empty where the system does not tell.
    pub(super) boot: String,
}

impl Now {
    /// By the clocks of this machine.
    pub(super) fn read() -> Self {
        let uptime = clock_gettime(ClockId::Boottime);
        let boot = std::fs::read_to_string(BOOT_ID).unwrap_or_default();
        Self {
            wall: Timestamp::now(),
            uptime: uptime.tv_sec as f64 + uptime.tv_nsec as f64 / 1e9,
            boot: boot.trim().to_owned(),
        }
    }

    /// How many seconds ago `then` was, by the kernel's clock in the same run of it, else by the one on the wall.
    pub(super) fn seconds_since(&self, then: &Self) -> f64 {
        if !self.boot.is_empty() && self.boot == then.boot {
            self.uptime - then.uptime
        } else {
            seconds_between(then.wall, self.wall)
        }
    }

    /// The moment so many seconds later.
    #[must_use]
    pub(super) fn after(&self, seconds: f64) -> Self {
        let span = jiff::SignedDuration::try_from_secs_f64(seconds).unwrap_or_default();
        Self {
            wall: self.wall.checked_add(span).unwrap_or(Timestamp::MAX),
            uptime: self.uptime + seconds,
            boot: self.boot.clone(),
        }
    }
}

/// From one to the other by the wall; negative where the other is earlier.
pub(super) fn seconds_between(earlier: Timestamp, later: Timestamp) -> f64 {
    later.duration_since(earlier).as_secs_f64()
}
