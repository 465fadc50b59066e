//! The MCP servers of the settings, as the toolboxes take them: with their secrets fetched and their addresses judged.
//! Starts none.

use std::path::Path;
use std::time::Duration;

use loquat_brain::clear_text_host;
use loquat_settings::Environment;
use loquat_settings::secret::KeptIn;
use loquat_skills::alerts::Messages;
use loquat_skills::mcp::{PREFIX, ServerRules, Way};
use secrecy::SecretString;

use crate::settings::{Mcp, McpServer, McpSettings};

/// What every program may know of our environment.
const PASSED_ON: [&str; 5] = ["HOME", "LANG", "PATH", "TZ", "USER"];

/// The rules of all servers.
pub fn rules(settings: McpSettings<'_>, environment: &Environment) -> Vec<ServerRules> {
    let servers = settings.mcp.servers.0.iter();
    let rules = servers.map(|(name, server)| ServerRules {
        name: name.clone(),
        way: way(server, settings, environment).unwrap_or_else(Way::None),
        tools: server.tools.clone(),
        awaited: server.awaited.uris().map(str::to_owned).collect(),
        is_trusted: server.trusted,
        believes_read_only: server.believe_read_only,
        start: Duration::from_secs_f64(server.start_seconds),
        call: Duration::from_secs_f64(server.call_seconds),
    });
    rules.collect()
}

/// What may be waited for: these messages of the bus, and the resources of all servers.
pub fn with_resources(messages: Messages, mcp: &Mcp) -> Messages {
    let servers = mcp.servers.0.iter();
    servers.fold(messages, |messages, (name, server)| {
        messages.with_resources(name, &server.awaited)
    })
}

/// The ids of their toolboxes.
pub fn toolbox_ids(mcp: &Mcp) -> Vec<String> {
    let names = mcp.servers.0.keys();
    names.map(|name| format!("{PREFIX}{name}")).collect()
}

/// How a server is reached, or why it cannot be.
fn way(server: &McpServer, settings: McpSettings<'_>, environment: &Environment) -> Result<Way, String> {
    let fetch = |kept: &KeptIn| kept.fetch(settings.folders, environment);
    if let Some(url) = &server.url {
        let token = server.token.as_ref().map(fetch).transpose()?;
        let clear = clear_text_host(url).filter(|_| token.is_some());
        let may_be_clear = &settings.keys.clear_text_hosts;
        if let Some(host) =
            clear.filter(|host| !may_be_clear.iter().any(|known| known.eq_ignore_ascii_case(host)))
        {
            return Err(format!(
                "its token is not sent, since anybody on the way to {host} could read it; use an https:// address, or add \
                 \"{host}\" to keys.clear_text_hosts"
            ));
        }
        let url = url.clone();
        return Ok(Way::Address { url, token });
    }
    let command = server.command.clone().unwrap_or_default();
    let passed = PASSED_ON
        .into_iter()
        .chain(server.pass_env.iter().map(String::as_str));
    let passed = passed.filter_map(|name| {
        let value = environment.variable(name)?;
        Some((name.to_owned(), SecretString::from(value)))
    });
    let mut all: Vec<(String, SecretString)> = passed.collect();
    for (name, kept) in &server.env {
        all.push((name.clone(), fetch(kept)?));
    }
    Ok(Way::Program {
        command: environment.expand_home(Path::new(&command)).display().to_string(),
        arguments: server.args.clone(),
        environment: all,
    })
}
