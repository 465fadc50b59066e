//! Sentences that name a room elsewhere than the sentence that is known does: "in the bedroom turn on the light", and those about
//! timers of a room. The words are the same, so that such a sentence is no guess.
//!
//! Words of a person's own stay where they are, and where two places for the room mean two things, none is taken.

use std::ops::Range;

use loquat_sentences::words::Word;

use super::{Wish, only};
use crate::spoken_tools::SpokenTools;
use crate::spoken_tools::community::Words;

/// Rooms that one sentence names.
const MOST_PLACES: usize = 2;

impl SpokenTools {
    /// Whether words begin with a room and the word that joins it, and so are no name.
    pub(in crate::spoken_tools) fn begins_with_a_place(&self, said: &str, lang: &str) -> bool {
        let words: Vec<&str> = said.split_whitespace().collect();
        let places = self.intents.places_in(&words, lang);
        places.first().is_some_and(|(place, _)| place.start == 0)
    }

    /// What a sentence asks for with the room that it names in another place.
    pub(super) fn with_place_moved(&self, said: &[Word], lang: &str) -> Option<Wish> {
        let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
        let places = self.intents.places_in(&words, lang);
        places.into_iter().take(MOST_PLACES).find_map(|(place, name)| {
            let texts = elsewhere(&words, &place);
            let moved = self.one_of_the_pack(&texts, lang);
            let moved = moved.or_else(|| only(texts.iter().map(|text| self.closed(text, lang))));
            moved.or_else(|| self.of_room(&without(&words, &place), &name?, lang))
        })
    }

    fn one_of_the_pack(&self, texts: &[String], lang: &str) -> Option<Wish> {
        only(texts.iter().map(|text| {
            let (wish, _) = self.of_pack(text, lang, Words::Known)?;
            Some(wish)
        }))
    }

    /// What is left of a sentence without the room, where it is about what was set there.
    fn of_room(&self, text: &str, room: &str, lang: &str) -> Option<Wish> {
        let wish = self.closed(text, lang)?;
        let call = self.intents.of_room(&self.called(&wish, lang)?, room)?;
        Some(Wish {
            call: Some(call),
            ..wish
        })
    }
}

/// The words with a place between any other two of them.
fn elsewhere(words: &[&str], place: &Range<usize>) -> Vec<String> {
    let named = words.get(place.clone()).unwrap_or_default();
    let rest: Vec<&str> = others(words, place).collect();
    let gaps = (0..=rest.len()).filter(|gap| *gap != place.start);
    let moved = gaps.map(|gap| {
        let (before, behind) = rest.split_at(gap);
        [before, named, behind].concat().join(" ")
    });
    moved.collect()
}

fn without(words: &[&str], place: &Range<usize>) -> String {
    others(words, place).collect::<Vec<_>>().join(" ")
}

fn others<'a>(words: &[&'a str], place: &Range<usize>) -> impl Iterator<Item = &'a str> {
    let numbered = words.iter().enumerate();
    let rest = numbered.filter(|(at, _)| !place.contains(at));
    rest.map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_moved_to_every_other_place() {
        let words = ["in", "the", "hall", "lights", "on"];
        assert_eq!(
            elsewhere(&words, &(0..3)),
            ["lights in the hall on", "lights on in the hall"]
        );
        assert_eq!(without(&words, &(0..3)), "lights on");
        assert_eq!(elsewhere(&["here"], &(0..1)), Vec::<String>::new());
    }
}
