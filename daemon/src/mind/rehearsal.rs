//! A brain that only prepares: a turn with it goes as far as its first request, which is the one that a real turn with
//! the same persona begins with.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};

/// Lets the brain read the instructions, and never answers.
#[derive(Debug)]
pub(super) struct Rehearsal(pub(super) Arc<dyn Brain>);

impl Brain for Rehearsal {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move {
            self.0.warm(request).await?;
            Err(BrainError::CutOff {
                address: self.name().to_owned(),
            })
        }
        .boxed()
    }
}
