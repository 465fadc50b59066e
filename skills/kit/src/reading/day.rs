//! Days as people say and write them: `2026-12-25`, `25 December`, `Christmas`, `next Friday`, `2 days after tomorrow`.
//!
//! A date without a year is the next one there is. A weekday beside a date has to be that date's.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use crate::reading::feast::Feast;
use crate::reading::language::DayRule;
use crate::reading::length::Length;
use crate::reading::matching::Bound;
use crate::reading::text::{Found, Text};
use crate::reading::token::Kind;
use crate::reading::when::Day;

/// Years that are said of days.
const YEARS: std::ops::RangeInclusive<i16> = 1000..=9999;

/// The 29th of February may be so many years away.
const RAREST: i16 = 8;

impl Text<'_> {
    /// Every day that begins here; `counted` ones too, which are told by another day.
    pub(crate) fn find_days(&self, at: usize, counted: bool) -> Found<Day> {
        let today = self.now.date();
        let is_meant = |rule: &DayRule| counted || !matches!(rule, DayRule::After | DayRule::Before);
        let mut found: Found<Day> = self.date_in_figures(at).into_iter().collect();
        let relative = self.named(&self.language.relative, at).into_iter();
        found.extend(
            relative.filter_map(|(days, end)| Some((Day::of(today.checked_add(days.days()).ok()?), end))),
        );
        for (feast, end) in self.named(&self.language.feasts, at) {
            found.extend(self.feast(feast, end));
        }
        let told = self.fitting(&self.language.days, at, is_meant).into_iter();
        found.extend(told.filter_map(|(rule, bound, end)| Some((ruled(rule, &bound, today)?, end))));
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    /// A day with a name, with a year behind it or without.
    fn feast(&self, feast: Feast, end: usize) -> Found<Day> {
        let years = self.years(end).into_iter();
        let of_year = years.filter_map(|(year, end)| Some((Day::of_year(feast.in_year(year)?), end)));
        let today = self.now.date();
        let mut coming = (0..=RAREST).filter_map(|years| feast.in_year(today.year().checked_add(years)?));
        let next = coming.find(|date| *date >= today);
        of_year.chain(next.map(|date| (Day::of(date), end))).collect()
    }

    /// `2026-12-25`, `12-25`, `25.12.2026`, `3.4.`, `12/25`.
    fn date_in_figures(&self, at: usize) -> Option<(Day, usize)> {
        let separator = self
            .token(at + 1)
            .filter(|token| token.kind == Kind::Sign && token.is_glued)?;
        let separator = ["-", "/", "."].into_iter().find(|sign| separator.is(sign))?;
        let first: i16 = self.figures(at)?.parse().ok()?;
        let second: i16 = self.glued_figures(at + 2)?.parse().ok()?;
        let is_third = self.is_glued_sign(at + 3, separator);
        let third = is_third.then(|| self.glued_figures(at + 4)).flatten();
        let is_more =
            self.is_glued_sign(at + 5, separator) || third.is_none() && self.is_glued_sign(at + 3, ":");
        let day = match third {
            _ if is_more => None,
            Some(third) => self.with_year([first, second, third.parse().ok()?], separator),
            None => self.without_year(first, second, separator, is_third),
        }?;
        let end = if third.is_some() {
            at + 5
        } else {
            at + 3 + usize::from(is_third)
        };
        Some((day, end))
    }

    fn with_year(&self, [first, second, third]: [i16; 3], separator: &str) -> Option<Day> {
        if YEARS.contains(&first) {
            return new(first, second, third).map(Day::of_year);
        }
        let (month, day) = self.in_order(first, second, separator);
        let year = YEARS.contains(&third).then_some(third)?;
        new(year, month, day).map(Day::of_year)
    }

    /// A number with a point between is a date only where a point closes it.
    fn without_year(&self, first: i16, second: i16, separator: &str, is_closed: bool) -> Option<Day> {
        let (month, day) = match separator {
            "-" => (first, second),
            "." if !is_closed => return None,
            _ => self.in_order(first, second, separator),
        };
        let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        next(month, day, None, self.now.date()).map(Day::of)
    }

    /// Points mean day first; otherwise the person's custom decides, unless only one order makes a date.
    fn in_order(&self, first: i16, second: i16, separator: &str) -> (i16, i16) {
        let month_first = self.customs.month_first && separator != ".";
        if (month_first && first <= 12) || second > 12 {
            (first, second)
        } else {
            (second, first)
        }
    }

    /// Days of a month: `25`, `25th`, `1er`, `3.`, `twenty fifth`, `einundzwanzigsten`.
    pub(crate) fn nths(&self, at: usize) -> Found<i8> {
        let mut found: Found<f64> = self.numbers(at).to_vec();
        let written = self.figures(at).is_some();
        let is_ending = self
            .language
            .ordinal_endings
            .iter()
            .any(|ending| ending == self.word(at + 1));
        let is_closed = self.is_glued_sign(at + 1, ".") && self.glued_figures(at + 2).is_none();
        if let Some(number) = self.figures(at).and_then(|figures| figures.parse().ok()) {
            found.extend((is_ending || is_closed).then_some((number, at + 2)));
        }
        let tens = found
            .iter()
            .filter(|(number, _)| !written && [20.0, 30.0].contains(number));
        let mut ordinals: Found<f64> = tens
            .filter_map(|(tens, end)| {
                Some((
                    tens + self.ordinal(*end).filter(|ordinal| *ordinal < 10.0)?,
                    end + 1,
                ))
            })
            .collect();
        ordinals.extend(self.ordinal(at).map(|ordinal| (ordinal, at + 1)));
        found.extend(ordinals);
        found.retain(|(number, _)| number.fract() == 0.0 && (1.0..=31.0).contains(number));
        found
            .into_iter()
            .map(|(number, end)| (number as i8, end))
            .collect()
    }

    fn ordinal(&self, at: usize) -> Option<f64> {
        let word = self.word(at);
        let known = self.language.ordinals.get(word).copied();
        let endings = self.language.ordinal_endings.iter();
        let mut stems = endings.filter_map(|ending| word.strip_suffix(ending.as_str()));
        known.or_else(|| stems.find_map(|stem| self.of_one_word(stem)))
    }

    pub(crate) fn years(&self, at: usize) -> Found<i16> {
        let is_of_four = self.figures(at).is_none_or(|figures| figures.len() == 4);
        let numbers = self.numbers(at);
        let years = numbers
            .iter()
            .filter(|(number, _)| is_of_four && number.fract() == 0.0);
        let years = years.map(|(number, end)| (*number as i16, *end));
        years.filter(|(year, _)| YEARS.contains(year)).collect()
    }

    /// A month by its name or by at least three letters of it.
    pub(crate) fn month(&self, at: usize) -> Found<i8> {
        let word = self.word(at);
        if word.chars().count() < 3 {
            return Vec::new();
        }
        let mut months = (1..).zip(&self.language.months);
        let found = months.find(|(_, month)| {
            month
                .rsplit(' ')
                .next()
                .is_some_and(|name| name.starts_with(word))
        });
        let Some((month, _)) = found else {
            return Vec::new();
        };
        let mut ends = vec![(month, at + 1)];
        ends.extend(self.is_glued_sign(at + 1, ".").then_some((month, at + 2)));
        ends
    }
}

impl Day {
    fn of(date: Date) -> Self {
        Self {
            date,
            has_year: false,
        }
    }

    fn of_year(date: Date) -> Self {
        Self { date, has_year: true }
    }
}

fn ruled(rule: DayRule, bound: &Bound, today: Date) -> Option<Day> {
    let date = match rule {
        DayRule::Date => return dated(bound, today),
        DayRule::This => this(bound.weekday?, today),
        DayRule::Next => today.nth_weekday(1, weekday(bound.weekday?)?).ok(),
        DayRule::Last => today.nth_weekday(-1, weekday(bound.weekday?)?).ok(),
        DayRule::OfThisWeek => of_week(bound.weekday?, 0, today),
        DayRule::OfNextWeek => of_week(bound.weekday?, 1, today),
        DayRule::OfLastWeek => of_week(bound.weekday?, -1, today),
        DayRule::InWeeks => in_weeks(bound.weekday?, bound.length?, today),
        DayRule::Ago => counted(today, bound.length?, -1),
        DayRule::After => counted(bound.day?.date, bound.length?, 1),
        DayRule::Before => counted(bound.day?.date, bound.length?, -1),
    };
    Some(Day {
        date: date?,
        has_year: bound.day.is_some_and(|day| day.has_year),
    })
}

pub(crate) fn dated(bound: &Bound, today: Date) -> Option<Day> {
    let (month, day) = (bound.month?, bound.nth?);
    let fits = |date: &Date| {
        bound
            .weekday
            .is_none_or(|day| date.weekday().to_monday_one_offset() == day)
    };
    match bound.year {
        Some(year) => Date::new(year, month, day).ok().filter(fits).map(Day::of_year),
        None => next(month, day, bound.weekday, today).map(Day::of),
    }
}

/// So far from a day, where only days, weeks, months and years are counted.
fn counted(from: Date, length: Length, direction: i32) -> Option<Date> {
    let span = length.is_of_days().then(|| length.days(direction))??;
    from.checked_add(span).ok()
}

/// Today, where it is one, or the next.
fn this(day: i8, today: Date) -> Option<Date> {
    let days = (day - today.weekday().to_monday_one_offset()).rem_euclid(7);
    today.checked_add(i64::from(days).days()).ok()
}

/// Of a week that begins with its Monday.
fn of_week(day: i8, weeks: i64, today: Date) -> Option<Date> {
    let days = i64::from(day - today.weekday().to_monday_one_offset()) + 7 * weeks;
    today.checked_add(days.days()).ok()
}

/// "Friday in two weeks" is two weeks behind the next Friday, or behind today on a Friday.
fn in_weeks(day: i8, length: Length, today: Date) -> Option<Date> {
    let is_of_weeks = length.is_of_days() && length.months == 0 && length.days % 7 == 0;
    let date = this(day, today)?;
    is_of_weeks.then(|| date.checked_add(i64::from(length.days).days()).ok())?
}

fn weekday(day: i8) -> Option<Weekday> {
    Weekday::from_monday_one_offset(day).ok()
}

fn new(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Today or the next such day. Another weekday than the one that was said is a mistake.
fn next(month: i8, day: i8, weekday: Option<i8>, today: Date) -> Option<Date> {
    let years = (0..=RAREST).filter_map(|years| today.year().checked_add(years));
    let mut dates = years.filter_map(|year| Date::new(year, month, day).ok());
    let date = dates.find(|date| *date >= today)?;
    weekday
        .is_none_or(|weekday| date.weekday().to_monday_one_offset() == weekday)
        .then_some(date)
}
