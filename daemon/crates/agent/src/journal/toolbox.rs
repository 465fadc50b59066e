//! A toolbox whose results are written down, or read.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::recorder::{Recorder, crash_again};
use super::recording::Past;
use super::{Care, Happened};
use crate::hands::{guard, observation};
use loquat_conversation::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};

/// Writing a call and its result down may take this long beside the tool's own time. A disk that is slower has the
/// call fail as if the tool had.
const WRITING: Duration = Duration::from_secs(10);

/// Holds the tools that the turn began with. The toolbox that runs them may have gone since.
#[derive(Debug)]
pub(super) struct WrittenToolbox {
    pub(super) id: String,
    tools: Arc<[Tool]>,
    /// The toolbox that runs them, as soon as it is there.
    pub(super) inner: OnceLock<Arc<dyn Toolbox>>,
    recorder: Arc<Recorder>,
}

impl WrittenToolbox {
    pub(super) fn new(
        id: String,
        tools: Arc<[Tool]>,
        inner: Option<Arc<dyn Toolbox>>,
        recorder: &Arc<Recorder>,
    ) -> Self {
        Self {
            id,
            tools,
            inner: inner.map(OnceLock::from).unwrap_or_default(),
            recorder: Arc::clone(recorder),
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
        let call = call_key(&self.id, name, &arguments, &circumstances.extras);
        let past = self.recorder.past(|recording| recording.outcome(&call)).await;
        let interrupted = match past {
            Past::Over(_, outcome) => return outcome,
            Past::Crashed(_) => crash_again(),
            Past::Begun if self.recorder.is_replay() => return std::future::pending().await,
            Past::Begun => !repeatable,
            Past::Unknown => false,
        };
        let number = self.recorder.number();
        let called = Happened::ToolCalled { number, call };
        let is_written = self.recorder.try_write(called.clone(), care).await.is_ok();
        let outcome = if interrupted {
            Err(ToolError::interrupted())
        } else if !is_written {
            // It may come to the disk later, so that the turn can be run again.
            self.recorder.write(called, Care::Usual).await;
            let why = ToolError::unwritten();
            if let Some(inner) = self.inner.get() {
                inner.decline(name, &arguments, circumstances, &why);
            }
            Err(why)
        } else {
            let overhead = self.inner.get().map_or(Duration::ZERO, |inner| inner.overhead());
            let limit = tool.map_or(Duration::MAX, |tool| tool.timeout.saturating_add(overhead));
            let call = self.call_inner(name, arguments, circumstances);
            let live = timeout(limit, until_flooded(call, circumstances));
            let outcome = self.recorder.fenced(number, care, live).await;
            let outcome = outcome.unwrap_or_else(|_| Err(ToolError::timed_out(limit)));
            observation::bounded_outcome(outcome)
        };
        let returned = Happened::ToolReturned {
            number,
            outcome: Box::new(outcome.clone()),
        };
        self.recorder.write(returned, care).await;
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
            None if self.recorder.is_replay() => Err(ToolError::Fault(
                "the journal holds no result of this call".to_owned(),
            )),
            None => Err(ToolError::reply(
                "UnavailableError",
                format!("the toolbox '{}' is not there any more", self.id),
            )),
        }
    }
}

/// Makes the key by which the journal knows a call. Equal calls of a turn have equal keys.
pub fn call_key(
    toolbox_id: &str,
    name: &str,
    arguments: &Map<String, Value>,
    extras: &Map<String, Value>,
) -> String {
    let key = format!("{toolbox_id}/{}", guard::key(name, arguments));
    if extras.is_empty() {
        key
    } else {
        format!("{key} with {}", guard::key("", extras))
    }
}

/// The end of a call; of one that tells too much, when it does.
async fn until_flooded(
    call: impl Future<Output = Result<Outcome, ToolError>>,
    circumstances: &Circumstances,
) -> Result<Outcome, ToolError> {
    tokio::select! {
        biased;
        outcome = call => outcome,
        () = circumstances.pieces.flooded() => Err(ToolError::flooded()),
    }
}

impl Toolbox for WrittenToolbox {
    fn id(&self) -> &str {
        &self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn overhead(&self) -> Duration {
        WRITING + self.inner.get().map_or(Duration::ZERO, |inner| inner.overhead())
    }

    fn question(&self, name: &str, arguments: &Map<String, Value>, lang: &str) -> Option<String> {
        self.inner.get()?.question(name, arguments, lang)
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
