//! Whether the voice of this process is the one that is heard at the device, and begins with an answer that is still being
//! written. Where another program speaks it would be said twice. Says nothing itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The voice, as those see it who have something to be said. Clones are one.
#[derive(Debug, Clone, Default)]
pub struct OwnVoice(Arc<AtomicBool>);

impl OwnVoice {
    /// Tells whether it takes the first sentences of an answer.
    pub fn begins_early(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets whether it does from now on.
    pub fn set_begins_early(&self, begins_early: bool) {
        self.0.store(begins_early, Ordering::Relaxed);
    }
}
