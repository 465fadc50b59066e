//! The caller's say in what fills a slot: it may refuse words. What it has decided of the same words is not asked again.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::utterance::Utterance;

/// Whether words can fill a slot: the intent, the slot and the words.
pub(crate) type Takes<'a> = &'a dyn Fn(&str, &str, &str) -> bool;

/// Decides what slots of an utterance may hold.
pub(crate) struct Judge<'a> {
    utterance: &'a Utterance,
    takes: Option<Takes<'a>>,
    /// They are found by intent, slot and letters.
    decided: HashMap<(&'a str, u32, Range<u32>), bool>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(utterance: &'a Utterance, takes: Option<Takes<'a>>) -> Self {
        Self {
            utterance,
            takes,
            decided: HashMap::new(),
        }
    }

    /// Whether a slot of an intent may hold these letters.
    pub(super) fn accepts(&mut self, intent: &'a str, slot: u32, name: &str, letters: Range<u32>) -> bool {
        let Some(takes) = self.takes else {
            return true;
        };
        let said = || self.utterance.said(&letters);
        *self
            .decided
            .entry((intent, slot, letters.clone()))
            .or_insert_with(|| takes(intent, name, &said()))
    }

    /// Whether a word has ended before this letter, and none goes on with it.
    pub(super) fn is_word_end(&self, at: u32) -> bool {
        self.utterance.is_word_end(at)
    }
}

impl fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("decided", &self.decided)
            .finish_non_exhaustive()
    }
}
