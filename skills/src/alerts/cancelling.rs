//! Cancelling timers, alarms and reminders: the one that is meant, or all.
//!
//! Never cancels one of several that could be meant.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::{Alert, Kind};
use super::which::{Which, unclear};
use super::{AlertTools, spoken};
use crate::dialog::{Gap, Tell, Telling};

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

pub(super) async fn cancel(
    tools: AlertTools,
    arguments: Cancel,
    person: &Circumstances,
) -> Result<Cancelled, ToolError> {
    let which = Which::of(arguments.kind.as_deref(), arguments.name, arguments.time)?;
    let meant = which.find(&tools, person).await;
    if meant.len() > 1 && !which.is_all() {
        let (which, told) = unclear(&meant, &tools, person);
        return Ok(Cancelled {
            count: 0,
            which,
            told,
        });
    }
    let ids: Vec<u64> = meant.iter().map(|alert| alert.id).collect();
    let gone = tools.alerts.remove(&ids).await;
    Ok(cancelled(&gone, &which, person))
}

fn cancelled(gone: &[Alert], which: &Which, person: &Circumstances) -> Cancelled {
    let told = match gone {
        [one] => {
            let dialog = match one.kind {
                Kind::Timer => "cancelled_timer",
                Kind::Alarm => "cancelled_alarm",
                Kind::Reminder => "cancelled_reminder",
            };
            spoken::telling(dialog, one, person)
        }
        [] => which.none(),
        several => Telling::new("cancelled_several").with("count", Gap::Number(several.len() as f64)),
    };
    Cancelled {
        count: gone.len(),
        which: Vec::new(),
        told,
    }
}
