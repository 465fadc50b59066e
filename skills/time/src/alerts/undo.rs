//! Taking back what was done to timers, alarms and reminders: what was set is cancelled, and what was cancelled or changed
//! is again as it was. What would have rung meanwhile is gone.

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::alert::Alert;
use super::cancelling::told_of_cancelled;
use super::{AlertTools, changing};
use loquat_kit::dialog::{Tell, Telling};

/// Of more that are there again only the first are told one by one.
const MOST_TOLD: usize = 3;

/// What makes it as it was before.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Undo {
    cancel: Vec<u64>,
    restore: Vec<Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Restored {
    count: usize,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Restored {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// What takes back that these were set.
pub(super) fn of_set(id: Option<u64>) -> Map<String, Value> {
    arguments(id.as_slice(), &[])
}

/// What takes back that these were cancelled or changed.
pub(super) fn of_gone(gone: &[Alert]) -> Map<String, Value> {
    arguments(&[], gone)
}

fn arguments(cancel: &[u64], restore: &[Alert]) -> Map<String, Value> {
    if cancel.is_empty() && restore.is_empty() {
        return Map::new();
    }
    let members = [("cancel", json!(cancel)), ("restore", json!(restore))];
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

pub(super) async fn restore(
    tools: AlertTools,
    undo: Undo,
    person: &Circumstances,
) -> Result<Restored, ToolError> {
    let read = undo.restore.into_iter().map(serde_json::from_value);
    let alerts: Vec<Alert> = read
        .collect::<Result<_, _>>()
        .map_err(|error| ToolError::reply("ValueError", format!("restore: {error}")))?;
    let (mut gone, _) = tools.alerts.remove(&undo.cancel).await;
    // What was set is told to whom has set it, in their own words.
    for alert in &mut gone {
        alert.by = Origin::Own;
    }
    let (back, _) = tools.alerts.restore(alerts).await;
    if gone.is_empty() && back.is_empty() {
        let complaint = "it has rung or is gone since, so nothing was taken back";
        return Err(ToolError::reply("LookupError", complaint));
    }
    let first = back.iter().take(MOST_TOLD);
    let mut told: Vec<Telling> = first.map(|alert| changing::told(&tools, alert, person)).collect();
    told.extend(
        (!gone.is_empty())
            .then(|| told_of_cancelled(&gone, person))
            .flatten(),
    );
    let told = told.into_iter().reduce(Telling::then);
    Ok(Restored {
        count: gone.len() + back.len(),
        told: told.unwrap_or_else(|| Telling::new("list_none")),
    })
}
