//! The ways in which a tool fails.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The ways a tool can fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ToolError {
    /// The brain should read this and react: a bad argument, a tool's own complaint.
    #[error("{class}: {message}")]
    Reply {
        /// Short class of the fault, for example `ValueError`, as OVOS peers show it.
        class: String,
        /// Says what is wrong, naming the field and the rule where there is one.
        message: String,
        /// Names that others have given to things which it names; see [`Outcome::names`](super::Outcome::names).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
        /// What a person is told of it whose sentence asked for the call, in their language. Without it a persona answers them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spoken: Option<String>,
    },
    /// Going on makes no sense; the turn ends.
    #[error("{0}")]
    Fault(String),
    /// It would have left the device, where that may not be; the turn ends with this sentence.
    #[error("{0}")]
    Withheld(String),
}

impl ToolError {
    /// Makes a complaint for the brain.
    pub fn reply(class: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Reply {
            class: class.into(),
            message: message.into(),
            names: Vec::new(),
            spoken: None,
        }
    }

    /// Adds what a person is told of it.
    #[must_use]
    pub fn spoken(self, words: Option<String>) -> Self {
        match self {
            Self::Reply {
                class,
                message,
                names,
                ..
            } => Self::Reply {
                class,
                message,
                names,
                spoken: words,
            },
            other @ (Self::Fault(_) | Self::Withheld(_)) => other,
        }
    }

    /// Adds names that others have given to things which it names.
    #[must_use]
    pub fn naming(self, named: impl IntoIterator<Item = impl Into<String>>) -> Self {
        match self {
            Self::Reply {
                class,
                message,
                spoken,
                ..
            } => Self::Reply {
                class,
                message,
                names: named.into_iter().map(Into::into).collect(),
                spoken,
            },
            other @ (Self::Fault(_) | Self::Withheld(_)) => other,
        }
    }

    /// The tool took longer than it may.
    pub fn timed_out(limit: Duration) -> Self {
        let limit = limit.as_secs_f64();
        Self::reply(
            "TimeoutError",
            format!("the tool gave no result within {limit} seconds"),
        )
    }

    /// The tool told more pieces than are taken.
    pub fn flooded() -> Self {
        Self::reply(
            "OverflowError",
            "the tool told more text than is taken, and was ended",
        )
    }

    /// Is the error of a call that was on its way when the way was lost.
    pub fn unsure(tool: &str) -> Self {
        Self::reply(
            "ConnectionError",
            format!("the bus was lost during the call of '{tool}', and it is not known whether it was done"),
        )
    }

    /// Is the error of a call that ran when the device stopped.
    pub fn interrupted() -> Self {
        Self::reply(
            "InterruptedError",
            "the device stopped while this ran; it may have taken effect and was not run again",
        )
    }

    /// Is the error of a call that was not made, since an effect that cannot be recorded must not happen.
    pub fn unwritten() -> Self {
        Self::reply(
            "JournalError",
            "this cannot be written down at the moment, so it was not run; nothing was changed",
        )
    }

    /// Is the error of a toolbox that was asked and kept silent.
    pub fn unanswered(toolbox_id: &str, tool: &str) -> Self {
        Self::reply(
            "TimeoutError",
            format!("toolbox '{toolbox_id}' did not answer the call of '{tool}'"),
        )
    }
}
