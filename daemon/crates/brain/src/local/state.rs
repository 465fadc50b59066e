//! What the local brain is doing, for `loquat check` and the status line.

use std::fmt;

use super::health::Health;

/// The state of the worker process.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LocalState {
    /// It is not running. The next question starts it.
    Stopped,
    /// It loads the model.
    Starting,
    /// It serves.
    Ready {
        /// Its process has this id.
        pid: u32,
        /// The worker says this of its health.
        health: Health,
    },
    /// It could not be started, or died.
    Failed {
        /// Says what is missing or broken, and what to do.
        reason: String,
    },
}

impl fmt::Display for LocalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Starting => f.write_str("starting"),
            Self::Ready { .. } => f.write_str("ready"),
            Self::Failed { reason } => write!(f, "failed: {reason}"),
        }
    }
}
