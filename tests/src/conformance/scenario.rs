//! One scripted conversation, as its file describes it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::brain::Reply;
use crate::persona::Persona;

/// The engine whose calls may overlap; scripted replies come in an order, so here they must not.
const OVERLAPPING: &str = "ovos-tree-of-thoughts-loop";

/// A scenario and the file it is in.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The file.
    pub path: PathBuf,
    whole: Value,
}

impl Scenario {
    /// Reads all scenarios of a folder, sorted by name.
    ///
    /// # Errors
    /// When the folder cannot be read, holds no scenario, or a file is not one.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>> {
        let entries = fs::read_dir(folder).with_context(|| {
            format!(
                "read the scenarios in {}; set SCENARIOS to the folder that holds them",
                folder.display()
            )
        })?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        ensure!(!paths.is_empty(), "there is no scenario in {}", folder.display());
        paths.into_iter().map(Self::read).collect()
    }

    fn read(path: PathBuf) -> Result<Self> {
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let whole = serde_json::from_str(&text).with_context(|| format!("understand {}", path.display()))?;
        Ok(Self { path, whole })
    }

    /// Gives all of it.
    pub fn whole(&self) -> &Value {
        &self.whole
    }

    /// Gives its id, which also names its persona and the path of its brain.
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// Gives `parity` or `improve`.
    pub fn verdict(&self) -> &str {
        self.text("verdict")
    }

    /// Gives the engine's id.
    pub fn engine(&self) -> &str {
        self.text("engine")
    }

    /// Gives the conversation's id.
    pub fn session_id(&self) -> &str {
        self.text("session_id")
    }

    /// Gives the language of the conversation.
    pub fn lang(&self) -> &str {
        self.text("lang")
    }

    /// Gives the units of the conversation.
    pub fn units(&self) -> &str {
        self.text("units")
    }

    /// Gives the definitions of its tools.
    pub fn tools(&self) -> &[Value] {
        self.list("tools")
    }

    /// Gives what the tool `lookup` knows.
    pub fn lookup_table(&self) -> Map<String, Value> {
        self.whole["lookup_table"]
            .as_object()
            .cloned()
            .unwrap_or_default()
    }

    /// Gives what the tool `fail` says when it is given no reason.
    pub fn fail_reason(&self) -> &str {
        self.whole["fail_default_reason"].as_str().unwrap_or("boom")
    }

    /// Lists what the brain replies, in order.
    pub fn replies(&self) -> Vec<Reply> {
        let replies = self.whole["brain"]["replies"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        replies.iter().map(Reply::from_scenario).collect()
    }

    /// Lists what the person says, turn by turn.
    pub fn utterances(&self) -> Vec<&str> {
        self.turns()
            .into_iter()
            .filter_map(|turn| turn.last()?["content"].as_str())
            .collect()
    }

    /// Makes the persona that answers it, with its tools in the toolbox `toolbox_id`.
    ///
    /// What the conversation holds before the person's words is the persona's: its instructions and its examples.
    pub fn persona(&self, api_url: &str, toolbox_id: Option<&str>) -> Persona {
        let mut persona = Persona::new(self.id(), self.engine(), api_url).brain(
            "supports_tools",
            json!(self.whole["brain"]["supports_tools"] != false),
        );
        if let Some(id) = toolbox_id {
            let names = self.tools().iter().filter_map(|tool| tool["name"].as_str());
            let names: Vec<&str> = names.collect();
            persona = persona.trusting(id).unasked_when_tainted(id, &names);
        }
        if self.engine() == OVERLAPPING {
            persona = persona.setting("concurrency", json!(1));
        }
        for (key, value) in self.whole["config"].as_object().into_iter().flatten() {
            persona = persona.setting(key, value.clone());
        }
        for (key, value) in self.whole["brain"]["config"].as_object().into_iter().flatten() {
            persona = persona.brain(key, value.clone());
        }
        let (instructions, examples) = self.earlier();
        if !instructions.is_empty() {
            persona = persona.key("system_prompt", json!(instructions.join("\n\n")));
        }
        if !examples.is_empty() {
            persona = persona.key("examples", json!(examples));
        }
        persona
    }

    fn earlier(&self) -> (Vec<&str>, Vec<&Value>) {
        let turns = self.turns();
        let Some((_, earlier)) = turns.first().and_then(|turn| turn.split_last()) else {
            return (Vec::new(), Vec::new());
        };
        let (instructions, examples): (Vec<_>, Vec<_>) =
            earlier.iter().partition(|message| message["role"] == "system");
        (
            instructions
                .into_iter()
                .filter_map(|message| message["content"].as_str())
                .collect(),
            examples,
        )
    }

    fn turns(&self) -> Vec<&[Value]> {
        let several = self.list("turns");
        if several.is_empty() {
            return vec![self.list("messages")];
        }
        several
            .iter()
            .filter_map(Value::as_array)
            .map(Vec::as_slice)
            .collect()
    }

    fn text(&self, key: &str) -> &str {
        self.whole[key].as_str().unwrap_or_default()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.whole[key].as_array().map(Vec::as_slice).unwrap_or_default()
    }
}
