//! A grammar whose readings are written down, or read.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::recorder::Recorder;
use super::recording::Past;
use super::{Care, Happened};
use loquat_conversation::grammar::Grammar;
use loquat_conversation::intended::IntendedCall;

#[derive(Debug)]
pub(super) struct WrittenGrammar {
    /// Absent in a replay.
    pub(super) inner: Option<Arc<dyn Grammar>>,
    pub(super) recorder: Arc<Recorder>,
}

impl WrittenGrammar {
    async fn read(&self, sentence: &str, said: &str) -> Option<IntendedCall> {
        let past = self.recorder.past(|recording| recording.reading(sentence)).await;
        if let Past::Over(_, call) = past {
            return call;
        }
        let call = self.inner.as_ref()?.understood(sentence, said).await;
        let happened = Happened::Understood {
            sentence: sentence.to_owned(),
            call: call.clone().map(Box::new),
        };
        self.recorder.write(happened, Care::Usual).await;
        call
    }
}

impl Grammar for WrittenGrammar {
    fn understood<'a>(&'a self, sentence: &'a str, said: &'a str) -> BoxFuture<'a, Option<IntendedCall>> {
        Box::pin(self.read(sentence, said))
    }
}
