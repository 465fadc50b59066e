//! Which gaps of intents a part of a text can fill, whatever else was said: a time, a number, the name of a list. Gaps that take
//! any words say nothing, and are passed over.

use std::collections::{BTreeMap, HashSet};

use super::{Intents, named};
use crate::intent::Slot;
use crate::skill::Skill;

/// A gap is filled with no more words than these.
const MOST_WORDS: usize = 4;

/// A text of more words is compared no further.
pub(super) const LONGEST: usize = 30;

/// Fits no gap but one that takes any words.
pub(super) const NO_WORD: &str = "xyzzy";

impl Intents {
    /// The gaps that a part of the text can fill, with their intents.
    pub fn filled_by(&self, text: &str, lang: &str) -> HashSet<(String, String)> {
        let said: Vec<&str> = text.split_whitespace().map(bare).take(LONGEST).collect();
        let parts: Vec<String> = (1..=MOST_WORDS)
            .flat_map(|length| said.windows(length).map(|words| words.join(" ")))
            .collect();
        // Many intents have the same gap, and some are slow to read.
        let mut known = BTreeMap::new();
        let mut filled = HashSet::new();
        for skill in &self.skills {
            for intent in skill.intents {
                for slot in intent.slots {
                    let is_filled = *known
                        .entry((skill.folder, slot.name, slot.read as usize))
                        .or_insert_with(|| self.is_filled(skill, slot, &parts, lang));
                    if is_filled {
                        filled.insert((named(skill, intent), slot.name.to_owned()));
                    }
                }
            }
        }
        filled
    }

    fn is_filled(&self, skill: &Skill, slot: &Slot, parts: &[String], lang: &str) -> bool {
        let takes = |said: &str| self.fill(skill, slot, lang, said).is_some();
        !takes(NO_WORD) && parts.iter().any(|part| takes(part))
    }
}

/// A word without the signs around it, of which those of a number and a unit stay.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches([',', '.', '?', '!', ';', '"', '¿', '¡'])
}
