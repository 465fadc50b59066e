//! Serving MCP clients from a process of its own, which joins the daemon's bus as any program does.

use anyhow::{Result, bail};
use loquat_bus::Bus;

use super::super::arguments::Mcp;
use super::super::{Context, Exit};
use crate::app;
use crate::link;
use crate::settings::{Secret, bus_address};
use crate::supervisor::Supervisor;

/// Serves them as was typed, until that ends.
pub(super) async fn run(context: &Context, command: Option<Mcp>) -> Result<Exit> {
    let at = match command {
        Some(Mcp::Serve {
            port: Some(port),
            token_file: Some(file),
        }) => {
            let file = context.environment.expand_home(&file);
            Some((port, Secret::File(file).fetch(&context.settings.folders)?))
        }
        _ => None,
    };
    let supervisor = Supervisor::new();
    let served = app::served(&context.settings);
    let bus = joined(context, &supervisor).await?;
    let ended = match at {
        None => loquat_mcp::serve(&served, bus).await,
        Some((port, token)) => {
            let told = |address| {
                let told = format!("loquat: serves MCP at http://{address}/mcp");
                context.output.remark(told);
            };
            loquat_mcp::serve_over_http(&served, bus, port, token, told).await
        }
    };
    supervisor.end_back().await;
    ended?;
    Ok(Exit::Ok)
}

/// Joins the bus on which the daemon is.
async fn joined(context: &Context, supervisor: &Supervisor) -> Result<Bus> {
    let address = bus_address(&context.settings);
    if !link::answers(&address).await {
        let url = address.url();
        bail!("failed to reach the daemon: no bus answers at {url}; start it with: loquat run");
    }
    let (bus, ..) = link::join(&context.settings.bus, address, supervisor).await;
    Ok(bus)
}
