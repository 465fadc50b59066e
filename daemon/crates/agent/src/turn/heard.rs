//! What a turn, and all turns within it, were told and have seen: the grounds of what a call may hold and an answer may tell.
//! Judges neither.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use loquat_conversation::question::Question;

/// All that was told and seen. What a brain adds for a turn within is left out: that vouches for no identifier.
#[derive(Debug)]
pub(super) struct Heard {
    /// What the person said, now and long before.
    pub(super) said: String,
    /// What the persona is told of itself.
    pub(super) persona: String,
    /// What is known of the person's surroundings.
    pub(super) surroundings: String,
    /// The results of the tools. The lock is never held across an await.
    observations: Mutex<Vec<Arc<str>>>,
}

impl Heard {
    pub(super) fn with(question: &Question) -> Self {
        let memories = question.memories.iter().map(String::as_str);
        let said = std::iter::once(question.utterance.as_str()).chain(memories);
        Self {
            said: said.collect::<Vec<_>>().join("\n"),
            persona: question.persona_prompt.clone(),
            surroundings: question.surroundings().unwrap_or_default(),
            observations: Mutex::default(),
        }
    }

    /// Gives all that was told before any call.
    pub(super) fn told(&self) -> [&str; 3] {
        [&self.said, &self.persona, &self.surroundings]
    }

    pub(super) fn observations(&self) -> MutexGuard<'_, Vec<Arc<str>>> {
        self.observations.lock()
    }

    pub(super) fn see(&self, observation: Arc<str>) {
        self.observations.lock().push(observation);
    }
}
