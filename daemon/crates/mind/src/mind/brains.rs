//! Brains made from what persona files say about them. Equal choices share one brain, and with it one connection pool
//! or one model in memory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use loquat_agent::brain::Brain;
use loquat_brain::{
    Ahead, BrainSettingsError, Ladder, LocalBrain, LocalBrainSettings, OpenAiBrain, OpenAiSettings, Prices,
    Refusal, Sandbox, Timeouts,
};
use loquat_persona::{BrainChoice, BrainSettings, LOCAL_BRAIN};
use loquat_settings::{Folders, SecretError};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

/// Models whose files are as long as this choose a tool as well when they write no thought before: of the usual ones, as
/// measured, the one of one and a half billion parameters (1.1 GB), and not the one of half a billion (0.5 GB).
const BYTES_WITHOUT_THOUGHT: u64 = 1_000_000_000;

/// Where the device's own model is and how it is run.
#[derive(Debug, Clone)]
pub struct LocalModel {
    /// This program is the worker.
    pub program: PathBuf,
    /// The model's file, or where it would be after fetching.
    pub file: PathBuf,
    /// What `loquat models fetch` calls it; absent when it does not know it.
    pub name: Option<String>,
    /// Its length, by which a large model is known.
    pub bytes: u64,
    /// Its socket is in this folder.
    pub runtime: PathBuf,
    /// Its window has so many tokens.
    pub context_tokens: u32,
    /// How many conversations it keeps beside the one it is in.
    pub earlier_conversations: u16,
    /// Which tokens it reads before it is their turn.
    pub ahead: Ahead,
    /// The folder in which it keeps instructions that it has read, if it does.
    pub instructions: Option<PathBuf>,
    /// It computes with so many threads.
    pub threads: Option<u32>,
    /// How far it gives its rights up.
    pub sandbox: Sandbox,
    /// All that it finds in its environment.
    pub environment: Vec<(String, String)>,
    /// It leaves the memory after so long without work.
    pub idle_stop: Duration,
}

/// Makes brains and keeps them.
#[derive(Debug)]
pub struct Brains {
    folders: Folders,
    local_model: LocalModel,
    made: HashMap<String, Arc<dyn Brain>>,
    local: Vec<Arc<LocalBrain>>,
    /// Those of models that are used no more. Each lives as long as a turn or a conversation holds it.
    retired: Vec<Weak<LocalBrain>>,
    /// How often the model was exchanged.
    exchanges: u32,
    /// Who hears of what servers refuse.
    refusals: Option<mpsc::Sender<Refusal>>,
}

/// Why a brain cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BrainsError {
    /// The settings make no sense.
    #[error("failed to {0}")]
    Settings(#[from] BrainSettingsError),
    /// They are not of the right types.
    #[error("failed to read the settings of a brain")]
    Written(#[source] serde_json::Error),
    /// Its key is not there.
    #[error(transparent)]
    Key(#[from] SecretError),
}

impl LocalModel {
    /// The settings of its worker where no persona says anything about it.
    pub fn settings(&self) -> LocalBrainSettings {
        self.settings_with(&BrainSettings::default())
    }

    fn settings_with(&self, written: &BrainSettings) -> LocalBrainSettings {
        let mut settings = LocalBrainSettings::new(&self.program, &self.file, &self.runtime);
        settings.model_name.clone_from(&self.name);
        settings.small = written.small.unwrap_or(true);
        settings.acts_at_once = !written.thought.unwrap_or(self.bytes < BYTES_WITHOUT_THOUGHT);
        settings.context_tokens = Some(self.context_tokens);
        settings.earlier_conversations = Some(self.earlier_conversations);
        settings.ahead = self.ahead;
        settings.instructions.clone_from(&self.instructions);
        settings.threads = self.threads;
        settings.sandbox = self.sandbox;
        settings.environment.clone_from(&self.environment);
        settings.idle_stop = self.idle_stop;
        settings.max_tokens = written.max_tokens.or(settings.max_tokens);
        settings.temperature = Some(written.temperature.unwrap_or(0.0));
        settings.top_p = written.top_p;
        settings.timeouts = timeouts(written, settings.timeouts);
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
            retired: Vec::new(),
            exchanges: 0,
            refusals: None,
        }
    }

    /// Has this hear of what servers refuse.
    #[must_use]
    pub fn telling(self, refusals: mpsc::Sender<Refusal>) -> Self {
        Self {
            refusals: Some(refusals),
            ..self
        }
    }

    /// The workers that were made, to be watched and shut down.
    pub fn local(&self) -> Vec<Arc<LocalBrain>> {
        let retired = self.retired.iter().filter_map(Weak::upgrade);
        self.local.iter().cloned().chain(retired).collect()
    }

    /// Has brains that are made from now on think with this model. Those that turns hold keep theirs.
    pub fn exchange(&mut self, model: LocalModel) {
        if model.file == self.local_model.file {
            return;
        }
        self.exchanges += 1;
        // A worker removes what is in the folder of its socket.
        let runtime = model.runtime.with_extension(self.exchanges.to_string());
        self.local_model = LocalModel { runtime, ..model };
        let of_model = format!("{LOCAL_BRAIN} ");
        self.made.retain(|identity, _| !identity.starts_with(&of_model));
        self.retired.retain(|brain| brain.strong_count() > 0);
        self.retired
            .extend(self.local.drain(..).map(|brain| Arc::downgrade(&brain)));
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
        let may_share = !matches!(choice.key, Some(loquat_settings::Secret::Inline(_)));
        if let Some(brain) = self.made.get(&identity).filter(|_| may_share) {
            return Ok(Arc::clone(brain));
        }
        let brain: Arc<dyn Brain> = if choice.id == LOCAL_BRAIN {
            let written = written(&choice.settings)?;
            let settings = self.local_model.settings_with(&written);
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
        let written = written(&choice.settings)?;
        let key = choice.key.as_ref().map(|key| key.fetch(&self.folders));
        let usual = OpenAiSettings::new(&written.api_url, &written.model);
        let mut extra = written.extra_params.clone();
        let penalties = [
            ("frequency_penalty", &written.frequency_penalty),
            ("presence_penalty", &written.presence_penalty),
        ];
        for (name, penalty) in penalties {
            extra.extend(penalty.clone().map(|penalty| (name.to_owned(), penalty)));
        }
        Ok(OpenAiSettings {
            key: key.transpose()?,
            supports_tools: written.supports_tools.unwrap_or(true),
            json_schema: written.json_schema.unwrap_or(false),
            small: written.small.unwrap_or(false),
            acts_at_once: !written.thought.unwrap_or(true),
            context_tokens: written.context_tokens,
            stream: written.stream.unwrap_or(true),
            max_tokens: written.max_tokens,
            temperature: written.temperature,
            top_p: written.top_p,
            prices: Prices {
                prompt: written.prompt_price,
                completion: written.completion_price,
            },
            timeouts: timeouts(&written, usual.timeouts),
            max_retries: written.retries.unwrap_or(usual.max_retries),
            stop: written.stop_token.clone().into(),
            refusals: self.refusals.clone(),
            extra,
            ..usual
        })
    }
}

/// Reads what the persona's reader has checked.
fn written(settings: &Map<String, Value>) -> Result<BrainSettings, BrainsError> {
    BrainSettings::deserialize(Value::Object(settings.clone())).map_err(BrainsError::Written)
}

/// The waits that are written, else the usual ones.
fn timeouts(written: &BrainSettings, usual: Timeouts) -> Timeouts {
    let wait = |seconds: Option<f64>, usual| seconds.map_or(usual, Duration::from_secs_f64);
    Timeouts {
        connect: wait(written.connect_timeout_seconds, usual.connect),
        first_token: wait(written.first_token_timeout_seconds, usual.first_token),
        next_token: wait(written.next_token_timeout_seconds, usual.next_token),
        whole: wait(written.timeout_seconds, usual.whole),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn local(bytes: u64) -> LocalModel {
        LocalModel {
            program: "worker".into(),
            file: "model.gguf".into(),
            name: None,
            bytes,
            runtime: "run".into(),
            context_tokens: 8_192,
            earlier_conversations: 3,
            ahead: Ahead::default(),
            instructions: None,
            threads: None,
            sandbox: Sandbox::default(),
            environment: Vec::new(),
            idle_stop: Duration::ZERO,
        }
    }

    fn settings(bytes: u64, from: &Value) -> LocalBrainSettings {
        let written = written(from.as_object().unwrap()).unwrap();
        local(bytes).settings_with(&written)
    }

    #[test]
    fn a_reply_of_the_local_model_has_a_bound_and_a_persona_may_set_another() {
        let bound = |from| settings(500_000_000, &from).max_tokens;
        assert_eq!(bound(json!({})), Some(1_024));
        assert_eq!(bound(json!({"max_tokens": 4_000})), Some(4_000));
    }

    #[test]
    fn a_large_model_acts_at_once_and_a_persona_may_want_it_otherwise() {
        let acts_at_once = |bytes, from| settings(bytes, &from).acts_at_once;
        assert!(!acts_at_once(491_400_032, json!({})));
        assert!(acts_at_once(1_117_320_736, json!({})));
        assert!(acts_at_once(491_400_032, json!({"thought": false})));
        assert!(!acts_at_once(1_117_320_736, json!({"thought": true})));
    }
}
