//! What is remembered beyond a turn: results that may be used again, toolboxes that keep failing, sessions in which
//! nothing works any more, how each brain counts tokens, and what was made of
//! each tool.
//!
//! One of these is shared by all turns of a process. Nothing here runs a tool. All of it is bounded, and no lock is held
//! across an await.

mod breaker;
mod cache;
mod latch;
mod snapshot;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use cache::Scope;
pub use snapshot::Snapshot;

use crate::catalogue::Prepared;
use crate::context::gauge::Gauge;
use crate::toolbox::Tool;

use breaker::Breakers;
use cache::Cache;
use latch::Latches;
use tools::{PreparedTools, Tools};

/// What lasts from turn to turn.
#[derive(Debug, Default)]
pub struct Standing {
    cache: Mutex<Cache>,
    breakers: Mutex<Breakers>,
    latches: Mutex<Latches>,
    /// By the brain's name.
    gauges: Mutex<HashMap<String, Gauge>>,
    tools: Mutex<Tools>,
}

/// The state is whole after each statement, so that a panic elsewhere cannot have left it half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Standing {
    /// Nothing yet; a toolbox that does not answer is left alone for `pause` before it is tried again.
    pub fn pausing(pause: Duration) -> Self {
        Self {
            breakers: Mutex::new(Breakers::pausing(pause)),
            ..Self::default()
        }
    }

    /// Whether the tools of this session failed so often in a row that nothing is tried any more.
    pub fn is_latched(&self, session_id: &str) -> bool {
        lock(&self.latches).is_latched(session_id)
    }

    /// Lets a latched session try again. Only a person may ask for this.
    pub fn clear(&self, session_id: &str) {
        lock(&self.latches).clear(session_id);
    }

    /// How a brain counts tokens.
    pub(crate) fn gauge(&self, brain: &str) -> Gauge {
        lock(&self.gauges).get(brain).copied().unwrap_or_default()
    }

    /// Takes in something about how a brain counts. There are as many brains as the settings name.
    pub(crate) fn change_gauge(&self, brain: &str, change: impl FnOnce(&mut Gauge)) {
        change(lock(&self.gauges).entry(brain.to_owned()).or_default());
    }

    /// The tools of a toolbox, prepared. Those that cannot be offered are left out, which is told once.
    pub(crate) fn prepared(&self, tools: &Arc<[Tool]>) -> PreparedTools {
        if let Some(known) = lock(&self.tools).get(tools) {
            return known;
        }
        // Not under the lock: a large schema takes a while.
        let prepare = |tool: &Tool| {
            let prepared = Prepared::new(tool).map_err(|error| {
                tracing::warn!(toolbox = tool.toolbox_id, tool = tool.name, %error, "tool left out");
            });
            prepared.ok().map(Arc::new)
        };
        let prepared = tools.iter().filter_map(prepare).collect();
        lock(&self.tools).keep(tools, &prepared);
        prepared
    }

    pub(crate) fn cache(&self) -> MutexGuard<'_, Cache> {
        lock(&self.cache)
    }

    pub(crate) fn breakers(&self) -> MutexGuard<'_, Breakers> {
        lock(&self.breakers)
    }

    pub(crate) fn latches(&self) -> MutexGuard<'_, Latches> {
        lock(&self.latches)
    }
}
