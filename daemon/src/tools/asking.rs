//! A toolbox of this process whose tools may ask the person in the middle of a call, such as one of an MCP server. Never
//! asks by itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Person, Reachable};
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_skills::mcp;
use serde_json::{Map, Value};

/// The longest that a question may wait for its answer, asked twice.
const PATIENCE: Duration = Duration::from_secs(120);

/// The toolbox, for one turn.
#[derive(Debug)]
pub struct AskingToolbox {
    inner: Arc<dyn Toolbox>,
    person: Reachable,
}

impl AskingToolbox {
    /// The toolbox; as it is where it asks nothing.
    pub fn of(inner: Arc<dyn Toolbox>, person: &Arc<dyn Person>) -> Arc<dyn Toolbox> {
        if !inner.id().starts_with(mcp::PREFIX) {
            return inner;
        }
        Arc::new(Self {
            inner,
            person: Reachable::person(Arc::clone(person)),
        })
    }
}

impl Toolbox for AskingToolbox {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn tools(&self) -> Arc<[Tool]> {
        self.inner.tools()
    }

    fn overhead(&self) -> Duration {
        self.inner.overhead() + PATIENCE
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        async move {
            let circumstances = Circumstances {
                person: self.person.clone(),
                ..circumstances.clone()
            };
            self.inner.call(name, arguments, &circumstances).await
        }
        .boxed()
    }
}
