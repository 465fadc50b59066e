//! How full the window of the brain that is asked first is, as far as that is known. Makes no room.

use std::sync::Arc;

use loquat_conversation::brain::{Brain, Usage};
use loquat_conversation::tokens::{Size, TokenEstimator};
use loquat_conversation::turn_cache::TurnCache;

/// From this share of the window on, room is made before the brain is asked.
pub(super) const CROWDED: f64 = 0.8;

/// The window, and how the brain counts tokens.
#[derive(Debug, Clone)]
pub(super) struct Window {
    brain: Arc<dyn Brain>,
    turn_cache: Arc<TurnCache>,
}

impl Window {
    pub(super) fn new(brain: &Arc<dyn Brain>, turn_cache: &Arc<TurnCache>) -> Self {
        Self {
            brain: Arc::clone(brain),
            turn_cache: Arc::clone(turn_cache),
        }
    }

    /// Estimates how many tokens a request has.
    pub(super) fn estimate(&self, size: Size) -> u64 {
        self.estimator().estimate(size)
    }

    fn estimator(&self) -> TokenEstimator {
        self.turn_cache.estimator(self.brain.name())
    }

    /// Takes in what the server counted. From an estimate nothing can be learned.
    pub(super) fn calibrate(&self, size: Size, usage: Usage) {
        if usage.estimated {
            return;
        }
        self.turn_cache.teach_estimator(self.brain.name(), |estimator| {
            estimator.observe(size, usage.prompt_tokens);
        });
    }

    /// Takes in that the server found a request too long.
    pub(super) fn was_too_long(&self, size: Size) {
        self.turn_cache
            .teach_estimator(self.brain.name(), |estimator| estimator.too_long(size));
    }

    /// Gives its size in tokens, where that is known.
    pub(super) fn tokens(&self) -> Option<u64> {
        self.estimator().window(self.brain.capabilities().context_tokens)
    }

    /// The used share with this request, of the room beside what always stays in it; zero while the size is not known.
    pub(super) fn fullness(&self, size: Size, stays: Size) -> f64 {
        let [size, stays] = [size, stays].map(|size| self.estimate(size));
        let share =
            |window: u64| size.saturating_sub(stays) as f64 / window.saturating_sub(stays).max(1) as f64;
        self.tokens().map_or(0.0, share)
    }

    /// Tells whether room has to be made before this is asked.
    pub(super) fn is_crowded(&self, size: Size, stays: Size) -> bool {
        self.fullness(size, stays) >= CROWDED
    }
}
