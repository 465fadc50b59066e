//! What is remembered beyond a turn: results that may be used again, toolboxes that keep failing, sessions in which
//! nothing works any more, how each brain counts tokens, and what was made of
//! each tool.
//!
//! One of these is shared by all turns of a process. Nothing here runs a tool. All of it is bounded, and no lock is held
//! across an await.

mod breaker;
mod cache;
mod emergency_stop;
mod snapshot;
mod tools;

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub use breaker::Breakers;
pub use cache::{Cache, Scope};
pub use emergency_stop::{EmergencyStops, Failing};
pub use snapshot::Snapshot;

use crate::prepared::Prepared;
use crate::tokens::TokenEstimator;
use crate::toolbox::Tool;

use tools::{PreparedTools, Tools};

/// Bounds of what is made of one toolbox, in bytes.
const LARGEST_BOX: usize = 16 << 20;

/// Says why what is behind that is left out.
const TOO_MUCH: &str = "use it: the tools of its box ask for too much memory";

/// The state that lasts from turn to turn.
#[derive(Debug, Default)]
pub struct TurnCache {
    cache: Mutex<Cache>,
    breakers: Mutex<Breakers>,
    emergency_stops: Mutex<EmergencyStops>,
    /// The estimators by the brain's name.
    estimators: Mutex<HashMap<String, TokenEstimator>>,
    tools: Arc<Mutex<Tools>>,
}

/// The tools of a toolbox that can be offered, and the names of the others, each with why it cannot.
fn offered(tools: &[Tool]) -> (Vec<Arc<Prepared>>, Vec<(String, String)>) {
    let (mut room, mut kept, mut left_out) = (LARGEST_BOX, Vec::new(), Vec::new());
    for tool in tools {
        // What there is no room for is not even compiled.
        let prepared = if room == 0 {
            Err(TOO_MUCH.to_owned())
        } else {
            Prepared::new(tool, tools).map_err(|error| error.to_string())
        };
        let prepared = prepared.and_then(|prepared| {
            let left = room.checked_sub(prepared.weight());
            room = left.unwrap_or(0);
            left.map(|_| prepared).ok_or_else(|| TOO_MUCH.to_owned())
        });
        match prepared {
            Ok(prepared) => kept.push(Arc::new(prepared)),
            Err(why) => left_out.push((tool.name.clone(), why)),
        }
    }
    (kept, left_out)
}

/// The names of those tools of a toolbox that no turn can offer, each with why: what failed, without "failed to". Takes as
/// long as their schemas need.
pub fn not_offered(tools: &[Tool]) -> Vec<(String, String)> {
    offered(tools).1
}

impl TurnCache {
    /// Begins with nothing. A toolbox that does not answer is left alone for `pause` before it is tried again.
    pub fn pausing(pause: Duration) -> Self {
        Self {
            breakers: Mutex::new(Breakers::pausing(pause)),
            ..Self::default()
        }
    }

    /// Tells whether so much failed in a row in this session that nothing is tried any more.
    pub fn is_stopped(&self, session_id: &str) -> bool {
        self.emergency_stops.lock().is_stopped(session_id)
    }

    /// Lets a stopped session try again. Only a person or the owner may ask for this.
    pub fn clear(&self, session_id: &str) {
        self.emergency_stops.lock().clear(session_id);
    }

    /// Lets every stopped session try again.
    pub fn clear_all(&self) {
        self.emergency_stops.lock().clear_all();
    }

    /// Gives the estimator of how a brain counts tokens.
    pub fn estimator(&self, brain: &str) -> TokenEstimator {
        self.estimators.lock().get(brain).copied().unwrap_or_default()
    }

    /// Takes in something about how a brain counts. There are as many brains as the settings name.
    pub fn teach_estimator(&self, brain: &str, change: impl FnOnce(&mut TokenEstimator)) {
        change(self.estimators.lock().entry(brain.to_owned()).or_default());
    }

    /// A cache that remembers nothing of this one but what was made of tools, and shares that.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            tools: Arc::clone(&self.tools),
            ..Self::default()
        }
    }

    /// Makes the tools of a toolbox ready for turns: compiles their schemas, which may be those of another program and
    /// take a while. Not for a thread that others wait for. A turn does this itself for tools that were not prepared.
    pub fn prepare(&self, tools: &Arc<[Tool]>) {
        self.prepared(tools);
    }

    /// Tells whether a turn finds these tools ready.
    pub fn is_prepared(&self, tools: &Arc<[Tool]>) -> bool {
        self.tools.lock().get(tools).is_some()
    }

    /// Prepares the tools of a toolbox. Those that cannot be offered are left out, which the log tells once.
    pub fn prepared(&self, tools: &Arc<[Tool]>) -> PreparedTools {
        if let Some(known) = self.tools.lock().get(tools) {
            return known;
        }
        // Not under the lock: a large schema takes a while.
        let (kept, left_out) = offered(tools);
        for (tool, error) in left_out {
            let toolbox = tools.first().map(|tool| tool.toolbox_id.as_str());
            tracing::warn!(toolbox, tool, error, "tool left out");
        }
        let prepared: PreparedTools = kept.into();
        self.tools.lock().keep(tools, &prepared);
        prepared
    }

    /// Gives the results that may be used again.
    pub fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock()
    }

    /// Gives what is known of toolboxes that keep failing.
    pub fn breakers(&self) -> MutexGuard<'_, Breakers> {
        self.breakers.lock()
    }

    /// Gives the sessions in which nothing works any more.
    pub fn emergency_stops(&self) -> MutexGuard<'_, EmergencyStops> {
        self.emergency_stops.lock()
    }
}
