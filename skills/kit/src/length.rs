//! Lengths of time as people say them: `an hour and a half`, `90 Sekunden`, `2 h 30`, `8 weeks and 2 days`, `½ hour`.
//!
//! Months and years are counted on the calendar and never turned into seconds.

use jiff::{Span, ToSpan, Zoned};

use crate::language::Unit;
use crate::text::{Found, Text};

/// A length has no more parts than these.
const MOST_PARTS: usize = 6;

const DAY: f64 = 86_400.0;

/// So many seconds, or about as many, of a month.
const MONTH: f64 = 30.0 * DAY;

/// Beyond this nothing is counted.
const MOST: f64 = 1e9;

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Length {
    /// Years are twelve of these.
    pub months: i32,
    /// Weeks are seven of these.
    pub days: i32,
    /// Less than days.
    pub seconds: f64,
}

/// A part of a length: so much of a unit.
#[derive(Debug, Clone, Copy)]
struct Part {
    length: Length,
    /// One of the unit, in seconds.
    unit: f64,
}

impl Length {
    /// In seconds; none where months are part of it, which differ.
    pub fn seconds(&self) -> Option<f64> {
        (self.months == 0).then(|| f64::from(self.days) * DAY + self.seconds)
    }

    /// Whether it is counted in days, weeks, months and years alone.
    pub fn is_of_days(&self) -> bool {
        self.seconds == 0.0
    }

    /// Days, weeks, months and years of it, forwards or backwards.
    pub(crate) fn days(&self, direction: i32) -> Option<Span> {
        let span = Span::new().try_months(self.months.checked_mul(direction)?).ok()?;
        span.try_days(self.days.checked_mul(direction)?).ok()
    }

    /// The moment that is so much later.
    pub fn after(&self, moment: &Zoned) -> Option<Zoned> {
        let later = moment.checked_add(self.days(1)?).ok()?;
        later.checked_add(((self.seconds * 1000.0).round() as i64).milliseconds()).ok()
    }

    fn of(amount: f64, (factor, unit): (f64, Unit)) -> Option<Self> {
        let count = amount * factor;
        if !(0.0..MOST).contains(&count) {
            return None;
        }
        let whole = count.floor();
        match unit {
            Unit::Month => (whole == count).then_some(Self {
                months: whole as i32,
                ..Self::default()
            }),
            Unit::Day => Some(Self {
                days: whole as i32,
                seconds: (count - whole) * DAY,
                ..Self::default()
            }),
            Unit::Second => Some(Self {
                seconds: count,
                ..Self::default()
            }),
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            months: self.months.checked_add(other.months)?,
            days: self.days.checked_add(other.days)?,
            seconds: self.seconds + other.seconds,
        })
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Text<'_> {
    pub(crate) fn find_lengths(&self, at: usize) -> Found<Length> {
        let mut found = Vec::new();
        let mut open: Found<Part> = self.parts(at);
        for _ in 0..MOST_PARTS {
            let mut longer = Vec::new();
            for (sum, end) in open {
                found.push((sum.length, end));
                found.extend(self.rest(sum, end));
                longer.extend(self.next_parts(sum, end));
            }
            open = longer;
        }
        found.retain(|(length, _)| !length.is_none());
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found.dedup_by_key(|(_, end)| *end);
        found
    }

    /// Smaller parts behind a part, and what they make together.
    fn next_parts(&self, sum: Part, at: usize) -> Found<Part> {
        let behind = self.behind_comma(at);
        let behind = self.behind_one_of(&self.language.and, behind).unwrap_or(behind);
        let parts = self.parts(behind).into_iter();
        let smaller = parts.filter(|(part, _)| part.unit < sum.unit);
        let joined = smaller.filter_map(|(part, end)| {
            let length = sum.length.plus(part.length)?;
            Some((Part { length, ..part }, end))
        });
        joined.collect()
    }

    /// A number behind an hour or a minute counts the next smaller unit: "an hour thirty".
    fn rest(&self, sum: Part, at: usize) -> Option<(Length, usize)> {
        let smaller = [3600.0, 60.0].contains(&sum.unit).then_some(sum.unit / 60.0)?;
        let at = self.behind_one_of(&self.language.and, at).unwrap_or(at);
        let numbers = self.numbers(at);
        let (number, end) = numbers.iter().find(|(number, _)| number.fract() == 0.0 && *number < 60.0)?;
        let is_counted = self.unit(*end).is_some() || self.token(*end).is_some_and(|token| token.is_glued && !token.is("."));
        let length = sum.length.plus(Length::of(number * smaller, (1.0, Unit::Second))?)?;
        (!is_counted).then_some((length, *end))
    }

    /// So much of one unit, with a fraction of the same unit behind it.
    fn parts(&self, at: usize) -> Found<Part> {
        let mut found = Vec::new();
        for (amount, end) in self.amounts(at) {
            let Some(unit) = self.unit(end) else { continue };
            let part = |amount| Some(Part { length: Length::of(amount, unit)?, unit: seconds_of(unit) });
            found.extend(part(amount).map(|part| (part, end + 1)));
            let longer = self.fraction_behind(end + 1).into_iter();
            found.extend(longer.filter_map(|(more, end)| Some((part(amount + more)?, end))));
        }
        // `hora y media`.
        if let Some(unit) = self.unit(at) {
            let part = |amount| Some(Part { length: Length::of(amount, unit)?, unit: seconds_of(unit) });
            let longer = self.fraction_behind(at + 1).into_iter();
            found.extend(longer.filter_map(|(more, end)| Some((part(1.0 + more)?, end))));
        }
        found
    }

    /// `and a half` behind a unit, where no unit follows.
    fn fraction_behind(&self, at: usize) -> Found<f64> {
        let Some(at) = self.behind_one_of(&self.language.and, at) else {
            return Vec::new();
        };
        let mut parts = self.fraction(at);
        let named = self.language.fractions.get(self.word(at)).map(|part| (1.0 / part, at + 1));
        parts.extend(named);
        parts.retain(|(part, end)| *part < 1.0 && self.unit(*end).is_none());
        parts
    }

    /// How many of a unit: a number, an article, a couple, or a fraction of one.
    fn amounts(&self, at: usize) -> Found<f64> {
        let language = self.language;
        let mut found = self.named(&language.couples, at);
        found.extend(self.numbers(at).iter().copied());
        for (part, end) in self.fraction(at) {
            let of = self.behind_one_of(&language.of, end).unwrap_or(end);
            let article = self.behind_article(of);
            found.extend([of, article.unwrap_or(of)].map(|end| (part, end)));
        }
        found.extend(self.behind_article(at).map(|end| (1.0, end)));
        found
    }

    fn behind_article(&self, at: usize) -> Option<usize> {
        let language = self.language;
        let one = self.behind_one_of(&language.articles, at);
        one.or_else(|| self.behind_one_of(&language.ones, at))
    }

    /// The unit that stands here.
    pub(crate) fn unit(&self, at: usize) -> Option<(f64, Unit)> {
        self.language.units.get(self.word(at)).copied()
    }
}

fn seconds_of((factor, unit): (f64, Unit)) -> f64 {
    match unit {
        Unit::Second => factor,
        Unit::Day => factor * DAY,
        Unit::Month => factor * MONTH,
    }
}
