//! The brain of what a tool answers alone. It is never asked, and fails if it is.

use futures_util::future::{BoxFuture, FutureExt};
use loquat_agent::brain::{Asking, Brain, BrainError, Capabilities, ChatReply, DeltaSink};

/// No model.
#[derive(Debug)]
pub(super) struct NoBrain;

impl Brain for NoBrain {
    fn name(&self) -> &'static str {
        "none"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn ask<'a>(
        &'a self,
        _: &'a Asking<'_>,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        let error = BrainError::Unreachable {
            address: self.name().to_owned(),
            reason: "what a tool answers alone asks no model".to_owned(),
        };
        std::future::ready(Err(error)).boxed()
    }
}
