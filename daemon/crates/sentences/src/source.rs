//! The sentences of a language as they are written: intents with their templates, lists and rules. Compiles nothing.

use std::collections::BTreeMap;

use crate::context::{Context, Requirement};
use crate::template::Spelling;
use crate::value::Value;

/// All that a language is compiled of.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The language, as its file is named: `en`, `zh-CN`.
    pub language: String,
    /// White space between letters of scripts without it counts for nothing.
    pub ignore_whitespace: bool,
    /// Words that may stand anywhere in a sentence.
    pub skip_words: Vec<String>,
    /// Lists that every template may name.
    pub lists: BTreeMap<String, List>,
    /// Templates that others name as `<rule>`.
    pub rules: BTreeMap<String, String>,
    /// They are in their order.
    pub intents: Vec<Intent>,
    /// How its templates are written.
    pub spelling: Spelling,
    /// What a slot is that names no list.
    pub undeclared: Undeclared,
    /// What an empty part of a choice is.
    pub empty_part: EmptyPart,
}

/// What the empty part of `(a|)` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmptyPart {
    /// Nothing need be said, as in OVOS's templates.
    #[default]
    Nothing,
    /// It never fits, as where the community's sentences are read.
    Never,
}

/// What a slot is that names no list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Undeclared {
    /// A mistake: the template is left out and reported.
    #[default]
    Refused,
    /// Any words, as in OVOS's `.intent` files. The caller may refuse some, and two such slots may stand side by side.
    Words,
}

/// What a person wants, and how it is said.
#[derive(Debug, Clone, Default)]
pub struct Intent {
    /// Its name.
    pub name: String,
    /// Each holds some of its sentences.
    pub blocks: Vec<Block>,
}

/// Sentences that share slots, context and response.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// It is understood by these templates.
    pub sentences: Vec<String>,
    /// Its response has this key.
    pub response: Option<String>,
    /// Slots that are filled unless a word fills them.
    pub slots: Vec<(String, Value)>,
    /// What has to be known.
    pub requires: Vec<Requirement>,
    /// Lists of this block alone.
    pub lists: BTreeMap<String, List>,
    /// These rules are this block's alone.
    pub rules: BTreeMap<String, String>,
}

/// What may stand in a slot.
#[derive(Debug, Clone)]
pub enum List {
    /// It is one of these.
    Values(Vec<ListValue>),
    /// It is a number.
    Numbers(Numbers),
    /// It is any text.
    Open,
    /// What the home calls by this list's name: names, areas, floors. It is given with each sentence.
    Home,
}

/// A value of a list.
#[derive(Debug, Clone)]
pub struct ListValue {
    /// How it is said; a template, if it has signs of one.
    pub said: String,
    /// What the slot holds; without it, the text as said.
    pub value: Option<Value>,
    /// What is known when it is said.
    pub context: Context,
}

/// A range of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// It is the least.
    pub from: i64,
    /// It is the greatest.
    pub to: i64,
    /// It lies between one and the next.
    pub step: i64,
    /// These parts of one may lie between them.
    pub fractions: Fractions,
    /// What the number said is multiplied by.
    pub multiplier: Option<f64>,
    /// Digits are read.
    pub digits: bool,
    /// Words are read.
    pub words: bool,
    /// The language of the words, if it is another one.
    pub words_language: Option<String>,
}

/// Parts of one that a number may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fractions {
    /// No parts are said.
    #[default]
    None,
    /// Halves are said.
    Halves,
    /// Tenths are said.
    Tenths,
}

impl Source {
    /// Sentences as OVOS has them: intents by their names, with any words in their slots.
    pub fn of_words<'a>(intents: impl IntoIterator<Item = (&'a str, Vec<String>)>) -> Self {
        let intent = |(name, sentences): (&str, Vec<String>)| Intent {
            name: name.to_owned(),
            blocks: vec![Block {
                sentences,
                ..Block::default()
            }],
        };
        Self {
            spelling: Spelling::Words,
            undeclared: Undeclared::Words,
            intents: intents.into_iter().map(intent).collect(),
            ..Self::default()
        }
    }
}

impl Numbers {
    /// The whole numbers of a range, in digits and words.
    pub fn between(from: i64, to: i64) -> Self {
        Self {
            from,
            to,
            step: 1,
            fractions: Fractions::None,
            multiplier: None,
            digits: true,
            words: true,
            words_language: None,
        }
    }

    pub(crate) fn holds(&self, number: f64) -> bool {
        let (from, to) = (self.from as f64, self.to as f64);
        let is_step =
            |whole: f64| (from..=to).contains(&whole) && ((whole - from) % self.step.max(1) as f64) == 0.0;
        let whole = number.floor();
        let parts: &[f64] = match self.fractions {
            Fractions::None => &[],
            Fractions::Halves => &[0.5],
            Fractions::Tenths => &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        };
        let is_same = |part: &f64| (whole + part).total_cmp(&number).is_eq();
        let is_unit = self.step == 1 && self.fractions == Fractions::None;
        if is_unit {
            return (from..=to).contains(&number);
        }
        is_step(number) && number.fract() == 0.0 || is_step(whole) && parts.iter().any(is_same)
    }

    /// What the slot holds when this number is said.
    pub(crate) fn value(&self, number: f64, is_whole: bool) -> Value {
        match self.multiplier {
            Some(multiplier) => Value::Number(number * multiplier),
            None if is_whole => Value::Whole(number as i64),
            None => Value::Number(number),
        }
    }
}

impl ListValue {
    /// A value that is said as it is called.
    pub fn new(said: &str) -> Self {
        Self {
            said: said.to_owned(),
            value: Some(Value::from(said)),
            context: Context::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_steps_and_parts() {
        let halves = Numbers {
            fractions: Fractions::Halves,
            ..Numbers::between(0, 100)
        };
        assert!([0.0, 20.5, 100.5].iter().all(|number| halves.holds(*number)));
        assert!([-0.5, 20.3, 101.0].iter().all(|number| !halves.holds(*number)));
        let hundreds = Numbers {
            step: 100,
            ..Numbers::between(1_000, 10_000)
        };
        assert!(hundreds.holds(2_700.0) && !hundreds.holds(2_750.0) && !hundreds.holds(900.0));
        assert!(!Numbers::between(1, 100).holds(f64::INFINITY) && !halves.holds(f64::NAN));
    }
}
