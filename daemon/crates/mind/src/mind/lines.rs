//! How many brains are asked at once, so that descriptors never run out: a brain waits for a free line before it is asked.
//! Never decides who is asked.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::Speaker;
use loquat_agent::brain::{Asking, Brain, BrainError, BrainWrapper, ChatReply, DeltaSink};
use tokio::sync::Semaphore;

/// Brains that are asked at once for all sessions together; each is a connection.
const LINES: usize = 56;

/// Lines for what the owner says: whatever programs ask, there is one left for a person.
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
    pub(super) fn of(&self, speaker: &Speaker) -> Arc<Semaphore> {
        Arc::clone(if speaker.is_owner() { &self.own } else { &self.all })
    }
}

/// The brain of one turn, which waits for its line.
#[derive(Debug)]
pub(super) struct QueuedBrain {
    brain: Arc<dyn Brain>,
    lines: Arc<Semaphore>,
}

impl QueuedBrain {
    pub(super) fn new(brain: &Arc<dyn Brain>, lines: Arc<Semaphore>) -> Self {
        Self {
            brain: Arc::clone(brain),
            lines,
        }
    }
}

impl BrainWrapper for QueuedBrain {
    fn inner(&self) -> &dyn Brain {
        &*self.brain
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move {
            // It is never closed. Waiting is a part of the request, which the turn's deadline ends.
            let _line = self.lines.acquire().await.ok();
            self.brain.ask(asking, sink).await
        }
        .boxed()
    }
}
