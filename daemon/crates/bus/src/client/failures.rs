//! Failures to connect, and how long to wait before the next attempt. Reads no clock and never waits itself.

use std::time::Duration;

use loquat_failure::Backoff;

/// The wait after the first failure: the bus is probably just being restarted.
const AT_ONCE: Backoff = Backoff {
    spread: 0.8,
    ..Backoff::doubling(Duration::from_millis(250), Duration::from_millis(250))
};

/// The waits after that for a bus of another machine: a second, doubled up to a minute. They are spread by a quarter, so that clients that lost a bus
/// together do not come back together.
const WAITS: Backoff = Backoff {
    spread: 0.4,
    ..Backoff::doubling(Duration::from_millis(1250), Duration::from_secs(75))
};

/// The waits for a bus of this machine, to which an attempt costs nothing: it is met within two seconds after it is back,
/// however long it was away.
const WAITS_NEARBY: Backoff = Backoff {
    longest: Duration::from_millis(1900),
    ..WAITS
};

/// A connection that lasted this long was a good one, and a bus that comes back is met at once.
const STABLE: Duration = Duration::from_secs(5);

/// Failures so far, and with them the next wait.
#[derive(Debug)]
pub(super) struct Failures {
    in_a_row: u32,
    waits: Backoff,
}

impl Failures {
    /// None yet, with a bus that is on this machine or is not.
    pub(super) fn new(is_nearby: bool) -> Self {
        Self {
            in_a_row: 0,
            waits: if is_nearby { WAITS_NEARBY } else { WAITS },
        }
    }

    /// Counts the attempts that have failed since the bus was last heard.
    pub(super) fn count(&self) -> u32 {
        self.in_a_row
    }

    /// An attempt to connect failed. The next one has to wait this long.
    pub(super) fn failed(&mut self) -> Duration {
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.wait()
    }

    /// Notes that a connection that had lasted so long broke, and tells how long to wait.
    ///
    /// After a stable one hardly at all. A bus that takes connections and drops them is retried every second or two.
    pub(super) fn broke(&mut self, lasted: Duration) -> Duration {
        self.in_a_row = if lasted >= STABLE {
            1
        } else {
            (self.in_a_row + 1).min(2)
        };
        self.wait()
    }

    pub(super) fn connected(&mut self) {
        self.in_a_row = self.in_a_row.min(1);
    }

    fn wait(&self) -> Duration {
        match self.in_a_row.checked_sub(2) {
            None => AT_ONCE.after(0),
            Some(waits) => self.waits.after(waits),
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
            let mut failures = Failures::new(false);
            assert!(seconds(failures.failed()) <= 0.25);
            for expected in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0] {
                let wait = seconds(failures.failed());
                assert!(
                    (0.75 * expected..=1.25 * expected).contains(&wait),
                    "{wait} for {expected}"
                );
            }
        }
    }

    #[test]
    fn a_bus_of_this_machine_is_met_within_two_seconds_however_long_it_was_away() {
        let mut failures = Failures::new(true);
        for _ in 0..1_000 {
            assert!(failures.failed() < Duration::from_secs(2));
        }
        assert!(failures.failed() > Duration::from_secs(1));
    }

    #[test]
    fn a_stable_connection_makes_the_next_attempt_quick() {
        let mut failures = Failures::new(true);
        for _ in 0..20 {
            failures.failed();
        }
        failures.connected();
        assert!(failures.broke(Duration::from_secs(3600)) <= Duration::from_millis(250));
        assert_eq!(failures.count(), 1);
    }

    #[test]
    fn a_bus_that_drops_every_connection_is_retried_without_haste_and_without_giving_up() {
        let mut failures = Failures::new(true);
        for round in 0..50 {
            failures.connected();
            let wait = failures.broke(Duration::from_millis(10));
            assert!(wait <= Duration::from_millis(1250));
            assert!(round == 0 || wait >= Duration::from_millis(750));
        }
    }
}
