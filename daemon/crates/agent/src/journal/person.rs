//! A person whose answers are written down, or read.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::recorder::Recorder;
use super::recording::Past;
use super::{Care, Happened};
use crate::hands::guard;
use loquat_conversation::consent::{Consent, Person, Request};

pub(super) struct WrittenPerson {
    /// It is the person at the device, and absent in a replay.
    pub(super) inner: Option<Arc<dyn Person>>,
    pub(super) recorder: Arc<Recorder>,
}

impl WrittenPerson {
    /// Each of the calls gets an answer. Those that were answered before the first that was not are known.
    async fn ask(&self, requests: &[Request]) -> Vec<Consent> {
        let mut pasts = Vec::new();
        for request in requests {
            let call = question_key(request);
            pasts.push(self.recorder.past(|recording| recording.answer(&call)).await);
        }
        if self.recorder.is_replay() && pasts.iter().any(|past| matches!(past, Past::Begun)) {
            return std::future::pending().await;
        }
        let known = pasts.into_iter().map_while(|past| match past {
            Past::Over(_, consent) => Some(consent),
            Past::Begun | Past::Crashed(_) | Past::Unknown => None,
        });
        let mut answers: Vec<Consent> = known.collect();
        let rest = requests.get(answers.len()..).unwrap_or_default();
        let goes_on = answers.iter().all(|answer| *answer == Consent::Given);
        if goes_on && !rest.is_empty() {
            answers.extend(self.ask_anew(rest).await);
        }
        answers
    }

    async fn ask_anew(&self, requests: &[Request]) -> Vec<Consent> {
        let Some(inner) = &self.inner else {
            return Vec::new();
        };
        let mut numbers = Vec::new();
        for request in requests {
            let (number, call) = (self.recorder.number(), question_key(request));
            numbers.push(number);
            self.recorder
                .write(Happened::PersonAsked { number, call }, Care::Usual)
                .await;
        }
        let mut answers = inner.consents_to_all(requests).await;
        // A replay waits for an answer to everything that was asked.
        answers.resize(requests.len(), Consent::Unclear);
        for (&number, &consent) in numbers.iter().zip(&answers) {
            self.recorder
                .write(Happened::PersonAnswered { number, consent }, Care::Usual)
                .await;
        }
        answers
    }
}

/// Makes the key by which the journal knows a question to the person. Equal ones of a turn have equal keys.
pub fn question_key(request: &Request) -> String {
    guard::key(&request.tool, &request.arguments)
}

impl Person for WrittenPerson {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(async move {
            let answers = self.ask(std::slice::from_ref(request)).await;
            answers.first().copied().unwrap_or(Consent::Unclear)
        })
    }

    fn consents_to_all<'a>(&'a self, requests: &'a [Request]) -> BoxFuture<'a, Vec<Consent>> {
        Box::pin(self.ask(requests))
    }
}
