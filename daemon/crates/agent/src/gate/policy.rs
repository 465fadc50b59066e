//! How strict the gate is: what a persona may change about it.

use serde_json::{Map, Value};

/// The keys of a persona file that every engine knows.
pub const SETTINGS: &[&str] = &[
    "allow_input_pruning",
    "ground_identifiers",
    "repair_with_llm",
    "max_parse_retries",
    "tools_in_prompt",
    "may_be_silent",
    "one_call",
    "talk",
    "doubts_strangers",
    "channels",
];

/// Says how strict the gate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Arguments that a tool does not know are dropped; otherwise they are a mistake.
    pub(crate) prune: bool,
    /// Identifiers must have been named before.
    pub(crate) ground: bool,
    /// The brain may mend what it got wrong this often in a row.
    pub(crate) repairs: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            prune: true,
            ground: true,
            repairs: 2,
        }
    }
}

/// More repairs than this are no repair any more.
const MOST_REPAIRS: f64 = 10.0;

impl Policy {
    /// Reads the policy of a persona file. What it does not say stays as it is.
    pub(crate) fn new(settings: &Map<String, Value>) -> Self {
        let usual = Self::default();
        let truth = |key: &str| match settings.get(key)? {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_bool(),
        };
        let number = settings.get("max_parse_retries").and_then(Value::as_f64);
        let repairs = number.map_or(usual.repairs, |number| number.clamp(0.0, MOST_REPAIRS) as u32);
        Self {
            prune: truth("allow_input_pruning").unwrap_or(usual.prune),
            ground: truth("ground_identifiers").unwrap_or(usual.ground),
            repairs: if truth("repair_with_llm") == Some(false) {
                0
            } else {
                repairs
            },
        }
    }
}
