//! A brain whose replies are written down, or read.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sha2::{Digest, Sha256};

use super::recorder::{Recorder, crash_again};
use super::recording::Past;
use super::{Care, Happened};
use loquat_conversation::brain::{
    Asking, Brain, BrainError, BrainWrapper, Capabilities, ChatReply, ChatRequest, Delta, DeltaSink,
};

#[derive(Debug)]
pub(super) struct WrittenBrain {
    pub(super) inner: Arc<dyn Brain>,
    pub(super) recorder: Arc<Recorder>,
}

impl WrittenBrain {
    /// Looks up what was asked. It is known by the request for the brain that is asked first, whichever replied then.
    async fn written(&self, asking: &Asking<'_>, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let checksum = request_key(&asking.for_brain(self.inner.capabilities()));
        match self.recorder.past(|recording| recording.reply(&checksum)).await {
            Past::Over(_, reply) => {
                if let Ok(ChatReply { content, .. }) = &reply {
                    sink.delta(Delta::Content(content.clone()));
                }
                return reply;
            }
            Past::Crashed(_) => crash_again(),
            Past::Begun if self.recorder.is_replay() => return std::future::pending().await,
            Past::Begun | Past::Unknown => {}
        }
        let number = self.recorder.number();
        let asked = Happened::BrainAsked {
            number,
            request: checksum,
        };
        self.recorder.write(asked, Care::Usual).await;
        let reply = self
            .recorder
            .fenced(number, Care::Usual, self.inner.ask(asking, sink))
            .await;
        let replied = Happened::BrainReplied {
            number,
            reply: reply.clone(),
        };
        self.recorder.write(replied, Care::Usual).await;
        reply
    }
}

impl BrainWrapper for WrittenBrain {
    fn inner(&self) -> &dyn Brain {
        &*self.inner
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.written(asking, sink))
    }
}

/// Makes the key by which the journal knows a request. Equal ones have equal keys, in every version of the program.
pub fn request_key(request: &ChatRequest) -> String {
    // Values that came from JSON can be written as JSON.
    let text = serde_json::to_vec(request).unwrap_or_default();
    let digest: [u8; 32] = Sha256::digest(text).into();
    let beginning = digest.first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(beginning))
}

/// The brain of a turn that is gone on with, where another brain began it. What is written was an answer to requests for that
/// one, so requests are known as if it were still asked; who replies gets one of its own.
#[derive(Debug)]
pub(super) struct Successor {
    pub(super) inner: Arc<dyn Brain>,
    pub(super) name: String,
    pub(super) capabilities: Capabilities,
}

impl BrainWrapper for Successor {
    fn inner(&self) -> &dyn Brain {
        &*self.inner
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}

/// The brain of a replay. What is asked of it now was not asked then.
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

    fn ask<'a>(
        &'a self,
        _: &'a Asking<'_>,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        let error = BrainError::Unreachable {
            address: self.name.clone(),
            reason: "the journal holds no reply to this request".to_owned(),
        };
        Box::pin(std::future::ready(Err(error)))
    }
}
