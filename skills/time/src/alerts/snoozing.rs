//! Having what rings ring again a little later.
//!
//! What is repeated stays as it is; what rings later is one more.

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alert::Alert;
use super::setting::{complaint, short};
use super::{AlertTools, span, whom};
use loquat_kit::dialog::{Gap, Tell, Telling};
use loquat_kit::slots;

/// As alarm clocks do.
const USUAL_SECONDS: f64 = 540.0;

/// What was asked to wait a day is not snoozed but forgotten.
const LONGEST_SECONDS: f64 = 86_400.0;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Snooze {
    /// For how long, as in "5 minutes"; default: 9 minutes.
    #[serde(default)]
    duration: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Snoozed {
    count: usize,
    seconds: f64,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Snoozed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

pub(super) async fn snooze(
    tools: AlertTools,
    snooze: Snooze,
    person: &Circumstances,
) -> Result<Snoozed, ToolError> {
    let language = tools.language(person);
    let seconds = match snooze
        .duration
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        None => USUAL_SECONDS,
        Some(said) => slots::seconds(said, language.lang)
            .filter(|seconds| *seconds <= LONGEST_SECONDS)
            .ok_or_else(|| {
                complaint(&format!(
                    "duration: cannot read '{}'; write it as \"5 minutes\"",
                    short(said)
                ))
            })?,
    };
    let is_known = |alert: &Alert| whom::knows(&tools, alert, person);
    let rang = tools.alerts.silence_where(is_known).await;
    for alert in &rang {
        let due = tools.alerts.now().after(seconds);
        let again = |id| Alert {
            id,
            by: alert.by.clone().and(&Origin::of(person)),
            due: due.wall,
            due_after_span: Some(due),
            repetition: None,
            ringing: None,
            ..alert.clone()
        };
        if tools.alerts.add(again).await.is_none() {
            return Err(complaint(
                "there are too many timers, alarms and reminders; cancel some first",
            ));
        }
    }
    let told = if rang.is_empty() {
        Telling::new("snooze_nothing")
    } else {
        Telling::new("snooze").with("span", Gap::Amounts(span::told(seconds)))
    };
    Ok(Snoozed {
        count: rang.len(),
        seconds,
        told,
    })
}
