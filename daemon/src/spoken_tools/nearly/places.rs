//! Sentences that name a room elsewhere than the sentence that is known does: "in the bedroom turn on the light". The words are
//! the same, so that such a sentence is no guess.
//!
//! Words of a person's own stay where they are, and where two places for the room mean two things, none is taken.

use loquat_sentences::words::Word;

use super::{Wish, only};
use crate::spoken_tools::SpokenTools;
use crate::spoken_tools::community::Words;

/// Rooms that one sentence names.
const MOST_PLACES: usize = 2;

impl SpokenTools {
    /// What a sentence asks for with the room that it names in another place.
    pub(super) fn with_place_moved(&self, said: &[Word], lang: &str) -> Option<Wish> {
        let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
        let places = self.intents.places_in(&words, lang);
        places.into_iter().take(MOST_PLACES).find_map(|place| {
            let (named, rest): (Vec<_>, Vec<_>) = (0..)
                .zip(&words)
                .partition(|(at, _): &(usize, _)| place.contains(at));
            let texts: Vec<String> = (0..=rest.len())
                .filter(|gap| *gap != place.start)
                .map(|gap| {
                    let (before, behind) = rest.split_at(gap);
                    let all = before.iter().chain(&named).chain(behind);
                    all.map(|(_, word)| **word).collect::<Vec<_>>().join(" ")
                })
                .collect();
            self.one_of_the_pack(&texts, lang)
                .or_else(|| self.one_of_ours(&texts, lang))
        })
    }

    fn one_of_the_pack(&self, texts: &[String], lang: &str) -> Option<Wish> {
        only(texts.iter().map(|text| {
            let (wish, _) = self.of_pack(text, lang, Words::Known)?;
            Some(wish)
        }))
    }

    fn one_of_ours(&self, texts: &[String], lang: &str) -> Option<Wish> {
        only(texts.iter().map(|text| self.closed(text, lang)))
    }
}
