//! A brain whose replies are written down, or read.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sha2::{Digest, Sha256};

use super::scribe::{Scribe, crash_again};
use super::tape::Past;
use super::{Care, Happened};
use crate::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, Delta, DeltaSink};

#[derive(Debug)]
pub(super) struct WrittenBrain {
    pub(super) inner: Arc<dyn Brain>,
    pub(super) scribe: Arc<Scribe>,
}

impl WrittenBrain {
    async fn ask(&self, request: &ChatRequest, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let checksum = checksum(request);
        match self.scribe.past(|tape| tape.reply(&checksum)).await {
            Past::Over(_, reply) => {
                if let Ok(ChatReply { content, .. }) = &reply {
                    sink.delta(Delta::Content(content.clone()));
                }
                return reply;
            }
            Past::Crashed(_) => crash_again(),
            Past::Begun if self.scribe.is_replay() => return std::future::pending().await,
            Past::Begun | Past::Unknown => {}
        }
        let number = self.scribe.number();
        let asked = Happened::BrainAsked {
            number,
            request: checksum,
        };
        self.scribe.write(asked, Care::Usual).await;
        let reply = self
            .scribe
            .fenced(number, Care::Usual, self.inner.chat(request, sink))
            .await;
        let replied = Happened::BrainReplied {
            number,
            reply: reply.clone(),
        };
        self.scribe.write(replied, Care::Usual).await;
        reply
    }
}

impl Brain for WrittenBrain {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.ask(request, sink))
    }

    fn warm<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<(), BrainError>> {
        self.inner.warm(request)
    }
}

/// Equal requests have equal checksums, in every version of the program.
fn checksum(request: &ChatRequest) -> String {
    // Values that came from JSON can be written as JSON.
    let text = serde_json::to_vec(request).unwrap_or_default();
    let digest: [u8; 32] = Sha256::digest(text).into();
    let beginning = digest.first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(beginning))
}

/// The brain of a replay: whatever is asked of it was not asked then.
#[derive(Debug)]
pub(super) struct NoBrain {
    pub(super) name: String,
    pub(super) capabilities: Capabilities,
}

impl Brain for NoBrain {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn chat<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        let error = BrainError::Unreachable {
            address: self.name.clone(),
            reason: "the journal holds no reply to this request".to_owned(),
        };
        Box::pin(std::future::ready(Err(error)))
    }
}
