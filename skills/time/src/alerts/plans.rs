//! What personas do of their own accord, in the book of alerts: each prompt once, at its time or event, as their files have it now.
//!
//! Does nothing itself.

use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::locale::Locales;

use super::alert::Alert;
use super::book::Alerts;
use super::deed::Deed;
use super::event::Event;
use super::foreseen::Asked;
use super::moment::{self, Told};
use super::{AlertTools, Neighbours, setting};

/// A prompt that a persona is given of its own accord.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The persona's name.
    pub persona: String,
    /// The words that it is given.
    pub prompt: String,
    /// When it is given them, as a person would say it.
    pub time: Option<String>,
    /// What has to be so, where it waits for something.
    pub event: Option<String>,
}

impl Plan {
    /// By what it is known again.
    fn key(&self) -> String {
        let at = self.time.as_deref().or(self.event.as_deref()).unwrap_or_default();
        format!("{}: {at}: {}", self.persona, self.prompt)
    }
}

/// Keeps these plans and no others, for the person of the device. What cannot be kept comes back, with the reason.
pub async fn keep_plans(
    alerts: &Arc<Alerts>,
    locales: &Arc<Locales>,
    neighbours: Neighbours,
    plans: &[Plan],
    person: &Circumstances,
) -> Vec<(Plan, String)> {
    let tools = AlertTools {
        neighbours,
        ..AlertTools::reading(alerts, locales)
    };
    let plan_of = |alert: &Alert| alert.deed.as_ref().and_then(|deed| deed.plan.clone());
    let kept: Vec<(u64, String)> = alerts
        .all()
        .await
        .iter()
        .filter_map(|alert| Some((alert.id, plan_of(alert)?)))
        .collect();
    let is_planned = |key: &String| plans.iter().any(|plan| plan.key() == *key);
    let gone = kept.iter().filter(|(_, key)| !is_planned(key));
    let gone: Vec<u64> = gone.map(|(id, _)| *id).collect();
    alerts.remove(&gone).await;
    let mut unkept = Vec::new();
    for plan in plans {
        if kept.iter().any(|(_, key)| *key == plan.key()) {
            continue;
        }
        if let Err(why) = keep(&tools, plan, person).await {
            unkept.push((plan.clone(), why.to_string()));
        }
    }
    unkept
}

async fn keep(tools: &AlertTools, plan: &Plan, person: &Circumstances) -> Result<(), ToolError> {
    let deed = Deed::set_by(person, false, false).of_plan(plan.key(), &plan.persona);
    let unclear = || ToolError::reply("ValueError", "no such time or event is known");
    if let Some(event) = &plan.event {
        let understands = tools.neighbours.understands.as_ref().ok_or_else(unclear)?;
        let asked = understands.question(event, person).await?;
        let Asked { condition, now } = asked.ok_or_else(unclear)?;
        let event = Event::new(event, condition, true, now);
        setting::set_trigger(tools, plan.prompt.clone(), deed, event, person).await?;
        return Ok(());
    }
    let told = Told {
        time: plan.time.clone(),
        ..Told::default()
    };
    let due = moment::due(tools, told, person)?.map_err(|_| unclear())?;
    setting::set_deed(tools, plan.prompt.clone(), deed, due, person).await?;
    Ok(())
}
