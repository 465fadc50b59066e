//! Who turns the utterances of an ear into text: whisper alone, or others before and behind it in the order of their owner.
//! Nothing here knows networks or settings.

use std::fmt::Debug;
use std::future::{Future, ready};
use std::pin::Pin;

use crate::completeness::Completeness;
use crate::recognizer::{Recognizer, TranscribeError, Transcript};

/// A text that is being looked for. Dropping it stops the work.
pub type Transcription = Pin<Box<dyn Future<Output = Result<Transcript, TranscribeError>> + Send + Sync>>;

/// The sound of an utterance, or of its beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Utterance {
    /// Mono samples at 16 kHz between −1 and 1.
    pub samples: Vec<f32>,
    /// The language that is asked for, as a tag such as `en-US`; absent to detect it.
    pub lang: Option<String>,
}

/// Turns utterances into text. Its answers to [`Transcriber::completeness`] are waited for, so they take milliseconds.
pub trait Transcriber: Debug + Send + Sync {
    /// Looks for the text of what was said until a pause, or of what may be a wake word. Where it gives nothing, no pause is
    /// judged by its text, and each wake word counts.
    fn look(&self, until_now: Utterance) -> Option<Transcription>;

    /// Looks, sooner than [`Transcriber::look`] can, whether what was said until a pause is a few words and nothing else: an order.
    /// Where it gives nothing, there is no such look.
    fn glance(&self, until_now: Utterance) -> Option<Transcription>;

    /// Finds the text of an utterance that has ended. `looked` is what [`Transcriber::look`] began with at
    /// the pause that became the end, done or not.
    fn transcribe(&self, whole: Utterance, looked: Option<Transcription>) -> Transcription;

    /// Tells how whole a text is by what is known of what people say to this device.
    fn completeness(&self, text: &str, lang: &str) -> Completeness;
}

impl Transcriber for Recognizer {
    fn look(&self, until_now: Utterance) -> Option<Transcription> {
        Some(self.transcription_of(until_now))
    }

    fn glance(&self, until_now: Utterance) -> Option<Transcription> {
        let recognizer = self.clone();
        let Utterance { samples, lang } = until_now;
        Some(Box::pin(
            async move { Self::glance(&recognizer, samples, lang).await },
        ))
    }

    fn transcribe(&self, whole: Utterance, looked: Option<Transcription>) -> Transcription {
        looked.unwrap_or_else(|| self.transcription_of(whole))
    }

    fn completeness(&self, text: &str, lang: &str) -> Completeness {
        self.known().completeness(text, lang)
    }
}

impl Recognizer {
    fn transcription_of(&self, utterance: Utterance) -> Transcription {
        let recognizer = self.clone();
        let Utterance { samples, lang } = utterance;
        Box::pin(async move { Self::transcribe(&recognizer, samples, lang).await })
    }
}

/// Gives a text that is there already.
pub(crate) fn done(outcome: Result<Transcript, TranscribeError>) -> Transcription {
    Box::pin(ready(outcome))
}
