//! Telling which timers, alarms, reminders and deeds there are.
//!
//! Changes nothing.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::{Alert, Kind};
use super::figures::{self, Figures};
use super::which::{Which, kind_of};
use super::{AlertTools, setting, span, spoken, whom};
use loquat_kit::dialog::{Gap, Tell, Telling};

/// More than these are hard to follow by ear.
pub(super) const MOST_TOLD: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct List {
    /// Only these: "timer", "alarm" or "reminder"; default: all.
    #[serde(default)]
    kind: Option<String>,
    /// Only the one of this name.
    #[serde(default)]
    name: Option<String>,
    /// What it was set to, as in "1 hour"; sentences say it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    length: Option<String>,
    /// The room in which it was set.
    #[serde(default)]
    #[schemars(skip)]
    area: Option<String>,
    /// The time in which it is due, as in "tomorrow"; sentences say it, and a brain reads the list.
    #[serde(default)]
    #[schemars(skip)]
    within: Option<String>,
    /// Whether those are meant that the person may not have noticed.
    #[serde(default)]
    #[schemars(skip)]
    missed: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    count: usize,
    /// Those that are due first, as they are told.
    alerts: Vec<String>,
    /// The timers among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timers: Vec<Figures>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn list(
    tools: AlertTools,
    arguments: List,
    person: &Circumstances,
) -> Result<Listed, ToolError> {
    if arguments.missed {
        return list_missed(&tools, arguments.kind.as_deref(), person);
    }
    let which = Which::of(arguments.kind.as_deref(), arguments.name, None)?
        .narrowed(&tools, arguments.length, arguments.area, person)?
        .due_within(arguments.within, &tools, person)?;
    let alerts = which.find(&tools, person).await;
    let told: Vec<String> = alerts
        .iter()
        .take(MOST_TOLD)
        .filter_map(|alert| item(alert, &tools, person))
        .collect();
    let none = match (which.kind, which.within()) {
        (None, None) => "list_none",
        (Some(Kind::Timer), None) => "list_no_timers",
        (Some(Kind::Alarm), None) => "list_no_alarms",
        (Some(Kind::Reminder), None) => "list_no_reminders",
        (Some(Kind::Deed), None) => "list_no_deeds",
        (Some(Kind::Trigger), None) => "list_no_triggers",
        (Some(Kind::Routine), None) => "list_no_routines",
        (Some(Kind::Alarm), Some(_)) => "list_no_alarms_then",
        (Some(Kind::Reminder), Some(_)) => "list_no_reminders_then",
        (_, Some(_)) => "list_none_then",
    };
    let sentence = match alerts.len() {
        0 if which.kind.is_some() && which.names_one() && !which.is_next() => {
            which.none(&tools, person).await
        }
        0 => which.told_here(Telling::new(none), &tools, person).await,
        count if count > MOST_TOLD => Telling::new("list_many")
            .with("count", Gap::Number(count as f64))
            .words("list", told.join("; ")),
        1 => Telling::new("list").words("list", told.join("; ")),
        count => Telling::new("list")
            .with("count", Gap::Number(count as f64))
            .words("list", told.join("; ")),
    };
    Ok(Listed {
        count: alerts.len(),
        alerts: told,
        timers: figures::of(&alerts, &tools),
        told: sentence.of_strangers(are_foreign_to(person, &alerts)),
    })
}

/// Those that became due and were not heard or not stopped, the last one first.
fn list_missed(tools: &AlertTools, kind: Option<&str>, person: &Circumstances) -> Result<Listed, ToolError> {
    let kind = kind_of(kind)?;
    let missed = tools.alerts.missed().into_iter();
    let missed = missed.filter(|alert| whom::knows(tools, alert, person));
    let alerts: Vec<Alert> = missed
        .filter(|alert| kind.is_none_or(|kind| alert.kind == kind))
        .collect();
    let now = Some(tools.alerts.now().wall);
    let item = |alert| super::sentence(&spoken::telling("item_missed", alert, person, now), tools, person);
    let told: Vec<String> = alerts.iter().take(MOST_TOLD).filter_map(item).collect();
    let sentence = match told.as_slice() {
        [] => Telling::new("missed_none"),
        told => Telling::new("missed_list").words("list", told.join("; ")),
    };
    Ok(Listed {
        count: alerts.len(),
        alerts: told,
        timers: Vec::new(),
        told: sentence.of_strangers(are_foreign_to(person, &alerts)),
    })
}

/// Whether, of those that are told one by one, any has a name that is a stranger's to who is told it.
pub(super) fn are_foreign_to(person: &Circumstances, alerts: &[Alert]) -> bool {
    let mut told = alerts.iter().take(MOST_TOLD);
    told.any(|alert| alert.is_foreign_to(person))
}

/// One of them as it is told in a list.
pub(super) fn item(alert: &Alert, tools: &AlertTools, person: &Circumstances) -> Option<String> {
    let now = tools.alerts.now();
    let left = alert.left(&now);
    let dialog = match (alert.kind, &alert.name) {
        (Kind::Timer, _) if alert.is_paused() => "item_paused",
        (Kind::Timer, None) => "item_timer",
        (Kind::Timer, Some(_)) => "item_timer_named",
        (Kind::Alarm, _) => "item_alarm",
        (Kind::Reminder, _) => "item_reminder",
        (Kind::Deed, _) => "item_deed",
        (Kind::Trigger, _) if alert.reminds.is_some() => "item_trigger",
        (Kind::Trigger, Some(command)) if command.is_empty() => "item_trigger_telling",
        (Kind::Trigger, _) => "item_trigger",
        (Kind::Routine, _) => "item_routine",
    };
    let told = setting::telling(tools, alert, dialog, person).with("left", Gap::Amounts(span::told(left)));
    super::sentence(&told, tools, person)
}
