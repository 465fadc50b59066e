//! The one whisper of this process, loaded when something is first to be heard: by the microphone, or by a program that
//! sends a recording. Never decides who may be heard.

use std::path::Path;

use loquat_speech::{Recognizer, SpeechSettings};
use tokio::sync::OnceCell;

/// Whisper, loaded or not.
#[derive(Debug)]
pub struct Whisper {
    settings: SpeechSettings,
    loaded: OnceCell<Recognizer>,
}

impl Whisper {
    /// Not loaded yet.
    pub fn new(settings: SpeechSettings) -> Self {
        let loaded = OnceCell::new();
        Self { settings, loaded }
    }

    /// Its model file.
    pub fn model(&self) -> &Path {
        &self.settings.whisper_model
    }

    /// The loaded one. Loading blocks for a moment, so it happens beside the runtime.
    pub async fn recognizer(&self) -> Result<Recognizer, String> {
        let load = async || {
            let settings = self.settings.clone();
            let loaded = tokio::task::spawn_blocking(move || Recognizer::start(&settings)).await;
            match loaded {
                Ok(Ok(recognizer)) => Ok(recognizer),
                Ok(Err(error)) => Err(error.to_string()),
                Err(error) => Err(error.to_string()),
            }
        };
        self.loaded.get_or_try_init(load).await.cloned()
    }
}
