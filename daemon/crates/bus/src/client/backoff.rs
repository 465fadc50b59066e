//! How long to wait before the next attempt to connect. Reads no clock and never waits itself.

use std::time::Duration;

use rand::Rng;

/// The wait after the second failure; it doubles with each one after.
const FIRST: Duration = Duration::from_secs(1);

/// The longest wait, before jitter.
const LONGEST: Duration = Duration::from_secs(60);

/// A connection that lasted this long was a good one, and a bus that comes back is met at once.
const STABLE: Duration = Duration::from_secs(5);

/// Failures so far, and with them the next wait.
///
/// Waits are spread by a quarter, so that clients that lost a bus together do not come back together.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Failed attempts since the bus was last heard.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    /// An attempt to connect failed; how long to wait.
    pub(super) fn failed(&mut self) -> Duration {
        self.failures = self.failures.saturating_add(1);
        Self::wait(self.failures)
    }

    /// A connection that had lasted so long broke; how long to wait.
    ///
    /// After a stable one hardly at all. A bus that takes connections and drops them is retried every second or two.
    pub(super) fn broke(&mut self, lasted: Duration) -> Duration {
        self.failures = if lasted >= STABLE {
            1
        } else {
            (self.failures + 1).min(2)
        };
        Self::wait(self.failures)
    }

    /// A connection stands.
    pub(super) fn connected(&mut self) {
        self.failures = self.failures.min(1);
    }

    fn wait(failures: u32) -> Duration {
        let mut random = rand::rng();
        match failures {
            0 => Duration::ZERO,
            // The bus is probably just being restarted.
            1 => Duration::from_millis(random.random_range(50..=250)),
            _ => {
                let doubled = FIRST.saturating_mul(1_u32 << (failures - 2).min(10));
                doubled.min(LONGEST).mul_f64(random.random_range(0.75..=1.25))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(wait: Duration) -> f64 {
        wait.as_secs_f64()
    }

    #[test]
    fn waits_double_up_to_a_minute_and_are_spread_by_a_quarter() {
        for _ in 0..100 {
            let mut backoff = Backoff::default();
            assert!(seconds(backoff.failed()) <= 0.25);
            for expected in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0] {
                let wait = seconds(backoff.failed());
                assert!(
                    (0.75 * expected..=1.25 * expected).contains(&wait),
                    "{wait} for {expected}"
                );
            }
        }
    }

    #[test]
    fn a_stable_connection_makes_the_next_attempt_quick() {
        let mut backoff = Backoff::default();
        for _ in 0..20 {
            backoff.failed();
        }
        backoff.connected();
        assert!(backoff.broke(Duration::from_secs(3600)) <= Duration::from_millis(250));
        assert_eq!(backoff.failures(), 1);
    }

    #[test]
    fn a_bus_that_drops_every_connection_is_retried_without_haste_and_without_giving_up() {
        let mut backoff = Backoff::default();
        for round in 0..50 {
            backoff.connected();
            let wait = backoff.broke(Duration::from_millis(10));
            assert!(wait <= Duration::from_millis(1250));
            assert!(round == 0 || wait >= Duration::from_millis(750));
        }
    }
}
