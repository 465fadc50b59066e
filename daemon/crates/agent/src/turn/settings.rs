//! What the persona file says about the engine. A value that makes no sense counts as absent: the persona's reader has
//! complained about it already.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::Turn;
use crate::budget::whole;

impl Turn {
    /// A number, brought into its range.
    pub(crate) fn count(&self, key: &str, default: u32, range: RangeInclusive<u32>) -> u32 {
        let number = self.setting(key).and_then(whole).unwrap_or(default);
        number.clamp(*range.start(), *range.end())
    }

    /// A word in lower case, or nothing.
    pub(crate) fn word(&self, key: &str) -> Option<String> {
        self.setting(key)
            .and_then(Value::as_str)
            .map(|word| word.trim().to_lowercase())
    }

    /// The value itself.
    pub(crate) fn setting(&self, key: &str) -> Option<&Value> {
        self.settings.get(key).filter(|value| !value.is_null())
    }

    /// All of them.
    pub(crate) fn settings(&self) -> &Map<String, Value> {
        &self.settings
    }

    /// How many steps a loop within the turn may take: this setting, or what the budget allows, at most so many.
    pub(crate) fn loop_steps(&self, key: &str, most: u32) -> u32 {
        self.count(key, self.loop_steps.min(most), 1..=u32::MAX)
    }
}
