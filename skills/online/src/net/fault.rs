//! What can go wrong with a server, in words that a person can be told.
//!
//! Repeats nothing that the server says.

use loquat_agent::toolbox::ToolError;
use loquat_kit::permission::closed;

/// Why a server gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
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
    #[error("gave an answer that makes no sense")]
    Garbled,
    #[error(
        "may not be asked, since the owner of this device has not allowed it (network.allowed in loquat.toml)"
    )]
    Closed,
}

impl Fault {
    /// Whether an older answer may serve instead: the question itself was not at fault.
    pub(crate) fn is_passing(self) -> bool {
        !matches!(self, Self::Refused(_) | Self::Closed)
    }

    /// What a person is told about it; `server` is what they know it as.
    pub(crate) fn of(self, server: &str) -> ToolError {
        let complaint = format!("{server} {self}");
        match self {
            Self::Closed => closed(complaint),
            _ => ToolError::reply("ConnectionError", complaint),
        }
    }
}

impl From<&reqwest::Error> for Fault {
    fn from(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::Slow
        } else {
            Self::Unreachable
        }
    }
}
