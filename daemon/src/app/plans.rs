//! What personas do of their own accord: kept among the alerts as their files have it, now and whenever they are read again.
//! Gives no persona a prompt.

use std::sync::Arc;

use loquat_agent::Speaker;
use loquat_agent::toolbox::Circumstances;
use loquat_mind::{Mind, ScheduledAt};
use loquat_skills::Resources;
use loquat_skills::alerts::{Plan, keep_plans};
use loquat_wire::Session;
use tokio_util::sync::CancellationToken;

use crate::device::Device;

/// Keeps them until cancelled.
pub(super) async fn run(mind: Arc<Mind>, resources: Resources, device: Device, cancel: CancellationToken) {
    let mut replaced = mind.replacements();
    loop {
        replaced.mark_unchanged();
        keep(&mind, &resources, &device).await;
        tokio::select! {
            () = cancel.cancelled() => return,
            changed = replaced.changed() => if changed.is_err() {
                return cancel.cancelled().await;
            },
        }
    }
}

async fn keep(mind: &Mind, resources: &Resources, device: &Device) {
    let owner = Circumstances {
        speaker: Speaker::Owner,
        ..device.circumstances_of(&Session::default())
    };
    let plans = planned(mind);
    let unkept = keep_plans(
        &resources.alerts,
        &resources.locales,
        resources.neighbours(),
        &plans,
        &owner,
    );
    for (plan, why) in unkept.await {
        tracing::warn!(
            persona = plan.persona,
            prompt = plan.prompt,
            why,
            "an entry of a persona's schedule is passed over"
        );
    }
}

fn planned(mind: &Mind) -> Vec<Plan> {
    let personas = mind.offered().into_iter();
    let plans = personas.flat_map(|persona| {
        let plan = |one: &loquat_mind::Scheduled| Plan {
            persona: persona.name.clone(),
            prompt: one.prompt.clone(),
            time: match &one.at {
                ScheduledAt::Time(time) => Some(time.clone()),
                ScheduledAt::Event(_) => None,
            },
            event: match &one.at {
                ScheduledAt::Event(event) => Some(event.clone()),
                ScheduledAt::Time(_) => None,
            },
        };
        persona.schedule.iter().map(plan).collect::<Vec<_>>()
    });
    plans.collect()
}
