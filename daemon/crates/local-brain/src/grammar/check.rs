//! Checks a GBNF grammar before llama.cpp sees it. Never lets one through that would make llama.cpp hang, run out of
//! memory, overflow its stack or abort.
//!
//! Read in llama.cpp's `llama-grammar.cpp`: `x{5,2}` counts down through 2^64 rules; a part that repeats a literal is
//! copied that often; groups and rules recurse on the C++ stack; left recursion behind a rule that is empty only
//! through another rule is not noticed and makes the parser's stack grow for ever. A grammar that can be read in very
//! many ways at once still costs memory while it is used; that is left to the client.

use super::edges;
use super::schema::LONGEST_REPETITION;
use super::syntax;

/// A grammar of more bytes than this is a mistake; a schema of a hundred properties needs some ten thousand.
const LARGEST_TEXT: usize = 256 * 1024;

/// Elements after repetitions are spelled out; at 8 bytes each, llama.cpp holds two copies.
const MOST_ELEMENTS: u64 = 500_000;

/// Rules of one grammar; looking for empty ones takes time with their square.
const MOST_RULES: usize = 4000;

/// A grammar that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GrammarError {
    /// It is too long.
    #[error("the grammar has {0} bytes, more than {LARGEST_TEXT}")]
    TooLong(usize),
    /// It has too many rules.
    #[error("the grammar has {0} rules, more than {MOST_RULES}")]
    TooManyRules(usize),
    /// It is no GBNF.
    #[error("the grammar is wrong in line {line}: {what}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What was expected or found.
        what: String,
    },
    /// A rule is used but not there.
    #[error("the grammar has no rule `{0}`")]
    NoSuchRule(String),
    /// A rule begins with itself.
    #[error("the grammar's rule `{0}` begins with itself (left recursion), which llama.cpp cannot follow")]
    LeftRecursion(String),
    /// Spelled out, the repetitions would be huge.
    #[error("the grammar's repetitions make more than {MOST_ELEMENTS} elements")]
    TooManyElements,
}

/// Checks a grammar whose start rule is `root`.
pub(super) fn check(text: &str) -> Result<(), GrammarError> {
    if text.len() > LARGEST_TEXT {
        return Err(GrammarError::TooLong(text.len()));
    }
    let rules = syntax::parse(text)?;
    if rules.len() > MOST_RULES {
        return Err(GrammarError::TooManyRules(rules.len()));
    }
    if rules.values().map(|rule| rule.elements).sum::<u64>() > MOST_ELEMENTS {
        return Err(GrammarError::TooManyElements);
    }
    if !rules.contains_key("root") {
        return Err(GrammarError::NoSuchRule("root".to_owned()));
    }
    edges::check(&rules)
}

/// Whether llama.cpp takes this many repetitions.
pub(super) fn may_repeat(least: u64, most: Option<u64>) -> Result<(), String> {
    if most.is_some_and(|most| most < least) {
        return Err(format!(
            "a repetition of at least {least} cannot be of fewer at most"
        ));
    }
    if least > LONGEST_REPETITION || most.is_some_and(|most| most > LONGEST_REPETITION) {
        return Err(format!(
            "a repetition of more than {LONGEST_REPETITION} is not supported"
        ));
    }
    Ok(())
}
