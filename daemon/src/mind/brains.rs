//! Brains made from what persona files say about them. Equal choices share one brain, and with it one connection pool
//! or one model in memory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::Brain;
use loquat_brain::{
    BrainSettingsError, Ladder, LocalBrain, LocalBrainSettings, OpenAiBrain, OpenAiSettings, Prices, Sandbox,
    Timeouts,
};
use serde_json::{Map, Value};

use crate::persona::{BrainChoice, LOCAL_BRAIN};
use crate::settings::{Folders, SecretError};

/// Where the device's own model is and how it is run.
#[derive(Debug, Clone)]
pub struct LocalModel {
    /// The worker's program.
    pub program: PathBuf,
    /// The model's file, or where it would be after fetching.
    pub file: PathBuf,
    /// What `loquat models fetch` calls it; absent when it does not know it.
    pub name: Option<String>,
    /// The folder of its socket.
    pub runtime: PathBuf,
    /// Its window in tokens.
    pub context_tokens: u32,
    /// How many conversations it keeps beside the one it is in.
    pub earlier_conversations: u16,
    /// The folder in which it keeps instructions that it has read, if it does.
    pub instructions: Option<PathBuf>,
    /// Its threads.
    pub threads: Option<u32>,
    /// How far it gives its rights up.
    pub sandbox: Sandbox,
    /// All that it finds in its environment.
    pub environment: Vec<(String, String)>,
    /// When it leaves the memory.
    pub idle_stop: Duration,
}

/// Makes brains and keeps them.
#[derive(Debug)]
pub struct Brains {
    folders: Folders,
    local_model: LocalModel,
    made: HashMap<String, Arc<dyn Brain>>,
    local: Vec<Arc<LocalBrain>>,
}

/// Why a brain cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BrainsError {
    /// The settings make no sense.
    #[error("failed to {0}")]
    Settings(#[from] BrainSettingsError),
    /// Its key is not there.
    #[error(transparent)]
    Key(#[from] SecretError),
}

impl LocalModel {
    /// The settings of its worker, with what a persona says about it.
    pub fn settings(&self, from: &Map<String, Value>) -> LocalBrainSettings {
        let mut settings = LocalBrainSettings::new(&self.program, &self.file, &self.runtime);
        settings.model_name.clone_from(&self.name);
        settings.small = from.get("small").and_then(Value::as_bool).unwrap_or(true);
        settings.context_tokens = Some(self.context_tokens);
        settings.earlier_conversations = Some(self.earlier_conversations);
        settings.instructions.clone_from(&self.instructions);
        settings.threads = self.threads;
        settings.sandbox = self.sandbox;
        settings.environment.clone_from(&self.environment);
        settings.idle_stop = self.idle_stop;
        settings.max_tokens = whole(from, "max_tokens").or(settings.max_tokens);
        settings.temperature = Some(number(from, "temperature").unwrap_or(0.0) as f32);
        settings.top_p = number(from, "top_p").map(|top_p| top_p as f32);
        settings.timeouts = timeouts(from, settings.timeouts);
        settings
    }
}

impl Brains {
    /// Has made none yet.
    pub fn new(folders: Folders, local_model: LocalModel) -> Self {
        Self {
            folders,
            local_model,
            made: HashMap::new(),
            local: Vec::new(),
        }
    }

    /// The workers that were made, to be watched and shut down.
    pub fn local(&self) -> &[Arc<LocalBrain>] {
        &self.local
    }

    /// One brain, or several to be asked in order; one that keeps failing is left alone for a while.
    pub fn ladder(&mut self, choices: &[BrainChoice]) -> Result<Arc<dyn Brain>, BrainsError> {
        let rungs = choices.iter().map(|choice| self.brain(choice));
        Ok(Arc::new(Ladder::new(rungs.collect::<Result<_, _>>()?)))
    }

    fn brain(&mut self, choice: &BrainChoice) -> Result<Arc<dyn Brain>, BrainsError> {
        let identity = format!(
            "{} {} {:?}",
            choice.id,
            Value::Object(choice.settings.clone()),
            choice.key
        );
        // A key that stands in the file does not show in the identity, so such brains are not shared.
        let may_share = !matches!(choice.key, Some(crate::settings::Secret::Inline(_)));
        if let Some(brain) = self.made.get(&identity).filter(|_| may_share) {
            return Ok(Arc::clone(brain));
        }
        let brain: Arc<dyn Brain> = if choice.id == LOCAL_BRAIN {
            let settings = self.local_model.settings(&choice.settings);
            // However many personas think with it, the model is in memory once.
            let local = Arc::new(match self.local.first() {
                Some(first) => first.sharing_worker(settings),
                None => LocalBrain::new(settings),
            });
            self.local.push(Arc::clone(&local));
            local
        } else {
            Arc::new(OpenAiBrain::new(self.open_ai_settings(choice)?)?)
        };
        self.made.insert(identity, Arc::clone(&brain));
        Ok(brain)
    }

    fn open_ai_settings(&self, choice: &BrainChoice) -> Result<OpenAiSettings, BrainsError> {
        let from = &choice.settings;
        let text = |key: &str| from.get(key).and_then(Value::as_str).unwrap_or_default();
        let switch = |key: &str, usual: bool| from.get(key).and_then(Value::as_bool).unwrap_or(usual);
        let mut settings = OpenAiSettings::new(text("api_url"), text("model"));
        settings.key = choice
            .key
            .as_ref()
            .map(|key| key.fetch(&self.folders))
            .transpose()?;
        settings.supports_tools = switch("supports_tools", true);
        settings.json_schema = switch("json_schema", false);
        settings.small = switch("small", false);
        settings.context_tokens = whole(from, "context_tokens");
        settings.stream = switch("stream", true);
        settings.stop = texts(from.get("stop_token"));
        settings.max_tokens = whole(from, "max_tokens");
        settings.temperature = number(from, "temperature").map(|temperature| temperature as f32);
        settings.top_p = number(from, "top_p").map(|top_p| top_p as f32);
        settings.prices = Prices {
            prompt: number(from, "prompt_price").unwrap_or_default(),
            completion: number(from, "completion_price").unwrap_or_default(),
        };
        settings.timeouts = timeouts(from, settings.timeouts);
        settings.max_retries = whole(from, "retries").unwrap_or(settings.max_retries);
        settings.extra = from
            .get("extra_params")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        for penalty in ["frequency_penalty", "presence_penalty"] {
            settings
                .extra
                .extend(from.get(penalty).map(|value| (penalty.to_owned(), value.clone())));
        }
        Ok(settings)
    }
}

fn timeouts(from: &Map<String, Value>, usual: Timeouts) -> Timeouts {
    let wait = |key: &str, usual| number(from, key).map_or(usual, Duration::from_secs_f64);
    Timeouts {
        connect: wait("connect_timeout_seconds", usual.connect),
        first_token: wait("first_token_timeout_seconds", usual.first_token),
        next_token: wait("next_token_timeout_seconds", usual.next_token),
        whole: wait("timeout_seconds", usual.whole),
    }
}

fn number(from: &Map<String, Value>, key: &str) -> Option<f64> {
    from.get(key).and_then(Value::as_f64)
}

fn whole(from: &Map<String, Value>, key: &str) -> Option<u32> {
    from.get(key)
        .and_then(Value::as_u64)
        .and_then(|value| u32::try_from(value).ok())
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.chain(value)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reply_of_the_local_model_has_a_bound_and_a_persona_may_set_another() {
        let model = LocalModel {
            program: "worker".into(),
            file: "model.gguf".into(),
            name: None,
            runtime: "run".into(),
            context_tokens: 8_192,
            earlier_conversations: 3,
            instructions: None,
            threads: None,
            sandbox: Sandbox::default(),
            environment: Vec::new(),
            idle_stop: Duration::ZERO,
        };
        let bound = |from: Value| model.settings(from.as_object().unwrap()).max_tokens;
        assert_eq!(bound(json!({})), Some(1_024));
        assert_eq!(bound(json!({"max_tokens": 4_000})), Some(4_000));
    }
}
