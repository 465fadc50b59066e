//! Whether the voice of this process is the one that is heard at the device, and begins with an answer that is still being
//! written. Where another program speaks it would be said twice. Says nothing itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The voice, as those see it who have something to be said. Clones are one.
#[derive(Debug, Clone, Default)]
pub struct OwnVoice(Arc<State>);

#[derive(Debug, Default)]
struct State {
    begins_early: AtomicBool,
    is_dumb: AtomicBool,
}

impl OwnVoice {
    /// Tells whether it takes the first sentences of an answer.
    pub fn begins_early(&self) -> bool {
        self.0.begins_early.load(Ordering::Relaxed)
    }

    /// Sets whether it does from now on.
    pub fn set_begins_early(&self, begins_early: bool) {
        self.0.begins_early.store(begins_early, Ordering::Relaxed);
    }

    /// Tells whether something speaks at the device: this voice or, where it gives way to one, that of another program. It does as
    /// long as it is not known that it does not.
    pub fn speaks(&self) -> bool {
        !self.0.is_dumb.load(Ordering::Relaxed)
    }

    /// Sets whether it does from now on.
    pub fn set_speaks(&self, speaks: bool) {
        self.0.is_dumb.store(!speaks, Ordering::Relaxed);
    }
}
