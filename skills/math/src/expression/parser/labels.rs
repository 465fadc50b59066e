//! Units and currencies after a number, and amounts that are written in several units: `5 feet 10 inches`.
//!
//! A name counts only where a number stands before it, or where it is what others are converted to.

use super::Parser;
use crate::currency;
use crate::error::ExpressionError;
use crate::expression::node::Label;
use crate::expression::token::Kind;
use crate::expression::{Node, function};
use crate::number::Number;
use crate::operator::Operator;
use crate::units::{self, Category, Unit};

/// The longest name: `degrees Celsius` and `km / h` are shorter.
const MOST_TOKENS: usize = 4;

/// Parts of a whole, before `of` and before `a` unit.
const PARTS: &[(&str, f64)] = &[("half", 0.5), ("third", 1.0 / 3.0), ("quarter", 0.25)];

impl Parser<'_> {
    /// The unit or currency that is written here, and its length in tokens.
    pub(super) fn label_at(&self, place: usize) -> Result<Option<(Label, usize)>, ExpressionError> {
        if self.calendar.is_none() || !self.may_name(place) {
            return Ok(None);
        }
        let mut longest = 1;
        while longest < MOST_TOKENS && self.may_go_on(place, longest) {
            longest += 1;
        }
        for length in (1..=longest).rev() {
            if let Some(label) = self.label_of(place, length)? {
                return Ok(Some((label, length)));
            }
        }
        Ok(None)
    }

    /// Functions and the `in` before another unit are no units.
    fn may_name(&self, place: usize) -> bool {
        match self.kind_at(place) {
            Kind::Word(word) if word == "in" => self.is_inch(place + 1),
            Kind::Word(word) => {
                let is_call =
                    matches!(self.kind_at(place + 1), Kind::Sign("(")) || self.word_at(place + 1) == "of";
                !(is_call && function::find(word).is_some())
            }
            Kind::Sign(sign) => *sign == "degrees" || currency::find(sign).is_some(),
            _ => false,
        }
    }

    /// Whether the `in` before this place is an inch: behind the word that converts stands a unit.
    fn is_inch(&self, place: usize) -> bool {
        let joining = [
            "in",
            "to",
            "as",
            "into",
            "and",
            "or",
            "plus",
            "minus",
            "times",
            "x",
            "divided",
            "multiplied",
            "is",
        ];
        match self.kind_at(place) {
            Kind::Word(word) => joining.contains(&word.as_str()),
            Kind::Number(_) => true,
            Kind::Sign(sign) => *sign != "degrees",
            Kind::Date(_) | Kind::Time(_) | Kind::End => true,
        }
    }

    fn may_go_on(&self, place: usize, length: usize) -> bool {
        let next = place + length;
        let is_joined = self.tokens.get(next).is_some_and(|token| !token.spaced);
        match self.kind_at(next) {
            Kind::Word(_) => true,
            Kind::Sign("/") => matches!(self.kind_at(next + 1), Kind::Word(_)),
            Kind::Sign("squared" | "cubed" | "**") => is_joined,
            Kind::Number(_) => is_joined && self.kind_at(next - 1) == &Kind::Sign("**"),
            _ => false,
        }
    }

    fn label_of(&self, place: usize, length: usize) -> Result<Option<Label>, ExpressionError> {
        let name = self.written(place, length);
        if let Some(currency) = currency::find(name) {
            return Ok(Some(Label::Currency(currency)));
        }
        let known = units::known(name).map_err(|error| ExpressionError::Undefined(error.to_string()))?;
        // A single letter in another case is no unit but a thousand or a million.
        let is_clear = |unit: &&Unit| name.chars().count() > 1 || unit.has_symbol(name);
        Ok(known.filter(is_clear).map(Label::Unit))
    }

    /// The operand with its unit, and with what follows in smaller units.
    pub(super) fn labelled(&mut self, operand: Node, label: Label) -> Result<Node, ExpressionError> {
        let mut amount = Node::Labelled(Box::new(operand), label);
        let Label::Unit(mut larger) = label else {
            return Ok(amount);
        };
        while let Some((number, unit, length)) = self.smaller_part(larger)? {
            self.next += length;
            let part = Node::Labelled(Box::new(Node::Number(number)), Label::Unit(unit));
            amount = Node::binary(Operator::Plus, amount, part);
            larger = unit;
        }
        Ok(amount)
    }

    /// `10 inches` and `and 20 minutes`, behind a larger unit.
    fn smaller_part(
        &self,
        larger: &'static Unit,
    ) -> Result<Option<(Number, &'static Unit, usize)>, ExpressionError> {
        let lead = usize::from(self.word_at(self.next) == "and" && !self.is_listing);
        let place = self.next + lead;
        let Kind::Number(text) = self.kind_at(place) else {
            return Ok(None);
        };
        let (Ok(number), false) = (text.parse::<f64>(), larger.category == Category::Temperature) else {
            return Ok(None);
        };
        let number = Number::Real(number);
        let number = number.to_whole().map_or(number, Number::Whole);
        if let ("m", "hour") = (self.word_at(place + 1), larger.name) {
            let minute = units::known("minute").ok().flatten();
            return Ok(minute.map(|minute| (number, minute, lead + 2)));
        }
        let found = self.label_at(place + 1)?;
        Ok(found.and_then(|(label, length)| match label {
            Label::Unit(unit) if unit.is_less_than(larger) => Some((number, unit, lead + 1 + length)),
            _ => None,
        }))
    }

    /// `in cm`, `to minutes`, `as hours and minutes` behind an amount.
    pub(super) fn conversion(&mut self, amount: &Node) -> Result<Option<Node>, ExpressionError> {
        let is_said = matches!(self.word_at(self.next), "in" | "to" | "into" | "as");
        if !is_said || self.calendar.is_none() {
            return Ok(None);
        }
        let Some((Label::Unit(unit), length)) = self.label_at(self.next + 1)? else {
            return Ok(None);
        };
        self.next += 1 + length;
        if !self.is_listing && self.word_at(self.next) == "and" {
            if let Some((Label::Unit(smaller), length)) = self.label_at(self.next + 1)? {
                self.next += if smaller.is_less_than(unit) { 1 + length } else { 0 };
            }
        }
        Ok(Some(Node::Converted(Box::new(amount.clone()), unit)))
    }

    /// `$5`, `a week`, `half an hour`, `half of 5`.
    pub(super) fn amount(&mut self) -> Result<Option<Node>, ExpressionError> {
        if let Kind::Sign(sign) = self.kind() {
            let Some(currency) = currency::find(sign) else {
                return Ok(None);
            };
            self.next += 1;
            if matches!(self.kind(), Kind::Sign(sign) if currency::find(sign).is_some()) {
                return Err(self.unexpected("a number"));
            }
            let number = self.operand()?;
            return Ok(Some(Node::Labelled(Box::new(number), Label::Currency(currency))));
        }
        let part = PARTS.iter().find(|(name, _)| *name == self.word_at(self.next));
        let lead = usize::from(part.is_some());
        let is_article = matches!(self.word_at(self.next + lead), "a" | "an");
        let value = Node::Number(part.map_or(Number::Whole(1), |(_, part)| Number::Real(*part)));
        if part.is_some() && self.word_at(self.next + 1) == "of" {
            self.next += 1;
            return Ok(Some(value));
        }
        let place = self.next + lead + 1;
        match self.label_at(place)? {
            Some((label, length)) if is_article => {
                self.next = place + length;
                self.labelled(value, label).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `1 1/2` is one and a half, where units are read.
    pub(super) fn with_fraction(&mut self, whole: i128) -> Number {
        let plain = Number::Whole(whole);
        let is_part = |place: usize, spaced: bool| {
            let found = self.tokens.get(place);
            found.is_some_and(|token| token.spaced == spaced)
        };
        let digits = |place: usize| match self.kind_at(place) {
            Kind::Number(text) => text.parse::<i128>().ok().filter(|number| *number > 0),
            _ => None,
        };
        let place = self.next;
        let (Some(above), Some(below)) = (digits(place), digits(place + 2)) else {
            return plain;
        };
        let is_fraction = self.kind_at(place + 1) == &Kind::Sign("/")
            && is_part(place, true)
            && is_part(place + 1, false)
            && is_part(place + 2, false);
        if self.calendar.is_none() || !is_fraction || above >= below {
            return plain;
        }
        self.next += 3;
        let part = Number::Whole(above).divided_by(Number::Whole(below));
        plain.plus(part)
    }
}
