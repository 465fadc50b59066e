//! Skips a brain that keeps failing, so that each question does not wait for it again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// One or two faults are chance; a third in a row is an outage.
const FAILURES_TO_OPEN: u32 = 3;

/// Long enough to spare a conversation the waiting, short enough that a brain that came back is soon used again.
const OPEN_FOR: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
    trial: bool,
}

/// The circuit breaker of one rung: closed, open, or on trial.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
}

/// The right to ask the rung once. Dropped without a verdict, it leaves the breaker as it was.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    breaker: &'a Breaker,
    trial: bool,
}

impl Breaker {
    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole after each statement, so that a panic elsewhere cannot have left it half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a call unless the breaker is open; after the pause only one at a time, on trial.
    pub(crate) fn admit(&self) -> Option<Permit<'_>> {
        let mut state = self.state();
        let trial = match state.open_until {
            None => false,
            Some(until) if state.trial || Instant::now() < until => return None,
            Some(_) => true,
        };
        state.trial = trial;
        Some(Permit { breaker: self, trial })
    }

    /// Admits a call in any case; its verdict counts like any other.
    pub(crate) fn insist(&self) -> Permit<'_> {
        Permit {
            breaker: self,
            trial: false,
        }
    }
}

impl Permit<'_> {
    /// The rung answered: it is trusted again.
    pub(crate) fn succeeded(self) {
        *self.breaker.state() = State::default();
    }

    /// The rung failed.
    pub(crate) fn failed(self) {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES_TO_OPEN {
            state.open_until = Some(Instant::now() + OPEN_FOR);
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.trial {
            self.breaker.state().trial = false;
        }
    }
}
