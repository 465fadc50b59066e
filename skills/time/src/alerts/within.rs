//! The time in which an alert is due that a person asks about: a day, a part of one, what lies between two times, a week. What is
//! repeated is due in it where any of its times is.
//!
//! Changes nothing. Weeks and months are in `within.value`; days and times are the calendar's to read.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use loquat_kit::calendar::{Calendar, Window};
use loquat_kit::folded;
use loquat_kit::intent::InLanguage;

use super::FOLDER;
use super::alert::{Alert, Repetition};

/// The list of what weeks and months are called.
const LIST: &str = "within.value";

/// In bytes; what is longer names no time.
const LONGEST: usize = 100;

/// Stretches of time, of which any may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Within(Vec<Window>);

impl Within {
    /// What the words mean; nothing where they are no stretch of time.
    pub(super) fn read(said: &str, language: &InLanguage<'_>, calendar: &Calendar) -> Option<Self> {
        if said.len() > LONGEST {
            return None;
        }
        let windows = match named(said, language) {
            Some(name) => period(name, calendar.now().date()).into_iter().collect(),
            None => calendar.windows(said),
        };
        (!windows.is_empty()).then_some(Self(windows))
    }

    /// When an alert is due in it for the first time from now on.
    pub(super) fn due(&self, alert: &Alert, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let moments = self.0.iter().filter_map(|window| {
            let (from, until) = moments(window, zone)?;
            let is_in = |due: &Timestamp| (from..until).contains(due);
            let again = || {
                let repetition = alert.repetition.as_ref()?;
                repetition.next(from.max(now) - SignedDuration::from_secs(1), zone)
            };
            let is_paused = alert.is_paused();
            let first = Some(alert.due).filter(|due| is_in(due) && !is_paused);
            first.or_else(|| again().filter(is_in))
        });
        moments.min()
    }

    /// Whether all days on which an alert is due are in it.
    pub(super) fn holds_all_of(&self, alert: &Alert, zone: &TimeZone) -> bool {
        let Some(repetition) = &alert.repetition else {
            return true;
        };
        repetition.days.iter().all(|day| {
            let of_day = Repetition {
                days: vec![*day],
                ..repetition.clone()
            };
            let mut windows = self.0.iter().filter_map(|window| moments(window, zone));
            windows.any(|(from, until)| {
                let due = of_day.next(from - SignedDuration::from_secs(1), zone);
                due.is_some_and(|due| due < until)
            })
        })
    }
}

/// A stretch of time of which an alert may be asked.
pub(super) fn is_one(said: &str, language: &InLanguage<'_>) -> bool {
    Within::read(said, language, &Calendar::spoken(language.lang)).is_some()
}

fn moments(window: &Window, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    let moment = |at: DateTime| at.to_zoned(zone.clone()).ok().map(|at| at.timestamp());
    Some((moment(window.from)?, moment(window.until)?))
}

/// What the list calls a week or a month of these words.
fn named<'a>(said: &str, language: &InLanguage<'a>) -> Option<&'a str> {
    let said = folded(said);
    let mut names = language.locales.values(FOLDER, language.lang, LIST);
    let is_called = |words: &str| words.split('|').any(|words| folded(words) == said);
    names
        .find(|(_, words)| is_called(words))
        .map(|(name, _)| name.trim())
}

/// A week begins with its Monday, and a weekend is its last two days.
fn period(name: &str, today: Date) -> Option<Window> {
    let past = i64::from(today.weekday().to_monday_zero_offset());
    let monday = today.checked_sub(past.days()).ok()?;
    let first = today.first_of_month();
    let month = |first: Date| Window::of_days(first, i64::from(first.days_in_month()));
    match name {
        "this week" => Window::of_days(monday, 7),
        "next week" => Window::of_days(monday.checked_add(7.days()).ok()?, 7),
        "this weekend" => Window::of_days(monday.checked_add(5.days()).ok()?, 2),
        "next weekend" => Window::of_days(monday.checked_add(12.days()).ok()?, 2),
        "this month" => month(first),
        "next month" => month(first.checked_add(1.month()).ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
