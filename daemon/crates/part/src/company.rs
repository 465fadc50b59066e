//! Whether another program is on the bus that this process has brought. On a bus of others there always is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

/// Who else is on the bus. Clones are one.
#[derive(Debug, Clone, Default)]
pub struct Company {
    /// The clients of this process.
    own: Arc<AtomicUsize>,
    /// All clients of a bus that this process has brought.
    all: Arc<Mutex<Option<Arc<AtomicUsize>>>>,
}

impl Company {
    /// Another client of this process joins.
    pub(super) fn is_joined_by_us(&self) {
        self.own.fetch_add(1, Ordering::Relaxed);
    }

    /// The bus is ours, and has so many clients.
    pub(super) fn is_on_ours(&self, clients: Arc<AtomicUsize>) {
        *self.all.lock() = Some(clients);
    }

    /// Tells whether anybody but this process is there.
    pub fn is_there(&self) -> bool {
        let own = self.own.load(Ordering::Relaxed);
        let all = self.all.lock();
        all.as_ref().is_none_or(|all| all.load(Ordering::Relaxed) > own)
    }
}
