//! How an engine ended: the reason and the words.

use crate::record::Reason;

/// The end of a turn, before it is written into its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Why.
    pub(crate) reason: Reason,
    /// What is to be said; empty when nothing is or nothing good is known.
    pub(crate) answer: String,
    /// The detail behind a failure.
    pub(crate) fault: Option<String>,
}

impl Ending {
    /// The end that an engine meant.
    pub(crate) fn answered(answer: impl Into<String>) -> Self {
        Self::new(Reason::Answered, answer)
    }

    /// An end with words.
    pub(crate) fn new(reason: Reason, answer: impl Into<String>) -> Self {
        Self {
            reason,
            answer: answer.into(),
            fault: None,
        }
    }

    /// An end without words.
    pub(crate) fn silent(reason: Reason) -> Self {
        Self::new(reason, "")
    }

    /// Whether a limit of the budget was reached, as opposed to a failure.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(
            self.reason,
            Reason::MaxIterations | Reason::MaxToolCalls | Reason::CriticalTokens | Reason::Deadline
        )
    }

    /// What was finished before stands: a phase that failed after it does not take it away.
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
        }
    }

    /// Adds the detail behind the reason.
    pub(crate) fn with_fault(self, fault: impl Into<String>) -> Self {
        Self {
            fault: Some(fault.into()),
            ..self
        }
    }
}
