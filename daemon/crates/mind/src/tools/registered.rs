//! What skills have registered, shared by the desk, which hears of it, and by those who offer it as tools. It changes
//! at the desk alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use loquat_orchestrator::manifest::Manifest;
use parking_lot::Mutex;

/// A handle to it. Clones share everything.
#[derive(Debug, Clone, Default)]
pub struct Registered(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Never held across an await.
    manifest: Mutex<Arc<Manifest>>,
    changes: AtomicU64,
    is_orchestrated: AtomicBool,
}

impl Registered {
    /// As it is now. Later changes do not show in it.
    pub fn now(&self) -> Arc<Manifest> {
        Arc::clone(&self.0.manifest.lock())
    }

    /// Changes it.
    pub fn change(&self, change: impl FnOnce(&mut Manifest)) {
        change(Arc::make_mut(&mut self.0.manifest.lock()));
        self.0.changes.fetch_add(1, Ordering::Release);
    }

    /// How often it has changed.
    pub fn changes(&self) -> u64 {
        self.0.changes.load(Ordering::Acquire)
    }

    /// Whether this process orchestrates, so that the life of a dispatch is its to tell.
    pub fn is_orchestrated(&self) -> bool {
        self.0.is_orchestrated.load(Ordering::Relaxed)
    }

    /// Notes whether this process orchestrates.
    pub fn set_orchestrated(&self, is_orchestrated: bool) {
        self.0.is_orchestrated.store(is_orchestrated, Ordering::Relaxed);
    }
}
