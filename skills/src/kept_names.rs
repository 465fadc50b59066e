//! What the device's own things are called now: timers, alarms and reminders, and lists. For sentences that name one without
//! saying what it is, and for telling two of one name apart.
//!
//! Knows names alone, and changes nothing.

use std::sync::{Arc, OnceLock};

use crate::alerts::{Alerts, Kind};
use crate::lists::Lists;
use crate::resources::Resources;

/// Where the names are kept.
#[derive(Debug)]
struct Kept {
    alerts: Arc<Alerts>,
    lists: Arc<Lists>,
}

/// The names of what the device keeps; none before it is known where that is. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct KeptNames(Arc<OnceLock<Kept>>);

impl KeptNames {
    /// Those of these resources.
    pub fn of(resources: &Resources) -> Self {
        let names = Self::default();
        names.are_of(resources);
        names
    }

    /// Tells where the names are kept; once, since what is kept does not move.
    pub fn are_of(&self, resources: &Resources) {
        self.0.get_or_init(|| Kept {
            alerts: Arc::clone(&resources.alerts),
            lists: Arc::clone(&resources.lists),
        });
    }

    /// The kinds of alerts with just this name, each once.
    pub(crate) fn kinds_of_alerts(&self, name: &str) -> Vec<Kind> {
        let kinds = self.0.get().map(|kept| kept.alerts.kinds_called(name));
        kinds.unwrap_or_default()
    }

    /// Whether there is a list with this id.
    pub(crate) fn has_list(&self, id: &str) -> bool {
        self.0.get().is_some_and(|kept| kept.lists.has(id))
    }
}
