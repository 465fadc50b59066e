//! What may fill the gaps of sentences about what is remembered.

use serde_json::Value;

use super::store::Memories;
use super::{FOLDER, words};
use loquat_kit::intent::InLanguage;

/// In one sentence.
const MOST_WORDS: usize = 60;

/// A fact: more than one word, of which one at least tells something.
pub(super) fn fact(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let count = said.split_whitespace().count();
    let tells = !words::telling(spoken.locales, said).is_empty();
    ((2..=MOST_WORDS).contains(&count) && tells).then(|| Value::from(spoken.said))
}

/// A fact that no "that" introduces: it says how something is, and is not what is to be done.
pub(super) fn statement(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_listed = |name: &str, word: &str| {
        let mut lists = spoken.locales.values(FOLDER, spoken.lang, "states.value");
        lists.any(|(own, words)| own == name && words.split('|').any(|listed| listed == word))
    };
    let said_words = said.to_lowercase();
    let mut words = said_words.split_whitespace();
    let begins = words.next().is_some_and(|first| !is_listed("other", first));
    let states = words.any(|word| is_listed("verb", word));
    if begins && states {
        fact(said, spoken)
    } else {
        None
    }
}

/// What something remembered is about.
pub(super) fn about(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().nth(MOST_WORDS).is_none();
    (is_short && !words::telling(spoken.locales, said).is_empty()).then(|| Value::from(spoken.said))
}

/// What a question is about that something remembered answers: one about anything else is for others.
pub(super) fn known(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let memories = spoken.things.get::<Memories>()?;
    memories.tells_of(said).then(|| Value::from(spoken.said))
}
