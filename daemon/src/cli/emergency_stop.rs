//! `loquat emergency-stop`: sets or clears the emergency stop of the running daemon, or says how it stands.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::arguments::EmergencyStop;
use super::{Context, Exit, owners_request};

/// A daemon answers at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// Carries out `loquat emergency-stop`.
pub(super) async fn run(context: &Context, order: Option<EmergencyStop>) -> Result<Exit> {
    let is_set = ask(context, order).await?;
    context.output.line(if is_set {
        "The emergency stop is set. To clear it: loquat emergency-stop clear"
    } else {
        "The emergency stop is not set."
    });
    context.output.value(&json!({"active": is_set}));
    Ok(Exit::Ok)
}

async fn ask(context: &Context, order: Option<EmergencyStop>) -> Result<bool> {
    let data = match order {
        None => json!({}),
        Some(order) => json!({"active": order == EmergencyStop::Set}),
    };
    let question = Message::new(topic::LOQUAT_EMERGENCY_STOP, data);
    let needs_word = order == Some(EmergencyStop::Clear);
    let answer = owners_request::answer_to(context, question, needs_word, PATIENCE).await?;
    if let Some(error) = answer.data.get("error").and_then(Value::as_str) {
        let folder = context.settings.folders.state.display();
        bail!(
            "failed to clear the emergency stop: {error}; the daemon keeps its state elsewhere than in {folder}"
        );
    }
    let is_set = answer.data.get("active").and_then(Value::as_bool);
    is_set.context("failed to understand what Loquat answered on the bus")
}
