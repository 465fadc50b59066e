//! A circuit breaker: skips what keeps failing, so that each question does not wait for it again.
//!
//! Knows nothing of what it skips. Reads no clock but tokio's.

use std::time::Duration;

use tokio::time::Instant;

/// One or two faults are chance; a third in a row is an outage.
const FAILURES_TO_OPEN: u32 = 3;

/// The pause is long enough to spare a conversation the waiting, and short enough that what came back is soon used
/// again.
pub const USUAL_PAUSE: Duration = Duration::from_secs(30);

/// Is closed until three failures in a row, then open for a pause, and after it for all but one call, on trial.
#[derive(Debug, Clone)]
pub struct Breaker {
    pause: Duration,
    failures: u32,
    open_until: Option<Instant>,
}

impl Default for Breaker {
    fn default() -> Self {
        Self::pausing(USUAL_PAUSE)
    }
}

impl Breaker {
    /// A closed breaker that stays open for this long once it opens.
    pub fn pausing(pause: Duration) -> Self {
        Self {
            pause,
            failures: 0,
            open_until: None,
        }
    }

    /// Restores a breaker as [`outage`](Self::outage) described it.
    pub fn after(pause: Duration, failures: u32, rest: Option<Duration>) -> Self {
        Self {
            pause,
            failures,
            open_until: rest.map(|rest| Instant::now() + rest),
        }
    }

    /// Tells whether a call may be made. A trial that gives no verdict, because the turn was stopped, is followed by
    /// the next after another pause.
    pub fn admit(&mut self) -> bool {
        let now = Instant::now();
        match self.open_until {
            None => true,
            Some(until) if now < until => false,
            Some(_) => {
                self.open_until = Some(now + self.pause);
                true
            }
        }
    }

    /// A call succeeded: all is forgiven.
    pub fn succeeded(&mut self) {
        *self = Self::pausing(self.pause);
    }

    /// A call failed.
    pub fn failed(&mut self) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURES_TO_OPEN {
            self.open_until = Some(Instant::now() + self.pause);
        }
    }

    /// A trial was given up before it told anything: the next call is one.
    pub fn abandoned(&mut self) {
        if self.open_until.is_some() {
            self.open_until = Some(Instant::now());
        }
    }

    /// Failures in a row, and the rest of the pause where there is one.
    pub fn outage(&self) -> (u32, Option<Duration>) {
        let now = Instant::now();
        let rest = |until: Instant| until.saturating_duration_since(now);
        (self.failures, self.open_until.map(rest))
    }
}
