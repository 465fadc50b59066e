//! What the device knows before anything is said: the sentences that people say to it, and the names of its things. Its
//! owner says so through a port; nothing here reads files or asks the bus.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use crate::completeness::{self, Completeness};
use crate::names::Names;

/// Answers on the whisper thread and on the ear's, so within milliseconds.
pub trait KnownSpeech: Debug + Send + Sync {
    /// Tells whether the whole text is something that is said to this device and that leaves nothing open: a short
    /// command, a yes, a sentence of a skill.
    fn knows(&self, text: &str, lang: &str) -> bool;

    /// Tells how whole a text is by what is known of it; such a text may have words in it that are not known. By
    /// default one that is said to this device is whole, and nothing else.
    fn completeness(&self, text: &str, lang: &str) -> Completeness {
        if self.knows(text, lang) {
            Completeness::Whole
        } else {
            Completeness::Unsure
        }
    }

    /// Gives the names of things and people in what is said in this language.
    fn names(&self, lang: &str) -> Arc<Names>;
}

/// The knowledge of the device, once its owner has given it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known(Arc<OnceLock<Arc<dyn KnownSpeech>>>);

impl Known {
    /// Says it; the first word counts.
    pub(crate) fn is(&self, known: Arc<dyn KnownSpeech>) {
        if self.0.set(known).is_err() {
            tracing::debug!("what is known is said twice");
        }
    }

    /// Tells whether the whole text is said to this device.
    pub(crate) fn knows(&self, text: &str, lang: &str) -> bool {
        self.0.get().is_some_and(|known| known.knows(text, lang))
    }

    /// Tells how whole a text is by what is known of it.
    pub(crate) fn completeness(&self, text: &str, lang: &str) -> Completeness {
        let known = self.0.get();
        known.map_or(Completeness::Unsure, |known| known.completeness(text, lang))
    }

    /// Tells whether it is that, or a number.
    pub(crate) fn expects(&self, text: &str, lang: &str) -> bool {
        completeness::is_number(text, lang) || self.knows(text, lang)
    }

    /// Gives the names in this language, once it is known what is said to this device.
    pub(crate) fn names(&self, lang: &str) -> Option<Arc<Names>> {
        self.0.get().map(|known| known.names(lang))
    }
}
