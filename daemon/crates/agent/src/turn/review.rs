//! What is looked at before a call is made and before an answer is said, beside what the gate demands: one file for each
//! rule that holds for any question. None of them lets anything through that the gate forbids.

mod doubt;
mod one_call;
mod unread;
mod unsaid;

pub(super) use self::doubt::Evidence;
use super::{Ending, Turn};
use crate::gate::Admitted;
use loquat_conversation::brain::ChatReply;
use loquat_conversation::record::Reason;

/// What the calls have brought, and what the brain was told of its calls and answers.
#[derive(Debug, Default)]
pub(super) struct Review {
    findings: Findings,
    /// The doubt that the brain was told when it was asked once more instead of saying its answer.
    doubted: Option<String>,
    /// Says whether the next step has to calculate, since a number was wrong or nothing gave it.
    has_to_calculate: bool,
    /// Says whether the brain was told to leave out what the person did not say.
    unsaid_told: bool,
}

/// Says what the calls have brought, here or, where a call was made again here, in another turn within the whole one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Findings {
    #[default]
    None,
    Some,
    /// A result that the brain has just asked for once more.
    AskedAgain,
}

impl Review {
    /// A call has brought something.
    pub(super) fn has_brought(&mut self) {
        self.findings = Findings::Some;
    }

    /// A call was made again that had brought something.
    pub(super) fn was_asked_again(&mut self) {
        self.findings = Findings::AskedAgain;
    }

    /// Tells whether a call has brought anything.
    pub(super) fn has_found(&self) -> bool {
        self.findings != Findings::None
    }

    /// Tells whether the brain made a call again that had brought something: one that is held to a schema means to
    /// answer, and cannot choose to.
    pub(super) fn knows_enough(&self) -> bool {
        self.findings == Findings::AskedAgain
    }

    /// Tells whether the step that begins has to calculate.
    pub(super) fn take_has_to_calculate(&mut self) -> bool {
        std::mem::take(&mut self.has_to_calculate)
    }
}

impl Turn {
    /// Looks at a call that the gate admits, and gives it as it is made.
    pub(super) fn before_call(&self, admitted: Admitted) -> Admitted {
        self.as_it_was_told(admitted)
    }

    /// Looks at an answer. Where it may not be said the brain is asked once more, or the turn ends with something else.
    pub(super) fn before_answer(&mut self, reply: &ChatReply, answer: &str) -> Option<Result<(), Ending>> {
        let doubt = self.doubt(answer)?;
        self.question_answer(reply, &doubt)
    }

    /// Looks at the last answer that there will be, and gives the end that stands in its place.
    pub(super) fn before_last_answer(&mut self, answer: &str, reason: Reason) -> Option<Ending> {
        let doubt = self.doubt(answer)?;
        self.instead(&doubt, reason)
    }
}
