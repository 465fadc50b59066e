//! The MCP server as a part of the daemon: it offers its door to the part that has a listener.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_connections::http_door::HttpDoor;
use loquat_part::{Context, Part, Running, Start};

use super::door::Door;
use super::served::Served;

/// The part.
#[derive(Debug)]
pub struct McpPart;

impl Part for McpPart {
    fn starts(&self) -> Start {
        Start::WithTheStatus
    }

    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }
}

fn start(context: &mut Context) -> Running {
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
