//! What this device offers to MCP clients. Serves nothing itself.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::Bus;
use loquat_mcp::Served;

use super::device;
use super::for_programs::ToolsForPrograms;
use crate::settings::Settings;

/// Gathers the tools, the place and the language that MCP clients are served, as the settings say.
pub fn served(settings: &Settings) -> Served {
    let timeout = Duration::from_secs_f64(settings.tools.bus_timeout_seconds);
    let exposed = settings.tools.expose.clone();
    let tools = move |bus: Bus| Arc::new(ToolsForPrograms::new(bus, exposed.clone(), timeout)) as _;
    Served {
        tools: Arc::new(tools),
        circumstances: device(settings).circumstances(),
        lang: settings.mycroft.lang.clone(),
    }
}
