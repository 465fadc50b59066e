//! The one whisper of this process, loaded when something is first to be heard: by the microphone, or by a program that
//! sends a recording. Never decides who may be heard.

use std::path::Path;
use std::sync::Arc;

use loquat_speech::{KnownSpeech, Recognizer, SpeechSettings};
use tokio::sync::OnceCell;

/// The whisper of this process, loaded or not.
#[derive(Debug)]
pub struct Whisper {
    settings: SpeechSettings,
    loaded: OnceCell<Recognizer>,
    /// Knows what people say to this device.
    known: Option<Arc<dyn KnownSpeech>>,
}

impl Whisper {
    /// Takes the settings of whisper and loads nothing yet.
    pub fn new(settings: SpeechSettings) -> Self {
        let loaded = OnceCell::new();
        Self {
            settings,
            loaded,
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

    /// The path of the model file.
    pub fn model(&self) -> &Path {
        &self.settings.whisper_model
    }

    /// Lets go of the model, if it was loaded.
    pub async fn shutdown(&self) {
        if let Some(recognizer) = self.loaded.get() {
            recognizer.shutdown().await;
        }
    }

    /// Gives whisper, and loads it first where that has not happened. Loading blocks for a moment, so it happens
    /// beside the runtime.
    pub async fn recognizer(&self) -> Result<Recognizer, String> {
        let load = async || {
            let settings = self.settings.clone();
            let loaded = tokio::task::spawn_blocking(move || Recognizer::start(&settings)).await;
            match loaded {
                Ok(Ok(recognizer)) => {
                    if let Some(known) = &self.known {
                        recognizer.expect(Arc::clone(known));
                    }
                    Ok(recognizer)
                }
                Ok(Err(error)) => Err(error.to_string()),
                Err(error) => Err(error.to_string()),
            }
        };
        self.loaded.get_or_try_init(load).await.cloned()
    }
}
