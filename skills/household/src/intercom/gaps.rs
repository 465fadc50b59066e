//! What may fill the gaps of sentences that are said in other rooms.

use loquat_kit::intent::InLanguage;
use serde_json::Value;

use super::exchange::Intercom;
use super::which::{Words, is_one};

/// Words of what a room is called.
const MOST_OF_A_ROOM: usize = 4;

/// Words of a message.
const MOST_WORDS: usize = 60;

/// A room with a voice, all of them, or a person who was named at some door.
pub(super) fn room(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let intercom = spoken.things.get::<Intercom>()?;
    let all = intercom.all();
    let stations: Vec<_> = all.iter().map(|(station, _)| station).collect();
    let words = Words::of(spoken.locales, spoken.lang);
    let is_known = is_one(said, &stations, &words) || !intercom.residents().doors_of(said).is_empty();
    is_known.then(|| Value::from(said))
}

/// Any few words that may be the name of a room.
pub(super) fn place(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    let is_name = |word: &str| word.chars().any(char::is_alphabetic);
    let words = said.split_whitespace().count();
    ((1..=MOST_OF_A_ROOM).contains(&words) && said.split_whitespace().all(is_name)).then(|| Value::from(said))
}

/// What is to be said, in a person's own words.
pub(super) fn message(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().nth(MOST_WORDS).is_none();
    (is_short && !said.trim().is_empty()).then(|| Value::from(spoken.said))
}

/// A message, where something was said in a room lately that can be answered.
pub(super) fn answer(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let intercom = spoken.things.get::<Intercom>()?;
    message(said, spoken).filter(|_| intercom.answers.are_possible())
}
