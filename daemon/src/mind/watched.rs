//! A brain that remembers its last fault, so that the person hears the sentence that fits it.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};

/// Wraps a brain for one turn.
#[derive(Debug)]
pub(super) struct Watched {
    brain: Arc<dyn Brain>,
    last_error: Mutex<Option<BrainError>>,
}

impl Watched {
    pub(super) fn new(brain: Arc<dyn Brain>) -> Self {
        Self {
            brain,
            last_error: Mutex::new(None),
        }
    }

    /// The fault of the last call, if it had one.
    pub(super) fn last_error(&self) -> Option<BrainError> {
        self.last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
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
        async move {
            let reply = self.brain.chat(request, sink).await;
            *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = reply.as_ref().err().cloned();
            reply
        }
        .boxed()
    }
}
