//! Utterances of which it is not known yet whose they are, so that a stop reaches them too.
//!
//! A search may wait for skills for seconds, and a skill may decline what it was brought. Whoever says stop meanwhile
//! wants no answer afterwards. Never decides whose an utterance is.

use std::collections::HashMap;

use loquat_wire::Message;
use tokio_util::sync::CancellationToken;

/// Searches and errands under way, by utterance. There are no more than things under way.
#[derive(Debug, Default)]
pub(super) struct Searching(HashMap<String, (String, CancellationToken)>);

impl Searching {
    /// An utterance is being brought to somebody. The token tells when it is called off.
    pub(super) fn begin(&mut self, entry: &Message) -> CancellationToken {
        let token = CancellationToken::new();
        let id = entry.context.utterance_id().unwrap_or_default().to_owned();
        let session_id = entry.context.session_id().to_owned();
        self.0.insert(id, (session_id, token.clone()));
        token
    }

    /// It has arrived, or come back. Whether it was called off on the way.
    pub(super) fn over(&mut self, entry: &Message) -> bool {
        let id = entry.context.utterance_id().unwrap_or_default();
        self.0.remove(id).is_some_and(|(_, token)| token.is_cancelled())
    }

    /// Calls off what is under way in a session.
    pub(super) fn call_off(&self, session_id: &str) {
        for (_, token) in self.0.values().filter(|(id, _)| id == session_id) {
            token.cancel();
        }
    }

    /// Calls off everything.
    pub(super) fn call_all_off(&self) {
        for (_, token) in self.0.values() {
            token.cancel();
        }
    }
}
