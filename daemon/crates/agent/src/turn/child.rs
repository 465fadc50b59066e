//! Turns within a turn: an episode, a step of a plan, a branch of a search.
//!
//! A child has a conversation and limits of its own; brain, tools, events and budget are those of the whole turn. What
//! it did is the turn's, also when it is dropped in the middle of it: a turn that is stopped drops its engine, and with that
//! all children that run, whose calls have to stand in the record all the same. So a child hands its work over as it is
//! dropped, whatever the cause.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use super::Turn;
use super::review::Review;
use super::strangers::Judged;
use super::work::Finished;
use crate::hands::guard::Guard;

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
        self.home.leave(self.turn.work.hand_over());
    }
}

impl Child {
    /// Gives it more steps and lets it begin anew where it failed.
    pub(crate) fn grant(&mut self, steps: u32) {
        self.turn.work.ledger.spending.grant(steps);
        self.turn.work.closing.reopen();
    }

    /// The child's answer will be that of the whole turn, and it gets what comes for the whole turn.
    pub(crate) fn stands_for(&mut self, whole: &Turn) {
        let (own, whole) = (&mut self.turn.resources, &whole.resources);
        own.stands = whole.stands;
        own.telling.clone_from(&whole.telling);
        own.arrivals.clone_from(&whole.arrivals);
    }

    /// Lets it make so many tool calls at most.
    pub(crate) fn allow_tool_calls(&mut self, most: u32) {
        self.turn.work.ledger.spending.allow_tool_calls(most);
    }
}

impl Turn {
    /// A turn within this one with at most so many steps and perhaps less time. It begins with the same question in an
    /// empty conversation.
    pub(crate) fn child(&self, steps: u32, time: Option<Duration>) -> Child {
        self.resources.shared.with_guard(Guard::forgive);
        let resources = self.resources.within();
        let turn = Self {
            exchange: self.exchange.within(&resources),
            work: self.work.within(steps, time),
            review: Review::default(),
            judged: Judged::default(),
            resources,
        };
        Child {
            turn,
            home: self.work.finished(),
        }
    }

    /// A child that holds the same conversation so far.
    pub(crate) fn branch(&self) -> Child {
        let mut child = self.child(u32::MAX, None);
        child.exchange.conversation = self.exchange.conversation.clone();
        child
    }
}
