//! Sentences that may mean several things: readings with equally many words that the sentence names itself and none of a person's
//! own, each about another thing of the same name. Which one is meant is asked, and the answer chooses.
//!
//! A reading that makes something new, or only looks, is never asked about. Nothing here runs a tool.

use loquat_agent::turn::IntendedCall;
use loquat_sentences::words::words_and_figures;
use loquat_skills::Chosen;

use super::community::Words;
use super::{SpokenTools, Wanted, Wish};

/// Readings that are told; who hears of more forgets the first.
const MOST: usize = 4;

/// One thing that a sentence may mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    intent: String,
    call: IntendedCall,
    /// What it is about, as it is told.
    about: String,
}

impl Wanted {
    /// What the sentence may mean, in words, where it is not one thing; else nothing.
    pub fn meanings(&self) -> Vec<String> {
        self.readings
            .iter()
            .map(|reading| reading.about.clone())
            .collect()
    }

    /// Only what was chosen of the readings.
    pub(super) fn chosen(&self, chosen: Chosen) -> Option<Self> {
        let meant = match chosen {
            Chosen::One(place) => std::slice::from_ref(self.readings.get(place)?),
            Chosen::All => self.readings.as_slice(),
        };
        let calls = meant.iter().map(|reading| reading.call.clone());
        Some(Self {
            intent: meant.first()?.intent.clone(),
            call: IntendedCall::together(calls)?,
            readings: Vec::new(),
            own: None,
            several: None,
        })
    }
}

impl SpokenTools {
    /// Everything that a text may mean which was read as this: the reading itself first. Nothing where it is the only one.
    pub(super) fn readings(&self, first: &Wish, text: &str, lang: &str) -> Vec<Reading> {
        let Some(own) = self.reading(first, lang) else {
            return Vec::new();
        };
        let literal = self.literal_words(first, text, lang);
        if literal.is_none() {
            return Vec::new();
        }
        let is_another = |intent: &str| intent != first.found.intent_name && !self.dependent.contains(intent);
        let of_ours = self.each_among(text, lang, &is_another);
        let of_ours = of_ours.into_iter().map(|found| Wish { found, call: None });
        let of_pack = first
            .call
            .is_none()
            .then(|| self.of_pack(text, lang, Words::Known));
        let of_pack = of_pack.flatten().map(|(wish, _)| wish);
        let mut readings = vec![own];
        for wish in of_pack.into_iter().chain(of_ours) {
            let is_equal = self.literal_words(&wish, text, lang) == literal;
            let reading = is_equal.then(|| self.reading(&wish, lang)).flatten();
            let is_new = |reading: &Reading| readings.iter().all(|known| known.about != reading.about);
            readings.extend(reading.filter(is_new));
        }
        readings.truncate(MOST);
        if readings.len() > 1 { readings } else { Vec::new() }
    }

    fn reading(&self, wish: &Wish, lang: &str) -> Option<Reading> {
        let call = self.called(wish, lang)?;
        let about = self.intents.about(&call, lang)?;
        Some(Reading {
            intent: wish.found.intent_name.clone(),
            call,
            about,
        })
    }

    /// How many words of a text a sentence names itself; nothing where a gap holds words of the person's own.
    fn literal_words(&self, wish: &Wish, text: &str, lang: &str) -> Option<usize> {
        let is_free = |(slot, said): &(String, String)| {
            wish.call.is_none() && self.takes_any_word(&wish.found.intent_name, lang, slot, said)
        };
        if wish.found.slots.iter().any(is_free) {
            return None;
        }
        let count = |text: &str| words_and_figures(text).len();
        let in_gaps: usize = wish.found.slots.iter().map(|(_, said)| count(said)).sum();
        count(text).checked_sub(in_gaps)
    }
}
