//! `loquat say`: has the device say a text, through whatever speaks there. Waits for no sound.

use anyhow::{Context as _, Result};
use loquat_wire::{Message, Session, topic};
use serde_json::json;

use super::{Context, Exit};
use crate::link;
use crate::settings::bus_address;
use crate::supervisor::Supervisor;

const SOURCE: &str = "loquat-say";

/// Carries out `loquat say`.
pub(super) async fn run(context: &Context, text: &str) -> Result<Exit> {
    let settings = &context.settings;
    let address = bus_address(settings);
    if !link::answers(&address).await {
        let url = address.url();
        context.output.remark(format!(
            "loquat: nobody listens at {url}; start Loquat first: loquat run"
        ));
        return Ok(Exit::Failed);
    }
    let supervisor = Supervisor::new();
    let (bus, ..) = link::join(&settings.bus, address, &supervisor).await;
    let lang = &settings.mycroft.lang;
    let mut speak = Message::new(topic::SPEAK, json!({"utterance": text, "lang": lang}));
    speak.context.set_source(SOURCE);
    speak.context.set_destination("audio");
    speak.context.set_session(&Session::named("default"));
    bus.emit(speak).await.context("failed to say it")?;
    supervisor.end_front().await;
    supervisor.end_back().await;
    context.output.value(&json!({"said": text}));
    Ok(Exit::Ok)
}
