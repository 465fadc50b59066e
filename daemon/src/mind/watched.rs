//! A brain that waits for a free line before it is asked, so that descriptors never run out, and remembers its last fault,
//! so that the person hears the sentence that fits it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

/// Brains that are asked at once for all sessions together; each is a connection.
const LINES: usize = 56;

/// The same for what our own ear and terminal hear: whatever programs ask, there is one left for a person.
const OWN_LINES: usize = 8;

/// How many brains may be asked at once.
#[derive(Debug)]
pub(super) struct Lines {
    all: Arc<Semaphore>,
    own: Arc<Semaphore>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(LINES)),
            own: Arc::new(Semaphore::new(OWN_LINES)),
        }
    }
}

impl Lines {
    /// Those that an utterance may take.
    pub(super) fn of(&self, own: bool) -> Arc<Semaphore> {
        Arc::clone(if own { &self.own } else { &self.all })
    }
}

/// Wraps a brain for one turn.
#[derive(Debug)]
pub(super) struct Watched {
    brain: Arc<dyn Brain>,
    lines: Arc<Semaphore>,
    last_error: Mutex<Option<BrainError>>,
}

impl Watched {
    pub(super) fn new(brain: Arc<dyn Brain>, lines: Arc<Semaphore>) -> Self {
        Self {
            brain,
            lines,
            last_error: Mutex::new(None),
        }
    }

    /// The fault of the last call, if it had one.
    pub(super) fn last_error(&self) -> Option<BrainError> {
        self.last_error.lock().clone()
    }
}

impl Brain for Watched {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.brain.capabilities()
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move { self.ask(&Asking::of(request.clone()), sink).await }.boxed()
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move {
            // It is never closed. Waiting is a part of the request, which the turn's deadline ends.
            let _line = self.lines.acquire().await.ok();
            let reply = self.brain.ask(asking, sink).await;
            *self.last_error.lock() = reply.as_ref().err().cloned();
            reply
        }
        .boxed()
    }
}
