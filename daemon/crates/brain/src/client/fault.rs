//! One failed attempt: the error, and whether and when to try again.

use std::time::Duration;

use loquat_conversation::brain::BrainError;

/// Says when the same request may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Never: it would fail again, or take too long.
    No,
    /// It is made again at once: it was changed to the server's taste.
    Changed,
    /// It is made again after the usual wait.
    Soon,
    /// It is made again after the wait that the server asks for.
    After(Duration),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) error: BrainError,
    pub(crate) again: Again,
}

impl Fault {
    /// Trying again would not help.
    pub(crate) fn lasting(error: BrainError) -> Self {
        Self {
            error,
            again: Again::No,
        }
    }

    /// Trying again may well help.
    pub(crate) fn passing(error: BrainError) -> Self {
        Self {
            error,
            again: Again::Soon,
        }
    }
}
