//! Turns within a turn: an episode, a step of a plan, a branch of a search.
//!
//! A child has a conversation and limits of its own; brain, tools, events and budget are those of the whole turn. What
//! it did is the turn's, also when it is dropped in the middle of it: a turn that is stopped drops its engine, and with that
//! all children that run, whose calls have to stand in the record all the same. So a child hands its work over as it is
//! dropped, whatever the cause.

use parking_lot::Mutex;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::Turn;
use super::closing::Closing;
use super::ledger::Ledger;
use super::review::Review;
use super::sayable::Sayable;
use super::streaks::Streaks;
use crate::hands::extras::Extras;
use crate::hands::guard::Guard;
use loquat_conversation::conversation::Conversation;
use loquat_conversation::dialect::phase::nothing;

/// What children have done that have ended. The lock is never held across an await.
#[derive(Debug, Clone, Default)]
pub(super) struct Finished(Arc<Mutex<Vec<Work>>>);

/// The work of one of them.
#[derive(Debug)]
struct Work {
    ledger: Ledger,
    closing: Closing,
    sayable: Sayable,
}

/// A turn within a turn.
pub(crate) struct Child {
    turn: Turn,
    home: Finished,
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
        let work = Work {
            ledger: std::mem::replace(&mut self.turn.ledger, empty),
            closing: std::mem::take(&mut self.turn.closing),
            sayable: std::mem::take(&mut self.turn.sayable),
        };
        self.home.lock().push(work);
    }
}

impl Child {
    /// Gives it more steps and lets it begin anew where it failed.
    pub(crate) fn grant(&mut self, steps: u32) {
        self.turn.ledger.spending.grant(steps);
        self.turn.closing.reopen();
        self.turn.streaks.forget_flaws();
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

impl Finished {
    fn lock(&self) -> parking_lot::MutexGuard<'_, Vec<Work>> {
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
            sayable: Sayable::default(),
            review: Review::default(),
            streaks: Streaks::default(),
            usual: self.usual,
            extras: Extras::default(),
            finished: Finished::default(),
        };
        Child {
            turn,
            home: self.finished.clone(),
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
        let left = std::mem::take(&mut *self.finished.lock());
        for work in left {
            self.ledger.take_over(work.ledger);
            self.closing.take_over(&work.closing);
            self.sayable.take_over(work.sayable);
        }
    }
}
