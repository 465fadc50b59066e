//! What the persona file says about the engine. A value that makes no sense counts as absent: the persona's reader has
//! complained about it already.

use std::sync::Arc;

use serde_json::{Map, Value};

use loquat_conversation::budget::Limit;
use loquat_conversation::means::Means;
use loquat_conversation::setting::{Form, Setting, whole};

/// A prompt lists this many tools unless a persona says otherwise. More confuse any model and fill a small one's
/// window.
const TOOLS_IN_PROMPT: u64 = 20;

/// The engine's own settings.
#[derive(Debug, Clone)]
pub(crate) struct EngineSettings {
    values: Arc<Map<String, Value>>,
    /// A loop within the turn may take this many steps unless a setting says otherwise.
    loop_steps: u32,
}

impl EngineSettings {
    pub(super) fn of(means: &Means) -> Self {
        let loops = Limit::Steps("max_iterations");
        Self {
            values: Arc::new(means.settings.clone()),
            loop_steps: means.budget.with_limit(loops, &means.settings).max_iterations,
        }
    }

    /// Reads a number, brought into its range.
    pub(crate) fn count(&self, setting: &Setting) -> u32 {
        setting.count_in(&self.values)
    }

    /// Reads a word in lower case, if there is one.
    pub(crate) fn word(&self, key: &str) -> Option<String> {
        self.get(key)
            .and_then(Value::as_str)
            .map(|word| word.trim().to_lowercase())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Tells how many steps a loop within the turn may take: this setting, or what the budget allows, at most so
    /// many.
    pub(crate) fn loop_steps(&self, setting: &Setting) -> u32 {
        let most = match setting.form {
            Form::Steps(most) => self.loop_steps.min(most),
            _ => self.loop_steps,
        };
        self.get(setting.key).and_then(whole).unwrap_or(most).max(1)
    }

    /// Tells how many steps a loop may take for which there is no setting of its own.
    pub(super) fn usual_loop_steps(&self) -> u32 {
        self.loop_steps
    }

    /// Tells whether the persona may answer with silence.
    pub(super) fn may_be_silent(&self) -> bool {
        self.is_set_to("may_be_silent", true)
    }

    /// Tells whether the persona forbids that a call is the whole answer.
    pub(super) fn forbids_one_call(&self) -> bool {
        self.is_set_to("one_call", false)
    }

    /// Tells whether the persona has everything answered with tools at hand.
    pub(super) fn forbids_talk(&self) -> bool {
        self.is_set_to("talk", false)
    }

    /// Tells whether the persona believes its brain that a stranger's tool does what was said.
    pub(super) fn believes_calls(&self) -> bool {
        self.is_set_to("doubts_strangers", false)
    }

    fn is_set_to(&self, key: &str, value: bool) -> bool {
        self.get(key).and_then(Value::as_bool) == Some(value)
    }

    /// Reads how many tools a prompt lists.
    pub(super) fn tools_in_prompt(&self) -> usize {
        self.most_tools(TOOLS_IN_PROMPT)
    }

    /// Reads how many tools a prompt lists where so many are usual.
    pub(super) fn most_tools(&self, usual: u64) -> usize {
        let own = self.get("tools_in_prompt").and_then(Value::as_u64);
        own.unwrap_or(usual).try_into().unwrap_or(usize::MAX)
    }
}
