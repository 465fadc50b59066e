//! Cancelling timers, alarms and reminders: the one that is meant, or all.
//!
//! Never cancels one of several that could be meant.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::{Alert, Kind};
use super::listing::{item, kind_of};
use super::{Desk, span, spoken};
use crate::clock::calendar::Calendar;
use crate::dialog::{Gap, Tell, Telling};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Which {
    /// "timer", "alarm" or "reminder".
    #[serde(default)]
    kind: Option<String>,
    /// Its name, its duration or what it says; "all" for all of them.
    #[serde(default)]
    name: Option<String>,
    /// The time of day at which it is due.
    #[serde(default)]
    time: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Cancelled {
    count: usize,
    /// Those that could be meant, where that is not clear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    which: Vec<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Cancelled {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn cancel(desk: Desk, which: Which, person: &Circumstances) -> Result<Cancelled, ToolError> {
    let kind = kind_of(which.kind.as_deref())?;
    let all = desk.alerts.all().await;
    let of_kind: Vec<&Alert> = all
        .iter()
        .filter(|alert| kind.is_none_or(|kind| alert.kind == kind))
        .collect();
    let is_all = which
        .name
        .as_deref()
        .is_some_and(|name| crate::folded(name) == "all");
    let meant: Vec<&Alert> = if is_all {
        of_kind
    } else {
        of_kind
            .into_iter()
            .filter(|alert| fits(alert, &which, &desk, person))
            .collect()
    };
    if meant.len() > 1 && !is_all {
        return Ok(unclear(&meant, &desk, person));
    }
    let ids: Vec<u64> = meant.iter().map(|alert| alert.id).collect();
    let gone = desk.alerts.remove(&ids).await;
    Ok(cancelled(&gone, kind, person))
}

/// Whether it may be the one: what was not said fits all.
fn fits(alert: &Alert, which: &Which, desk: &Desk, person: &Circumstances) -> bool {
    let language = desk.language(person);
    let has_name = |name: &str| {
        let wanted = crate::folded(name);
        let named = alert.name.as_deref().map(crate::folded);
        let is_called = named.is_some_and(|named| named == wanted || named.contains(&wanted));
        let lasts = alert.span_seconds.is_some() && span::seconds(name, &language) == alert.span_seconds;
        is_called || lasts
    };
    let is_at = |time: &str| {
        let calendar = Calendar::of(person, desk.alerts.now().wall);
        let due = alert.due.to_zoned(spoken::zone(person)).time();
        calendar.hour(time).is_some_and(|hour| {
            let later = hour.time.wrapping_add(jiff::SignedDuration::from_hours(12));
            due == hour.time || hour.may_be_later && due == later
        })
    };
    let said = |argument: &Option<String>| argument.clone().filter(|text| !text.trim().is_empty());
    said(&which.name).is_none_or(|name| has_name(&name)) && said(&which.time).is_none_or(|time| is_at(&time))
}

fn unclear(meant: &[&Alert], desk: &Desk, person: &Circumstances) -> Cancelled {
    let which: Vec<String> = meant
        .iter()
        .filter_map(|alert| item(alert, desk, person))
        .collect();
    Cancelled {
        count: 0,
        told: Telling::new("cancel_which").words("list", which.join("; ")),
        which,
    }
}

fn cancelled(gone: &[Alert], kind: Option<Kind>, person: &Circumstances) -> Cancelled {
    let told = match (gone, kind) {
        ([one], _) => {
            let dialog = match one.kind {
                Kind::Timer => "cancelled_timer",
                Kind::Alarm => "cancelled_alarm",
                Kind::Reminder => "cancelled_reminder",
            };
            spoken::telling(dialog, one, person)
        }
        ([], Some(Kind::Timer)) => Telling::new("cancel_no_timer"),
        ([], Some(Kind::Alarm)) => Telling::new("cancel_no_alarm"),
        ([], Some(Kind::Reminder)) => Telling::new("cancel_no_reminder"),
        ([], None) => Telling::new("list_none"),
        (several, _) => Telling::new("cancelled_several").with("count", Gap::Number(several.len() as f64)),
    };
    Cancelled {
        count: gone.len(),
        which: Vec::new(),
        told,
    }
}
