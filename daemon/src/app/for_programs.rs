//! The tools that the owner offers to programs, found and called over the bus as any program does.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Tool};
use loquat_bus::Bus;
use loquat_mcp::Tools;
use serde_json::{Map, Value};

use crate::tools::{HostedTool, RemoteToolboxes};

/// The toolboxes that the owner offers, reached by one client of the bus.
#[derive(Debug)]
pub(super) struct ToolsForPrograms {
    remote: Arc<RemoteToolboxes>,
    /// The owner offers these toolboxes.
    exposed: Vec<String>,
}

impl ToolsForPrograms {
    /// Offers the tools of these toolboxes.
    pub(super) fn new(bus: Bus, exposed: Vec<String>, timeout: Duration) -> Self {
        Self {
            remote: Arc::new(RemoteToolboxes::new(bus, timeout)),
            exposed,
        }
    }
}

impl Tools for ToolsForPrograms {
    fn offered(&self) -> BoxFuture<'_, Vec<Tool>> {
        async {
            let all = self.remote.list().await.into_iter();
            all.filter(|tool| self.exposed.contains(&tool.toolbox_id))
                .collect()
        }
        .boxed()
    }

    fn call<'a>(
        &'a self,
        tool: &'a Tool,
        arguments: Map<String, Value>,
        who: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Map<String, Value>, String>> {
        async move {
            let toolbox = self.remote.toolbox_as_called_by_a_person(&tool.toolbox_id);
            let toolbox = toolbox.ok_or_else(|| format!("the toolbox '{}' is gone", tool.toolbox_id))?;
            let hosted = HostedTool::new(tool.clone(), toolbox);
            let hosted = hosted.ok_or_else(|| format!("the schemas of '{}' do not compile", tool.name))?;
            hosted.call(arguments, who).await
        }
        .boxed()
    }
}
