//! Days, times of day and moments among the tokens: `christmas`, `1 May 2027`, `18:30`, `friday at 3 pm`, `now`.
//!
//! Takes the longest run of words that names one, and reads no further.

use jiff::Zoned;

use super::Parser;
use crate::error::ExpressionError;
use crate::expression::Node;
use crate::expression::span;
use crate::expression::token::Kind;
use crate::operator::Operator;
use crate::units::{self, Category};
use crate::value::Value;
use loquat_kit::calendar::Calendar;
use loquat_kit::{Day, Hour};

/// `Friday the 25th of December, 2026` and the like.
const MOST_TOKENS: usize = 8;

/// A day, a time or both, as it was said.
#[derive(Debug, Clone)]
pub(in crate::expression) enum When {
    Day(Day),
    Hour(Hour),
    /// It is both.
    Moment(Zoned),
}

impl When {
    fn value(self) -> Value {
        match self {
            Self::Day(day) => Value::Day(day.date),
            Self::Hour(hour) => Value::Time(hour.time, 0),
            Self::Moment(moment) => Value::Moment(moment),
        }
    }
}

impl Parser<'_> {
    /// A day, a time or a moment as an operand; numbers alone are numbers.
    pub(super) fn moment(&mut self, calendar: &Calendar) -> Option<Node> {
        let when = self.when(calendar, false)?;
        Some(Node::Known(Box::new(when.value())))
    }

    /// What is said here; `with_hours` takes a number alone as an hour.
    pub(super) fn when(&mut self, calendar: &Calendar, with_hours: bool) -> Option<When> {
        if self.skip_word("now") {
            return Some(When::Moment(calendar.now().clone()));
        }
        let start = self.next;
        if let Some(day) = self.day(calendar) {
            let joint = self.next;
            self.skip_one_of(&["at", "um"]);
            let hour = self.hour(calendar, false);
            let moment = hour.and_then(|hour| moment(day, hour, calendar));
            if moment.is_none() {
                self.next = joint;
            }
            return Some(moment.map_or(When::Day(day), When::Moment));
        }
        self.next = start;
        let hour = self.hour(calendar, with_hours)?;
        let joint = self.next;
        self.skip_one_of(&["on", "am"]);
        let moment = self.day(calendar).and_then(|day| moment(day, hour, calendar));
        if moment.is_none() {
            self.next = joint;
        }
        Some(moment.map_or(When::Hour(hour), When::Moment))
    }

    fn day(&mut self, calendar: &Calendar) -> Option<Day> {
        let may_belong = |place: usize| match self.kind_at(place) {
            Kind::Word(_) => true,
            Kind::Number(_) | Kind::Date(_) | Kind::Sign(",") => place > self.next || self.begins_day(),
            _ => false,
        };
        let longest = (0..MOST_TOKENS)
            .take_while(|length| may_belong(self.next + length))
            .count();
        let (day, length) = (1..=longest).rev().find_map(|length| {
            let is_open = matches!(self.kind_at(self.next + length - 1), Kind::Sign(_));
            let day = calendar.day(self.written(self.next, length)).filter(|_| !is_open);
            day.map(|day| (day, length))
        })?;
        self.next += length;
        Some(day)
    }

    /// A number begins a day only before a word that is no unit: `3 weeks` is a duration.
    fn begins_day(&self) -> bool {
        let word = self.word_at(self.next + 1);
        let is_unit = units::known(word).is_ok_and(|unit| unit.is_some());
        matches!(self.kind(), Kind::Date(_)) || !word.is_empty() && !is_unit
    }

    fn hour(&mut self, calendar: &Calendar, with_hours: bool) -> Option<Hour> {
        let is_time = matches!(self.kind(), Kind::Time(_)) || with_hours;
        let is_said = |place: usize| {
            matches!(
                self.kind_at(place),
                Kind::Word(_) | Kind::Number(_) | Kind::Time(_)
            )
        };
        let longest = (0..MOST_TOKENS)
            .take_while(|length| is_said(self.next + length))
            .count();
        let (hour, length) = (1..=longest).rev().find_map(|length| {
            let hour = calendar.hour(self.written(self.next, length));
            let hour = hour.filter(|hour| is_time || hour.is_clear);
            hour.map(|hour| (hour, length))
        })?;
        self.next += length;
        Some(hour)
    }

    /// `100 days after 1 May`, `2 weeks ago`, behind an amount of time.
    pub(super) fn moved(&mut self, amount: &Node) -> Result<Option<Node>, ExpressionError> {
        let (Some(calendar), Some(unit)) = (self.calendar, amount.written_unit()) else {
            return Ok(None);
        };
        if unit.category != Category::Time {
            return Ok(None);
        }
        let word = self.word_at(self.next).to_owned();
        let is_now =
            word == "ago" || word == "hence" || word == "from" && self.word_at(self.next + 1) == "now";
        let operator = match word.as_str() {
            "ago" | "before" => Operator::Minus,
            "hence" | "after" | "from" | "past" | "since" => Operator::Plus,
            _ => return Ok(None),
        };
        if is_now {
            self.next += if word == "from" { 2 } else { 1 };
            let is_of_days = unit.factor() >= 86_400.0;
            let now = calendar.now();
            let now = if is_of_days {
                Value::Day(now.date())
            } else {
                Value::Moment(now.clone())
            };
            return Ok(Some(Node::binary(
                operator,
                Node::Known(Box::new(now)),
                amount.clone(),
            )));
        }
        self.next += 1;
        let moment = self.moment_or_expression(calendar)?;
        Ok(Some(Node::binary(operator, moment, amount.clone())))
    }

    fn moment_or_expression(&mut self, calendar: &Calendar) -> Result<Node, ExpressionError> {
        match self.moment(calendar) {
            Some(moment) => Ok(moment),
            None if self.kind() == &Kind::Sign("(") => self.operand(),
            None => Err(self.unexpected("a date or a time of day")),
        }
    }

    /// A day or time behind `until` and the like, also one that is calculated in parentheses.
    pub(super) fn expected_when(
        &mut self,
        calendar: &Calendar,
        with_hours: bool,
    ) -> Result<When, ExpressionError> {
        self.skip_one_of(&["the", "on", "at"]);
        if let Some(when) = self.when(calendar, with_hours) {
            return Ok(when);
        }
        if let Kind::Number(text) = self.kind() {
            if let Some(day) = text.parse().ok().and_then(span::start_of_year) {
                self.next += 1;
                return Ok(When::Day(day));
            }
        }
        if self.kind() != &Kind::Sign("(") {
            return Err(self.unexpected("a date or a time of day"));
        }
        match self.operand()?.result(None)? {
            Value::Day(date) => Ok(When::Day(Day { date, has_year: true })),
            Value::Time(time, _) => Ok(When::Hour(Hour {
                time,
                may_be_later: false,
                is_clear: true,
                has_half: true,
            })),
            Value::Moment(moment) => Ok(When::Moment(moment)),
            Value::Plain(_) | Value::Measured(_) | Value::Money(..) => {
                Err(self.unexpected("a date or a time of day"))
            }
        }
    }
}

fn moment(day: Day, hour: Hour, calendar: &Calendar) -> Option<Zoned> {
    day.date
        .to_datetime(hour.time)
        .to_zoned(calendar.now().time_zone().clone())
        .ok()
}
