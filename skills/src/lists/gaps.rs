//! What may fill the gaps of sentences about lists. Knows no list that there is.

use serde_json::Value;

use super::names::{self, ListName};
use super::words::Words;
use crate::intent::InLanguage;

/// In one sentence.
const MOST_ITEM_WORDS: usize = 20;

/// Items that a sentence names. One that names a list too was cut in the wrong place.
pub(super) fn items(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let is_short = said.split_whitespace().nth(MOST_ITEM_WORDS).is_none();
    let is_whole = !names::mentions_list(said, &words) && !names::continues_name(said, &words);
    (is_short && is_whole).then(|| Value::from(spoken.said))
}

/// A list that a sentence names.
pub(super) fn list(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let name = ListName::spoken(said, &words)?;
    Some(Value::from(name.name))
}

/// What is noted.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a gap is read by a function of this type"
)]
pub(super) fn text(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    Some(Value::from(spoken.said))
}
