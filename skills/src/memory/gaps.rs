//! What may fill the gaps of sentences about what is remembered. Knows nothing that is.

use serde_json::Value;

use super::words;
use crate::intent::InLanguage;

/// In one sentence.
const MOST_WORDS: usize = 60;

/// A fact: more than one word, of which one at least tells something.
pub(super) fn fact(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let count = said.split_whitespace().count();
    let tells = !words::telling(spoken.locales, said).is_empty();
    ((2..=MOST_WORDS).contains(&count) && tells).then(|| Value::from(spoken.said))
}

/// What something remembered is about.
pub(super) fn about(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().nth(MOST_WORDS).is_none();
    (is_short && !words::telling(spoken.locales, said).is_empty()).then(|| Value::from(spoken.said))
}
