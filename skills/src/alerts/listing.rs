//! Telling which timers, alarms and reminders there are.
//!
//! Changes nothing.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::{Alert, Kind};
use super::{Desk, span, spoken};
use crate::dialog::{Gap, Tell, Telling};

/// More than these are hard to follow by ear.
const MOST_TOLD: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Which {
    /// Only these: "timer", "alarm" or "reminder"; default: all.
    #[serde(default)]
    kind: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    count: usize,
    /// Those that are due first, as they are told.
    alerts: Vec<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn list(desk: Desk, which: Which, person: &Circumstances) -> Result<Listed, ToolError> {
    let kind = kind_of(which.kind.as_deref())?;
    let all = desk.alerts.all().await;
    let of_kind = |alert: &&Alert| kind.is_none_or(|kind| alert.kind == kind);
    let alerts: Vec<&Alert> = all.iter().filter(of_kind).collect();
    let told: Vec<String> = alerts
        .iter()
        .take(MOST_TOLD)
        .filter_map(|alert| item(alert, &desk, person))
        .collect();
    let sentence = match (alerts.len(), kind) {
        (0, None) => Telling::new("list_none"),
        (0, Some(Kind::Timer)) => Telling::new("list_no_timers"),
        (0, Some(Kind::Alarm)) => Telling::new("list_no_alarms"),
        (0, Some(Kind::Reminder)) => Telling::new("list_no_reminders"),
        (count, _) if count > MOST_TOLD => Telling::new("list_many")
            .with("count", Gap::Number(count as f64))
            .words("list", told.join("; ")),
        _ => Telling::new("list").words("list", told.join("; ")),
    };
    Ok(Listed {
        count: alerts.len(),
        alerts: told,
        told: sentence,
    })
}

/// One of them as it is told in a list.
pub(super) fn item(alert: &Alert, desk: &Desk, person: &Circumstances) -> Option<String> {
    let left = -alert.overdue(&desk.alerts.now());
    let dialog = match (alert.kind, &alert.name) {
        (Kind::Timer, None) => "item_timer",
        (Kind::Timer, Some(_)) => "item_timer_named",
        (Kind::Alarm, _) => "item_alarm",
        (Kind::Reminder, _) => "item_reminder",
    };
    let told = spoken::telling(dialog, alert, person).with("left", Gap::Amounts(span::told(left.max(0.0))));
    super::sentence(&told, desk, person)
}

/// The kind that an argument names, also in the plural.
pub(super) fn kind_of(kind: Option<&str>) -> Result<Option<Kind>, ToolError> {
    let name = kind.map(|kind| kind.trim().to_lowercase());
    match name.as_deref().map(|name| name.trim_end_matches('s')) {
        None | Some("" | "none" | "null" | "all" | "alert") => Ok(None),
        Some("timer") => Ok(Some(Kind::Timer)),
        Some("alarm") => Ok(Some(Kind::Alarm)),
        Some("reminder") => Ok(Some(Kind::Reminder)),
        Some(_) => Err(super::setting::complaint(
            "kind: write timer, alarm or reminder, or leave it out",
        )),
    }
}
