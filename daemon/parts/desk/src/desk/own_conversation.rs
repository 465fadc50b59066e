//! The device's own conversation, as its owner has it on the page: who answers in it, that it begins anew or goes on, and that it
//! is forgotten. What they had remembered stays. What is said by word of mouth ("talk to Scout", "forget this conversation") takes
//! the way of every utterance.

use std::time::Duration;

use loquat_orchestrator::frames;
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Session, topic};
use serde_json::json;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::Desk;

/// Wishes that may wait; a further one waits for its place.
const WAITING: usize = 4;

/// A desk that turns takes less, also where the disk is slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// The desk did not take the wish.
#[derive(Debug, thiserror::Error)]
#[error("failed to reach the conversation: the device is busy or ending; try again")]
pub struct Unheeded;

/// What may be wished.
#[derive(Debug)]
enum Wish {
    /// Nothing that was said is known any more.
    Forget,
    /// What was said is set aside, and the usual persona answers.
    BeginAnew,
    /// What was set aside last is known again.
    GoOn,
    /// The persona of this id answers from now on; the usual one where none is named.
    Address(Option<String>),
}

/// What becomes of what a running turn adds, where its conversation was left meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Forgotten,
    /// It is told with what it belongs to.
    Aside,
}

/// A wish, and where it is told whether there was anything to do.
#[derive(Debug)]
pub(super) struct Wished {
    wish: Wish,
    done: oneshot::Sender<bool>,
}

/// The owner's way to the conversation. Clones lead to one desk.
#[derive(Debug, Clone)]
pub struct OwnConversation {
    wishes: mpsc::Sender<Wished>,
    summoned: watch::Receiver<Option<String>>,
}

impl OwnConversation {
    /// Has it forgotten; comes back when it is.
    pub async fn forget(&self) -> Result<(), Unheeded> {
        self.wish(Wish::Forget).await.map(drop)
    }

    /// Begins it anew. What was said before can be known again, for as long as the daemon runs.
    pub async fn begin_anew(&self) -> Result<(), Unheeded> {
        self.wish(Wish::BeginAnew).await.map(drop)
    }

    /// Has what was set aside known again, before what was said since; false where nothing is aside.
    pub async fn go_on(&self) -> Result<bool, Unheeded> {
        self.wish(Wish::GoOn).await
    }

    /// Has a persona answer in it from now on, or the usual one; false where none has this id.
    pub async fn address(&self, persona_id: Option<String>) -> Result<bool, Unheeded> {
        self.wish(Wish::Address(persona_id)).await
    }

    /// Follows which persona was summoned in it, by whichever way; none where the usual one answers.
    pub fn summoned(&self) -> watch::Receiver<Option<String>> {
        self.summoned.clone()
    }

    async fn wish(&self, wish: Wish) -> Result<bool, Unheeded> {
        let (done, told) = oneshot::channel();
        let heeded = async {
            self.wishes.send(Wished { wish, done }).await.ok()?;
            told.await.ok()
        };
        timeout(PATIENCE, heeded).await.ok().flatten().ok_or(Unheeded)
    }
}

/// What a desk is told on that way, and tells there.
#[derive(Debug, Default)]
pub struct OwnersWishes {
    wishes: Option<mpsc::Receiver<Wished>>,
    summoned: watch::Sender<Option<String>>,
    /// What becomes of what the running turn adds, where it is not simply told.
    running_turn: Option<Left>,
}

impl OwnersWishes {
    /// A way, and where it leads.
    pub fn new() -> (OwnConversation, Self) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let wishes = Self {
            wishes: Some(receiver),
            ..Self::default()
        };
        let summoned = wishes.summoned.subscribe();
        let way = OwnConversation {
            wishes: sender,
            summoned,
        };
        (way, wishes)
    }

    /// The next wish, whenever one comes. Cancel safe.
    pub(super) async fn next(&mut self) -> Wished {
        let wish = match &mut self.wishes {
            Some(wishes) => wishes.recv().await,
            None => None,
        };
        match wish {
            Some(wish) => wish,
            None => std::future::pending().await,
        }
    }

    /// What becomes of what the turn that has just ended in this session adds, where its conversation was left meanwhile.
    pub(super) fn take_left(&mut self, session_id: &str) -> Option<Left> {
        self.running_turn.take_if(|_| session_id == DEFAULT_SESSION_ID)
    }
}

impl Desk {
    /// Does what the owner wishes of the device's own conversation, and tells it.
    pub(super) async fn heed_owner(&mut self, Wished { wish, done }: Wished) {
        // Else what was said would come back from the file with the first utterance.
        self.recall().await;
        let is_done = match wish {
            Wish::Forget => self.forget_own_conversation().await,
            Wish::BeginAnew => self.begin_anew().await,
            Wish::GoOn => self.go_on().await,
            Wish::Address(persona_id) => self.address(persona_id.as_deref()).await,
        };
        self.tell_who_was_summoned();
        // Who wished it may have gone.
        let _is_awaited = done.send(is_done);
    }

    /// Forgets it, in the state file too, and what a running turn would add to it.
    async fn forget_own_conversation(&mut self) -> bool {
        self.leave_own_conversation(Left::Forgotten);
        self.empty(DEFAULT_SESSION_ID).await;
        self.keep(DEFAULT_SESSION_ID).await;
        true
    }

    /// Sets aside what was said in it, and lets the summoned persona go.
    async fn begin_anew(&mut self) -> bool {
        self.leave_own_conversation(Left::Aside);
        self.dialogue.talks.close(DEFAULT_SESSION_ID);
        self.dialogue.open_calls.close(DEFAULT_SESSION_ID);
        self.dialogue.last_readings.forget(DEFAULT_SESSION_ID);
        self.conversations.set_aside(DEFAULT_SESSION_ID);
        self.keep(DEFAULT_SESSION_ID).await;
        self.address(None).await
    }

    /// What runs belongs to what was said before.
    fn leave_own_conversation(&mut self, left: Left) {
        self.stop_reflecting();
        let runs = self.utterances.running(DEFAULT_SESSION_ID).is_some();
        self.wishes.running_turn = runs.then_some(left);
    }

    async fn go_on(&mut self) -> bool {
        let is_there = self.conversations.take_back(DEFAULT_SESSION_ID);
        if is_there {
            self.wishes.running_turn = None;
            self.keep(DEFAULT_SESSION_ID).await;
        }
        is_there
    }

    /// Has this persona answer what is said next; the usual one where none is named. What runs is answered by whom it began with.
    async fn address(&mut self, persona_id: Option<&str>) -> bool {
        let persona = persona_id.map(|id| self.mind.find_offered(id));
        if matches!(persona, Some(None)) {
            return false;
        }
        let persona = persona.flatten().map(|persona| persona.id.clone());
        let before = self.sessions.own_persona().map(str::to_owned);
        if before == persona {
            return true;
        }
        let mut session = Session::named(DEFAULT_SESSION_ID);
        session.set_persona_id(persona.as_deref());
        self.sessions.note_summoned(&session);
        // Who was asked something by the one is not answering the other.
        self.dialogue.talks.close(DEFAULT_SESSION_ID);
        let (topic, id) = match (persona, before) {
            (Some(id), _) => (topic::PERSONA_ACTIVATED, id),
            (None, before) => (topic::PERSONA_DISMISSED, before.unwrap_or_default()),
        };
        let data = json!({"persona_id": id, "session_id": DEFAULT_SESSION_ID});
        self.emit(frames::originated(topic, data)).await;
        true
    }

    /// Tells who follows it which persona was summoned, where that is news.
    pub(super) fn tell_who_was_summoned(&self) {
        let now = self.sessions.own_persona();
        self.wishes.summoned.send_if_modified(|told| {
            let is_news = told.as_deref() != now;
            if is_news {
                *told = now.map(str::to_owned);
            }
            is_news
        });
    }

    /// Nothing that was said in a session is known any more.
    pub(super) async fn empty(&mut self, session_id: &str) {
        self.conversations.forget(session_id);
        self.dialogue.last_readings.forget(session_id);
        self.forget_undoable(session_id).await;
    }
}
