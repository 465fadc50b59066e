//! When something is due, by what was said of it: a span, a time of day, a day, or days on which it is repeated.
//!
//! Sets nothing. What is past is refused.

use std::sync::Arc;

use jiff::civil::{Date, Time};
use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::slots;
use loquat_kit::{Length, Repeat, Stretch, Until, When};

use super::alert::{Repetition, at};
use super::now::Now;
use super::setting::{complaint, said, short};
use super::{AlertTools, Alerts, spoken};
use loquat_kit::Hour;
use loquat_kit::calendar::Calendar;
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

/// The longest span, in seconds: half a year.
pub(super) const LONGEST_SPAN: f64 = 15_811_200.0;

/// A person who wants to be reminded tomorrow at six means the evening.
const FIRST_MORNING_HOUR: i8 = 7;

/// Who is up from this hour on may be up at night as well.
const LATE: i8 = 21;

/// Where only the day was said, the morning is meant.
const MORNING: Hour = Hour {
    time: Time::constant(9, 0, 0, 0),
    may_be_later: false,
    is_clear: true,
    has_half: true,
};

/// What was said of it by clock and calendar. Each may hold more than its name says, as in "wednesday evening at 8".
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) time: Option<String>,
    pub(super) date: Option<String>,
    pub(super) repeat: Option<String>,
    /// Until when it is repeated, where that was said apart.
    pub(super) until: Option<String>,
    /// The time of day, where it was told apart from its minutes.
    pub(super) hour: Option<Hour>,
    /// Whether the person is awake then: a bare three of another day is in the afternoon, which it is not of an alarm.
    pub(super) is_by_day: bool,
}

/// When something is due.
pub(super) struct Due {
    pub(super) at: Timestamp,
    /// By the kernel's clock, and the whole span in seconds.
    pub(super) after_span: Option<(Now, f64)>,
    pub(super) repetition: Option<Repetition>,
}

/// Why what was said is understood and yet not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unkept {
    /// It is to be repeated otherwise than on days of the week.
    Repetition,
    /// It is no one moment: before five, between five and six.
    Stretch,
}

impl Due {
    /// At a moment.
    pub(super) fn at(at: Timestamp) -> Self {
        Self {
            at,
            after_span: None,
            repetition: None,
        }
    }

    /// So many seconds from now.
    pub(super) fn after(now: &Now, seconds: f64) -> Self {
        let due = now.after(seconds);
        Self {
            at: due.wall,
            after_span: Some((due, seconds)),
            repetition: None,
        }
    }
}

/// The seconds of a span that was said for this argument.
pub(super) fn read_span(argument: &str, said: &str, language: &InLanguage<'_>) -> Result<f64, ToolError> {
    let Some(seconds) = slots::seconds(said, language.lang) else {
        return Err(complaint(&format!(
            "{argument}: cannot read '{}'; write it as \"10 minutes\"",
            short(said)
        )));
    };
    if seconds > LONGEST_SPAN {
        return Err(complaint(&format!("{argument}: is longer than half a year")));
    }
    Ok(seconds)
}

/// The moment at which something ends that lasts until a time of day or for a span; `None` where neither was said.
pub(crate) fn moment_of(
    alerts: &Arc<Alerts>,
    locales: &Arc<Locales>,
    until: Option<String>,
    duration: Option<String>,
    person: &Circumstances,
) -> Result<Option<Timestamp>, ToolError> {
    let tools = AlertTools::reading(alerts, locales);
    let due = match (said(until), said(duration)) {
        (None, None) => return Ok(None),
        (None, Some(duration)) => after(&tools, &duration, person)?,
        (Some(time), _) => {
            let moment = Said {
                time: Some(time),
                ..Said::default()
            };
            let due = by_the_clock(&tools, moment, person)?;
            due.map_err(|_| complaint("until: is no one moment; write one time"))?
        }
    };
    Ok(Some(due.at))
}

/// After a span, of which months are counted on the calendar.
pub(super) fn after(tools: &AlertTools, duration: &str, person: &Circumstances) -> Result<Due, ToolError> {
    let now = tools.alerts.now();
    let calendar = Calendar::of(person, now.wall);
    let months = calendar.length(duration).filter(|length| length.months > 0);
    if let Some(at) = months.and_then(|length| length.after(calendar.now())) {
        return Ok(Due::at(at.timestamp()));
    }
    let seconds = read_span("duration", duration, &tools.language(person))?;
    Ok(Due::after(&now, seconds))
}

/// The next moment that fits, or why there is none; what is past is refused.
pub(super) fn by_the_clock(
    tools: &AlertTools,
    said: Said,
    person: &Circumstances,
) -> Result<Result<Due, Unkept>, ToolError> {
    let now = tools.alerts.now();
    let calendar = Calendar::of(person, now.wall);
    let when = read_by_day(said, &calendar)?;
    if let Some(repeat) = when.repeat.clone() {
        return match (repeat, when.stretch) {
            (Repeat::Weekdays(days), None) => repeated(days, &when, &calendar, person).map(Ok),
            (Repeat::Weekdays(_), Some(_)) => Ok(Err(Unkept::Stretch)),
            _ => Ok(Err(Unkept::Repetition)),
        };
    }
    if when.stretch.is_some() {
        return Ok(Err(Unkept::Stretch));
    }
    let due = match (when.ahead, when.hour) {
        (Some(ahead), None) => exactly(ahead, &now, &calendar),
        (_, hour) => {
            let date = when.day.map(|day| day.date);
            next(&calendar, hour.unwrap_or(MORNING), date, person)
        }
    };
    due.map(Ok)
}

/// The day that is named; none where what was said is repeated or so long from now.
pub(super) fn said_day(said: &Said, calendar: &Calendar) -> Option<Date> {
    let when = read(said.clone(), calendar).ok()?;
    let is_once = when.repeat.is_none() && when.ahead.is_none() && when.stretch.is_none();
    when.day.map(|day| day.date).filter(|_| is_once)
}

/// The time that was said, on another day than was said.
pub(super) fn on_day(
    tools: &AlertTools,
    said: Said,
    day: Date,
    person: &Circumstances,
) -> Result<Due, ToolError> {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let when = read_by_day(said, &calendar)?;
    next(&calendar, when.hour.unwrap_or(MORNING), Some(day), person)
}

/// So long from now.
fn exactly(ahead: Length, now: &Now, calendar: &Calendar) -> Result<Due, ToolError> {
    match ahead.seconds().filter(|_| !ahead.is_of_days()) {
        Some(seconds) if seconds > LONGEST_SPAN => Err(complaint("time: is more than half a year away")),
        Some(seconds) => Ok(Due::after(now, seconds)),
        None => {
            let day = ahead
                .after(calendar.now())
                .map(|moment| moment.date().to_datetime(MORNING.time));
            let at = day.and_then(|day| day.to_zoned(calendar.now().time_zone().clone()).ok());
            at.map(|at| Due::at(at.timestamp()))
                .ok_or_else(|| complaint("date: is beyond the years that the calendar knows"))
        }
    }
}

/// The next of the moments that may be meant.
fn next(
    calendar: &Calendar,
    hour: Hour,
    date: Option<Date>,
    person: &Circumstances,
) -> Result<Due, ToolError> {
    let (now, zone) = (calendar.now().timestamp(), spoken::zone(person));
    let future = moments(calendar, hour, date)
        .into_iter()
        .filter_map(|(date, time)| at(date, time, &zone));
    let at = future.filter(|moment| *moment > now).min();
    at.map(Due::at)
        .ok_or_else(|| ToolError::reply("PastError", "date: is past; write a day that is to come"))
}

/// On these days, from the first one that is to come.
fn repeated(
    days: Vec<i8>,
    when: &When,
    calendar: &Calendar,
    person: &Circumstances,
) -> Result<Due, ToolError> {
    let (now, zone) = (calendar.now().timestamp(), spoken::zone(person));
    let endless = Repetition {
        days,
        time: when.hour.unwrap_or(MORNING).time,
        until: None,
        sun: None,
    };
    let first = endless.next(now, &zone).map(|first| first.to_zoned(zone.clone()));
    let repetition = Repetition {
        until: first.and_then(|first| last_day(when.until?, first.date())),
        ..endless
    };
    let is_kept = repetition.until.is_some() == when.until.is_some();
    let at = repetition.next(now, &zone).filter(|_| is_kept);
    let at = at.ok_or_else(|| complaint("repeat: never happens"))?;
    Ok(Due {
        repetition: Some(repetition),
        ..Due::at(at)
    })
}

/// The last day of what is repeated from this day on: "for a week" has seven days.
fn last_day(until: Until, first: Date) -> Option<Date> {
    match until {
        Until::Day(day) => Some(day.date),
        Until::Lasting(length) => length.days_after(first)?.yesterday().ok(),
    }
}

/// The moment that all arguments make together. Where the person is awake then, a bare hour of the night is one of another day's
/// afternoon, also in languages whose clock has 24 hours. Without a day it is one of the afternoon too, unless it is said so late
/// that the night may be meant: then it is the next of both.
fn read_by_day(said: Said, calendar: &Calendar) -> Result<When, ToolError> {
    let is_by_day = said.is_by_day && !has_leading_zero(&said);
    let mut when = read(said, calendar)?;
    let now = calendar.now();
    let is_of_other_day =
        when.repeat.is_some() || when.day.as_ref().is_some_and(|day| day.date != now.date());
    let is_day_now = (FIRST_MORNING_HOUR..LATE).contains(&now.hour());
    let is_of_day = is_of_other_day || when.day.is_none() && is_day_now;
    if let Some(hour) = when.hour.as_mut().filter(|hour| is_by_day && is_bare(hour)) {
        hour.may_be_later = !is_of_day;
        if is_of_day {
            hour.time = hour.time.wrapping_add(12.hours());
        }
    }
    Ok(when)
}

/// Whether the time stands as on a clock of 24 hours: `03:00`.
fn has_leading_zero(said: &Said) -> bool {
    let told = [&said.time, &said.date, &said.repeat].into_iter().flatten();
    let mut words = told.flat_map(|told| told.split_whitespace());
    words.any(|word| word.starts_with('0') && word.contains(':'))
}

/// Whether an hour is one of the night, and may be said of the afternoon.
fn is_bare(hour: &Hour) -> bool {
    let is_of_night = (1..FIRST_MORNING_HOUR).contains(&hour.time.hour());
    is_of_night && !hour.has_half && (hour.may_be_later || hour.time.minute() == 0)
}

/// The moment that all arguments make together.
fn read(said: Said, calendar: &Calendar) -> Result<When, ToolError> {
    let arguments = [
        (
            "time",
            said.time,
            "is no time of day; write it as 15:30 or 3:30 pm",
        ),
        (
            "date",
            said.date,
            "is no day; write it as \"tomorrow\" or 25 December",
        ),
        (
            "repeat",
            said.repeat,
            "is no repetition; write daily, weekdays, weekends or a weekday",
        ),
    ];
    let ending = said.until.map(|until| {
        let read = calendar.until(&until);
        read.ok_or_else(|| complaint(&format!("until: '{}' is no end of a repetition", short(&until))))
    });
    let mut all = When {
        hour: said.hour,
        until: ending.transpose()?,
        has_clock: said.hour.is_some(),
        ..When::default()
    };
    for (argument, said, mend) in arguments {
        let Some(said) = said else { continue };
        let wrong = |what: &str| complaint(&format!("{argument}: '{}' {what}", short(&said)));
        let mut read = one(argument, &said, calendar).ok_or_else(|| wrong(mend))?;
        // "Half past six tomorrow", and tomorrow, is one day.
        read.day = read.day.filter(|day| all.day.as_ref() != Some(day));
        all = all
            .and(read)
            .ok_or_else(|| wrong("contradicts what else was said"))?;
    }
    Ok(all)
}

/// What one argument says. A length is a time so long from now, and a day that is to be repeated is every such day.
fn one(argument: &str, said: &str, calendar: &Calendar) -> Option<When> {
    let period = || {
        let stretch = Some(Stretch {
            is_clear: true,
            ..Stretch::default()
        });
        calendar.is_period(said).then(|| When {
            stretch,
            ..When::default()
        })
    };
    let read = calendar.moment(said).ok().or_else(period);
    let length = || {
        calendar
            .length(said)
            .filter(|length| argument == "time" && !length.is_of_days())
    };
    let read = read.or_else(|| {
        Some(When {
            ahead: Some(length()?),
            ..When::default()
        })
    });
    let every = || calendar.moment(&format!("every {said}")).ok();
    let has_time = |when: &When| {
        let is_exact = when.ahead.is_some_and(|ahead| !ahead.is_of_days());
        when.hour.is_some() || when.stretch.is_some() || is_exact
    };
    match (argument, read) {
        ("time", read) => read.filter(has_time),
        ("repeat", Some(when)) if when.repeat.is_none() => every(),
        ("repeat", None) => every(),
        (_, read) => read,
    }
}

/// The moments that may be meant: a bare seven is seven in the morning or in the evening, today or tomorrow.
fn moments(calendar: &Calendar, hour: Hour, date: Option<Date>) -> Vec<(Date, Time)> {
    let today = calendar.now().date();
    let dates = match date {
        Some(date) => vec![date],
        None => [Some(today), today.checked_add(1.day()).ok()]
            .into_iter()
            .flatten()
            .collect(),
    };
    // Of another day the morning is meant, as in "tomorrow at seven".
    let may_be_later = hour.may_be_later && date.is_none_or(|date| date == today);
    let later = may_be_later.then(|| hour.time.wrapping_add(12.hours()));
    let times: Vec<Time> = [Some(hour.time), later].into_iter().flatten().collect();
    dates
        .iter()
        .flat_map(|date| times.iter().map(|time| (*date, *time)))
        .collect()
}

/// A time of day.
pub(super) fn read_time(calendar: &Calendar, time: &str) -> Result<Hour, ToolError> {
    calendar.hour(time).ok_or_else(|| {
        complaint(&format!(
            "time: '{}' is no time of day; write it as 15:30 or 3:30 pm",
            short(time)
        ))
    })
}

/// A day.
pub(super) fn read_date(calendar: &Calendar, date: &str) -> Result<Date, ToolError> {
    let day = calendar.day(date).ok_or_else(|| {
        complaint(&format!(
            "date: cannot read '{}'; write it as \"tomorrow\" or 25 December",
            short(date)
        ))
    })?;
    Ok(day.date)
}

#[cfg(test)]
mod tests;
