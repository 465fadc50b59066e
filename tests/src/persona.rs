//! Persona files in OVOS's own JSON, for tests.

use serde_json::{Value, json};

/// The brain plugin that all test personas use.
const BRAIN: &str = "ovos-chat-openai-plugin";

/// A persona with one engine and a scripted brain.
#[derive(Debug, Clone)]
pub struct Persona {
    name: String,
    engine: String,
    file: Value,
}

impl Persona {
    /// Makes a persona of any engine whose brain is at `api_url`.
    pub fn new(name: &str, engine: &str, api_url: &str) -> Self {
        let brain = json!({"api_url": api_url, "key": "sk-scripted", "model": "scripted"});
        let file = json!({"name": name, "handlers": [engine], engine: {"brain": BRAIN, "toolboxes": [], BRAIN: brain}});
        Self {
            name: name.into(),
            engine: engine.into(),
            file,
        }
    }

    /// Makes a persona of the text protocol.
    pub fn react(name: &str, api_url: &str) -> Self {
        Self::new(name, "ovos-react-loop", api_url).brain("supports_tools", json!(false))
    }

    /// Makes a persona with native tool calls.
    pub fn native(name: &str, api_url: &str) -> Self {
        Self::new(name, "ovos-native-toolcall-loop", api_url)
    }

    /// Gives it these toolboxes.
    #[must_use]
    pub fn toolboxes(self, ids: &[&str]) -> Self {
        self.setting("toolboxes", json!(ids))
    }

    /// Adds a toolbox of another program, whose tools may run without asking the person.
    #[must_use]
    pub fn trusting(mut self, id: &str) -> Self {
        let settings = &mut self.file[&self.engine];
        if let Some(ids) = settings["toolboxes"].as_array_mut() {
            ids.push(json!(id));
        }
        self.setting(id, json!({"trust": "safe"}))
    }

    /// These tools of a toolbox that it trusts run unasked even where the turn has read what strangers wrote.
    #[must_use]
    pub fn unasked_when_tainted(mut self, id: &str, tools: &[&str]) -> Self {
        self.file[&self.engine][id]["unasked_when_tainted"] = json!(tools);
        self
    }

    /// Tells whether it says anything about a toolbox.
    pub fn knows(&self, id: &str) -> bool {
        self.file[&self.engine][id].is_object()
    }

    /// Sets something of its engine.
    #[must_use]
    pub fn setting(mut self, key: &str, value: Value) -> Self {
        self.file[&self.engine][key] = value;
        self
    }

    /// Sets something of its brain.
    #[must_use]
    pub fn brain(mut self, key: &str, value: Value) -> Self {
        self.file[&self.engine][BRAIN][key] = value;
        self
    }

    /// Sets a key of the file itself, for example `system_prompt` or `examples`.
    #[must_use]
    pub fn key(mut self, key: &str, value: Value) -> Self {
        self.file[key] = value;
        self
    }

    /// Gives its name, which is also its id.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the file.
    pub fn json(&self) -> &Value {
        &self.file
    }
}
