//! The sentences that count now: each search gets all of one reading, and those of a reload take their place at once. Never
//! reads files.

use std::sync::Arc;

use loquat_sentences::Responses;
use loquat_skills::pack::Answers;
use parking_lot::RwLock;

use super::{InConversation, LastSaid, SpokenTools};

/// The sentences that count now. Clones share them.
#[derive(Debug, Clone)]
pub struct CurrentSentences(Arc<RwLock<Arc<SpokenTools>>>);

impl CurrentSentences {
    /// These, until others take their place.
    pub fn new(spoken: SpokenTools) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(spoken))))
    }

    /// Those that count now. What holds them keeps them, whatever takes their place.
    pub fn now(&self) -> Arc<SpokenTools> {
        Arc::clone(&self.0.read())
    }

    /// Those that count now, behind what was understood last in a conversation.
    pub fn behind(&self, last: Option<Arc<LastSaid>>) -> InConversation {
        InConversation::new(self.now(), last)
    }

    /// Puts others in their place.
    pub fn replace(&self, spoken: SpokenTools) {
        *self.0.write() = Arc::new(spoken);
    }
}

impl Answers for CurrentSentences {
    fn answers(&self, lang: &str) -> Option<Arc<Responses>> {
        self.now().community.as_ref()?.answers(lang)
    }
}
