//! Changing when a timer, an alarm or a reminder is due.
//!
//! Never changes one of several that could be meant, and never makes one due in the past.

use jiff::SignedDuration;
use jiff::civil::{Date, Time};
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::alert::{Alert, Kind, Repetition, at};
use super::due::{LONGEST_SPAN, read_date, read_span, read_time};
use super::setting::{self, complaint, said};
use super::which::{Which, unclear};
use super::{AlertTools, span, spoken, undo};
use crate::clock::calendar::{Calendar, Hour};
use crate::dialog::{Gap, Tell, Telling};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Change {
    /// "timer", "alarm" or "reminder".
    #[serde(default)]
    kind: Option<String>,
    /// Its name, or "last".
    #[serde(default)]
    name: Option<String>,
    /// New duration or time, as in "8 am".
    #[serde(default)]
    to: Option<String>,
    /// New day, as in "tomorrow".
    #[serde(default)]
    date: Option<String>,
    /// Later by "5 minutes", earlier by "-5 minutes".
    #[serde(default)]
    by: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Changed {
    count: usize,
    /// Those that could be meant, where that is not clear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    which: Vec<String>,
    /// What a restart undoes, because it could not be kept on the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    #[serde(skip)]
    told: Telling,
    #[serde(skip)]
    undo: Map<String, Value>,
}

impl Tell for Changed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }

    fn undo(&self) -> Map<String, Value> {
        self.undo.clone()
    }
}

impl Changed {
    fn none(told: Telling) -> Self {
        Self {
            count: 0,
            which: Vec::new(),
            warning: None,
            told,
            undo: Map::new(),
        }
    }
}

/// What becomes of it.
enum Wish {
    /// It is due so many seconds later, or earlier.
    By(f64),
    /// It is due so many seconds from now.
    After(f64),
    /// It is due then.
    At { hour: Option<Hour>, date: Option<Date> },
}

pub(super) async fn change(
    tools: AlertTools,
    change: Change,
    person: &Circumstances,
) -> Result<Changed, ToolError> {
    let which = Which::of(change.kind.as_deref(), said(change.name.clone()), None)?;
    let wish = wish(&tools, change, person)?;
    let meant = which.find(&tools, person).await;
    let alert = match meant.as_slice() {
        [] => return Ok(Changed::none(which.none(&tools, person).await)),
        [one] => one,
        several => {
            let (which, told) = unclear(several, &tools, person);
            return Ok(Changed {
                which,
                ..Changed::none(told)
            });
        }
    };
    let Some(changed) = changed(&tools, alert, &wish, person)? else {
        return Ok(Changed::none(Telling::new("change_too_much")));
    };
    let changed = Alert {
        by: alert.by.clone().and(Origin::of(person)),
        ..changed
    };
    let (is_there, is_kept) = tools.alerts.replace(changed.clone()).await;
    if !is_there {
        return Ok(Changed::none(which.none(&tools, person).await));
    }
    let told = told(&tools, &changed, person);
    let unkept = (!is_kept).then(|| Telling::new("not_kept"));
    Ok(Changed {
        count: 1,
        which: Vec::new(),
        warning: super::warning(unkept.as_ref(), &tools, person),
        told: match unkept {
            Some(unkept) => told.then(unkept),
            None => told,
        },
        undo: undo::of_gone(std::slice::from_ref(alert)),
    })
}

fn wish(tools: &AlertTools, change: Change, person: &Circumstances) -> Result<Wish, ToolError> {
    let language = tools.language(person);
    let span = |argument, said: &str| read_span((argument, said), &language);
    match [change.to, change.date, change.by].map(said) {
        [None, None, Some(by)] => match by.trim().strip_prefix('-') {
            Some(less) => Ok(Wish::By(-span("by", less)?)),
            None => Ok(Wish::By(span("by", &by)?)),
        },
        [Some(to), None, None] if span("to", &to).is_ok() => Ok(Wish::After(span("to", &to)?)),
        [None, None, None] => Err(complaint("to: is missing; write when it is due now")),
        [to, date, None] => {
            let calendar = Calendar::of(person, tools.alerts.now().wall);
            Ok(Wish::At {
                hour: to.map(|to| read_time(&calendar, &to)).transpose()?,
                date: date.map(|date| read_date(&calendar, &date)).transpose()?,
            })
        }
        _ => Err(complaint("to: write it or by, not both")),
    }
}

/// The alert as it becomes; `None` where it would be due in the past.
fn changed(
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
            ..repetition
        })),
        Wish::After(_) if alert.repetition.is_some() => {
            Err(complaint("to: write a time of day, since it is repeated"))
        }
        Wish::After(seconds) => Ok(Some(after(tools, alert, *seconds))),
        Wish::At { hour: Some(hour), .. } if alert.repetition.is_some() => {
            Ok(repeated(tools, alert, person, |repetition| Repetition {
                time: nearest(*hour, repetition.time),
                ..repetition
            }))
        }
        Wish::At { hour, date } => Ok(moved(tools, alert, (*hour, *date), person)),
    }
}

/// Due later than it is, by the clock by which it runs. What rings rings again after the span.
fn later(tools: &AlertTools, alert: &Alert, seconds: f64) -> Option<Alert> {
    let now = tools.alerts.now();
    let left = (-alert.overdue(&now)).max(0.0) + seconds;
    if left <= 0.0 || left > LONGEST_SPAN {
        return None;
    }
    let due = now.after(left);
    Some(Alert {
        due: due.wall,
        due_after_span: alert.due_after_span.is_some().then_some(due),
        span_seconds: alert.span_seconds.map(|span| span + seconds),
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
    (hour, date): (Option<Hour>, Option<Date>),
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
            };
            next.next(now, &zone)?
        }
    };
    Some(Alert {
        due,
        due_after_span: None,
        span_seconds: None,
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

pub(super) fn told(tools: &AlertTools, alert: &Alert, person: &Circumstances) -> Telling {
    let dialog = match (alert.kind, &alert.name, &alert.repetition) {
        (Kind::Timer, None, _) => "changed_timer",
        (Kind::Timer, Some(_), _) => "changed_timer_named",
        (Kind::Alarm, _, None) => "set_alarm",
        (Kind::Alarm, _, Some(_)) => "set_alarm_repeating",
        (Kind::Reminder, _, None) => "set_reminder",
        (Kind::Reminder, _, Some(_)) => "set_reminder_repeating",
    };
    let left = -alert.overdue(&tools.alerts.now());
    let told = setting::telling(tools, alert, (dialog, person));
    told.with("left", Gap::Amounts(span::told(left.max(0.0))))
}

#[cfg(test)]
mod tests;
