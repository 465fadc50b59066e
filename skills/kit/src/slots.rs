//! What gaps of many skills are filled with: numbers, spans and times, and places. Knows no skill.

use jiff::Timestamp;
use serde_json::Value;

use crate::calendar::{Calendar, find_zone};
use crate::intent::InLanguage;
use crate::numbers;

/// A number.
pub fn number(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    numbers::number(said, spoken.lang).map(Value::from)
}

/// A number below zero, whose sign is a word of the sentence.
pub fn negative(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let amount = numbers::number(said, spoken.lang).filter(|amount| *amount >= 0.0);
    amount.map(|amount| Value::from(-amount))
}

/// So many hundredths, from nothing to all; "half" is no half of one.
pub fn percent(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    hundredths(said, spoken).map(Value::from)
}

fn hundredths(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let percent = numbers::number(said, spoken.lang)?;
    let is_fraction = percent > 0.0 && percent < 1.0;
    ((0.0..=100.0).contains(&percent) && !is_fraction).then_some(percent)
}

/// A length of time in seconds, in the language or, as models write it, in English; none where months are part of it.
pub fn seconds(said: &str, lang: &str) -> Option<f64> {
    Calendar::spoken(lang).length(said)?.seconds()
}

/// A length of time.
pub fn span(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    seconds(said, spoken.lang).map(|_| Value::from(said))
}

/// A time of day.
pub fn hour(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let hour = Calendar::spoken(spoken.lang).hour(said);
    hour.map(|_| Value::from(said))
}

/// A time of day, or how long from now it is.
pub fn time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let calendar = Calendar::spoken(spoken.lang);
    let is_ahead = || calendar.length(said).is_some_and(|length| !length.is_of_days());
    let is_time = calendar.hour(said).is_some() || is_ahead();
    is_time.then(|| Value::from(said))
}

/// A place whose time zone is known. A name that only looks like a place's is left to a brain.
pub fn place(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    // Only brains name a place so.
    let is_bare = !said.starts_with("in ");
    let found = find_zone(said, Timestamp::now()).ok().filter(|_| is_bare)?;
    found.note.is_none().then(|| Value::from(said))
}
