//! What fills the gaps of sentences about dice and numbers. Draws nothing.

use std::ops::RangeInclusive;

use loquat_kit::intent::InLanguage;
use loquat_kit::numbers;
use serde_json::Value;

use super::tools::{BOUNDS, DICE, FACES};

/// A whole number.
pub(super) fn whole(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    within(said, spoken.lang, BOUNDS)
}

/// So many dice.
pub(super) fn count(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    within(said, spoken.lang, DICE)
}

pub(super) fn sides(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    within(said, spoken.lang, FACES)
}

/// A die by its sides in one word: players say d20, W20, 20-sided or zwanzigseitig.
pub(super) fn die(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let letter = said.strip_prefix(['d', 'D', 'w', 'W']);
    let figures = letter.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let joined = || said.split_once('-').or_else(|| said.split_once("seitig"));
    let sides = figures.or_else(|| Some(joined()?.0))?;
    within(sides, spoken.lang, FACES)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the ranges end far below the whole numbers that a float holds exactly"
)]
fn within(said: &str, lang: &str, range: RangeInclusive<i64>) -> Option<Value> {
    let number = numbers::number(said, lang)?;
    let is_within = (*range.start() as f64..=*range.end() as f64).contains(&number);
    (is_within && number.fract() == 0.0).then(|| Value::from(number as i64))
}
