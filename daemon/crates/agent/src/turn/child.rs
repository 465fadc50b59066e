//! Turns within a turn: an episode, a step of a plan, a branch of a search.
//!
//! A child has a conversation and limits of its own; brain, tools, events and budget are those of the whole turn. What
//! it did is the turn's, also when it is dropped in the middle of it.

use parking_lot::Mutex;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::Turn;
use super::closing::Closing;
use super::ledger::Ledger;
use crate::hands::extras::Extras;
use crate::hands::guard::Guard;
use loquat_conversation::conversation::Conversation;
use loquat_conversation::dialect::phase::nothing;

/// Collects what children did. The lock is never held across an await.
#[derive(Debug, Clone, Default)]
pub(super) struct Nursery(Arc<Mutex<Vec<Leavings>>>);

/// The work of a child that has ended.
#[derive(Debug)]
struct Leavings {
    ledger: Ledger,
    closing: Closing,
}

/// A turn within a turn.
pub(crate) struct Child {
    turn: Turn,
    home: Nursery,
}

impl Deref for Child {
    type Target = Turn;

    fn deref(&self) -> &Turn {
        &self.turn
    }
}

impl DerefMut for Child {
    fn deref_mut(&mut self) -> &mut Turn {
        &mut self.turn
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.turn.resources.cancel.cancel();
        self.turn
            .close_open_calls("it was stopped before it gave a result");
        self.turn.gather();
        let empty = self.turn.ledger.within(0, None);
        let leavings = Leavings {
            ledger: std::mem::replace(&mut self.turn.ledger, empty),
            closing: std::mem::take(&mut self.turn.closing),
        };
        self.home.lock().push(leavings);
    }
}

impl Child {
    /// Gives it more steps and lets it begin anew where it failed.
    pub(crate) fn grant(&mut self, steps: u32) {
        self.turn.ledger.spending.grant(steps);
        self.turn.closing.reason = None;
        self.turn.closing.flaws = 0;
    }

    /// The child's answer will be that of the whole turn, and it gets what comes for the whole turn.
    pub(crate) fn stands_for(&mut self, whole: &Turn) {
        self.turn.resources.stands = whole.resources.stands;
        self.turn.resources.telling.clone_from(&whole.resources.telling);
        self.turn.resources.arrivals.clone_from(&whole.resources.arrivals);
    }

    /// Lets it make so many tool calls at most.
    pub(crate) fn allow_tool_calls(&mut self, most: u32) {
        self.turn.ledger.spending.allow_tool_calls(most);
    }
}

impl Nursery {
    fn lock(&self) -> parking_lot::MutexGuard<'_, Vec<Leavings>> {
        self.0.lock()
    }
}

impl Turn {
    /// A turn within this one with at most so many steps and perhaps less time. It begins with the same question in an
    /// empty conversation.
    pub(crate) fn child(&self, steps: u32, time: Option<Duration>) -> Child {
        self.with_guard(Guard::forgive);
        let turn = Self {
            question: self.question.clone(),
            catalogue: Arc::clone(&self.catalogue),
            conversation: Conversation::new(&self.question, &self.catalogue, nothing),
            resources: self.resources.within(),
            ledger: self.ledger.within(steps, time),
            closing: Closing::default(),
            usual: self.usual,
            extras: Extras::default(),
            nursery: Nursery::default(),
        };
        Child {
            turn,
            home: self.nursery.clone(),
        }
    }

    /// A child that holds the same conversation so far.
    pub(crate) fn branch(&self) -> Child {
        let mut child = self.child(u32::MAX, None);
        child.conversation = self.conversation.clone();
        child
    }

    /// Takes over what ended children left behind.
    pub(super) fn gather(&mut self) {
        let left = std::mem::take(&mut *self.nursery.lock());
        for leavings in left {
            self.ledger.take_over(leavings.ledger);
            self.closing.take_over(leavings.closing);
        }
    }
}
