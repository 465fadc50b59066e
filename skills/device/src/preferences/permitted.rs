//! A toolbox whose tools ask services outside the device: it lets no call through that the owner has not allowed.
//!
//! Every skill with such a tool is made with one of these, so that no way to its tools leads around it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox, ToolboxWrapper};
use serde_json::{Map, Value};
use tokio::time::timeout;

use loquat_kit::permission::{Service, Standing, is_closed};

use super::question::Asking;

/// The toolbox.
#[derive(Debug)]
pub struct PermittedToolbox {
    inner: Arc<dyn Toolbox>,
    asking: Asking,
}

impl PermittedToolbox {
    /// The toolbox; as it is where it asks no such service.
    pub fn of(inner: Arc<dyn Toolbox>, asking: Asking) -> Arc<dyn Toolbox> {
        if inner.tools().iter().all(|tool| tool.reaches.is_none()) {
            return inner;
        }
        Arc::new(Self { inner, asking })
    }

    async fn run(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        person: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let tools = self.inner.tools();
        let tool = tools.iter().find(|tool| tool.name == name);
        let Some((tool, reached)) = tool.and_then(|tool| Some((tool, tool.reaches.as_deref()?))) else {
            return self.inner.call(name, arguments, person).await;
        };
        let service: Service = reached
            .parse()
            .map_err(|error| ToolError::Fault(format!("the tool '{name}' asks nothing: {error}")))?;
        if tool.may_stay && self.is_shut(service, person) {
            match self.in_time(tool, arguments.clone(), person).await {
                Err(why) if is_closed(&why) => {}
                ended => return ended,
            }
        }
        self.asking
            .leave(service, tool, person)
            .await
            .map_err(ToolError::Withheld)?;
        // While the person was asked the tool's own time stood still.
        self.in_time(tool, arguments, person).await
    }

    /// Whether nothing goes out to a service, whatever is called.
    fn is_shut(&self, service: Service, person: &Circumstances) -> bool {
        person.offline.is_none() && self.asking.permissions.of(service) != Standing::Allowed
    }

    async fn in_time(
        &self,
        tool: &Tool,
        arguments: Map<String, Value>,
        person: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let call = self.inner.call(&tool.name, arguments, person);
        let ended = timeout(tool.timeout, call).await;
        ended.unwrap_or_else(|_| Err(ToolError::timed_out(tool.timeout)))
    }
}

impl ToolboxWrapper for PermittedToolbox {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.run(name, arguments, circumstances).boxed()
    }
}
