//! When something is due, by what was said of it: a span, a time of day, a day, or days on which it is repeated.
//!
//! Sets nothing. What is past is refused.

use std::sync::Arc;

use jiff::civil::{Date, Time};
use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::alert::{Repetition, at};
use super::now::Now;
use super::setting::{complaint, said, short};
use super::{AlertTools, Alerts, repeat, span, spoken};
use crate::clock::calendar::{Calendar, Hour};
use crate::intent::InLanguage;
use crate::locale::Locales;

/// The longest span, in seconds: half a year.
pub(super) const LONGEST_SPAN: f64 = 15_811_200.0;

/// Where only the day was said, the morning is meant.
const MORNING: Hour = Hour {
    time: Time::constant(9, 0, 0, 0),
    may_be_later: false,
    is_clear: true,
};

/// What was said of it by clock and calendar.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) time: Option<String>,
    pub(super) date: Option<String>,
    pub(super) repeat: Option<String>,
}

/// When something is due.
pub(super) struct Due {
    pub(super) at: Timestamp,
    /// By the kernel's clock, and the whole span in seconds.
    pub(super) after_span: Option<(Now, f64)>,
    pub(super) repetition: Option<Repetition>,
}

impl Due {
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
pub(super) fn read_span((argument, said): (&str, &str), language: &InLanguage<'_>) -> Result<f64, ToolError> {
    let Some(seconds) = span::seconds(said, language) else {
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
    (alerts, locales): (&Arc<Alerts>, &Arc<Locales>),
    (until, duration): (Option<String>, Option<String>),
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
            by_the_clock(&tools, moment, person)?
        }
    };
    Ok(Some(due.at))
}

/// After a span.
pub(super) fn after(tools: &AlertTools, duration: &str, person: &Circumstances) -> Result<Due, ToolError> {
    let language = tools.language(person);
    let seconds = read_span(("duration", duration), &language)?;
    Ok(Due::after(&tools.alerts.now(), seconds))
}

/// The next moment that fits; what is past is refused.
pub(super) fn by_the_clock(
    tools: &AlertTools,
    Said { time, date, repeat }: Said,
    person: &Circumstances,
) -> Result<Due, ToolError> {
    // What a model takes for a date may be every such day.
    let is_repeated = |date: &String| repeat::days(date, &tools.language(person)).is_some();
    let (date, repeat) = match (date, repeat) {
        (Some(date), None) if is_repeated(&date) => (None, Some(date)),
        said => said,
    };
    let now = tools.alerts.now().wall;
    let calendar = Calendar::of(person, now);
    let hour = time.map(|time| read_time(&calendar, &time)).transpose()?;
    let date = date.map(|date| read_date(&calendar, &date)).transpose()?;
    let zone = spoken::zone(person);
    let days = repeat
        .map(|repeat| read_repeat(tools, &repeat, person))
        .transpose()?;
    let hour = hour.unwrap_or(MORNING);
    if let Some(days) = days {
        let repetition = Repetition {
            days,
            time: hour.time,
        };
        let at = repetition
            .next(now, &zone)
            .ok_or_else(|| complaint("repeat: never happens"))?;
        return Ok(Due {
            at,
            after_span: None,
            repetition: Some(repetition),
        });
    }
    let candidates = moments(&calendar, hour, date);
    let future = candidates
        .into_iter()
        .filter_map(|(date, time)| at(date, time, &zone));
    let Some(at) = future.filter(|moment| *moment > now).min() else {
        return Err(complaint("date: is past; write a day that is to come"));
    };
    Ok(Due {
        at,
        after_span: None,
        repetition: None,
    })
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

fn read_repeat(tools: &AlertTools, repeat: &str, person: &Circumstances) -> Result<Vec<i8>, ToolError> {
    let language = tools.language(person);
    repeat::days(repeat, &language).ok_or_else(|| {
        complaint(&format!(
            "repeat: cannot read '{}'; write daily, weekdays, weekends or a weekday",
            short(repeat)
        ))
    })
}
