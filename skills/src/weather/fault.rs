//! What can go wrong with the weather service, in words that a person can be told.
//!
//! Repeats nothing that the service says.

use loquat_agent::toolbox::ToolError;

/// Why the service gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("cannot be reached")]
    Unreachable,
    #[error("did not answer in time")]
    Slow,
    #[error("has had too many questions; ask again in {0} seconds")]
    Busy(i64),
    #[error("refuses the question (status {0})")]
    Refused(u16),
    #[error("has a fault of its own (status {0})")]
    Broken(u16),
    #[error("broke off in the middle of its answer")]
    Cut,
    #[error("gave an answer that is longer than 2 MiB")]
    Endless,
    #[error("gave an answer that is no weather report")]
    Garbled,
}

impl Fault {
    /// Whether an older answer may serve instead: the question itself was not at fault.
    pub(super) fn is_passing(self) -> bool {
        !matches!(self, Self::Refused(_))
    }
}

impl From<Fault> for ToolError {
    fn from(fault: Fault) -> Self {
        Self::reply(
            "ConnectionError",
            format!("the weather service Open-Meteo {fault}"),
        )
    }
}
