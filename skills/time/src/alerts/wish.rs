//! What becomes of an alert that is changed: due later or earlier, after another span, or at another time.
//!
//! Changes no book, and makes nothing due in the past.

use jiff::SignedDuration;
use jiff::civil::{Date, Time};
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::alert::{Alert, Repetition, at};
use super::due::LONGEST_SPAN;
use super::setting::complaint;
use super::{AlertTools, spoken};
use loquat_kit::Hour;

/// What becomes of it.
pub(super) enum Wish {
    /// It is due so many seconds later, or earlier.
    By(f64),
    /// It is due so many seconds from now.
    After(f64),
    /// It is due then.
    At { hour: Option<Hour>, date: Option<Date> },
}

/// The alert as it becomes; `None` where it would be due in the past.
pub(super) fn changed(
    tools: &AlertTools,
    alert: &Alert,
    wish: &Wish,
    person: &Circumstances,
) -> Result<Option<Alert>, ToolError> {
    match wish {
        Wish::By(seconds) if alert.repetition.is_none() => Ok(later(tools, alert, *seconds)),
        Wish::By(seconds) => Ok(repeated(tools, alert, person, |repetition| Repetition {
            time: repetition
                .time
                .wrapping_add(SignedDuration::from_secs_f64(*seconds)),
            sun: repetition.sun.map(|sun| sun.later_by(*seconds)),
            ..repetition
        })),
        Wish::After(_) if alert.repetition.is_some() => {
            Err(complaint("to: write a time of day, since it is repeated"))
        }
        Wish::After(seconds) => Ok(Some(after(tools, alert, *seconds))),
        Wish::At { hour: Some(hour), .. } if alert.repetition.is_some() => {
            Ok(repeated(tools, alert, person, |repetition| Repetition {
                time: nearest(*hour, repetition.time),
                sun: None,
                ..repetition
            }))
        }
        Wish::At { hour, date } => Ok(moved(tools, alert, *hour, *date, person)),
    }
}

/// Due later than it is, by the clock by which it runs. What rings rings again after the span.
fn later(tools: &AlertTools, alert: &Alert, seconds: f64) -> Option<Alert> {
    let now = tools.alerts.now();
    let left = alert.left(&now) + seconds;
    if left <= 0.0 || left > LONGEST_SPAN {
        return None;
    }
    let due = now.after(left);
    Some(Alert {
        due: due.wall,
        due_after_span: alert.due_after_span.is_some().then_some(due),
        span_seconds: alert.span_seconds.map(|span| span + seconds),
        set_seconds: alert.set_to(),
        paused: alert.paused.map(|_| left),
        ringing: None,
        ..alert.clone()
    })
}

/// Due after a span.
fn after(tools: &AlertTools, alert: &Alert, seconds: f64) -> Alert {
    let due = tools.alerts.now().after(seconds);
    Alert {
        due: due.wall,
        due_after_span: Some(due),
        span_seconds: Some(seconds),
        set_seconds: Some(seconds),
        paused: alert.paused.map(|_| seconds),
        ringing: None,
        ..alert.clone()
    }
}

/// Repeated at another time.
fn repeated(
    tools: &AlertTools,
    alert: &Alert,
    person: &Circumstances,
    change: impl FnOnce(Repetition) -> Repetition,
) -> Option<Alert> {
    let repetition = change(alert.repetition.clone()?);
    let due = repetition.next(tools.alerts.now().wall, &spoken::zone(person))?;
    Some(Alert {
        due,
        repetition: Some(repetition),
        ringing: None,
        ..alert.clone()
    })
}

/// Due at another time of day, on the same day unless another one was said or it is past there.
fn moved(
    tools: &AlertTools,
    alert: &Alert,
    hour: Option<Hour>,
    date: Option<Date>,
    person: &Circumstances,
) -> Option<Alert> {
    let (now, zone) = (tools.alerts.now().wall, spoken::zone(person));
    let was = alert.due.to_zoned(zone.clone());
    let time = hour.map_or(was.time(), |hour| nearest(hour, was.time()));
    let same_day = at(date.unwrap_or(was.date()), time, &zone);
    let due = match same_day.filter(|due| *due > now) {
        Some(due) => due,
        None if date.is_some() => return None,
        None => {
            let next = Repetition {
                days: (1..=7).collect(),
                time,
                until: None,
                sun: None,
            };
            next.next(now, &zone)?
        }
    };
    Some(Alert {
        due,
        due_after_span: None,
        span_seconds: None,
        set_seconds: None,
        paused: None,
        ringing: None,
        ..alert.clone()
    })
}

/// A bare seven is the seven that is nearer to when it was due.
fn nearest(hour: Hour, was: Time) -> Time {
    let later = hour.time.wrapping_add(SignedDuration::from_hours(12));
    let distance = |time: Time| time.duration_since(was).as_secs().abs();
    if hour.may_be_later && distance(later) < distance(hour.time) {
        later
    } else {
        hour.time
    }
}
