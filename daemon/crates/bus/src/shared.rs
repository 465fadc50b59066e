//! What the handles of a client and its actor share. Neither sends nor receives.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use crate::announcements::Announcements;
use crate::state::{ConnectionState, Counters};
use crate::subscription::Subscribers;

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) subscribers: Subscribers,
    pub(crate) announcements: Announcements,
    pub(crate) counters: Counters,
    pub(crate) state: watch::Sender<ConnectionState>,
    /// Advanced whenever the actor turns, at least once a second.
    pub(crate) pulse: Arc<AtomicU64>,
}

impl Shared {
    pub(crate) fn beat(&self) {
        self.pulse.fetch_add(1, Ordering::Relaxed);
    }
}
