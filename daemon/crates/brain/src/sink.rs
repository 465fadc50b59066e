//! Remembers whether anything that was streamed would have to be taken back.

use std::sync::atomic::{AtomicBool, Ordering};

use loquat_conversation::brain::{Delta, DeltaSink};

/// Passes a stream on and knows whether it must be voided before the call is made again.
pub(crate) struct Watched<'a> {
    inner: &'a dyn DeltaSink,
    heard: AtomicBool,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(inner: &'a dyn DeltaSink) -> Self {
        Self {
            inner,
            heard: AtomicBool::new(false),
        }
    }

    /// Voids what was streamed, if anything was.
    pub(crate) fn restart(&self) {
        if self.heard.swap(false, Ordering::Relaxed) {
            self.inner.delta(Delta::Restart);
        }
    }
}

impl DeltaSink for Watched<'_> {
    fn delta(&self, delta: Delta) {
        self.heard
            .store(!matches!(delta, Delta::Restart), Ordering::Relaxed);
        self.inner.delta(delta);
    }
}
