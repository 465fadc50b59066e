//! What a call brings, or means. Nothing here says it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::brain::Usage;

/// The meaning of a call: the result of the tool that resolves it ([`Tool::resolved_by`](super::Tool::resolved_by)), which is called with
/// `tool` and `arguments`. What is run then is this and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The arguments with which the tool is called.
    pub arguments: Map<String, Value>,
    /// Says whether the person has to say yes first.
    pub asks: bool,
    /// The arguments of which the person is told when they are asked.
    pub told: Map<String, Value>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// It satisfies the tool's output schema.
    pub result: Map<String, Value>,
    /// The result is the answer: say this and end the turn.
    pub answer: Option<String>,
    /// A sentence in the person's language that tells the whole result; absent where the tool has no words for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoken: Option<String>,
    /// They are handed to the next tool only, and never shown to a brain.
    pub extras: Map<String, Value>,
    /// The arguments of the tool that takes this call back, where the call and its result do not say them. They are
    /// never shown to a brain.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub undo: Map<String, Value>,
    /// The tokens that brains were asked for it. They count against the turn's limits.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
    /// Says whether it holds words of strangers, where the tool itself is none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_foreign: bool,
    /// Names that others have given to things which are told in it. The turn judges whether they are names and
    /// nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The things that the call may have meant, where the person is asked which one it is. Nothing was done then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Instructions that the brain is to follow. What it answers then is the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Instructions>,
}

impl Outcome {
    /// Gives what there is to say of it: the tool's own words, or the one value that its result is.
    pub fn words(&self) -> Option<String> {
        let told = self.answer.clone().or_else(|| self.spoken.clone());
        told.or_else(|| words(&self.result))
    }
}

/// A result says something under these names, the best first.
const WORDS: &[&str] = &["answer", "text", "result", "value"];

/// The words of a result that one value makes up, for want of a better answer.
pub fn words(result: &Map<String, Value>) -> Option<String> {
    let usable = |value: &&Value| matches!(value, Value::String(_) | Value::Number(_));
    let rank = |key: &str| WORDS.iter().position(|name| *name == key);
    let named = result.iter().filter(|(_, value)| usable(value));
    let named = named.filter_map(|(key, value)| Some((rank(key)?, value)));
    let best = named.min_by_key(|(rank, _)| *rank).map(|(_, value)| value);
    let mut scalars = result.values().filter(usable);
    let only = scalars.next().filter(|_| scalars.next().is_none());
    best.or(only).map(|value| match value {
        Value::String(text) => text.clone(),
        // A voice says "five", not "five point zero".
        other => other.to_string().trim_end_matches(".0").to_owned(),
    })
}

/// Instructions that a tool brings. A turn has its brain follow them in a turn within, with the tools of the turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// The task, on the first line, and how it is done.
    pub text: String,
    /// The member of the result that the answer becomes. Where no turn follows them, the tool has put them there itself.
    pub member: String,
    /// The names of the tools, or the ids of the toolboxes, that may be used meanwhile; of those that the turn has, all
    /// where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<String>>,
}

impl From<Map<String, Value>> for Outcome {
    fn from(result: Map<String, Value>) -> Self {
        Self {
            result,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn members(value: impl std::borrow::Borrow<Value>) -> Map<String, Value> {
        value.borrow().as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn one_value_makes_words() {
        assert_eq!(
            words(&members(
                json!({"result": 416.5, "expression": "x", "error": null})
            )),
            Some("416.5".into())
        );
        assert_eq!(words(&members(json!({"sum": 5}))), Some("5".into()));
        assert_eq!(words(&members(json!({"a": 1, "b": 2}))), None);
    }
}
