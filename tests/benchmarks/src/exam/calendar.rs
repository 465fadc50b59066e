//! Times and dates as answers name them.

use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 86_400;

const SUMMER: u64 = 3_600;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// From 1 January 1970 on.
const WEEKDAYS: [&str; 7] = [
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "monday",
    "tuesday",
    "wednesday",
];

/// From when a question was asked to when its answer had come, in seconds of UTC.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    asked: u64,
    now: u64,
}

impl Span {
    pub(crate) fn new(asked: SystemTime, now: SystemTime) -> Self {
        let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Self {
            asked: seconds(asked),
            now: seconds(now),
        }
    }

    /// The minutes that it was, so many seconds ahead. Where seconds are rounded away, they may be rounded up.
    pub(super) fn minutes(self, ahead: u64) -> RangeInclusive<u64> {
        (self.asked + ahead) / 60..=(self.now + ahead) / 60 + 1
    }

    /// The days that it was, so many seconds ahead, in UTC or an hour ahead of it, as the daemon of a test is in summer.
    pub(super) fn days(self, ahead: u64) -> RangeInclusive<u64> {
        (self.asked + ahead) / SECONDS_A_DAY..=(self.now + ahead + SUMMER) / SECONDS_A_DAY
    }

    /// How many days were left until the next day with this month and day.
    pub(super) fn days_to_next(self, month: u64, day: u64) -> impl Iterator<Item = u64> {
        let distance = move |today: u64| {
            let is_it = |ahead: &u64| {
                let (_, its_month, its_day) = civil(today + ahead);
                (its_month, its_day) == (month, day)
            };
            (0..=366).find(is_it).unwrap_or_default()
        };
        self.days(0).map(distance)
    }

    /// How many whole hours were left until that day began, in UTC or an hour ahead of it.
    pub(super) fn hours_to_next(self, month: u64, day: u64) -> impl Iterator<Item = u64> {
        let hours = [self.asked, self.now + SUMMER].map(|second| second % SECONDS_A_DAY);
        self.days_to_next(month, day).flat_map(move |days| {
            let left = hours.map(|gone| (days * SECONDS_A_DAY).saturating_sub(gone) / SUMMER);
            left.into_iter()
        })
    }
}

/// The name of a day since 1970.
pub(super) fn weekday(day: u64) -> &'static str {
    WEEKDAYS[(day % 7) as usize]
}

/// A minute as a time of day of 24 hours, counted from midnight of any day.
pub(super) fn time(minute: u64) -> String {
    format!("{}:{:02}", minute / 60 % 24, minute % 60)
}

/// A day since 1970 as a date of ISO 8601.
pub(super) fn date(day: u64) -> String {
    let (year, month, day) = civil(day);
    format!("{year}-{month:02}-{day:02}")
}

/// Whether the text names this minute of the day, counted from midnight of any day.
pub(super) fn has_time(text: &str, minute: u64) -> bool {
    let (hour, minute) = (minute / 60 % 24, minute % 60);
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let named = |hour: u64| {
        let mut written = [":", "h", " h ", " heure ", " heures "]
            .iter()
            .map(|between| format!("{hour}{between}{minute:02}"));
        written.any(|time| text.contains(&time))
    };
    named(hour) || named(half)
}

/// Whether the text, in small letters, names this day, as a date of ISO 8601 or with the month's name.
pub(super) fn has_date(text: &str, day: u64) -> bool {
    let iso = date(day);
    let (_, month, day) = civil(day);
    let name = month.checked_sub(1).and_then(|month| MONTHS.get(month as usize));
    let named = name.is_some_and(|name| text.contains(name)) && super::has_number(text, &day.to_string());
    named || text.contains(&iso)
}

/// Year, month and day of a day since 1970 in the Gregorian calendar (Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
fn civil(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}
