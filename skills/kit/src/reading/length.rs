//! Lengths of time as people say them: `an hour and a half`, `90 Sekunden`, `2 h 30`, `8 weeks and 2 days`, `½ hour`.
//!
//! Months and years are counted on the calendar and never turned into seconds.

use jiff::civil::Date;
use jiff::{Span, ToSpan, Zoned};

use crate::reading::language::{Measure, Unit};
use crate::reading::text::{Found, Text};

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
    /// It holds what is less than days.
    pub seconds: f64,
}

/// A part of a length: so much of a unit.
#[derive(Debug, Clone, Copy)]
struct Part {
    length: Length,
    /// One of the unit has so many seconds.
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

    /// The day that is so much later, of what is counted in days.
    pub fn days_after(&self, day: Date) -> Option<Date> {
        day.checked_add(self.days(1)?).ok()
    }

    /// The moment that is so much later.
    pub fn after(&self, moment: &Zoned) -> Option<Zoned> {
        let later = moment.checked_add(self.days(1)?).ok()?;
        later
            .checked_add(((self.seconds * 1000.0).round() as i64).milliseconds())
            .ok()
    }

    fn of(amount: f64, measure: Measure) -> Option<Self> {
        let count = amount * measure.factor;
        if !(0.0..MOST).contains(&count) {
            return None;
        }
        let whole = count.floor();
        match measure.unit {
            Unit::Month => (count.fract() == 0.0).then_some(Self {
                months: whole as i32,
                ..Self::default()
            }),
            Unit::Day => Some(Self {
                days: whole as i32,
                seconds: (count - whole) * DAY,
                ..Self::default()
            }),
            Unit::Second => Some(Self::of_seconds(count)),
        }
    }

    fn of_seconds(seconds: f64) -> Self {
        Self {
            seconds,
            ..Self::default()
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
        // A shortened "of" belongs to the word behind it: `d'une heure`.
        if self.word(at).len() == 1 && self.behind_one_of(&self.language.of, at).is_some() {
            return self.lengths(at + 1).to_vec();
        }
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
        let (number, end) = numbers
            .iter()
            .find(|(number, _)| number.fract() == 0.0 && *number < 60.0)?;
        let is_counted = self.unit(*end).is_some()
            || self
                .token(*end)
                .is_some_and(|token| token.is_glued && !token.is("."));
        let length = sum.length.plus(Length::of_seconds(number * smaller))?;
        (!is_counted).then_some((length, *end))
    }

    /// So much of one unit, with a fraction of the same unit behind it.
    fn parts(&self, at: usize) -> Found<Part> {
        let amounts = self.amounts(at).into_iter();
        let mut found: Found<Part> = amounts
            .flat_map(|(amount, end)| self.part(Some(amount), end))
            .collect();
        found.extend(self.part(None, at));
        found
    }

    /// So much of the unit that stands here; without a number one of it, where more of it follows or its name needs none:
    /// `hora y media`, `mezzora`.
    fn part(&self, amount: Option<f64>, at: usize) -> Found<Part> {
        let Some(measure) = self.unit(at) else {
            return Vec::new();
        };
        let whole = amount.or(measure.is_amount.then_some(1.0));
        let mut sums: Found<f64> = whole.map(|amount| (amount, at + 1)).into_iter().collect();
        let longer = self.fraction_behind(at + 1).into_iter();
        sums.extend(longer.map(|(more, end)| (amount.unwrap_or(1.0) + more, end)));
        let unit = seconds_of(measure);
        let parts = sums.into_iter();
        parts
            .filter_map(|(amount, end)| {
                Some((
                    Part {
                        length: Length::of(amount, measure)?,
                        unit,
                    },
                    end,
                ))
            })
            .collect()
    }

    /// `and a half` behind a unit, where no unit follows.
    fn fraction_behind(&self, at: usize) -> Found<f64> {
        let Some(at) = self.behind_one_of(&self.language.and, at) else {
            return Vec::new();
        };
        let mut parts = self.fraction(at);
        let named = self
            .language
            .fractions
            .get(self.word(at))
            .map(|part| (1.0 / part, at + 1));
        parts.extend(named);
        parts.retain(|(part, end)| *part < 1.0 && self.unit(*end).is_none());
        parts
    }

    /// How many of a unit: a number, an article, a couple, or a fraction of one.
    fn amounts(&self, at: usize) -> Found<f64> {
        let language = self.language;
        let mut found = self.named(&language.couples, at);
        for (number, end) in self.numbers(at).iter().copied() {
            let further = self.behind_one_of(&language.further, end);
            let between = further.or_else(|| self.behind_one_of(&language.full, end));
            found.push((number, between.unwrap_or(end)));
        }
        for (part, end) in self.fraction(at) {
            let of = self.behind_one_of(&language.of, end).unwrap_or(end);
            let article = self.behind_article(of);
            found.extend([of, article.unwrap_or(of)].map(|end| (part, end)));
        }
        found.extend(self.behind_article(at).map(|end| (1.0, end)));
        found
    }

    /// Behind an article, where one stands here.
    pub(crate) fn behind_article(&self, at: usize) -> Option<usize> {
        let language = self.language;
        let one = self.behind_one_of(&language.articles, at);
        one.or_else(|| self.behind_one_of(&language.ones, at))
    }

    /// The unit that stands here.
    pub(crate) fn unit(&self, at: usize) -> Option<Measure> {
        self.language.units.get(self.word(at)).copied()
    }
}

/// One of a unit, or about one, in seconds.
fn seconds_of(measure: Measure) -> f64 {
    let unit = match measure.unit {
        Unit::Second => 1.0,
        Unit::Day => DAY,
        Unit::Month => MONTH,
    };
    measure.factor * unit
}
