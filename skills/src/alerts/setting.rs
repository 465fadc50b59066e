//! Setting timers, alarms and reminders.
//!
//! Rings nothing and lists nothing.

use jiff::ToSpan;
use jiff::civil::{Date, Time};
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::{Alert, Kind, Person, Repetition, at};
use super::book::MOST;
use super::now::Now;
use super::{Desk, repeat, span, spoken};
use crate::clock::calendar::{Calendar, Hour};
use crate::dialog::{Tell, Telling};

/// The longest span, in seconds: half a year.
const LONGEST_SPAN: f64 = 15_811_200.0;

/// The longest name or text, in characters.
const LONGEST_NAME: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Timer {
    /// As the person said it, as in "10 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// What it is for, if the person said so, as in "pasta".
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Alarm {
    /// As the person said it, as in "7 am".
    #[serde(default)]
    time: Option<String>,
    /// As in "tomorrow"; default: the next such time.
    #[serde(default)]
    date: Option<String>,
    /// "daily", "weekdays", "weekends" or a weekday.
    #[serde(default)]
    repeat: Option<String>,
    /// What it is for, if the person said so.
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Reminder {
    /// What to say then, as in "call Ada".
    text: String,
    /// As in "20 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// As in "5 pm".
    #[serde(default)]
    time: Option<String>,
    /// As in "tomorrow".
    #[serde(default)]
    date: Option<String>,
    /// "daily", "weekdays", "weekends" or a weekday.
    #[serde(default)]
    repeat: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Set {
    /// Absent where nothing was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    kind: &'static str,
    /// When it is due, or what to ask.
    spoken: String,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Set {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// When something is due.
struct Due {
    at: jiff::Timestamp,
    after_span: Option<(Now, f64)>,
    repetition: Option<Repetition>,
}

pub(super) async fn set_timer(desk: Desk, timer: Timer, person: &Circumstances) -> Result<Set, ToolError> {
    let Some(duration) = said(timer.duration) else {
        return Ok(unsaid(Kind::Timer, "ask_duration", "for how long?"));
    };
    let due = after(&desk, &duration, person)?;
    let name = checked("name", said(timer.name))?;
    let dialog = if name.is_some() {
        "set_timer_named"
    } else {
        "set_timer"
    };
    set(&desk, (Kind::Timer, name), due, (dialog, person)).await
}

pub(super) async fn set_alarm(desk: Desk, alarm: Alarm, person: &Circumstances) -> Result<Set, ToolError> {
    let Some(time) = said(alarm.time) else {
        return Ok(unsaid(Kind::Alarm, "ask_time", "for what time?"));
    };
    let due = by_the_clock(&desk, (Some(time), said(alarm.date), said(alarm.repeat)), person)?;
    let name = checked("name", said(alarm.name))?;
    let dialog = if due.repetition.is_some() {
        "set_alarm_repeating"
    } else {
        "set_alarm"
    };
    set(&desk, (Kind::Alarm, name), due, (dialog, person)).await
}

pub(super) async fn set_reminder(
    desk: Desk,
    reminder: Reminder,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let text = checked("text", said(Some(reminder.text)))?;
    let Some(text) = text else {
        return Err(complaint("text: is empty; write what to say then"));
    };
    let [duration, time, date, repeat] =
        [reminder.duration, reminder.time, reminder.date, reminder.repeat].map(said);
    let due = match (duration, &time, &date, &repeat) {
        (Some(duration), None, None, None) => after(&desk, &duration, person)?,
        (None, None, None, None) => return Ok(unsaid(Kind::Reminder, "ask_moment", "when?")),
        _ => by_the_clock(&desk, (time, date, repeat), person)?,
    };
    let dialog = if due.repetition.is_some() {
        "set_reminder_repeating"
    } else {
        "set_reminder"
    };
    set(&desk, (Kind::Reminder, Some(text)), due, (dialog, person)).await
}

async fn set(
    desk: &Desk,
    (kind, name): (Kind, Option<String>),
    due: Due,
    (dialog, person): (&'static str, &Circumstances),
) -> Result<Set, ToolError> {
    let make = |id| Alert {
        id,
        kind,
        name,
        person: Person::of(person),
        due: due.at,
        span_seconds: due.after_span.as_ref().map(|(_, seconds)| *seconds),
        due_after_span: due.after_span.map(|(due, _)| due),
        repetition: due.repetition,
        ringing: None,
    };
    let Some(alert) = desk.alerts.add(make).await else {
        return Err(complaint(&format!("there are {MOST} already; cancel some first")));
    };
    Ok(told(desk, &alert, (dialog, person)))
}

fn told(desk: &Desk, alert: &Alert, (dialog, person): (&'static str, &Circumstances)) -> Set {
    let lang = person.lang.as_deref().unwrap_or("en");
    let days = alert
        .repetition
        .as_ref()
        .map(|repetition| repetition.days.as_slice());
    let told = spoken::telling(dialog, alert, person);
    let told = match days.and_then(|days| repeat::told(days, lang, &desk.locales)) {
        Some(days) => told.words("repeat", days),
        None => told,
    };
    Set {
        id: Some(alert.id),
        kind: alert.kind.name(),
        spoken: super::sentence(&told, desk, person).unwrap_or_else(|| alert.due.to_string()),
        told,
    }
}

fn unsaid(kind: Kind, dialog: &'static str, question: &str) -> Set {
    Set {
        id: None,
        kind: kind.name(),
        spoken: format!("nothing is set yet; ask the person: {question}"),
        told: Telling::new(dialog),
    }
}

fn after(desk: &Desk, duration: &str, person: &Circumstances) -> Result<Due, ToolError> {
    let language = desk.language(person);
    let Some(seconds) = span::seconds(duration, &language) else {
        return Err(complaint(&format!(
            "duration: cannot read '{}'; write it as \"10 minutes\"",
            short(duration)
        )));
    };
    if seconds > LONGEST_SPAN {
        return Err(complaint("duration: is longer than half a year"));
    }
    let due = desk.alerts.now().after(seconds);
    Ok(Due {
        at: due.wall,
        after_span: Some((due, seconds)),
        repetition: None,
    })
}

/// The next moment that fits; what is past is refused.
fn by_the_clock(
    desk: &Desk,
    (time, date, repeat): (Option<String>, Option<String>, Option<String>),
    person: &Circumstances,
) -> Result<Due, ToolError> {
    let now = desk.alerts.now().wall;
    let calendar = Calendar::of(person, now);
    let hour = time.map(|time| read_time(&calendar, &time)).transpose()?;
    let date = date.map(|date| read_date(&calendar, &date)).transpose()?;
    let zone = spoken::zone(person);
    let days = repeat
        .map(|repeat| read_repeat(desk, &repeat, person))
        .transpose()?;
    // Where only the day was said, the morning is meant.
    let morning = Hour {
        time: Time::constant(9, 0, 0, 0),
        may_be_later: false,
        is_clear: true,
    };
    let hour = hour.unwrap_or(morning);
    if let Some(days) = days {
        let repetition = Repetition {
            days: days.to_vec(),
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

fn read_time(calendar: &Calendar, time: &str) -> Result<Hour, ToolError> {
    calendar.hour(time).ok_or_else(|| {
        complaint(&format!(
            "time: '{}' is no time of day; write it as 15:30 or 3:30 pm",
            short(time)
        ))
    })
}

fn read_date(calendar: &Calendar, date: &str) -> Result<Date, ToolError> {
    let day = calendar.day(date).ok_or_else(|| {
        complaint(&format!(
            "date: cannot read '{}'; write it as \"tomorrow\" or 25 December",
            short(date)
        ))
    })?;
    Ok(day.date)
}

fn read_repeat(desk: &Desk, repeat: &str, person: &Circumstances) -> Result<&'static [i8], ToolError> {
    let language = desk.language(person);
    repeat::days(repeat, &language).ok_or_else(|| {
        complaint(&format!(
            "repeat: cannot read '{}'; write daily, weekdays, weekends or a weekday",
            short(repeat)
        ))
    })
}

/// Models write "none" and "" where there is nothing to say.
fn said(argument: Option<String>) -> Option<String> {
    argument.filter(|text| !matches!(text.trim().to_lowercase().as_str(), "" | "none" | "null" | "no"))
}

fn checked(argument: &str, text: Option<String>) -> Result<Option<String>, ToolError> {
    match text {
        Some(text) if text.chars().count() > LONGEST_NAME => Err(complaint(&format!(
            "{argument}: has more than {LONGEST_NAME} characters"
        ))),
        other => Ok(other),
    }
}

pub(super) fn complaint(text: &str) -> ToolError {
    ToolError::reply("ValueError", text)
}

/// What a complaint repeats of an argument.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
