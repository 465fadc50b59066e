//! What all connections share: who answers, who hears, and what is offered.

use std::time::Duration;

use loquat_transcription::Ladder;
use loquat_transcription::recordings::Hearing;
use serde_json::Value;

use super::conversations::Conversations;
use super::offer::Offer;

/// All that the connections of the door share.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) conversations: Conversations,
    /// Absent where recordings are not heard.
    pub(super) hearing: Option<Hearing>,
    ladder: Option<Ladder>,
    offer: Offer,
    /// The longest recording, as the ear has it; the rest is cut off.
    pub(super) longest: Duration,
}

impl Service {
    pub(super) fn new(
        conversations: Conversations,
        ladder: Option<Ladder>,
        offer: Offer,
        longest: Duration,
    ) -> Self {
        Self {
            conversations,
            hearing: ladder.clone().map(Hearing::new),
            ladder,
            offer,
            longest,
        }
    }

    /// Tells what is offered now; whisper may have been installed meanwhile.
    pub(super) async fn info(&self) -> Value {
        let Some(ladder) = self.ladder.as_ref() else {
            return self.offer.told(None).await;
        };
        match ladder.whisper() {
            Some(whisper) => self.offer.told(Some(whisper.model())).await,
            None => self.offer.told_of_elsewhere(),
        }
    }

    /// Names the model that hears, where its file is or others hear.
    pub(super) fn model(&self) -> Option<&str> {
        let can_hear = self.ladder.as_ref()?.can_hear();
        self.offer.whisper.as_deref().filter(|_| can_hear)
    }

    pub(super) fn lang(&self) -> &str {
        &self.offer.lang
    }

    /// Gives the sentence for an utterance that finds no owner.
    pub(super) fn unknown(&self, language: Option<&str>) -> String {
        (self.offer.dont_know)(language.unwrap_or(self.lang()))
    }
}
