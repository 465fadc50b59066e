//! Sentences that are nearly understood: a name of the home that was misheard, and one slight word too many or too few around
//! words that are all known. What they ask for is a guess, so that a person is asked before it changes what is not easily
//! taken back.
//!
//! Words of a person's own are never guessed about, and of two guesses that are equally near none is made.

mod guesses;
mod names;
mod places;
mod sounds;

use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};

use super::community::{Community, Known, Words};
use super::{NO_WORD, SpokenTools, Wish};

pub(super) use guesses::Guesses;
pub(super) use names::NearNames;

/// Longer sentences are no orders.
const MOST_WORDS: usize = 12;

/// Words that may be left out, each in turn. With more of them nothing is guessed: what was not tried might make sense as well.
const MOST_LEFT_OUT: usize = 4;

/// Names that are put in the place of what was heard, each in turn.
const MOST_NAMES: usize = 6;

impl SpokenTools {
    /// What a sentence asks for that nothing understands as it is. Who asks again about one of the last sentences is told the
    /// same, so that what is recognised, allowed and called is one guess.
    pub(super) fn guessed(&self, text: &str, lang: &str) -> Option<Wish> {
        let said = words_and_figures(text);
        if !(2..=MOST_WORDS).contains(&said.len()) {
            return None;
        }
        let changes = self.community.as_ref().map_or(0, Community::changes);
        self.guesses
            .of((text, lang, changes), || self.nearly(text, &said, lang))
    }

    fn nearly(&self, text: &str, said: &[Word], lang: &str) -> Option<Wish> {
        if let Some(wish) = self.with_place_moved(said, lang) {
            let call = self.called(&wish, lang)?;
            return Some(Wish {
                call: Some(call),
                ..wish
            });
        }
        let of_names = || self.with_right_names(said, lang);
        let of_less = || self.without_a_word(said, lang);
        let mut wish = of_less()
            .or_else(of_names)
            .or_else(|| self.lacking_a_word(text, lang))?;
        let call = wish
            .call
            .take()
            .or_else(|| self.called_by_ours(&wish.found, lang))?;
        // Who asks how something is wants nothing done, whatever is nearly like it.
        let asks = Phrases::known(lang).is_some_and(|phrases| phrases.asking.is_question(text));
        if asks && self.acts(call.clone()) {
            return None;
        }
        wish.call = Some(IntendedCall {
            is_guess: true,
            ..call
        });
        Some(wish)
    }

    /// The sentence without a word that stands twice or carries next to nothing.
    fn without_a_word(&self, said: &[Word], lang: &str) -> Option<Wish> {
        // A word that is slight in another language may be the very one that matters in this one.
        let slight = Phrases::known(lang).map(|phrases| phrases.slight.as_slice());
        let slight = slight.unwrap_or_default();
        let is_needless = |at: &usize| {
            let word = said.get(*at).map(|word| word.plain.as_str());
            let is_said_again = word == said.get(at + 1).map(|next| next.plain.as_str());
            is_said_again || word.is_some_and(|word| slight.iter().any(|known| known == word))
        };
        let places: Vec<usize> = (0..said.len()).filter(is_needless).collect();
        if places.len() > MOST_LEFT_OUT {
            return None;
        }
        only(places.into_iter().map(|place| {
            let rest = said.iter().enumerate().filter(|(at, _)| *at != place);
            let rest: Vec<&str> = rest.map(|(_, word)| word.said.as_str()).collect();
            self.closed(&rest.join(" "), lang)
        }))
    }

    /// The sentence with a name of the home in the place of words that sound like it: the nearest one that makes sense.
    fn with_right_names(&self, said: &[Word], lang: &str) -> Option<Wish> {
        let community = self.community.as_ref()?;
        let corrected = community.near_names().corrections(said, MOST_NAMES);
        let nearest = corrected.iter().find_map(|(miss, text)| {
            let is_read = community.wish(text, lang, Words::Known, Known::NOTHING).is_some();
            is_read.then_some(*miss)
        })?;
        let as_near = corrected.iter().filter(|(miss, _)| *miss <= nearest);
        only(as_near.map(|(_, text)| self.of_pack(text, lang, Words::Known).map(|(wish, _)| wish)))
    }

    /// The sentence of the pack that has one slight word more.
    fn lacking_a_word(&self, text: &str, lang: &str) -> Option<Wish> {
        let (wish, _) = self.of_pack(text, lang, Words::KnownButOne)?;
        Some(wish)
    }

    /// What a text asks for whose words are all known.
    fn closed(&self, text: &str, lang: &str) -> Option<Wish> {
        let of_pack = self.of_pack(text, lang, Words::Known).map(|(wish, _)| wish);
        of_pack.or_else(|| {
            let wish = self.of_ours(text, lang)?;
            let is_free = |(slot, said): &(String, String)| {
                self.takes_any_word(&wish.found.intent_name, lang, slot, said)
            };
            let is_closed = !wish.found.slots.iter().any(is_free);
            let call = self.called_by_ours(&wish.found, lang)?;
            let is_whole = self.intents.answer_to(&wish.found.intent_name, &call).is_none();
            (is_closed && is_whole).then_some(wish)
        })
    }

    /// Whether a gap would hold what fills it with any word in the place of one of its own, as words of a person do.
    pub(super) fn takes_any_word(&self, intent: &str, lang: &str, slot: &str, said: &str) -> bool {
        let words: Vec<&str> = said.split_whitespace().collect();
        (0..words.len()).any(|place| {
            let mut other = words.clone();
            other.splice(place..=place, [NO_WORD]);
            self.intents.takes(intent, lang, slot, &other.join(" "))
        })
    }
}

/// The one thing that guesses ask for; nothing where they ask for several.
fn only(guesses: impl Iterator<Item = Option<Wish>>) -> Option<Wish> {
    let mut guesses = guesses.flatten();
    let first = guesses.next()?;
    let is_one = guesses.all(|wish| wish.asks_the_same(&first));
    is_one.then_some(first)
}

impl Wish {
    /// Whether both ask for the same call.
    fn asks_the_same(&self, other: &Self) -> bool {
        let of = |wish: &Self| {
            wish.call
                .as_ref()
                .map(|call| (call.tool.clone(), call.arguments.clone()))
        };
        match (of(self), of(other)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => {
                self.found.intent_name == other.found.intent_name && self.found.slots == other.found.slots
            }
            _ => false,
        }
    }
}
