//! Why an expression has no value, and how large one may be. Reads none.

use std::fmt;

use loquat_agent::toolbox::ToolError;

/// A person's question is far shorter; more is not arithmetic but an accident.
pub(crate) const LONGEST_CHARACTERS: usize = 1000;

/// Numbers, names and signs. The tree is never deeper than this, so that walking it fits the stack of any thread.
pub(crate) const MOST_TOKENS: usize = 400;

/// Parentheses, functions and signs within each other.
pub(crate) const DEEPEST: usize = 64;

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ExpressionError {
    /// The text breaks off or goes on wrongly.
    #[error("at character {position}: expected {expected}, found {found}")]
    Unexpected {
        /// Counts characters from 1.
        position: usize,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A name that is neither a function nor a constant.
    #[error("at character {position}: unknown name '{name}'{}", Near(near))]
    UnknownName {
        /// Counts characters from 1.
        position: usize,
        /// The name as written.
        name: String,
        /// Known names that look alike.
        near: Vec<&'static str>,
    },
    /// A function has too many or too few arguments.
    #[error("at character {position}: {function} takes {takes}, {given} given")]
    ArgumentCount {
        /// Counts characters from 1.
        position: usize,
        function: &'static str,
        /// How many it takes, in words.
        takes: String,
        given: usize,
    },
    /// It has more than [`LONGEST_CHARACTERS`].
    #[error("longer than {LONGEST_CHARACTERS} characters")]
    TooLong,
    /// It has more than [`MOST_TOKENS`].
    #[error("more than {MOST_TOKENS} numbers, names and signs")]
    TooMany,
    /// It is deeper than [`DEEPEST`].
    #[error("at character {position}: nested more than {DEEPEST} levels deep")]
    TooDeep {
        /// Counts characters from 1.
        position: usize,
    },
    /// A length and a mass, or two currencies, do not go together.
    #[error("'{sign}' cannot join {left} and {right}")]
    Apart {
        /// What stands between them.
        sign: &'static str,
        /// What the first one is.
        left: String,
        /// What the second one is.
        right: String,
    },
    /// Mathematics has no value for it.
    #[error("{0}")]
    Undefined(String),
    /// The value has no room in a number.
    #[error("{0} is too large")]
    TooLarge(String),
}

/// Known names that look like the one that was written.
struct Near<'a>(&'a [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, "; did you mean {}?", self.0.join(" or "))
    }
}

/// The complaint about an argument, as the brain reads it.
pub(crate) fn complaint(argument: &str, error: &dyn std::error::Error) -> ToolError {
    ToolError::reply("ValueError", format!("{argument}: {error}"))
}
