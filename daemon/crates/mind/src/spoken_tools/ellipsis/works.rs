//! Questions that go on with one to a work of reference: what is asked next is asked of the same person or thing, in whichever work
//! has it. "Who was Ada Lovelace", "when did she die", "and where".
//!
//! Nothing here asks a work.

use loquat_phrases::Phrases;
use loquat_sentences::words::Word;
use loquat_skills::{wikidata, wikipedia};

use super::{LastSaid, SpokenTools, Wanted, joined};

/// The works that know the same persons and things.
const WORKS: [&str; 2] = [wikipedia::ID, wikidata::ID];

/// Their gaps for what is asked about.
const ABOUT: [&str; 4] = ["person", "subject", "name", "topic"];

/// This stands for any of these gaps in what a language says of them.
const KNOWN: &str = "known";

/// Whether a toolbox is such a work.
pub(super) fn is_work(toolbox_id: &str) -> bool {
    WORKS.contains(&toolbox_id)
}

/// What a work was asked about last.
pub(super) fn known_by(last: &LastSaid) -> Option<(String, String)> {
    let own = last.own.as_ref().filter(|_| is_work(&last.call.toolbox_id))?;
    let mut slots = own.slots.iter();
    let (_, said) = slots.find(|(slot, _)| ABOUT.contains(&slot.as_str()))?;
    Some((KNOWN.to_owned(), said.clone()))
}

impl SpokenTools {
    /// Another fact of what a work was asked about last, which goes before the name of another thing: "and the currency".
    pub(super) fn asked_besides(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        is_work(&last.call.toolbox_id).then(|| self.reworded(text, lang, last))?
    }

    /// The question before with another word in front, where that is all that was said: "and where" behind "when was she born".
    pub(super) fn asked_otherwise(said: &[Word], lang: &str, last: &LastSaid) -> Option<String> {
        let orders = &Phrases::known(lang)?.orders;
        let asks = |word: &Word| orders.is_question_word(&word.plain);
        let asked = last.text.trim();
        let (before, rest) = asked.split_once(' ')?;
        let (word, joining) = said.split_last()?;
        let is_bare = joining.len() <= 1 && !joining.iter().any(asks) && asks(word);
        let is_other = orders.is_question_word(before) && !before.eq_ignore_ascii_case(&word.plain);
        let word = joined(std::slice::from_ref(word));
        (is_bare && is_other && is_work(&last.call.toolbox_id)).then(|| format!("{word} {rest}"))
    }
}
