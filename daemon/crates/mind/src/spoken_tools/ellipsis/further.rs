//! More or less of a step that was made last: "a bit more", "too much". Louder and brighter are steps, and so is a slower voice.
//!
//! What was set to a number is no step, and behind it nothing is understood. Nothing here runs a tool.

use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_sentences::words::words_and_figures;
use serde_json::Value;

use super::{LastSaid, MOST_WORDS, SpokenTools, Wanted};

/// The arguments that say how far a step goes and where to.
const STEPS: [&str; 4] = ["by", "level_change", "temperature_change", "speed"];

/// Steps in words, and those the other way.
const WAYS: [(&str, &str); 4] = [
    ("up", "down"),
    ("down", "up"),
    ("slower", "faster"),
    ("faster", "slower"),
];

impl SpokenTools {
    /// The call that makes the last step once more, or one the other way.
    pub(super) fn further(text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let Phrases {
            following, orders, ..
        } = Phrases::known(lang)?;
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let is_more = following.turn(orders.core_of(&said))?;
        let call = stepped(&last.call, is_more)?;
        let own = last.own.clone().filter(|_| is_more);
        Some(Wanted::recalled(own, call))
    }
}

/// The call with its step, or with the one the other way; nothing where it makes none.
fn stepped(call: &IntendedCall, is_more: bool) -> Option<IntendedCall> {
    let mut call = call.clone();
    let mut steps = STEPS.iter().filter(|step| call.arguments.contains_key(**step));
    let step = *steps.next()?;
    let value = call.arguments.get_mut(step)?;
    let back = other_way(value)?;
    if !is_more {
        *value = back;
    }
    Some(call)
}

/// The step the other way; nothing where it goes no way.
fn other_way(step: &Value) -> Option<Value> {
    if let Some(by) = step.as_f64() {
        return Some(Value::from(-by));
    }
    let said = step.as_str()?;
    let (_, back) = WAYS.iter().find(|(way, _)| *way == said)?;
    Some(Value::from(*back))
}
