//! `loquat mcp`: the tools and personas of the running daemon for MCP clients, over standard input and output or HTTP; and the
//! owner's word on tools of MCP servers that have changed.

#[cfg(feature = "mcp")]
mod serving;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::allowed_tools::AllowedTools;
use super::arguments::Mcp;
use super::{Context, Exit};

/// `loquat mcp`.
#[cfg_attr(
    not(feature = "mcp"),
    expect(clippy::unused_async, reason = "only serving waits, which is left out")
)]
pub(super) async fn run(context: &Context, command: Option<Mcp>) -> Result<Exit> {
    match command {
        Some(Mcp::Accept { server }) => accept(context, &server),
        #[cfg(feature = "mcp")]
        served => serving::run(context, served).await,
        #[cfg(not(feature = "mcp"))]
        _ => Err(loquat_part::absent::BuiltWithout("mcp").into()),
    }
}

fn accept(context: &Context, server: &str) -> Result<Exit> {
    if !context.settings.mcp.servers.0.contains_key(server) {
        bail!("failed to find the server '{server}': there is no [mcp.servers.{server}] in loquat.toml");
    }
    let allowed = AllowedTools::open(&context.settings.folders.state)
        .map_err(|error| anyhow::anyhow!("failed to {}", loquat_failure::with_causes(&error)))?;
    let count = allowed.map(|allowed| allowed.forget(server)).transpose();
    let count = count
        .context("failed to change what is allowed of MCP servers")?
        .unwrap_or(0);
    context.output.line(format!(
        "The tools of {server} are allowed as they are at the daemon's next start; {count} were known."
    ));
    context
        .output
        .value(&json!({"server": server, "forgotten": count}));
    Ok(Exit::Ok)
}
