//! What the toolboxes of one process share: their sentences, and what they keep.
//!
//! Made once at the start; nothing here belongs to a single persona.

use std::sync::Arc;

use crate::alerts::Alerts;
use crate::lists::Lists;
use crate::locale::Locales;
use crate::records::{Records, Volatile};

/// What toolboxes are made with. Clones share it.
#[derive(Debug, Clone)]
pub struct Resources {
    /// The sentences.
    pub locales: Arc<Locales>,
    /// What must not be lost.
    pub records: Arc<dyn Records>,
    /// Timers, alarms and reminders.
    pub alerts: Arc<Alerts>,
    /// The lists among them.
    pub(crate) lists: Arc<Lists>,
}

impl Resources {
    /// With these sentences, and this place to keep records.
    pub fn new(locales: Arc<Locales>, records: Arc<dyn Records>) -> Self {
        Self {
            locales,
            alerts: Arc::new(Alerts::new(Arc::clone(&records))),
            lists: Arc::new(Lists::new(Arc::clone(&records))),
            records,
        }
    }

    /// Of a process that only looks at toolboxes, or that has no place to write: what is kept ends with the process.
    pub fn volatile(locales: Arc<Locales>) -> Self {
        Self::new(locales, Arc::new(Volatile::default()))
    }
}
