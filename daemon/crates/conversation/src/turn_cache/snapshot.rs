//! What of the cache a turn can see when it begins, to give it to the turn again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TurnCache;
use super::cache::Scope;
use super::emergency_stop::Failures;
use crate::tokens::TokenEstimator;
use crate::toolbox::Outcome;

/// A copy for one session and one brain. Times are what is left of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    session_id: String,
    failures: u32,
    #[serde(default)]
    brain_failures: u32,
    brain: String,
    estimator: TokenEstimator,
    results: Vec<(Scope, Outcome, Duration)>,
    /// A toolbox that does not answer is left alone this long.
    pause: Duration,
    /// They are the failures in a row, and the rest of the pause.
    outages: HashMap<String, (u32, Option<Duration>)>,
}

impl TurnCache {
    /// Copies what a turn of this session with this brain can see.
    pub fn snapshot(&self, session_id: &str, brain: &str) -> Snapshot {
        let (pause, outages) = {
            let breakers = self.breakers.lock();
            (breakers.pause(), breakers.outages())
        };
        let failures = self.emergency_stops.lock().failures(session_id);
        Snapshot {
            session_id: session_id.to_owned(),
            failures: failures.tools,
            brain_failures: failures.brain,
            brain: brain.to_owned(),
            estimator: self.estimator(brain),
            results: self.cache.lock().results_of(session_id),
            pause,
            outages,
        }
    }
}

impl TurnCache {
    /// Restores what a copy shows, with what this cache has made of tools.
    #[must_use]
    pub fn restored(&self, snapshot: Snapshot) -> Self {
        Self {
            tools: Arc::clone(&self.tools),
            ..Self::from(snapshot)
        }
    }
}

impl From<Snapshot> for TurnCache {
    fn from(snapshot: Snapshot) -> Self {
        let turn_cache = Self::pausing(snapshot.pause);
        let failures = Failures {
            tools: snapshot.failures,
            brain: snapshot.brain_failures,
        };
        turn_cache.emergency_stops().set(&snapshot.session_id, failures);
        turn_cache.teach_estimator(&snapshot.brain, |estimator| *estimator = snapshot.estimator);
        for (scope, outcome, time) in snapshot.results {
            turn_cache.cache().keep(scope, outcome, time);
        }
        turn_cache.breakers().set(snapshot.outages);
        turn_cache
    }
}
