//! A toolbox whose results are written down, or read.

use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::scribe::{Scribe, crash_again};
use super::tape::Past;
use super::{Care, Happened};
use crate::hands::{guard, observation};
use crate::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};

/// Holds the tools that the turn began with. Whoever runs them may have gone since.
#[derive(Debug)]
pub(super) struct WrittenToolbox {
    pub(super) id: String,
    tools: Arc<[Tool]>,
    /// Whoever runs them, as soon as it is there.
    pub(super) inner: OnceLock<Arc<dyn Toolbox>>,
    scribe: Arc<Scribe>,
}

impl WrittenToolbox {
    pub(super) fn new(
        id: String,
        tools: Arc<[Tool]>,
        inner: Option<Arc<dyn Toolbox>>,
        scribe: &Arc<Scribe>,
    ) -> Self {
        Self {
            id,
            tools,
            inner: inner.map(OnceLock::from).unwrap_or_default(),
            scribe: Arc::clone(scribe),
        }
    }

    async fn run(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let repeatable = tool.is_some_and(|tool| tool.read_only || tool.idempotent);
        let care = if repeatable { Care::Usual } else { Care::Durable };
        let call = format!("{}/{}", self.id, guard::key(name, &arguments));
        let past = self.scribe.past(|tape| tape.outcome(&call)).await;
        let interrupted = match past {
            Past::Over(_, outcome) => return outcome,
            Past::Crashed(_) => crash_again(),
            Past::Begun if self.scribe.is_replay() => return std::future::pending().await,
            Past::Begun => !repeatable,
            Past::Unknown => false,
        };
        let number = self.scribe.number();
        self.scribe
            .write(Happened::ToolCalled { number, call }, care)
            .await;
        let outcome = if interrupted {
            Err(ToolError::reply(
                "InterruptedError",
                "the device stopped while this ran; it may have taken effect and was not run again",
            ))
        } else {
            let live = self.call_inner(name, arguments, circumstances);
            self.scribe.fenced(number, care, live).await.map(bounded)
        };
        let returned = Happened::ToolReturned {
            number,
            outcome: outcome.clone(),
        };
        self.scribe.write(returned, care).await;
        outcome
    }

    async fn call_inner(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        match self.inner.get() {
            Some(inner) => inner.call(name, arguments, circumstances).await,
            None if self.scribe.is_replay() => Err(ToolError::Fault(
                "the journal holds no result of this call".to_owned(),
            )),
            None => Err(ToolError::reply(
                "UnavailableError",
                format!("the toolbox '{}' is not there any more", self.id),
            )),
        }
    }
}

impl Toolbox for WrittenToolbox {
    fn id(&self) -> &str {
        &self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        Box::pin(self.run(name, arguments, circumstances))
    }
}

/// The same for the turn and for the journal, whatever a tool floods them with.
fn bounded(outcome: Outcome) -> Outcome {
    Outcome {
        result: observation::bounded(outcome.result),
        ..outcome
    }
}
