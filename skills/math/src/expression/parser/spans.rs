//! Counts of units between two moments: `weeks until 1 June`, `days left in this year`, `hours between 9:15 and 17:45`.
//!
//! Begins with the name of a unit, where no number stands before it.

use super::{Parser, WORDS_BIND};
use crate::error::ExpressionError;
use crate::expression::Node;
use crate::expression::node::Label;
use crate::expression::span;
use crate::expression::token::Kind;
use crate::quantity::Quantity;
use crate::units::{Category, Unit};
use crate::value::Value;
use loquat_kit::calendar::Calendar;

/// Words behind a unit that say nothing more.
const FILLERS: &[&str] = &[
    "are", "is", "there", "it", "still", "have", "has", "passed", "elapsed", "will", "be", "does", "take",
    "do", "we", "i",
];

/// A unit that is counted, or time in the unit that suits it.
type Counted = Option<&'static Unit>;

impl Parser<'_> {
    /// A count; nothing where the unit is followed by something else.
    pub(super) fn span(&mut self, calendar: &Calendar) -> Result<Option<Node>, ExpressionError> {
        let start = self.next;
        let Some(unit) = self.counted_unit() else {
            return Ok(None);
        };
        let mut is_left = false;
        loop {
            if self.skip_one_of(&["left", "remaining", "remain"]) {
                is_left = true;
            } else if !self.skip_one_of(FILLERS) {
                break;
            }
        }
        let found = self.span_of(unit, is_left, calendar)?;
        if found.is_none() {
            self.next = start;
        }
        Ok(found)
    }

    /// A unit, or `time` for any unit of time.
    fn counted_unit(&mut self) -> Option<Counted> {
        if self.word_at(self.next) == "time" {
            self.next += 1;
            return Some(None);
        }
        if !matches!(self.kind(), Kind::Word(_)) || self.word_at(self.next) == "in" {
            return None;
        }
        let Ok(Some((Label::Unit(unit), length))) = self.label_at(self.next) else {
            return None;
        };
        self.next += length;
        Some(Some(unit))
    }

    fn span_of(
        &mut self,
        unit: Counted,
        is_left: bool,
        calendar: &Calendar,
    ) -> Result<Option<Node>, ExpressionError> {
        if unit.is_some_and(|unit| unit.category != Category::Time) {
            return self.count_in(unit);
        }
        let with_hours = unit.is_none_or(|unit| unit.factor() <= 3600.0);
        let word = self.word_at(self.next).to_owned();
        let counted = match word.as_str() {
            "until" | "till" | "til" | "to" | "before" => {
                self.next += 1;
                span::until(unit, &self.expected_when(calendar, with_hours)?, calendar)?
            }
            "since" => {
                self.next += 1;
                span::since(unit, &self.expected_when(calendar, with_hours)?, calendar)?
            }
            "between" | "from" => {
                self.next += 1;
                let from = self.expected_when(calendar, with_hours)?;
                if !self.skip_one_of(&["and", "to", "until", "till"]) {
                    return Err(self.unexpected("'and' or 'to'"));
                }
                span::between(unit, from, self.expected_when(calendar, with_hours)?, calendar)?
            }
            _ if is_left => self.left(unit, calendar)?,
            _ => return self.count_in(unit),
        };
        Ok(Some(known(counted)))
    }

    /// `in this year`, `today`, `this week`, `in 2027`.
    fn left(&mut self, unit: Counted, calendar: &Calendar) -> Result<Quantity, ExpressionError> {
        self.skip_one_of(&["in", "of"]);
        let today = calendar.now().date();
        if self.skip_word("today") {
            return span::left(unit, today, calendar);
        }
        self.skip_one_of(&["this", "the"]);
        self.skip_word("current");
        if let Kind::Number(text) = self.kind() {
            let end = text.parse::<i16>().ok().and_then(span::end_of_year);
            let end = end.ok_or_else(|| self.unexpected("a year"))?;
            self.next += 1;
            return span::left(unit, end, calendar);
        }
        let period = self.label_at(self.next)?;
        let end = period.and_then(|(label, length)| match label {
            Label::Unit(period) => Some((span::end_of(period, today)?, length)),
            Label::Currency(_) => None,
        });
        let (end, length) =
            end.ok_or_else(|| self.unexpected("'this year', 'this month', 'this week' or 'today'"))?;
        self.next += length;
        span::left(unit, end, calendar)
    }

    /// `minutes in 2 hours`, `cm are in 3 yards`.
    fn count_in(&mut self, unit: Counted) -> Result<Option<Node>, ExpressionError> {
        let Some(unit) = unit.filter(|_| self.word_at(self.next) == "in") else {
            return Ok(None);
        };
        self.next += 1;
        let amount = self.expression(WORDS_BIND)?;
        Ok(Some(Node::Converted(Box::new(amount), unit)))
    }
}

fn known(counted: Quantity) -> Node {
    Node::Known(Box::new(Value::Measured(counted)))
}
