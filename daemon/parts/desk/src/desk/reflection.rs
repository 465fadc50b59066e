//! Looks back on long conversations while no person speaks, so that what was said is not forgotten with the history.
//!
//! A person who begins to speak is never kept waiting for it: the brain is let go at once, and the looking back is done
//! later.

use std::sync::Arc;

use loquat_skills::rest::Rest;
use tokio_util::sync::CancellationToken;

use super::conversation::Due;
use super::{Desk, Ended};

/// What comes of looking back: the notes, which may be none; nothing at all when a person began to speak.
pub(super) type Reflected = Option<Option<String>>;

/// What conversations are looked back on with.
#[derive(Debug, Default)]
pub(super) struct LookingBack {
    /// Lets the brain go that looks back on a conversation.
    pub(super) running: Option<CancellationToken>,
    /// Whether the device is to be quiet, where that is known.
    pub(super) rest: Option<Arc<Rest>>,
}

impl Desk {
    /// Looks back on a conversation that has grown by enough turns, if there is time.
    /// While the device is quiet, short conversations are looked back on too.
    pub(super) async fn reflect(&mut self) {
        if self.looking_back.running.is_some() || !self.work.under_way.is_empty() {
            return;
        }
        let quiet = match &self.looking_back.rest {
            Some(rest) => rest.now().await.quiet,
            None => false,
        };
        let Some(due) = self.conversations.due(quiet) else {
            return;
        };
        let Due {
            session_id,
            persona,
            notes,
            messages,
        } = due;
        let cancel = CancellationToken::new();
        self.looking_back.running = Some(cancel.clone());
        let mind = Arc::clone(&self.mind);
        self.work.under_way.spawn(async move {
            let look_back = mind.reflect(&persona, &session_id, notes.as_deref(), &messages);
            let reflected = cancel.run_until_cancelled(look_back).await;
            Ended::Reflection(session_id, reflected)
        });
    }

    /// Lets the brain go, because a person speaks.
    pub(super) fn stop_reflecting(&mut self) {
        if let Some(reflection) = self.looking_back.running.take() {
            reflection.cancel();
        }
    }

    pub(super) async fn reflected(&mut self, session_id: &str, reflected: Reflected) {
        self.looking_back.running = None;
        if let Some(notes) = reflected {
            tracing::debug!(
                session = session_id,
                noted = notes.is_some(),
                "looked back on a conversation"
            );
            self.conversations.looked_back(session_id, notes);
            self.keep(session_id).await;
        }
    }
}
