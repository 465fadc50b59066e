//! A hundred requests about all skills, made to the persona that the program brings along, as a person has it: sentences first,
//! then the model. They are for publishing alone, so no rule is made while looking at them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What is asked, the tools of which one has to be called, and a text that a right answer holds.
#[derive(Debug, Clone, Deserialize)]
pub struct Request(pub String, pub BTreeSet<String>, pub String);

/// All of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hundred {
    /// The tools that change nothing.
    reads: BTreeSet<String>,
    /// In the order in which they are asked, since some are about what earlier ones have set.
    pub requests: Vec<Request>,
}

/// A call that succeeded.
#[derive(Debug, Clone)]
pub struct Made {
    /// The tool.
    pub tool: String,
    /// Its arguments by their names.
    pub arguments: Map<String, Value>,
}

/// A request as it was answered.
#[derive(Debug, Clone)]
pub struct Answered {
    /// What was called, in its order.
    pub called: Vec<Made>,
    /// What was asked, called and said, for a reader.
    pub told: String,
    /// What was asked first. Yes is said to all of it, also where a person would say no.
    pub asked: Vec<String>,
    /// What was said.
    pub answer: String,
    /// From the request to the answer.
    pub took: Duration,
}

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A right tool, or none where none was wanted, and a right answer.
    Right,
    /// Nothing was done that was not wanted, and the answer is not right either.
    Missed,
    /// Something was changed that was not asked for.
    WrongDeed,
}

impl Hundred {
    /// Reads the published hundred.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn load() -> Result<Self> {
        Self::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("requests/hundred.toml"))
    }

    /// Reads a file of requests.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("failed to read {}", path.display()))
    }

    /// Whether this tool changes nothing.
    pub fn reads(&self, tool: &str) -> bool {
        self.reads.contains(tool)
    }

    /// Judges an answer.
    pub fn judge(&self, Request(_, tools, holds): &Request, answered: &Answered) -> Outcome {
        let is_unasked = |made: &Made| !tools.contains(&made.tool) && !self.reads(&made.tool);
        if answered.called.iter().any(is_unasked) {
            return Outcome::WrongDeed;
        }
        let is_called = tools.is_empty() || answered.called.iter().any(|made| tools.contains(&made.tool));
        let is_told = answered.answer.to_lowercase().contains(&holds.to_lowercase());
        if is_called && is_told && !answered.answer.is_empty() {
            Outcome::Right
        } else {
            Outcome::Missed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_that_was_not_asked_for_is_wrong_whatever_is_said() {
        let hundred = Hundred::load().unwrap();
        assert_eq!(hundred.requests.len(), 100);
        let made = |tool: &str| Made {
            tool: tool.to_owned(),
            arguments: Map::new(),
        };
        let answered = |called: &[&str], answer: &str| Answered {
            called: called.iter().map(|tool| made(tool)).collect(),
            told: String::new(),
            asked: Vec::new(),
            answer: answer.to_owned(),
            took: Duration::ZERO,
        };
        let request = Request(
            "What is 2 and 2?".into(),
            ["evaluate_expression".into()].into(),
            "4".into(),
        );
        for (called, answer, outcome) in [
            (&["evaluate_expression"][..], "That is 4.", Outcome::Right),
            (&["evaluate_expression"], "That is 5.", Outcome::Missed),
            (&[], "That is 4.", Outcome::Missed),
            (
                &["evaluate_expression", "set_timer"],
                "That is 4.",
                Outcome::WrongDeed,
            ),
        ] {
            assert_eq!(
                hundred.judge(&request, &answered(called, answer)),
                outcome,
                "{called:?}"
            );
        }
    }
}
