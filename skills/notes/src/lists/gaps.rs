//! What may fill the gaps of sentences about lists. Knows no list that there is.

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use super::names::{self, ListName};
use super::store::Lists;
use super::things;
use super::words::{Words, apart};
use loquat_kit::intent::InLanguage;

/// In one sentence.
const MOST_ITEM_WORDS: usize = 20;

/// Of what is looked for.
const MOST_SOUGHT_WORDS: usize = 3;

/// Items that a sentence names. One that names a list too was cut in the wrong place, and one that begins another order too.
pub(super) fn items(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let is_short = said.split_whitespace().nth(MOST_ITEM_WORDS).is_none();
    let is_whole = !names::mentions_list(said, &words) && !names::continues_name(said, &words);
    let is_meant = is_short && is_whole && things::may_be(spoken.said, &words);
    is_meant.then(|| Value::from(things::as_deeds(spoken.said, &words)))
}

/// Items that are taken off a list.
pub(super) fn unwanted(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    items(said, spoken).filter(|_| !things::begins_another_or_deed(spoken.said, &words))
}

/// A few things that are looked for on a list, in as many words as a thing to buy has.
pub(super) fn sought(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().nth(MOST_SOUGHT_WORDS).is_none();
    items(said, spoken).filter(|_| is_short)
}

/// A list that a sentence names.
pub(super) fn list(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let name = ListName::spoken(said, &words)?;
    Some(Value::from(name.name))
}

/// A list that a sentence wants to have emptied. The shopping list has one name in all languages here, so that the question
/// whether to do it is asked in words of its own.
pub(super) fn cleared(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let name = ListName::spoken(said, &words)?;
    let is_shopping = name.id == names::SHOPPING;
    Some(Value::from(if is_shopping { name.id } else { name.name }))
}

/// A list that a sentence wants to have made: one that it names, and no list of things that are asked for.
pub(super) fn new_list(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let mut own = apart(said).filter(|word| !words.is("list", word) && !words.is("article", word));
    let is_named = own.next().is_some();
    let is_of_things = apart(said).any(|word| words.is("made_of", word));
    list(said, spoken).filter(|_| is_named && !is_of_things)
}

/// What a list is to be called, in as many words as a name has.
pub(super) fn called(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let name = ListName::of(Some(said), &words)?;
    let is_short = said.split_whitespace().nth(MOST_SOUGHT_WORDS).is_none();
    is_short.then(|| Value::from(name.name))
}

/// A list that there is, by its name without the word for list. Lists that each language has a name for are no such lists.
pub(super) fn known(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let list = ListName::of(Some(said), &words)?;
    let is_there = !names::is_standard(&list.id) && spoken.things.get::<Lists>()?.has(&list.id);
    is_there.then(|| Value::from(said))
}

/// The list that a call clears, with the word for one.
pub(super) fn about(call: &IntendedCall, spoken: &InLanguage<'_>) -> Option<String> {
    let list = call.arguments.get("list").and_then(Value::as_str);
    let list = list.filter(|_| call.tool == super::CLEAR)?;
    let words = Words::of(spoken.locales, Some(spoken.lang));
    known(list, spoken)?;
    let word = words.forms("words.value", "list").next()?;
    Some(format!("{list} ({word})"))
}

/// What a call put on which list.
pub(super) fn object(call: &IntendedCall) -> Option<Map<String, Value>> {
    [super::ADD, super::FIND]
        .contains(&call.tool.as_str())
        .then(|| call.arguments.clone())
}

/// What is noted.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a gap is read by a function of this type"
)]
pub(super) fn text(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    Some(Value::from(spoken.said))
}
