//! What requests to a server do without, and how that is told. Learns nothing itself.

use std::fmt;

/// Says what a request does without after a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lesson {
    /// This parameter is left out.
    Parameter(String),
    /// The bound of the reply has another name.
    NewerBound,
    /// A reply has no more than so many tokens.
    Bound(u64),
    /// This tool is left out, as long as it is described as it is.
    Tool(String),
}

/// Tells what a server refused of a request, which was made again without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The brain's name.
    pub brain: String,
    /// Says what the next requests do without.
    pub lesson: Lesson,
    /// The server's words, shortened and without what was said to it.
    pub words: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lesson {
            Lesson::Parameter(name) => write!(f, "the server refuses {name}, which is left out")?,
            Lesson::NewerBound => write!(f, "the server wants max_completion_tokens for max_tokens")?,
            Lesson::Bound(bound) => write!(f, "the server allows no more than {bound} tokens in a reply")?,
            Lesson::Tool(name) => write!(f, "the server refuses the tool {name}, which it is not offered")?,
        }
        write!(f, ": {}", self.words)
    }
}
