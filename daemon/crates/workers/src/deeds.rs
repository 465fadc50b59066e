//! What came of the calls and the questions of a device's turn, and which tools came to it, for the worker that thinks it. A worker only learns here what
//! has happened; nothing happens because it asks.

use std::collections::HashMap;
use std::sync::Arc;

use loquat_agent::consent::Consent;
use loquat_agent::journal::Offer;
use loquat_agent::toolbox::{Outcome, ToolError, Toolbox};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::message::{Asked, Told};

/// Calls and questions by key, in the order in which they were made.
#[derive(Debug, Default)]
struct Known {
    outcomes: HashMap<String, Vec<Option<Result<Outcome, ToolError>>>>,
    consents: HashMap<String, Vec<Option<Consent>>>,
    /// The tools that had come at each look.
    looks: Vec<Offer>,
}

/// Collects what came of the calls and questions of one turn. A turn has a bound of calls, and so has this.
#[derive(Debug, Default)]
pub(crate) struct Deeds {
    known: Mutex<Known>,
    changed: watch::Sender<()>,
}

impl Deeds {
    /// A call begins; its place among those with equal keys.
    pub(crate) fn called(&self, key: &str) -> usize {
        begin(self.known.lock().outcomes.entry(key.to_owned()).or_default())
    }

    /// It is over.
    pub(crate) fn returned(&self, key: &str, place: usize, outcome: &Result<Outcome, ToolError>) {
        end(self.known.lock().outcomes.get_mut(key), place, outcome.clone());
        self.changed.send_replace(());
    }

    /// The person is being asked.
    pub(crate) fn asked(&self, key: &str) -> usize {
        begin(self.known.lock().consents.entry(key.to_owned()).or_default())
    }

    /// The person answered, or did not.
    pub(crate) fn answered(&self, key: &str, place: usize, consent: Consent) {
        end(self.known.lock().consents.get_mut(key), place, consent);
        self.changed.send_replace(());
    }

    /// The turn looked for tools that have come, and these had.
    pub(crate) fn looked(&self, came: &[Arc<dyn Toolbox>]) {
        self.known.lock().looks.push(Offer::of(came));
        self.changed.send_replace(());
    }

    /// Waits until what is asked is known.
    pub(crate) async fn told(&self, asked: &Asked) -> Told {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(told) = self.look(asked) {
                return told;
            }
            // The sender is this value's own.
            if changed.changed().await.is_err() {
                return Told::Over;
            }
        }
    }

    fn look(&self, asked: &Asked) -> Option<Told> {
        let known = self.known.lock();
        match asked {
            Asked::Claim { .. } => Some(Told::Go),
            Asked::Outcome { key, place } => {
                let outcome = known.outcomes.get(key)?.get(*place)?.clone()?;
                Some(Told::Outcome(Box::new(outcome)))
            }
            Asked::Consent { key, place } => {
                let consent = *known.consents.get(key)?.get(*place)?;
                consent.map(Told::Consent)
            }
            Asked::Arrivals { look } => known.looks.get(*look).cloned().map(Told::Arrived),
        }
    }
}

fn begin<T>(lane: &mut Vec<Option<T>>) -> usize {
    lane.push(None);
    lane.len() - 1
}

fn end<T>(lane: Option<&mut Vec<Option<T>>>, place: usize, value: T) {
    if let Some(slot) = lane.and_then(|lane| lane.get_mut(place)) {
        *slot = Some(value);
    }
}
