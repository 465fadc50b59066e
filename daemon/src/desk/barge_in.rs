//! Barge-in: who says the wake word wants to be heard, and not what they asked before.
//!
//! What is being spoken is silenced, and the turn of that session ends with whatever waits behind it or is still on its way
//! to whoever answers it. What programs ask a persona goes on, and so does a turn that waits for a yes: the word may well
//! introduce it.

use loquat_agent::record::Reason;
use loquat_wire::Message;

use super::Desk;
use crate::mind::Reply;

impl Desk {
    /// Somebody said the wake word.
    pub(super) async fn barge_in(&mut self, wake_word: &Message) {
        if !self.settings.barge_in {
            return;
        }
        // Also when nothing is heard yet: an answer may be on its way to a loudspeaker.
        self.silence(wake_word).await;
        let session_id = wake_word.context.session_id();
        if self.questions.waits_in(session_id) {
            return;
        }
        // What the word introduces comes behind it.
        self.overheard.call_all_off(session_id);
        self.searching.call_off(session_id);
        for job in self.conversations.interrupt(session_id, Reason::BargeIn) {
            self.close(&job, Reply::silence(Reason::BargeIn), true).await;
        }
    }
}
