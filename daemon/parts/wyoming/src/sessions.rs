//! The sessions of conversations as their last frames left them. What goes on in a session travels with its frames, and who
//! speaks in it brings it along (SESSION-2): a persona that was summoned, a skill that waits for an answer. Peers of Wyoming
//! know no sessions, so theirs are kept here. Bounded in number and size.

use std::collections::HashMap;

use loquat_wire::Session;
use tokio::time::Instant;

/// Conversations whose sessions are kept; of more, the one that was silent longest is forgotten.
const SESSIONS: usize = 64;

/// A session has at most this many bytes.
const LARGEST: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Sessions(HashMap<String, (Session, Instant)>);

impl Sessions {
    /// Keeps a session as a frame of it has it.
    pub(super) fn keep(&mut self, mut session: Session) {
        session.bound();
        session.shed(LARGEST);
        if self.0.len() >= SESSIONS && !self.0.contains_key(session.id()) {
            self.forget_one();
        }
        let id = session.id().to_owned();
        self.0.insert(id, (session, Instant::now()));
    }

    /// Gives the session of this id, as it was left or new.
    pub(super) fn of(&self, id: &str) -> Session {
        let kept = self.0.get(id).map(|(session, _)| session.clone());
        kept.unwrap_or_else(|| Session::named(id))
    }

    fn forget_one(&mut self) {
        let oldest = self.0.iter().min_by_key(|(_, (_, since))| *since);
        if let Some(id) = oldest.map(|(id, _)| id.clone()) {
            self.0.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn session(id: &str, junk: usize) -> Session {
        let mut session = Session::named(id);
        session.set_persona_id(Some("cook"));
        session.insert("junk", json!("x".repeat(junk)));
        session
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_ones_are_kept_and_none_is_large() {
        let mut sessions = Sessions::default();
        for number in 0..SESSIONS * 2 {
            sessions.keep(session(&number.to_string(), LARGEST * 2));
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(sessions.0.len(), SESSIONS);
        assert_eq!(sessions.of("0").persona_id(), None);
        let last = sessions.of(&(SESSIONS * 2 - 1).to_string());
        assert_eq!(last.persona_id(), Some("cook"));
        assert!(json!(last.as_map()).to_string().len() <= LARGEST);
    }
}
