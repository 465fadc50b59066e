//! What of the standing a turn can see when it begins, to give it to the turn again.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cache::Scope;
use super::{Standing, lock};
use crate::context::gauge::Gauge;

/// A copy for one session and one brain. Times are what is left of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    session_id: String,
    failures: u32,
    brain: String,
    gauge: Gauge,
    results: Vec<(Scope, Map<String, Value>, Duration)>,
    /// How long a toolbox that does not answer is left alone.
    pause: Duration,
    /// Failures in a row, and the rest of the pause.
    outages: HashMap<String, (u32, Option<Duration>)>,
}

impl Standing {
    /// What a turn of this session with this brain can see.
    pub(crate) fn snapshot(&self, session_id: &str, brain: &str) -> Snapshot {
        let (pause, outages) = {
            let breakers = lock(&self.breakers);
            (breakers.pause(), breakers.outages())
        };
        Snapshot {
            session_id: session_id.to_owned(),
            failures: lock(&self.latches).failures(session_id),
            brain: brain.to_owned(),
            gauge: self.gauge(brain),
            results: lock(&self.cache).results_of(session_id),
            pause,
            outages,
        }
    }
}

impl From<Snapshot> for Standing {
    fn from(snapshot: Snapshot) -> Self {
        let standing = Self::pausing(snapshot.pause);
        standing.latches().set(&snapshot.session_id, snapshot.failures);
        standing.change_gauge(&snapshot.brain, |gauge| *gauge = snapshot.gauge);
        for (scope, result, time) in snapshot.results {
            standing.cache().keep(scope, result, time);
        }
        standing.breakers().set(snapshot.outages);
        standing
    }
}
