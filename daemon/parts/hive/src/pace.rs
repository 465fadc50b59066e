//! How fast one client may speak. One that is faster is read later, so that a flood waits at its sender.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// A client may send this many messages a second.
const RATE: f64 = 50.0;

/// This many bytes count as one more message.
const BYTES: u64 = 32 * 1024;

/// After a silence a client may send this many messages at once.
const BURST: f64 = 100.0;

/// Counts what one client may still send.
#[derive(Debug)]
pub(super) struct Pace {
    left: f64,
    since: Instant,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            left: BURST,
            since: Instant::now(),
        }
    }

    /// Waits until one more message of so many bytes may be taken.
    pub(super) async fn one(&mut self, bytes: u64) {
        let now = Instant::now();
        self.left = (self.left + (now - self.since).as_secs_f64() * RATE).min(BURST);
        self.since = now;
        self.left -= 1.0 + (bytes / BYTES) as f64;
        if self.left < 0.0 {
            sleep(Duration::from_secs_f64(-self.left / RATE)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_read_at_its_rate() {
        let began = Instant::now();
        let mut pace = Pace::new();
        for _ in 0..BURST as usize {
            pace.one(100).await;
        }
        assert_eq!(began.elapsed(), Duration::ZERO);
        for _ in 0..RATE as usize * 10 {
            pace.one(100).await;
        }
        let took = began.elapsed().as_secs_f64();
        assert!((9.5..10.5).contains(&took), "{took}");
        pace.one(BYTES * 49).await;
        let took = began.elapsed().as_secs_f64();
        assert!((10.5..11.5).contains(&took), "{took}");
    }
}
