//! Conversations outlive the daemon: what was said is written down after each turn, and read before the first.

use loquat_skills::Records;
use loquat_state::UNDOABLE;

use super::Desk;

impl Desk {
    /// Writes down what was said in a session. After its end has been told: a turn that is cut off before that is answered
    /// again by the next daemon, and must not have been heard twice.
    pub(super) async fn keep(&self, session_id: &str) {
        let remembered = self.conversations.remembered(session_id);
        if let (Some(state), Some(remembered)) = (&self.ledger.state, remembered) {
            state.remember(remembered).await;
        }
    }

    /// Reads what was said before the last restart, once. Only when a person speaks, so that the start does not wait for
    /// the disk.
    pub(super) async fn recall(&mut self) {
        if std::mem::replace(&mut self.ledger.recalled, true) {
            return;
        }
        if let Some(state) = &self.ledger.state {
            let remembered = state.recall().await;
            self.conversations.recall(remembered, &self.utterances);
            let undoable = state.all(UNDOABLE).await;
            self.dialogue.undoables.recall(undoable.unwrap_or_default());
        }
    }
}
