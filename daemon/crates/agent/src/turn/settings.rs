//! What the persona file says about the engine. A value that makes no sense counts as absent: the persona's reader has
//! complained about it already.

use serde_json::{Map, Value};

use super::Turn;
use loquat_conversation::setting::{Form, Setting, whole};

impl Turn {
    /// Reads a number, brought into its range.
    pub(crate) fn count(&self, setting: &Setting) -> u32 {
        setting.count_in(&self.resources.settings)
    }

    /// Reads a word in lower case, if there is one.
    pub(crate) fn word(&self, key: &str) -> Option<String> {
        self.setting(key)
            .and_then(Value::as_str)
            .map(|word| word.trim().to_lowercase())
    }

    pub(crate) fn setting(&self, key: &str) -> Option<&Value> {
        self.resources.settings.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn settings(&self) -> &Map<String, Value> {
        &self.resources.settings
    }

    /// Tells how many steps a loop within the turn may take: this setting, or what the budget allows, at most so
    /// many.
    pub(crate) fn loop_steps(&self, setting: &Setting) -> u32 {
        let most = match setting.form {
            Form::Steps(most) => self.resources.loop_steps.min(most),
            _ => self.resources.loop_steps,
        };
        self.setting(setting.key).and_then(whole).unwrap_or(most).max(1)
    }
}
