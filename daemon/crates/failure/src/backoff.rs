//! How long to wait before the next try: longer after each failure in a row. Never waits itself.

use std::time::Duration;

/// Waits that grow from one failure to the next.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// The first wait.
    pub first: Duration,
    /// Each further wait is this many times as long as the one before it.
    pub factor: u32,
    /// No wait is longer than this.
    pub longest: Duration,
    /// The part of each wait that chance may take away, so that those who failed together do not try together again.
    pub spread: f64,
}

impl Backoff {
    /// Waits that double, without chance.
    pub const fn doubling(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            factor: 2,
            longest,
            spread: 0.0,
        }
    }

    /// Gives the wait after so many others; the first comes after none.
    pub fn after(&self, waits: u32) -> Duration {
        let full = self.first.saturating_mul(self.factor.saturating_pow(waits));
        full.min(self.longest)
            .mul_f64(1.0 - self.spread * rand::random::<f64>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest_one() {
        let backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));
        let waits = [0, 1, 2, 5, 6, 7, u32::MAX].map(|waits| backoff.after(waits).as_millis());
        assert_eq!(waits, [500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
    }

    #[test]
    fn chance_takes_no_more_than_its_part() {
        let backoff = Backoff {
            spread: 0.5,
            ..Backoff::doubling(Duration::from_secs(2), Duration::from_secs(2))
        };
        let waits: Vec<Duration> = (0..200).map(|_| backoff.after(0)).collect();
        let bounds = Duration::from_secs(1)..=Duration::from_secs(2);
        assert!(waits.iter().all(|wait| bounds.contains(wait)));
        assert!(
            waits.iter().any(|wait| *wait != waits[0]),
            "nothing is left to chance"
        );
    }
}
