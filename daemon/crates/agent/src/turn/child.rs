//! Turns within a turn: an episode, a step of a plan, a branch of a search.
//!
//! A child has a conversation and limits of its own; brain, tools, events and budget are those of the whole turn. What
//! it did is the turn's, also when it is dropped in the middle of it.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Findings, Turn};
use crate::brain::Usage;
use crate::conversation::Conversation;
use crate::conversation::tokens::Scales;
use crate::dialect::phase::nothing;
use crate::hands::extras::Extras;
use crate::hands::guard::Guard;
use crate::record::StepRecord;

/// Where children leave what they did. The lock is never held across an await.
#[derive(Debug, Clone, Default)]
pub(super) struct Nursery(Arc<Mutex<Vec<Leavings>>>);

/// What a child leaves behind.
#[derive(Debug)]
struct Leavings {
    steps: Vec<StepRecord>,
    brain_calls: u32,
    usage: Usage,
    draft: Option<String>,
    last_words: Option<String>,
    fault: Option<String>,
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
        self.turn.cancel.cancel();
        self.turn
            .close_open_calls("it was stopped before it gave a result");
        self.turn.gather();
        let leavings = Leavings {
            steps: std::mem::take(&mut self.turn.steps),
            brain_calls: self.turn.brain_calls,
            usage: self.turn.usage,
            draft: self.turn.draft.take(),
            last_words: self.turn.last_words.take(),
            fault: self.turn.fault.take(),
        };
        self.home.lock().push(leavings);
    }
}

impl Child {
    /// Gives it more steps and lets it begin anew where it failed.
    pub(crate) fn grant(&mut self, steps: u32) {
        self.turn.spending.grant(steps);
        self.turn.closing = None;
        self.turn.flaws = 0;
    }

    /// Its answer will be that of the whole turn, and it gets what comes for the whole turn.
    pub(crate) fn stands_for(&mut self, whole: &Turn) {
        self.turn.telling.clone_from(&whole.telling);
        self.turn.arrivals.clone_from(&whole.arrivals);
    }

    /// Lets it make so many tool calls at most.
    pub(crate) fn allow_tool_calls(&mut self, most: u32) {
        self.turn.spending.allow_tool_calls(most);
    }
}

impl Nursery {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Leavings>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
            settings: Arc::clone(&self.settings),
            loop_steps: self.loop_steps,
            brain: Arc::clone(&self.brain),
            observer: Arc::clone(&self.observer),
            telling: None,
            arrivals: None,
            spending: self.spending.part(steps, time),
            steps: Vec::new(),
            brain_calls: 0,
            usage: Usage::default(),
            shared: Arc::clone(&self.shared),
            rules: self.rules.clone(),
            failures: 0,
            scales: Scales::default(),
            compactions: 0,
            number: self.number,
            nursery: Nursery::default(),
            depth: self.depth + 1,
            closes: true,
            extras: Extras::default(),
            flaws: 0,
            reasons: self.reasons,
            closing: None,
            draft: None,
            aside: None,
            findings: Findings::default(),
            last_words: None,
            fault: None,
            cancel: self.cancel.child_token(),
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
            self.steps.extend(leavings.steps);
            self.brain_calls += leavings.brain_calls;
            self.usage += leavings.usage;
            self.draft = self.draft.take().or(leavings.draft);
            self.last_words = leavings.last_words.or_else(|| self.last_words.take());
            self.fault = self.fault.take().or(leavings.fault);
        }
    }
}
