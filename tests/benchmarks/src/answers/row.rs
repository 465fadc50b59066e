//! What came of one request.

use serde::Serialize;

use super::Kind;

/// One request, our answer and the peer's. All times are in seconds.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What it takes.
    pub kind: Kind,
    /// In which language it was asked.
    pub lang: &'static str,
    /// What was said or typed.
    pub said: &'static str,
    /// What the daemon heard; absent where that was nothing.
    pub heard: Option<String>,
    /// Whether that is what was said.
    pub heard_rightly: bool,
    /// Our answer.
    pub answer: Answer,
    /// How long it took.
    pub spans: Spans,
    /// The peer's answer and how long it took, where there is a peer.
    pub peer: Option<(Answer, f64)>,
}

/// An answer, judged.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Answer {
    /// What was said; empty where that was nothing.
    pub text: String,
    /// Whether it is right.
    pub right: bool,
    /// How often the brain was asked.
    pub brain_calls: usize,
    /// What the tools brought.
    pub observations: Vec<String>,
    /// Its numbers that stand in no observation, question or fact.
    pub without_source: Vec<String>,
}

/// From one moment of a request to the next; a moment that did not come has no span.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spans {
    /// From the last sound to the utterance on the bus.
    pub hearing: Option<f64>,
    /// From the utterance to the first byte of the brain; absent where no brain was asked.
    pub first_byte: Option<f64>,
    /// From that, or from the utterance where no brain was asked, to `speak`.
    pub speaking: Option<f64>,
    /// From the utterance to `speak`.
    pub answering: Option<f64>,
    /// From the last sound to `speak`.
    pub whole: Option<f64>,
}
