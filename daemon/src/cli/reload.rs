//! `loquat reload`: has the running daemon read settings, personas and sentences again, and says what came of it.

use std::time::Duration;

use anyhow::{Result, bail};
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::{Context, Exit, owners_request};

/// All languages of all skills are read within this, on a small board as well.
const PATIENCE: Duration = Duration::from_secs(60);

/// Carries out `loquat reload`.
pub(super) async fn run(context: &Context) -> Result<Exit> {
    let order = Message::new(topic::LOQUAT_RELOAD, json!({}));
    let answer = owners_request::answer_to(context, order, true, PATIENCE).await?;
    let told = |key| answer.data.get(key).and_then(Value::as_str);
    if let Some(error) = told("error") {
        bail!("{error}");
    }
    let report = told("report").unwrap_or_default();
    context
        .output
        .line("Settings, personas and sentences were read again.");
    for line in report.lines() {
        context.output.line(format!("  {line}"));
    }
    context.output.value(&json!({"report": report}));
    Ok(Exit::Ok)
}
