//! Weekends and leap years, which a sentence asks for by name and no date stands for.
//!
//! Reads no text and tells nothing of other days.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::intent::InLanguage;
use loquat_kit::numbers;

/// What sentences name as a year: numbers of four digits.
const YEARS: RangeInclusive<f64> = 1000.0..=9999.0;

/// Leap years are never further apart.
const RAREST: i16 = 8;

/// Which weekend is meant.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub(super) struct Weekend {
    /// Whether it is the one that is over.
    #[serde(default)]
    is_last: bool,
}

/// Which year is meant.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub(super) struct Meant {
    /// Whether this one is a leap year; default: the next one that is.
    #[serde(default)]
    year: Option<i16>,
}

/// Two days, of which the second is Sunday.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Days {
    saturday: String,
    sunday: String,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Days {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// A year and whether it is a leap year.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Leap {
    /// The year that was asked about, or the next leap year behind this one.
    year: i16,
    is_leap_year_now: bool,
    #[serde(skip)]
    dialog: &'static str,
}

impl Tell for Leap {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new(self.dialog).words("year", self.year.to_string()))
    }
}

pub(super) fn weekend(asked: Weekend, person: &Circumstances, now: Timestamp) -> Result<Days, ToolError> {
    let calendar = Calendar::of(person, now);
    let beyond = || ToolError::reply("ValueError", "the calendar has no such days");
    let [saturday, sunday] = weekend_of(calendar.now().date(), asked.is_last).ok_or_else(beyond)?;
    let dialog = if asked.is_last { "last_weekend" } else { "weekend" };
    let told = Telling::new(dialog)
        .words("first", calendar.told_date(saturday))
        .words("last", calendar.told_date(sunday));
    Ok(Days {
        saturday: saturday.to_string(),
        sunday: sunday.to_string(),
        told,
    })
}

/// The weekend that is or comes next, or the one before it.
fn weekend_of(today: Date, is_last: bool) -> Option<[Date; 2]> {
    let sunday = match today.weekday() {
        Weekday::Sunday => today,
        _ => today.nth_weekday(1, Weekday::Sunday).ok()?,
    };
    let sunday = sunday.checked_sub(i64::from(is_last).weeks()).ok()?;
    Some([sunday.yesterday().ok()?, sunday])
}

/// A year of four digits that a sentence names.
pub(super) fn read_year(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let year = numbers::number(said, spoken.lang)?;
    let is_year = year.fract() == 0.0 && YEARS.contains(&year);
    is_year.then(|| Value::from(year as i16))
}

pub(super) fn leap_year(meant: Meant, person: &Circumstances, now: Timestamp) -> Result<Leap, ToolError> {
    let today = Calendar::of(person, now).now().date();
    match meant.year {
        Some(year) => is_leap_year(year, today),
        None => next_leap_year(today),
    }
}

fn is_leap_year(year: i16, today: Date) -> Result<Leap, ToolError> {
    let beyond = || ToolError::reply("ValueError", "year: the calendar has no such year");
    let first = Date::new(year, 1, 1).map_err(|_| beyond())?;
    let dialog = if first.in_leap_year() {
        "leap_year_yes"
    } else {
        "leap_year_no"
    };
    Ok(Leap {
        year,
        is_leap_year_now: today.in_leap_year(),
        dialog,
    })
}

fn next_leap_year(today: Date) -> Result<Leap, ToolError> {
    let later = (1..=RAREST).filter_map(|years| today.year().checked_add(years));
    let mut leap = later.filter(|year| Date::new(*year, 2, 29).is_ok());
    let year = leap
        .next()
        .ok_or_else(|| ToolError::reply("ValueError", "the calendar ends before the next leap year"))?;
    let dialog = if today.in_leap_year() {
        "leap_year_now"
    } else {
        "leap_year"
    };
    Ok(Leap {
        year,
        is_leap_year_now: today.in_leap_year(),
        dialog,
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::weekend_of;

    #[test]
    fn a_weekend_is_the_next_one_until_it_is_over() {
        let next = [date(2026, 11, 28), date(2026, 11, 29)];
        let last = [date(2026, 11, 21), date(2026, 11, 22)];
        for day in 23..=29 {
            assert_eq!(weekend_of(date(2026, 11, day), false), Some(next), "{day}");
            assert_eq!(weekend_of(date(2026, 11, day), true), Some(last), "{day}");
        }
    }
}
