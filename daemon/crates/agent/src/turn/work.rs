//! What a turn has brought so far: what it did, how near that is to its end, and what could be said then. A turn within
//! another leaves its work to that one.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::Ending;
use super::closing::Closing;
use super::ledger::Ledger;
use super::sayable::Sayable;
use crate::hands::extras::Extras;
use loquat_conversation::brain::Usage;
use loquat_conversation::record::{Reason, StepRecord};

/// The work of a turn.
pub(crate) struct Work {
    pub(super) ledger: Ledger,
    pub(crate) closing: Closing,
    pub(super) sayable: Sayable,
    /// The fields that the last tool hands on to the next.
    pub(super) extras: Extras,
    /// The sentence of the device in which the brain has said again what was wanted, once it is carried out.
    pub(crate) restated: Option<String>,
    /// The work that turns within this one have left behind.
    finished: Finished,
}

/// What children have done that have ended. The lock is never held across an await.
#[derive(Clone, Default)]
pub(super) struct Finished(Arc<Mutex<Vec<Work>>>);

impl Finished {
    pub(super) fn leave(&self, work: Work) {
        self.0.lock().push(work);
    }
}

impl Work {
    pub(super) fn begun(ledger: Ledger, closing: Closing) -> Self {
        Self {
            ledger,
            closing,
            sayable: Sayable::default(),
            extras: Extras::default(),
            restated: None,
            finished: Finished::default(),
        }
    }

    /// Begins the work of a turn within this one, with at most so many steps and perhaps less time.
    pub(super) fn within(&self, steps: u32, time: Option<Duration>) -> Self {
        Self::begun(self.ledger.within(steps, time), self.closing.within())
    }

    /// The place where turns within this one leave their work.
    pub(super) fn finished(&self) -> Finished {
        self.finished.clone()
    }

    /// Takes over what ended children left behind.
    pub(super) fn gather(&mut self) {
        let left = std::mem::take(&mut *self.finished.0.lock());
        for work in left {
            self.ledger.take_over(work.ledger);
            self.closing.take_over(&work.closing);
            self.sayable.take_over(work.sayable);
        }
    }

    /// Closes what is open and gives all that was done. What stays has done nothing.
    pub(super) fn hand_over(&mut self) -> Self {
        self.ledger
            .close_open_calls("it was stopped before it gave a result");
        self.gather();
        let empty = self.within(0, None);
        std::mem::replace(self, empty)
    }

    /// Begins a step that no brain asked for, for calls of an engine's own.
    pub(crate) fn open_step(&mut self) {
        self.gather();
        self.ledger.next_step();
        self.ledger.enter_step(Duration::ZERO, Usage::default());
    }

    /// Enters a step of the brain behind all that turns within have done.
    pub(super) fn enter_step(&mut self, brain_time: Duration, usage: Usage) {
        self.gather();
        self.ledger.enter_step(brain_time, usage);
    }

    pub(crate) fn steps(&self) -> &[StepRecord] {
        self.ledger.steps()
    }

    /// Tells whether something may have been changed by a call that went well.
    pub(crate) fn has_done_something(&self) -> bool {
        self.ledger.has_deeds()
    }

    /// Keeps these words as the best so far: they are the answer when nothing better comes.
    pub(crate) fn keep(&mut self, words: &str) {
        if !loquat_decoder::speakable(words).is_empty() {
            self.sayable.keep_draft(words);
        }
    }

    /// The end of a turn within this one that its brain failed in, with the best words of this one for want of its own.
    pub(crate) fn with_draft(&self, ending: Ending) -> Ending {
        let bare = ending.reason == Reason::LlmError && ending.answer.is_empty();
        let draft = self.sayable.draft().filter(|_| bare);
        Ending {
            answer: draft.unwrap_or(ending.answer),
            ..ending
        }
    }

    /// The end of a turn in which a tool alone was asked: its own words for what came of it or for why nothing did, or none.
    pub(crate) fn told(&mut self) -> Ending {
        let reason = self.closing.reason();
        let ok = self.ledger.last_calls().iter().all(|call| call.ok);
        let (sentence, refusal) = (self.sayable.take_sentence(), self.sayable.take_refusal());
        match if ok { sentence } else { refusal } {
            Some(words) => Ending::new(reason.unwrap_or(Reason::Answered), words),
            None => Ending::silent(reason.unwrap_or(Reason::Noop)),
        }
    }

    /// The limit of the budget that leaves room for nothing but a closing answer, if one does.
    pub(crate) fn exhausted(&self) -> Option<Reason> {
        self.ledger.spending.exhausted()
    }

    /// Tells why only an answer is wanted any more, if that is so.
    pub(super) fn reason_to_end(&self) -> Option<Reason> {
        self.closing.reason().or_else(|| self.exhausted())
    }

    pub(crate) fn remaining(&self) -> Duration {
        self.ledger.spending.remaining()
    }
}
