//! Names of things beside each other in one order, a name that stands alone behind another order, and what is an order only
//! behind another. Does nothing.

use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::home;

use super::{SpokenTools, Wish};

/// Slots of the pack for names of the home.
const NAMES: [&str; 3] = ["area", "floor", "name"];

/// The gap of ours for a thing of the home.
const THING: &str = "thing";

impl SpokenTools {
    /// Whether a sentence of ours names several things of the home beside each other.
    pub(super) fn names_several(&self, wish: &Wish, lang: &str) -> bool {
        let is_of_home = self.intents.toolbox_of(&wish.found.intent_name) == Some(home::ID);
        let mut things = wish.found.slots.iter().filter(|(slot, _)| slot == THING);
        is_of_home && things.any(|(_, said)| home::names_several(self.things(), said, self.locales(), lang))
    }

    /// What means something only behind this wish.
    pub(super) fn further_wish(&self, first: &Wish, said: &[Word], lang: &str) -> Option<Wish> {
        let toolbox = self.intents.toolbox_of(&first.found.intent_name)?;
        let is_meant =
            |intent: &str| self.further.contains(intent) && self.intents.toolbox_of(intent) == Some(toolbox);
        let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
        let found = self.among(&words.join(" "), lang, &is_meant)?;
        Some(Wish { found, call: None })
    }
}

/// Whether a part of a sentence says nothing but the name of a thing, which alone tells no wish: "the lamp" of "the fan and the
/// lamp".
pub(super) fn names_only(wish: &Wish, said: &[Word], lang: &str) -> bool {
    let names = wish
        .found
        .slots
        .iter()
        .filter(|(slot, _)| NAMES.contains(&slot.as_str()));
    let named: Vec<Word> = names.flat_map(|(_, said)| words_and_figures(said)).collect();
    let slight = Phrases::known(lang).map(|phrases| phrases.slight.as_slice());
    let is_slight = |word: &Word| slight.unwrap_or_default().contains(&word.plain);
    let is_named = |word: &Word| named.iter().any(|known| known.plain == word.plain);
    !named.is_empty() && said.iter().all(|word| is_named(word) || is_slight(word))
}
