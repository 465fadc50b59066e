//! What all connections share: who answers, who hears, and what is offered.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::conversations::Conversations;
use super::offer::Offer;
use crate::phrases::Phrases;
use crate::recordings::Hearing;
use crate::whisper::Whisper;

/// What is served.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) conversations: Conversations,
    /// Absent where recordings are not heard.
    pub(super) hearing: Option<Hearing>,
    whisper: Option<Arc<Whisper>>,
    offer: Offer,
    /// The longest recording, as the ear has it; the rest is cut off.
    pub(super) longest: Duration,
}

impl Service {
    pub(super) fn new(
        conversations: Conversations,
        whisper: Option<Arc<Whisper>>,
        offer: Offer,
        longest: Duration,
    ) -> Self {
        Self {
            conversations,
            hearing: whisper.clone().map(Hearing::new),
            whisper,
            offer,
            longest,
        }
    }

    /// What is offered now.
    pub(super) async fn info(&self) -> Value {
        let model = self.whisper.as_ref().map(|whisper| whisper.model());
        self.offer.told(model).await
    }

    /// The name of the model that hears, where its file is.
    pub(super) fn model(&self) -> Option<&str> {
        let model: &Path = self.whisper.as_ref()?.model();
        self.offer.whisper.as_deref().filter(|_| model.is_file())
    }

    /// The language of the device.
    pub(super) fn lang(&self) -> &str {
        &self.offer.lang
    }

    /// What is said where a sentence has no owner.
    pub(super) fn unknown(&self, language: Option<&str>) -> String {
        Phrases::of(language.unwrap_or(self.lang())).dont_know.clone()
    }
}
