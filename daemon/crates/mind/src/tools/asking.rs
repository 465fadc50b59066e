//! A toolbox of this process whose tools may ask the person in the middle of a call: one of an MCP server, or one that asks a
//! service outside of the device. Never asks by itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Person, Reachable};
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox, ToolboxWrapper};
use loquat_skills::{mcp, preferences};
use serde_json::{Map, Value};

/// The longest that a question may wait for its answer, asked twice.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Whom the tools of one turn may ask, and what for.
#[derive(Debug, Clone, Default)]
pub struct Askable {
    /// The person of the turn.
    pub person: Reachable,
    /// The owner is at the device itself.
    pub owner: Reachable,
    /// The name of the persona, where it asks nothing outside of the device.
    pub offline: Option<String>,
}

impl Askable {
    /// The person of a turn, who is the owner where they are at the device itself.
    pub fn new(person: Option<&Arc<dyn Person>>, is_owner: bool, offline: Option<String>) -> Self {
        let person = person.map_or_else(Reachable::default, |person| Reachable::person(Arc::clone(person)));
        let owner = if is_owner {
            person.clone()
        } else {
            Reachable::default()
        };
        Self {
            person,
            owner,
            offline,
        }
    }
}

/// The toolbox, for one turn.
#[derive(Debug)]
pub struct AskingToolbox {
    inner: Arc<dyn Toolbox>,
    person: Reachable,
    offline: Option<String>,
}

impl AskingToolbox {
    /// The toolbox; as it is where it asks nothing.
    pub fn of(inner: Arc<dyn Toolbox>, askable: &Askable) -> Arc<dyn Toolbox> {
        let person = if inner.id().starts_with(mcp::PREFIX) {
            &askable.person
        } else if inner.id() == preferences::ID || inner.tools().iter().any(|tool| tool.reaches.is_some()) {
            &askable.owner
        } else {
            return inner;
        };
        let person = person.clone();
        let offline = askable.offline.clone();
        Arc::new(Self {
            inner,
            person,
            offline,
        })
    }
}

impl ToolboxWrapper for AskingToolbox {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn overhead(&self) -> Duration {
        let asking = self.person.get().map_or(Duration::ZERO, |_| PATIENCE);
        self.inner.overhead() + asking
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
                offline: self.offline.clone(),
                ..circumstances.clone()
            };
            self.inner.call(name, arguments, &circumstances).await
        }
        .boxed()
    }
}
