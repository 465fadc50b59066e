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

    /// The same with the detail behind it.
    pub(crate) fn with_fault(self, fault: impl Into<String>) -> Self {
        Self {
            fault: Some(fault.into()),
            ..self
        }
    }
}
