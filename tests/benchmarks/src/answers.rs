//! What `make bench-answers` measures: how long a person waits for an answer, and whether it is right.
//!
//! Requests of six kinds go through the whole path, from the microphone to `speak`, and as text to the peer, the ReAct loop
//! of `ovos-agentic-loop` with the same model.

pub mod device;
pub mod figures;
pub mod heard;
mod model_server;
pub mod peer;
pub mod plot;
pub mod report;
pub mod requests;
pub mod row;

use std::fmt;

use serde::Serialize;

/// What it takes to answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A skill's own sentence: no brain.
    Intent,
    /// A brain and one tool.
    OneTool,
    /// Two facts of tools, or a calculation upon one that was looked up.
    TwoHops,
    /// General knowledge, or talk.
    NoTool,
    /// Something the device cannot do.
    Decline,
    /// Each of these in German, French, Spanish and Italian.
    Languages,
}

impl Kind {
    /// All, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::Intent,
        Self::OneTool,
        Self::TwoHops,
        Self::NoTool,
        Self::Decline,
        Self::Languages,
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// As KINDS names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::OneTool => "one-tool",
            Self::TwoHops => "two-hops",
            Self::NoTool => "no-tool",
            Self::Decline => "decline",
            Self::Languages => "languages",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
