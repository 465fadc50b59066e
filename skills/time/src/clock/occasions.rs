//! Weekends and leap years, which a sentence asks for by name and no date stands for.
//!
//! Reads no text and tells nothing of other days.

use jiff::Timestamp;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Tell, Telling};

/// Leap years are never further apart.
const RAREST: i16 = 8;

/// Which weekend is meant.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub(super) struct Weekend {
    /// Whether it is the one that is over.
    #[serde(default)]
    is_last: bool,
}

/// Nothing is asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

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

/// A year.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Year {
    /// The next leap year behind this one.
    year: i16,
    is_leap_year_now: bool,
}

impl Tell for Year {
    fn tell(&self) -> Option<Telling> {
        let dialog = if self.is_leap_year_now {
            "leap_year_now"
        } else {
            "leap_year"
        };
        Some(Telling::new(dialog).words("year", self.year.to_string()))
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

pub(super) fn leap_year(_: Nothing, person: &Circumstances, now: Timestamp) -> Result<Year, ToolError> {
    let today = Calendar::of(person, now).now().date();
    let later = (1..=RAREST).filter_map(|years| today.year().checked_add(years));
    let mut leap = later.filter(|year| Date::new(*year, 2, 29).is_ok());
    let year = leap
        .next()
        .ok_or_else(|| ToolError::reply("ValueError", "the calendar ends before the next leap year"))?;
    Ok(Year {
        year,
        is_leap_year_now: today.in_leap_year(),
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
