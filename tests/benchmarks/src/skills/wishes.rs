//! Wishes for development: what the skills can do, asked of the persona that the program brings along in words that no sentence
//! of a skill has, and talk that wants no tool. Rules are made while looking at them, so no published figure comes from them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::RegexBuilder;
use serde::Deserialize;
use serde_json::Value;

use super::hundred::{Answered, Hundred, Made, Outcome};

/// A tool, and for each argument that matters what it holds; nothing means that it has to be absent.
#[derive(Debug, Clone, Deserialize)]
struct Right(String, BTreeMap<String, String>);

/// What is said, and the calls of which each is right.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// The words.
    pub say: String,
    /// Their language.
    #[serde(default = "english")]
    pub lang: String,
    #[serde(default)]
    calls: Vec<Right>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    request: Vec<Wish>,
}

fn english() -> String {
    "en-US".to_owned()
}

impl Wish {
    /// Reads all of them.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn all() -> Result<Vec<Self>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("development/paraphrases.toml");
        let read = || anyhow::Ok(toml::from_str::<File>(&fs::read_to_string(&path)?)?);
        let file = read().with_context(|| format!("failed to read {}", path.display()))?;
        Ok(file.request)
    }

    /// Judges what came of it. The hundred requests know which tools change nothing.
    ///
    /// # Errors
    /// Where an expression of the file cannot be read.
    pub fn judge(&self, hundred: &Hundred, answered: &Answered) -> Result<Outcome> {
        let called = &answered.called;
        let is_wanted = |made: &Made| self.calls.iter().any(|right| right.0 == made.tool);
        if called
            .iter()
            .any(|made| !is_wanted(made) && !hundred.reads(&made.tool))
        {
            return Ok(Outcome::WrongDeed);
        }
        if self.calls.is_empty() {
            let is_talk = called.is_empty() && !answered.answer.is_empty();
            return Ok(if is_talk { Outcome::Right } else { Outcome::Missed });
        }
        for made in called {
            for right in &self.calls {
                if right.is(made)? {
                    return Ok(Outcome::Right);
                }
            }
        }
        let is_changed = called
            .iter()
            .any(|made| is_wanted(made) && !hundred.reads(&made.tool));
        Ok(if is_changed {
            Outcome::WrongDeed
        } else {
            Outcome::Missed
        })
    }
}

impl Right {
    fn is(&self, made: &Made) -> Result<bool> {
        if self.0 != made.tool {
            return Ok(false);
        }
        for (name, holds) in &self.1 {
            let said = match made.arguments.get(name) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            let holds = if holds.is_empty() { "^$" } else { holds };
            let holds = RegexBuilder::new(holds).case_insensitive(true).build()?;
            if !holds.is_match(&said) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn outcome(wish: &Wish, tool: &str, arguments: &Value) -> Outcome {
        let made = Made {
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
        };
        let answered = Answered {
            called: Vec::from_iter((!tool.is_empty()).then_some(made)),
            told: String::new(),
            asked: Vec::new(),
            answer: "Yes.".to_owned(),
            took: Duration::ZERO,
        };
        wish.judge(&Hundred::load().unwrap(), &answered).unwrap()
    }

    #[test]
    fn a_wish_is_judged_by_its_tool_and_arguments() {
        let wishes = Wish::all().unwrap();
        let of = |tool: &str| {
            let is = |wish: &&Wish| wish.calls.first().is_some_and(|right| right.0 == tool);
            wishes.iter().find(is).unwrap()
        };
        let spaghetti = of("set_timer");
        assert_eq!(
            outcome(
                spaghetti,
                "set_timer",
                &json!({"duration": "9 minutes", "name": "Spaghetti"})
            ),
            Outcome::Right
        );
        assert_eq!(
            outcome(spaghetti, "set_timer", &json!({"duration": "8 minutes"})),
            Outcome::WrongDeed
        );
        assert_eq!(outcome(spaghetti, "list_alerts", &json!({})), Outcome::Missed);
        assert_eq!(outcome(spaghetti, "set_alarm", &json!({})), Outcome::WrongDeed);
        let talk = wishes.iter().find(|wish| wish.calls.is_empty()).unwrap();
        assert_eq!(outcome(talk, "", &json!({})), Outcome::Right);
        assert_eq!(outcome(talk, "get_weather", &json!({})), Outcome::Missed);
    }
}
