//! `loquat emergency-stop`: sets or clears the emergency stop of the running daemon, or says how it stands.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use loquat_part::owners_word::OwnersWord;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::arguments::EmergencyStop;
use super::{Context, Exit};
use crate::link;
use crate::settings::bus_address;
use crate::supervisor::Supervisor;

/// A daemon answers at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// Carries out `loquat emergency-stop`.
pub(super) async fn run(context: &Context, order: Option<EmergencyStop>) -> Result<Exit> {
    let supervisor = Supervisor::new();
    let answer = ask(context, &supervisor, order).await;
    supervisor.end_back().await;
    let is_set = answer?;
    context.output.line(if is_set {
        "The emergency stop is set. To clear it: loquat emergency-stop clear"
    } else {
        "The emergency stop is not set."
    });
    context.output.value(&json!({"active": is_set}));
    Ok(Exit::Ok)
}

async fn ask(context: &Context, supervisor: &Supervisor, order: Option<EmergencyStop>) -> Result<bool> {
    let settings = &context.settings;
    if !link::answers(&bus_address(settings)).await {
        bail!("failed to reach the daemon: no bus answers; start it with: loquat run");
    }
    let (bus, ..) = link::join(&settings.bus, bus_address(settings), supervisor).await;
    let data = match order {
        None => json!({}),
        Some(order) => json!({"active": order == EmergencyStop::Set}),
    };
    let word = OwnersWord::in_folder(&context.settings.folders.state);
    if order == Some(EmergencyStop::Clear) {
        let given = word.give(topic::LOQUAT_EMERGENCY_STOP).await;
        given.with_context(|| {
            let folder = context.settings.folders.state.display();
            format!("failed to write in {folder}, which shows the daemon that its owner asks; run this as the user whose daemon it is")
        })?;
    }
    let question = Message::new(topic::LOQUAT_EMERGENCY_STOP, data);
    let answer = bus.request(question, None, PATIENCE).await;
    word.take_back().await;
    let answer = answer.context("failed to reach the daemon: no Loquat answers on the bus")?;
    if let Some(error) = answer.data.get("error").and_then(Value::as_str) {
        let folder = context.settings.folders.state.display();
        bail!(
            "failed to clear the emergency stop: {error}; the daemon keeps its state elsewhere than in {folder}"
        );
    }
    let is_set = answer.data.get("active").and_then(Value::as_bool);
    is_set.context("failed to understand what Loquat answered on the bus")
}
