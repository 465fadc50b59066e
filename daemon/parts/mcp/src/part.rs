//! The MCP server as a part of the daemon: it offers its door to the part that has a listener.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_connections::http_door::HttpDoor;
use loquat_part::{Context, Finding, Ground, Part, Running, Start};
use loquat_settings::brought::Brought;

use super::door::Door;
use super::served::Served;

/// The part.
#[derive(Debug)]
pub struct McpPart;

impl Part for McpPart {
    /// The page's table says whether it is served there.
    fn tables(&self) -> Vec<Brought> {
        Vec::new()
    }

    fn starts(&self) -> Start {
        Start::WithTheStatus
    }

    fn start(&self, context: &mut Context) -> Running {
        if let Some(served) = context.offered::<Served>().cloned() {
            let door: Arc<dyn HttpDoor> = Arc::new(Door {
                served,
                address: context.address.clone(),
                compat: context.compat,
                supervisor: context.supervisor.clone(),
            });
            context.offer(door);
        }
        Running::default()
    }

    fn check<'a>(&'a self, _: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async { Vec::new() }.boxed()
    }
}
