//! By what means a question is answered: the brain, the toolboxes, the limits, and who hears of it.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::brain::Brain;
use crate::budget::Budget;
use crate::consent::Person;
use crate::event::Observer;
use crate::grammar::Grammar;
use crate::stop::StopSignal;
use crate::toolbox::{Arrivals, Toolbox};
use crate::turn_cache::TurnCache;

/// The means of a turn: who and what answers.
#[derive(Clone)]
pub struct Means {
    /// This model is asked.
    pub brain: Arc<dyn Brain>,
    /// They are in the persona's order.
    pub toolboxes: Vec<Arc<dyn Toolbox>>,
    /// Further ones that may come while the turn runs; usually all are there.
    pub arrivals: Option<Arc<dyn Arrivals>>,
    /// Understands the sentences of the device. Where it is absent a brain calls every tool itself.
    pub grammar: Option<Arc<dyn Grammar>>,
    /// The limits of the turn.
    pub budget: Budget,
    /// The persona file gives the engine these settings.
    pub settings: Map<String, Value>,
    /// Hears everything.
    pub observer: Arc<dyn Observer>,
    /// Ends the turn from outside.
    pub stop: StopSignal,
    /// The state that lasts from turn to turn. All turns of a process share it.
    pub turn_cache: Arc<TurnCache>,
    /// The person who is asked before a dangerous call. Where it is absent such calls are turned away.
    pub person: Option<Arc<dyn Person>>,
}

impl std::fmt::Debug for Means {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Means")
            .field("brain", &self.brain)
            .field("toolboxes", &self.toolboxes)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
