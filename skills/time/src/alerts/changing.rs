//! Changing when a timer, an alarm, a reminder or a deed is due. A timer that is paused stays so, with more or less left.
//!
//! Never changes one of several that could be meant, and never makes one due in the past.

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::alert::{Alert, Kind};
use super::altered::Altered;
use super::due::{read_date, read_span, read_time};
use super::length::Numbers;
use super::setting::{self, complaint, said};
use super::which::Which;
use super::wish::{Wish, changed};
use super::{AlertTools, span};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Gap, Telling};

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
    /// `by` in numbers.
    #[serde(default)]
    #[schemars(skip)]
    hours: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    minutes: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    seconds: Option<f64>,
    /// Whether it is earlier by these numbers.
    #[serde(default)]
    #[schemars(skip)]
    earlier: bool,
    /// What it was set to, as in "1 hour"; sentences say it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    length: Option<String>,
    /// The room in which it was set.
    #[serde(default)]
    #[schemars(skip)]
    area: Option<String>,
    /// Its id; who sees them all has it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    id: Option<u64>,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

impl Change {
    /// By how many seconds it is later, where that was said in numbers.
    fn numbers(&self) -> Result<Option<f64>, ToolError> {
        let numbers = Numbers {
            hours: self.hours,
            minutes: self.minutes,
            seconds: self.seconds,
        };
        let sign = if self.earlier { -1.0 } else { 1.0 };
        Ok(numbers.total()?.map(|seconds| sign * seconds))
    }
}

pub(super) async fn change(
    tools: AlertTools,
    change: Change,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    let which = Which::of(change.kind.as_deref(), said(change.name.clone()), None)?
        .narrowed(&tools, change.length.clone(), change.area.clone(), person)?
        .only(change.id)
        .chosen(&change.choice, &tools, person);
    let meant = which.find(&tools, person).await;
    let alert = match meant.as_slice() {
        [] => return Ok(Altered::nothing(which.none(&tools, person).await)),
        [one] => one,
        several => {
            return Ok(Altered::asking(several, &tools, person));
        }
    };
    if matches!(alert.kind, Kind::Trigger | Kind::Routine) {
        return Err(complaint("to: it waits for no time; cancel it and set it anew"));
    }
    let wish = wish(&tools, change, alert.kind, person)?;
    let Some(changed) = changed(&tools, alert, &wish, person)? else {
        return Ok(Altered::nothing(Telling::new("change_too_much")));
    };
    let changed = Alert {
        by: alert.by.clone().and(&Origin::of(person)),
        ..changed
    };
    let (is_there, is_kept) = tools.alerts.replace(changed.clone()).await;
    if !is_there {
        return Ok(Altered::nothing(which.none(&tools, person).await));
    }
    let told = told(&tools, &changed, person);
    let unkept = (!is_kept).then(|| Telling::new("not_kept"));
    let (was, is) = (std::slice::from_ref(alert), std::slice::from_ref(&changed));
    Ok(Altered::of(was, is, told, unkept, &tools, person))
}

/// What is wanted of one of this kind. Words that may be a length or a time of day, as French "sept heures", are a time but of a
/// timer.
fn wish(tools: &AlertTools, change: Change, kind: Kind, person: &Circumstances) -> Result<Wish, ToolError> {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let may_be_time = |said: &str| kind != Kind::Timer && calendar.hour(said).is_some();
    let language = tools.language(person);
    let span = |argument, said: &str| read_span(argument, said, &language);
    let numbers = change.numbers()?;
    match [change.to, change.date, change.by].map(said) {
        [None, None, None] if numbers.is_some() => Ok(Wish::By(numbers.unwrap_or_default())),
        _ if numbers.is_some() => Err(complaint("to: write it or hours, minutes and seconds, not both")),
        [None, None, Some(by)] => match by.trim().strip_prefix('-') {
            Some(less) => Ok(Wish::By(-span("by", less)?)),
            None => Ok(Wish::By(span("by", &by)?)),
        },
        [Some(to), None, None] if !may_be_time(&to) && span("to", &to).is_ok() => {
            Ok(Wish::After(span("to", &to)?))
        }
        [None, None, None] => Err(complaint("to: is missing; write when it is due now")),
        [to, date, None] => Ok(Wish::At {
            hour: to.map(|to| read_time(&calendar, &to)).transpose()?,
            date: date.map(|date| read_date(&calendar, &date)).transpose()?,
        }),
        _ => Err(complaint("to: write it or by, not both")),
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
        (Kind::Deed, ..) => "changed_deed",
        (Kind::Trigger, Some(command), _) if command.is_empty() => "set_trigger_telling",
        (Kind::Trigger, ..) => "set_trigger",
        (Kind::Routine, ..) => "set_routine",
    };
    let left = alert.left(&tools.alerts.now());
    let told = setting::telling(tools, alert, dialog, person);
    told.with("left", Gap::Amounts(span::told(left)))
}

#[cfg(test)]
mod tests;
