//! `loquat network`: which services outside of the device its skills may ask, and the way to change that. Asks none of them.

use anyhow::{Context as _, Result};
use loquat_skills::permission::{SERVICES, Service, Standing};
use serde_json::json;

use super::{Context, Exit, NetworkCommand};
use crate::preferences::network_changes;
use crate::settings::Document;
use crate::settings::amend::amend;

/// Carries out `loquat network`.
pub(super) fn run(context: &Context, command: Option<NetworkCommand>) -> Result<Exit> {
    let (service, standing) = match command {
        None => return Ok(list(context)),
        Some(NetworkCommand::Allow { service }) => (service, Standing::Allowed),
        Some(NetworkCommand::Deny { service }) => (service, Standing::Denied),
        Some(NetworkCommand::Ask { service }) => (service, Standing::Unasked),
    };
    change(context, service, standing)
}

fn list(context: &Context) -> Exit {
    let rules = context.settings.network.rules();
    let all = SERVICES.map(|service| (service, words(rules.of(service))));
    for (service, standing) in all {
        context.output.line(format!(
            "{:<12} {standing:<12} {}",
            service.to_string(),
            service.title()
        ));
    }
    let shown = all.map(|(service, standing)| json!({"service": service, "standing": standing}));
    context.output.value(&json!({"services": shown}));
    Exit::Ok
}

fn change(context: &Context, service: Service, standing: Standing) -> Result<Exit> {
    let before = context.settings.network.rules();
    let changes = network_changes(&before, service, standing);
    amend::<Document>(&context.environment, &context.options, &changes)
        .context("failed to change the settings")?;
    let standing = words(standing);
    context.output.line(format!(
        "{service}: {standing}. A running daemon knows it after: loquat reload"
    ));
    context
        .output
        .value(&json!({"service": service, "standing": standing}));
    Ok(Exit::Ok)
}

fn words(standing: Standing) -> &'static str {
    match standing {
        Standing::Allowed => "allowed",
        Standing::Denied => "not allowed",
        Standing::Unasked => "asks first",
    }
}
