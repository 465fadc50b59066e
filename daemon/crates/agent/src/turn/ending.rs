//! How an engine ended: the reason and the words.

use loquat_conversation::brain::BrainError;
use loquat_conversation::record::Reason;

/// The end of a turn, before it is written into its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) reason: Reason,
    /// The words that are to be said; empty when there are none, or none good is known.
    pub(crate) answer: String,
    pub(crate) fault: Option<String>,
    /// Says why the brain gave no reply, where that is the end.
    pub(crate) brain_error: Option<BrainError>,
}

impl Ending {
    /// The end that an engine meant.
    pub(crate) fn answered(answer: impl Into<String>) -> Self {
        Self::new(Reason::Answered, answer)
    }

    pub(crate) fn new(reason: Reason, answer: impl Into<String>) -> Self {
        Self {
            reason,
            answer: answer.into(),
            fault: None,
            brain_error: None,
        }
    }

    pub(crate) fn silent(reason: Reason) -> Self {
        Self::new(reason, "")
    }

    /// Tells whether a limit of the budget was reached, as opposed to a failure.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(
            self.reason,
            Reason::MaxIterations | Reason::MaxToolCalls | Reason::CriticalTokens | Reason::Deadline
        )
    }

    /// Keeps what was finished before: a phase that failed after it does not take it away.
    pub(crate) fn or_answer(self, finished: String) -> Self {
        let failed = matches!(
            self.reason,
            Reason::LlmError | Reason::ParseError | Reason::LoopDetected
        );
        let spoken = self.is_limit() && !self.answer.is_empty();
        if finished.is_empty() || spoken || !(failed || self.is_limit()) {
            return self;
        }
        Self {
            reason: if failed { Reason::Answered } else { self.reason },
            answer: finished,
            fault: self.fault,
            brain_error: self.brain_error.filter(|_| !failed),
        }
    }

    /// The end of a turn that its brain failed in, with the best words there are.
    pub(crate) fn of_brain(error: BrainError, best: impl Into<String>) -> Self {
        Self {
            fault: Some(format!("failed to {error}")),
            brain_error: Some(error),
            ..Self::new(Reason::LlmError, best)
        }
    }

    pub(crate) fn with_fault(self, fault: impl Into<String>) -> Self {
        Self {
            fault: Some(fault.into()),
            ..self
        }
    }
}
