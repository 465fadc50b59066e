//! What is looked at before a call is made and before an answer is said, beside what the gate demands: one file for each
//! rule that holds for any question. None of them lets anything through that the gate forbids.

mod doubt;
mod one_call;
mod unread;
mod unsaid;

use super::ledger::Ledger;
use super::resources::Resources;
use super::work::Work;
use super::{Ending, Turn};
use crate::gate::Admitted;
use loquat_conversation::record::Reason;
use loquat_decoder::Flaw;

pub(super) use self::doubt::Evidence;
pub(super) use self::unsaid::MadeUp;

/// What the brain was told of its calls and answers.
#[derive(Debug, Default)]
pub(super) struct Review {
    /// The doubt that the brain was told when it was asked once more instead of saying its answer.
    doubted: Option<String>,
    /// What the brain was told last of a reply that could not be used.
    flaw: Option<String>,
    /// Says whether the next step has to calculate, since a number was wrong or nothing gave it.
    has_to_calculate: bool,
    /// Says whether the brain was told to leave out what the person did not say.
    unsaid_told: bool,
}

/// What happens in place of an answer that may not be said.
pub(super) enum Instead {
    /// The brain is asked once more, with these words.
    AskAgain(String),
    /// The turn ends with something else.
    End(Ending),
}

impl Review {
    /// Tells whether the step that begins has to calculate.
    pub(super) fn take_has_to_calculate(&mut self) -> bool {
        std::mem::take(&mut self.has_to_calculate)
    }

    /// Keeps what the brain is told of a reply that cannot be used.
    pub(super) fn note_flaw(&mut self, flaw: &Flaw) {
        self.flaw = Some(flaw.to_string());
    }

    /// Looks at a call that the gate admits, and gives it as it is made: without what was made up, where the brain was told
    /// to leave such out. A small model leaves out only a part.
    pub(super) fn before_call(&self, resources: &Resources, ledger: &Ledger, admitted: Admitted) -> Admitted {
        let made_up = MadeUp { resources, ledger };
        let spared = self.unsaid_told.then(|| made_up.without(&admitted)).flatten();
        spared.unwrap_or(admitted)
    }

    /// Words for a small model about the last step's only call, which has failed.
    pub(super) fn tell_of_unsaid(&mut self, resources: &Resources, ledger: &Ledger) -> Option<String> {
        let told = MadeUp { resources, ledger }.complaint();
        self.unsaid_told |= told.is_some();
        told
    }

    /// Looks at an answer. The brain is asked once more where it may not be said, and the second time the turn ends.
    fn before_answer(&mut self, resources: &Resources, work: &mut Work, answer: &str) -> Option<Instead> {
        let doubt = self.evidence(resources, &work.ledger).doubt(answer)?;
        if self.doubted.is_some() {
            let ending = doubt.ending(resources, work, Reason::Answered);
            return ending.map(Instead::End);
        }
        resources.take_back_answer(work.ledger.step());
        self.has_to_calculate = doubt.asks_for_a_calculation(resources, &work.ledger);
        let why = doubt.told();
        work.ledger.reject(doubt.fault(), why.clone());
        self.doubted = Some(why.clone());
        Some(Instead::AskAgain(why))
    }
}

impl Turn {
    /// Looks at an answer before it is said.
    pub(super) fn before_answer(&mut self, answer: &str) -> Option<Instead> {
        self.review.before_answer(&self.resources, &mut self.work, answer)
    }

    /// Looks at the last answer that there will be, and gives the end that stands in its place.
    pub(super) fn before_last_answer(&mut self, answer: &str, reason: Reason) -> Option<Ending> {
        let doubt = self.evidence().doubt(answer)?;
        doubt.ending(&self.resources, &mut self.work, reason)
    }

    /// Tells whether this answer may not be said.
    pub(crate) fn doubts(&self, answer: &str) -> bool {
        self.evidence().doubts(answer)
    }

    /// Gathers what an answer is held against before another call is made.
    pub(super) fn evidence(&self) -> Evidence {
        self.review.evidence(&self.resources, &self.work.ledger)
    }
}
