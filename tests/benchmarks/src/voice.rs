//! What `make bench-voice` measures: how long a person who has spoken waits for the first sound of an answer, and what that
//! time goes to.
//!
//! Requests of five kinds are spoken in a virtual room, where the device's own loudspeaker is heard by its microphone. The peer,
//! Home Assistant Assist on the same machine, is given the same recordings in turn.

pub mod assist;
pub mod device;
pub mod parts;
pub mod plot;
pub mod requests;
pub mod table;

use std::fmt;

use serde::Serialize;

use parts::Parts;

/// What it takes to answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A sentence of a skill: no brain.
    Intent,
    /// A brain and one tool.
    OneTool,
    /// A brain and two tools, or one tool twice.
    TwoTools,
    /// Talk, answered in a sentence.
    SmallTalk,
    /// Something that takes several sentences.
    LongAnswer,
}

impl Kind {
    /// All, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::Intent,
        Self::OneTool,
        Self::TwoTools,
        Self::SmallTalk,
        Self::LongAnswer,
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
            Self::TwoTools => "two-tools",
            Self::SmallTalk => "small-talk",
            Self::LongAnswer => "long-answer",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One request and what came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What it takes.
    pub kind: Kind,
    /// What was said.
    pub said: &'static str,
    /// What came of it here.
    pub ours: Outcome,
    /// What came of it at the peer; absent without one.
    pub peer: Option<Outcome>,
}

/// What came of a request.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Outcome {
    /// What was heard; absent where that was nothing.
    pub heard: Option<String>,
    /// Whether that is what was said.
    pub heard_rightly: bool,
    /// What was answered; empty where that was nothing.
    pub answer: String,
    /// Whether it is right.
    pub right: bool,
    /// What the time went to until the first sound; absent where there was none.
    pub parts: Option<Parts>,
    /// How long processors worked for it until the answer was complete, in seconds.
    pub work: f64,
    /// The tokens that the brain was shown, and those that it wrote, until the answer was complete.
    pub tokens: [u64; 2],
}
