//! Skips a toolbox that does not answer, so that each call does not wait for it again.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

/// One or two faults are chance; a third in a row is an outage.
const FAILURES_TO_OPEN: u32 = 3;

/// Long enough to spare a conversation the waiting, short enough that a box that came back is soon used again.
const USUAL_PAUSE: Duration = Duration::from_secs(30);

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

#[derive(Debug, Default)]
struct Breaker {
    failures: u32,
    /// Until then nothing is tried; afterwards one call at a time is, on trial.
    open_until: Option<Instant>,
}

/// One breaker for each toolbox; a toolbox that works has none.
#[derive(Debug)]
pub(crate) struct Breakers {
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

    /// Whether a call may be made. A trial that gives no verdict, because the turn was stopped, is followed by the next
    /// after another pause.
    pub(crate) fn admit(&mut self, toolbox_id: &str) -> bool {
        let Some(breaker) = self.failing.get_mut(toolbox_id) else {
            return true;
        };
        let now = Instant::now();
        match breaker.open_until {
            None => true,
            Some(until) if now < until => false,
            Some(_) => {
                breaker.open_until = Some(now + self.pause);
                true
            }
        }
    }

    /// How long one stays open.
    pub(super) fn pause(&self) -> Duration {
        self.pause
    }

    /// All failures in a row, and the rest of the pause where there is one.
    pub(super) fn outages(&self) -> HashMap<String, (u32, Option<Duration>)> {
        let now = Instant::now();
        let rest = |breaker: &Breaker| {
            let pause = breaker
                .open_until
                .map(|until| until.saturating_duration_since(now));
            (breaker.failures, pause)
        };
        self.failing
            .iter()
            .map(|(id, breaker)| (id.clone(), rest(breaker)))
            .collect()
    }

    /// Takes them over.
    pub(super) fn set(&mut self, outages: HashMap<String, (u32, Option<Duration>)>) {
        let now = Instant::now();
        let breakers = outages.into_iter().map(|(id, (failures, pause))| {
            let open_until = pause.map(|pause| now + pause);
            (id, Breaker { failures, open_until })
        });
        self.failing.extend(breakers);
    }

    /// Notes how a call ended; `failure` is the class of its fault.
    pub(crate) fn ended(&mut self, toolbox_id: &str, failure: Option<&str>) {
        if !failure.is_some_and(|class| OUTAGES.contains(&class)) {
            self.failing.remove(toolbox_id);
            return;
        }
        let breaker = self.failing.entry(toolbox_id.to_owned()).or_default();
        breaker.failures = breaker.failures.saturating_add(1);
        if breaker.failures >= FAILURES_TO_OPEN {
            breaker.open_until = Some(Instant::now() + self.pause);
        }
    }
}
