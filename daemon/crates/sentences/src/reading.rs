//! A reading: what a sentence was understood as.

use std::ops::Range;

use crate::context::Context;
use crate::value::Value;

/// What came of reading a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understood {
    /// The text as it was read: without signs around its words.
    pub text: String,
    /// They are in the order of the sentences.
    pub readings: Vec<Reading>,
    /// How reading ended.
    pub end: End,
}

/// How reading a text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// Every sentence was tried.
    #[default]
    Complete,
    /// It took too many steps; there may be further readings.
    GaveUp,
    /// The text has too many letters to be a sentence, and was not read.
    TooLong,
}

/// What a text was understood as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What a person wants.
    pub intent: String,
    /// It is this block of its intent, counted from 0.
    pub block: usize,
    /// The template that fits.
    pub sentence: String,
    /// The response has this key.
    pub response: Option<String>,
    /// What fills the slots, each slot once.
    pub slots: Vec<Slot>,
    /// What is known now: what was known before, and what the values of slots made known.
    pub context: Context,
    /// How many letters are literally those of the template.
    pub literal: usize,
    /// How many slots hold open text.
    pub open: usize,
    /// How many letters of the text are open text.
    pub open_letters: usize,
}

/// What fills a slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Value,
    /// What was said for it, or nothing.
    pub said: String,
    /// Where that stands in the text as it was read, in bytes.
    pub span: Option<Range<usize>>,
    /// It was filled from there.
    pub origin: Origin,
    /// How many letters were said for it, with white space.
    pub(crate) weight: usize,
}

/// What filled a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A value of a list.
    Value,
    /// A number filled it.
    Number,
    /// Open text: any words.
    Open,
    /// The block of sentences, whatever is said.
    Fixed,
    /// The context filled it: the room of the device.
    Context,
}

impl Reading {
    /// A slot by its name.
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}

/// The best of some readings, by the order of Home Assistant: those with a known name first, and of these the longest name;
/// then fewest open slots, most literal letters, and least open text. Of readings that are equal in all of this the intent
/// decides that is first by the alphabet, then their order.
pub fn best(readings: &[Reading]) -> Option<&Reading> {
    named(readings)
        .into_iter()
        .min_by(|one, other| rank(one).cmp(&rank(other)))
}

/// The readings with the longest known name, or all if none has one.
fn named(readings: &[Reading]) -> Vec<&Reading> {
    let mut kept: Vec<&Reading> = Vec::new();
    let mut has_name = false;
    let mut longest = None;
    for reading in readings {
        let name = reading.slot("name").filter(|slot| slot.origin != Origin::Open);
        if has_name && name.is_none() {
            continue;
        }
        if name.is_some() && !has_name {
            has_name = true;
            kept.clear();
        }
        if let Some(weight) = name
            .filter(|slot| slot.value.as_text().is_some())
            .map(|slot| slot.weight)
        {
            if longest.is_some_and(|longest| weight < longest) {
                continue;
            }
            if longest.is_none_or(|longest| weight > longest) {
                longest = Some(weight);
                kept.clear();
            }
        }
        kept.push(reading);
    }
    kept
}

fn rank(reading: &Reading) -> (usize, std::cmp::Reverse<usize>, usize, &str) {
    (
        reading.open,
        std::cmp::Reverse(reading.literal),
        reading.open_letters,
        &reading.intent,
    )
}
