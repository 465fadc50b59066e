//! A person whose answers are written down, or read.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::recorder::Recorder;
use super::recording::Past;
use super::{Care, Happened};
use crate::consent::{Consent, Person, Request};
use crate::hands::guard;

pub(super) struct WrittenPerson {
    /// Absent in a replay.
    pub(super) inner: Option<Arc<dyn Person>>,
    pub(super) recorder: Arc<Recorder>,
}

impl WrittenPerson {
    async fn ask(&self, request: &Request) -> Consent {
        let call = question_key(request);
        match self.recorder.past(|recording| recording.answer(&call)).await {
            Past::Over(_, consent) => return consent,
            Past::Begun if self.recorder.is_replay() => return std::future::pending().await,
            Past::Begun | Past::Crashed(_) | Past::Unknown => {}
        }
        let Some(inner) = &self.inner else {
            return Consent::Unclear;
        };
        let number = self.recorder.number();
        self.recorder
            .write(Happened::PersonAsked { number, call }, Care::Usual)
            .await;
        let consent = inner.consents(request).await;
        self.recorder
            .write(Happened::PersonAnswered { number, consent }, Care::Usual)
            .await;
        consent
    }
}

/// How the journal knows a question to the person; equal ones of a turn have equal keys.
pub fn question_key(request: &Request) -> String {
    guard::key(&request.tool, &request.arguments)
}

impl Person for WrittenPerson {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(self.ask(request))
    }
}
