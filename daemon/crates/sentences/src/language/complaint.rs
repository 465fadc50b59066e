//! What was left out of a language while it was compiled, and why.

use crate::template::TemplateError;

/// Rules and lists within each other; the deepest of the community's have four.
pub(crate) const DEEPEST: usize = 12;

/// What was left out of a language, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The intent, if it is about one.
    pub intent: Option<String>,
    /// It is this block of its intent, counted from 0.
    pub block: usize,
    /// The template, if it is about one.
    pub sentence: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A template is not well-formed.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A template names a list that is not there.
    #[error("failed to find the list `{list}`; there are {there}")]
    List {
        /// The list.
        list: String,
        /// What there is.
        there: String,
    },
    /// A template names a rule that is not there.
    #[error("failed to find the rule `{0}`")]
    Rule(String),
    /// A rule or list names itself, or too many name each other.
    #[error(
        "failed to follow `{0}`: it names itself, or more than {DEEPEST} rules and lists name each other"
    )]
    Circle(String),
    /// There is a key that may change what is meant.
    #[error("failed to understand the key `{0}`")]
    Key(String),
    /// Something has another form than it should have.
    #[error("failed to read `{key}`: expected {expected}")]
    Form {
        /// What it is.
        key: String,
        /// What it should be.
        expected: String,
    },
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(intent) = &self.intent {
            write!(f, "{intent}, block {}: ", self.block + 1)?;
        }
        if let Some(sentence) = &self.sentence {
            write!(f, "`{sentence}`: ")?;
        }
        write!(f, "{}", self.problem)
    }
}
