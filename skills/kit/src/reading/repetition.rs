//! On which days something is repeated, as people say it: `every Tuesday and Thursday`, `an Werktagen`, `tous les lundis`.
//!
//! A weekday alone is no repetition; several are one, since nothing is due once on two days.

use crate::reading::language::{Part, RepeatRule};
use crate::reading::length::Length;
use crate::reading::text::{Found, Text};
use crate::reading::when::Day;

/// How something is repeated.
#[derive(Debug, Clone, PartialEq)]
pub enum Repeat {
    /// On these days of every week, in order; Monday is 1.
    Weekdays(Vec<i8>),
    /// It comes again after so long.
    Every(Length),
    /// In another way, which is known to be one and not told: every other day, on the first of each month.
    Other,
}

/// Until when something is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Until {
    /// Until this day, which is the last.
    Day(Day),
    /// For so long, counted in days, weeks, months and years.
    Lasting(Length),
}

const DAILY: u8 = 0b111_1111;
const WEEKDAYS: u8 = 0b001_1111;
const WEEKENDS: u8 = 0b110_0000;

impl Text<'_> {
    /// Every repetition that begins here, with the part of the day that belongs to it.
    pub(crate) fn repeats(&self, at: usize) -> Found<(Repeat, Option<Part>)> {
        let told = self.fitting(&self.language.repeats, at, |_| true).into_iter();
        let read = told.filter_map(|(rule, bound, end)| {
            let repeat = match rule {
                RepeatRule::Daily => weekly(DAILY),
                RepeatRule::Weekdays => weekly(WEEKDAYS),
                RepeatRule::Weekends => weekly(WEEKENDS),
                RepeatRule::Days => weekly(bound.weekdays | bound.weekday.map_or(0, |day| 1 << (day - 1))),
                RepeatRule::Except => weekly(DAILY & !bound.weekdays),
                RepeatRule::Every => every(bound.length?),
                RepeatRule::Other => Repeat::Other,
            };
            Some(((repeat, bound.part), end))
        });
        read.collect()
    }

    /// Until when something is repeated, as it begins here.
    pub(crate) fn untils(&self, at: usize) -> Found<Until> {
        let told = self.fitting(&self.language.last_day, at, |()| true).into_iter();
        let read = told.filter_map(|((), bound, end)| {
            let lasting = bound.length.filter(Length::is_of_days).map(Until::Lasting);
            Some((bound.day.map(Until::Day).or(lasting)?, end))
        });
        read.collect()
    }
}

fn weekly(days: u8) -> Repeat {
    Repeat::Weekdays((1..=7).filter(|day| days & (1 << (day - 1)) != 0).collect())
}

fn every(length: Length) -> Repeat {
    let is_day = length.seconds() == Some(86_400.0);
    if is_day {
        weekly(DAILY)
    } else {
        Repeat::Every(length)
    }
}
