//! What an engine asks a brain for: a step, an answer, a verdict, a score, a thought, a plan, claims. Each is one file.
//!
//! A phase is its words and examples in every dialect, a JSON Schema for brains that can be held to one, and one tolerant
//! reading for all. It asks no brain and runs no tool.

mod answer;
mod calls;
mod claims;
mod plan;
mod score;
pub mod step;
#[cfg(test)]
mod tests;
mod thought;
mod verdict;

use serde_json::{Value, json};

use crate::brain::{ChatReply, Finish};
use loquat_decoder::{
    Call, Flaw, Names, Section, Table, Verdict as Decision, decode, parse_prefix, part_reply, sections,
    unwrap_fence,
};

use super::step_schema::object;
pub use answer::{Answer, Observed, Reasoned, Remark, nothing, plain, reasoning};
pub use calls::{Blueprint, Calls, Join, Joined, calling, joining, solve};
pub use claims::{Claims, checking, critique, drafted};
pub use plan::{Item, Plan, Planned, planning};
pub use score::{Score, Vote};
pub use thought::{Next, Thought, Thoughts};
pub use verdict::{Judgement, Verdict, of_json as judgement_of};

/// A thing for which a brain can be asked.
pub trait Phase: Sync {
    /// The meaning of a reply.
    type Meaning: Send;

    /// Holds a brain to the phase, where it can be held.
    fn schema(&self) -> Option<Value> {
        None
    }

    /// Texts that end the reply.
    fn stops(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads a reply. Total, and linear in the reply.
    fn read(&self, heard: &Heard<'_>) -> Result<Self::Meaning, Flaw>;

    /// Says how a reply has to look, for a brain that got it wrong.
    fn shape(&self) -> &'static str;
}

/// Says what a reply is that does not have the shape of its phase.
#[derive(Debug)]
pub enum Otherwise {
    /// An answer.
    Answer(String),
    /// Calls, never none.
    Calls(Vec<Call>),
}

/// A reply without its reasoning.
#[derive(Debug)]
pub struct Heard<'r> {
    /// The brain replied this.
    pub reply: &'r ChatReply,
    /// The names of the tools.
    pub names: &'r Names,
    /// What was thought before it.
    pub thought: String,
    /// It is the rest, trimmed.
    pub text: String,
}

impl<'r> Heard<'r> {
    /// The reply of the brain.
    pub fn new(reply: &'r ChatReply, names: &'r Names) -> Self {
        let (thought, text) = part_reply(reply);
        Self {
            reply,
            names,
            thought,
            text,
        }
    }

    /// The reply as JSON, if it begins as an object or a list.
    pub fn json(&self) -> Option<Value> {
        let body = unwrap_fence(&self.text);
        if !body.starts_with(['{', '[']) {
            return None;
        }
        parse_prefix(body).ok().map(|parsed| parsed.value)
    }

    /// Reads the reply as a step. An explanation of a call is nothing that should be carried out.
    pub fn otherwise(&self) -> Result<Otherwise, Flaw> {
        let decoded = decode(self.reply, self.names);
        match decoded.verdict {
            Decision::Calls { .. } if decoded.guessed => Err(Flaw::Unlabelled),
            Decision::Calls { calls, .. } => Ok(Otherwise::Calls(calls)),
            Decision::Answer { text, .. } => Ok(Otherwise::Answer(text)),
            Decision::OwnQuestion(_) | Decision::Intermediate(_) => Err(Flaw::QuestionInsteadOfAnswer),
            Decision::Flawed(flaw) => Err(flaw),
        }
    }

    /// Tells whether the length limit cut the reply off.
    pub(crate) fn is_cut(&self) -> bool {
        self.reply.finish == Finish::Length
    }

    /// The text, or the flaw of a reply that has none.
    pub fn spoken(&self) -> Result<&str, Flaw> {
        match (self.text.is_empty(), self.thought.is_empty()) {
            (false, _) => Ok(&self.text),
            (true, false) => Err(Flaw::ThoughtOnly),
            (true, true) => Err(Flaw::Empty),
        }
    }
}

/// Gives the first characters of a text.
pub fn head(text: &str, longest: usize) -> &str {
    let end = text.char_indices().nth(longest).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

const REPLAN: Table<()> = &[((), "replan"), ((), "plan failed")];

/// Tells why another plan is needed, if a text says so at the beginning of a line.
pub fn replan(text: &str) -> Option<&str> {
    let (_, found) = sections(text, REPLAN);
    found.last().map(|Section { text, .. }| *text)
}

/// Makes the schema of a text of at most so many characters.
fn text(longest: u32) -> Value {
    json!({"type": "string", "maxLength": longest})
}
