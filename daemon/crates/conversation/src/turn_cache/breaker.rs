//! Skips a toolbox that does not answer, so that each call does not wait for it again.

use std::collections::HashMap;
use std::time::Duration;

use crate::breaker::{Breaker, USUAL_PAUSE};

/// Failures of the box, as opposed to those of one tool or of its arguments.
const OUTAGES: &[&str] = &[
    "TimeoutError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "ConnectionAbortedError",
    "BrokenPipeError",
    "InternalError",
    "UnavailableError",
];

/// Holds a breaker for each toolbox that fails; one that works has none.
#[derive(Debug)]
pub struct Breakers {
    pause: Duration,
    failing: HashMap<String, Breaker>,
}

impl Default for Breakers {
    fn default() -> Self {
        Self::pausing(USUAL_PAUSE)
    }
}

impl Breakers {
    /// Breakers that stay open for this long.
    pub(crate) fn pausing(pause: Duration) -> Self {
        Self {
            pause,
            failing: HashMap::new(),
        }
    }

    /// Tells whether a call may be made.
    pub fn admit(&mut self, toolbox_id: &str) -> bool {
        self.failing.get_mut(toolbox_id).is_none_or(Breaker::admit)
    }

    pub(super) fn pause(&self) -> Duration {
        self.pause
    }

    /// All failures in a row, and the rest of the pause where there is one.
    pub(super) fn outages(&self) -> HashMap<String, (u32, Option<Duration>)> {
        let outage = |(id, breaker): (&String, &Breaker)| (id.clone(), breaker.outage());
        self.failing.iter().map(outage).collect()
    }

    /// Takes them over.
    pub(super) fn set(&mut self, outages: HashMap<String, (u32, Option<Duration>)>) {
        let pause = self.pause;
        let breakers = outages
            .into_iter()
            .map(|(id, (failures, rest))| (id, Breaker::after(pause, failures, rest)));
        self.failing.extend(breakers);
    }

    /// Notes how a call ended; `failure` is the class of its fault.
    pub fn ended(&mut self, toolbox_id: &str, failure: Option<&str>) {
        if !failure.is_some_and(|class| OUTAGES.contains(&class)) {
            self.failing.remove(toolbox_id);
            return;
        }
        let pause = self.pause;
        self.failing
            .entry(toolbox_id.to_owned())
            .or_insert_with(|| Breaker::pausing(pause))
            .failed();
    }
}
