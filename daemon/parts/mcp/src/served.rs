//! What is served to MCP clients, as the owner gives it. Serves nothing itself.

use std::fmt;
use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Tool};
use loquat_bus::Bus;
use serde_json::{Map, Value};

/// The tools that the owner offers to programs, as a client of the bus finds and calls them.
pub trait Tools: Debug + Send + Sync {
    /// Lists the tools that clients may call.
    fn offered(&self) -> BoxFuture<'_, Vec<Tool>>;

    /// Calls one. What went wrong is told to the model of the client.
    fn call<'a>(
        &'a self,
        tool: &'a Tool,
        arguments: Map<String, Value>,
        who: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Map<String, Value>, String>>;
}

/// What is served.
#[derive(Clone)]
pub struct Served {
    /// The tools, by a client of the bus that is not the daemon's own.
    pub tools: Arc<dyn Fn(Bus) -> Arc<dyn Tools> + Send + Sync>,
    /// They are those of this device.
    pub circumstances: Circumstances,
    /// Its language.
    pub lang: String,
}

impl Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("lang", &self.lang)
            .finish_non_exhaustive()
    }
}
