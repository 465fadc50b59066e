//! The one whisper of this process, loaded when something is to be heard: by the microphone, or by a program that sends a
//! recording. It can be let go of again. Never decides who may be heard.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loquat_speech::{KnownSpeech, Recognizer, SpeechSettings};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// The whisper of this process, loaded or not.
#[derive(Debug)]
pub struct Whisper {
    settings: SpeechSettings,
    loaded: Mutex<Option<Loaded>>,
    /// Knows what people say to this device.
    known: Option<Arc<dyn KnownSpeech>>,
}

/// The model in memory.
#[derive(Debug)]
struct Loaded {
    recognizer: Recognizer,
    /// When it was last asked for.
    used: Instant,
}

impl Whisper {
    /// Takes the settings of whisper and loads nothing yet.
    pub fn new(settings: SpeechSettings) -> Self {
        Self {
            settings,
            loaded: Mutex::default(),
            known: None,
        }
    }

    /// Expects what is known of what people say to this device.
    #[must_use]
    pub fn expecting(mut self, known: Arc<dyn KnownSpeech>) -> Self {
        self.known = Some(known);
        self
    }

    /// Knows what people say to this device; absent where nothing was given.
    pub fn known(&self) -> Option<Arc<dyn KnownSpeech>> {
        self.known.clone()
    }

    /// Gives the path of the model file.
    pub fn model(&self) -> &Path {
        &self.settings.whisper_model
    }

    /// Ends whisper, if it was loaded.
    pub async fn shutdown(&self) {
        if let Some(loaded) = self.loaded.lock().await.take() {
            loaded.recognizer.shutdown().await;
        }
    }

    /// Lets go of the model whenever no caller has asked for it for so long. Runs until it is dropped.
    pub async fn let_go_when_idle(&self, idle: Duration) {
        loop {
            sleep(idle).await;
            let mut loaded = self.loaded.lock().await;
            if loaded.take_if(|loaded| loaded.used.elapsed() >= idle).is_some() {
                tracing::info!("whisper is let go of, since there is nothing to hear");
            }
        }
    }

    /// Looks at the file of the model, and loads nothing. The error says why it could not be loaded.
    pub async fn verify(&self) -> Result<(), String> {
        let model = self.settings.whisper_model.clone();
        let looked = tokio::task::spawn_blocking(move || loquat_speech::verify_model(&model)).await;
        looked
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }

    /// Gives whisper, and loads it first where that has not happened. Loading blocks for a moment, so it happens
    /// beside the runtime.
    pub async fn recognizer(&self) -> Result<Recognizer, String> {
        let mut loaded = self.loaded.lock().await;
        let recognizer = match loaded.take() {
            Some(loaded) => loaded.recognizer,
            None => self.load().await?,
        };
        *loaded = Some(Loaded {
            recognizer: recognizer.clone(),
            used: Instant::now(),
        });
        Ok(recognizer)
    }

    async fn load(&self) -> Result<Recognizer, String> {
        let settings = self.settings.clone();
        let loaded = tokio::task::spawn_blocking(move || Recognizer::start(&settings)).await;
        let recognizer = loaded
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())?;
        if let Some(known) = &self.known {
            recognizer.expect(Arc::clone(known));
        }
        Ok(recognizer)
    }
}
