//! How fast the voice speaks, shared by the reload, which sets it, and by what makes speech.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

/// Stands in a command for how much longer than at the usual speed each sound is held.
pub(super) const LENGTH_SCALE: &str = "{length_scale}";

/// Words a minute of a voice that is neither slowed down nor hurried.
const USUAL: f64 = 175.0;

/// The speed of speech. Clones share it.
#[derive(Debug, Clone)]
pub struct Speed(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    words_per_minute: AtomicU16,
    is_ours: AtomicBool,
}

impl Speed {
    /// Begins with this many words a minute. Who speaks is not known yet.
    pub fn new(words_per_minute: u16) -> Self {
        Self(Arc::new(Shared {
            words_per_minute: AtomicU16::new(words_per_minute),
            is_ours: AtomicBool::new(false),
        }))
    }

    /// Counts from the next sentence on.
    pub fn set(&self, words_per_minute: u16) {
        self.0.words_per_minute.store(words_per_minute, Ordering::Relaxed);
    }

    /// Gives the speed that is set now.
    pub fn words_per_minute(&self) -> u16 {
        self.0.words_per_minute.load(Ordering::Relaxed)
    }

    /// Gives the factor by which each sound is held longer than at the usual speed, as Piper counts.
    pub(super) fn length_scale(&self) -> f64 {
        USUAL / f64::from(self.words_per_minute().max(1))
    }

    /// Tells whether the voice speaks, and no other program.
    pub fn is_ours(&self) -> bool {
        self.0.is_ours.load(Ordering::Relaxed)
    }

    pub(super) fn set_ours(&self, is_ours: bool) {
        self.0.is_ours.store(is_ours, Ordering::Relaxed);
    }
}
