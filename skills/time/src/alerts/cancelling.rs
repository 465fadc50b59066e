//! Cancelling timers, alarms, reminders and deeds: the one that is meant, or all.
//!
//! Never cancels one of several that could be meant.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::alert::{Alert, Kind};
use super::altered::Altered;
use super::listing::{MOST_TOLD, are_foreign_to, item};
use super::which::Which;
use super::{AlertTools, spoken};
use loquat_kit::dialog::{Gap, Telling};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Cancel {
    /// "timer", "alarm" or "reminder".
    #[serde(default)]
    kind: Option<String>,
    /// Its name, its duration or what it says; "all" for all of them.
    #[serde(default)]
    name: Option<String>,
    /// The time of day at which it is due.
    #[serde(default)]
    time: Option<String>,
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
    /// Its id; who sees them all has it, and a brain has the name.
    #[serde(default)]
    #[schemars(skip)]
    id: Option<u64>,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

pub(super) async fn cancel(
    tools: AlertTools,
    arguments: Cancel,
    person: &Circumstances,
) -> Result<Altered, ToolError> {
    let which = Which::of(arguments.kind.as_deref(), arguments.name, arguments.time)?
        .narrowed(&tools, arguments.length, arguments.area, person)?
        .due_within(arguments.within, &tools, person)?
        .only(arguments.id);
    let which = which.chosen(&arguments.choice, &tools, person);
    let found = which.find(&tools, person).await;
    let (meant, staying) = apart(found, &which, person);
    if !which.is_clear(&meant) {
        return Ok(Altered::asking(&meant, &tools, person));
    }
    let ids: Vec<u64> = meant.iter().map(|alert| alert.id).collect();
    let (gone, is_kept) = tools.alerts.remove(&ids).await;
    let told = match (
        told_of_cancelled(&gone, person),
        told_of_staying(&staying, &tools, person),
    ) {
        (Some(told), Some(staying)) => told.then(staying),
        (Some(told), None) | (None, Some(told)) => told,
        (None, None) => which.none(&tools, person).await,
    };
    let unkept = (!is_kept).then(|| Telling::new("comes_back"));
    Ok(Altered::of(&gone, &gone, told, unkept, &tools, person))
}

/// Those that are cancelled, and those that stay since they are due at other times as well: who cancels what is due on Saturday
/// does not mean every other day.
fn apart(found: Vec<Alert>, which: &Which, person: &Circumstances) -> (Vec<Alert>, Vec<Alert>) {
    let zone = spoken::zone(person);
    let is_meant = |alert: &Alert| {
        which
            .within()
            .is_none_or(|within| within.holds_all_of(alert, &zone))
    };
    found.into_iter().partition(is_meant)
}

fn told_of_staying(staying: &[Alert], tools: &AlertTools, person: &Circumstances) -> Option<Telling> {
    let told = staying.iter().take(MOST_TOLD);
    let told: Vec<String> = told.filter_map(|alert| item(alert, tools, person)).collect();
    let telling = (!told.is_empty()).then(|| Telling::new("repeated_stays").words("list", told.join("; ")));
    telling.map(|telling| telling.of_strangers(are_foreign_to(person, staying)))
}

/// What is told of those that are gone; nothing where none is.
pub(super) fn told_of_cancelled(gone: &[Alert], person: &Circumstances) -> Option<Telling> {
    match gone {
        [one] => {
            let dialog = match one.kind {
                Kind::Timer => "cancelled_timer",
                Kind::Alarm => "cancelled_alarm",
                Kind::Reminder => "cancelled_reminder",
                Kind::Deed => "cancelled_deed",
                Kind::Trigger => "cancelled_trigger",
                Kind::Routine => "cancelled_routine",
            };
            Some(spoken::telling(dialog, one, person, None))
        }
        [] => None,
        several => {
            let count = Gap::Number(several.len() as f64);
            Some(Telling::new("cancelled_several").with("count", count))
        }
    }
}
