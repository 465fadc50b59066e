//! What a recogniser elsewhere on the bus heard and no person said: sign-offs of videos and sounds that are no words. Only a
//! frame that says in which language it was heard is looked at; what a person types is meant.

use loquat_orchestrator::frames;
use loquat_speech::is_made_up;
use loquat_wire::Message;

use super::{Desk, utterances};

/// What a frame says of the language in which it was heard (AUDIO-IN-1).
const HEARD_IN: &str = "stt_lang";

/// Whether a frame brings what no person said.
pub(super) fn is_said_by_nobody(entry: &Message) -> bool {
    let best = utterances(entry).into_iter().next();
    entry.context.get(HEARD_IN).is_some() && best.is_some_and(|said| is_made_up(&said))
}

impl Desk {
    /// Ends such an utterance. It is no answer to a question, and gets no turn.
    pub(super) async fn pass_over(&self, entry: &Message) {
        tracing::debug!(
            "what a recogniser has heard is what recognisers make up of noise; it is passed over"
        );
        for frame in frames::said_by_nobody(entry) {
            self.emit(frame).await;
        }
    }
}
