//! What was said in the device's own session is forgotten at once, as a person wishes on the page. What they had remembered
//! stays. What is said by word of mouth ("forget this conversation") is a tool's work, and counts when its turn ends.

use std::time::Duration;

use loquat_wire::session::DEFAULT_SESSION_ID;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::Desk;

/// Wishes that may wait; a further one waits for its place.
const WAITING: usize = 4;

/// A desk that turns takes less, also where the disk is slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// The desk did not take the wish.
#[derive(Debug, thiserror::Error)]
#[error("failed to have the conversation forgotten: the device is busy or ending; try again")]
pub struct Unforgotten;

/// The way to have the conversation forgotten. Clones lead to one desk.
#[derive(Debug, Clone)]
pub struct Forgetter(mpsc::Sender<oneshot::Sender<()>>);

impl Forgetter {
    /// Has it forgotten; comes back when it is.
    pub async fn forget(&self) -> Result<(), Unforgotten> {
        let (sender, receiver) = oneshot::channel();
        let forgotten = async {
            self.0.send(sender).await.ok()?;
            receiver.await.ok()
        };
        timeout(PATIENCE, forgotten)
            .await
            .ok()
            .flatten()
            .ok_or(Unforgotten)
    }
}

/// What a desk is told on that way.
#[derive(Debug, Default)]
pub struct Forgetting {
    wishes: Option<mpsc::Receiver<oneshot::Sender<()>>>,
    /// Whether what the running turn would add is to be forgotten, too.
    takes_running_turn: bool,
}

impl Forgetting {
    /// A way, and where it leads.
    pub fn new() -> (Forgetter, Self) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let forgetting = Self {
            wishes: Some(receiver),
            takes_running_turn: false,
        };
        (Forgetter(sender), forgetting)
    }

    /// The next wish, whenever one comes; what it brings is told when it is fulfilled. Cancel safe.
    pub(super) async fn next(&mut self) -> oneshot::Sender<()> {
        let wish = match &mut self.wishes {
            Some(wishes) => wishes.recv().await,
            None => None,
        };
        match wish {
            Some(wish) => wish,
            None => std::future::pending().await,
        }
    }

    /// Whether what the turn that has just ended in this session would add is forgotten.
    pub(super) fn takes_turn(&mut self, session_id: &str) -> bool {
        session_id == DEFAULT_SESSION_ID && std::mem::take(&mut self.takes_running_turn)
    }
}

impl Desk {
    /// Forgets the device's own conversation, in the state file too, and what a running turn would add to it.
    pub(super) async fn forget_own_conversation(&mut self, done: oneshot::Sender<()>) {
        // Else it would come back from the file with the first utterance.
        self.recall().await;
        self.stop_reflecting();
        self.forgetting.takes_running_turn = self.utterances.running(DEFAULT_SESSION_ID).is_some();
        self.empty(DEFAULT_SESSION_ID).await;
        self.keep(DEFAULT_SESSION_ID).await;
        // Who wished it may have gone.
        let _is_awaited = done.send(());
    }

    /// Nothing that was said in a session is known any more.
    pub(super) async fn empty(&mut self, session_id: &str) {
        self.conversations.forget(session_id);
        self.dialogue.last_readings.forget(session_id);
        self.forget_undoable(session_id).await;
    }
}
