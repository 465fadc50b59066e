//! Speech to text: the handle to the one whisper thread.
//!
//! Callers are the ear and code with samples of its own. The handle never computes; the thread never waits for a
//! caller.

mod glance;
mod invented;
mod language;
#[expect(
    unsafe_code,
    reason = "whisper.cpp asks through a C callback whether to encode"
)]
mod params;
mod room;
mod whisper;
mod window;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::known::{Known, KnownSpeech};
use crate::model_file::{self, LoadModelError, ModelKind};
use crate::names;
use crate::settings::SpeechSettings;
pub use whisper::speed::{MeasureError, measure};
use worker::{Depth, Job, Request};

/// Utterances that may wait for whisper; a further caller waits for a place, so nothing said is lost.
const QUEUE: usize = 4;

/// The confidence of a recogniser that does not tell it: enough for a text, and not enough for one that is often made up.
const UNKNOWN: f32 = 0.5;

/// The text of an utterance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transcript {
    /// The words, trimmed, never empty.
    pub text: String,
    /// Other things that may have been said, the likelier first: words before a name in them was put right, or those
    /// of another pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// The language in which the decoder ran: the tag asked for when it could be followed, else whisper's own code.
    pub lang: String,
    /// The geometric mean of the tokens' probabilities, between 0 and 1.
    pub confidence: f32,
    /// The probability that the last word is one with which no sentence ends, whatever word was written in its place: it
    /// tells of a person who has paused and not ended. Zero where the recogniser does not tell.
    #[serde(skip)]
    pub open_end: f32,
    /// The time from asking to the answer, waiting included.
    pub elapsed: Duration,
}

impl Transcript {
    /// Makes a transcript of what a recogniser elsewhere took this many samples for;
    /// [`TranscribeError::NothingHeard`] where its text is empty, or one that recognisers make up of noise. It does
    /// not say how sure it is, so it counts as unsure unless `is_expected`: the text is something that is said to
    /// this device.
    pub fn from_elsewhere(
        text: &str,
        lang: String,
        samples: usize,
        is_expected: bool,
    ) -> Result<Self, TranscribeError> {
        let confidence = if is_expected { 1.0 } else { UNKNOWN };
        let evidence = invented::Evidence {
            confidence,
            no_speech: 0.0,
            seconds: window::seconds(samples),
        };
        let text = invented::spoken(text, evidence).ok_or(TranscribeError::NothingHeard)?;
        Ok(Self {
            text,
            alternatives: Vec::new(),
            lang,
            confidence,
            open_end: 0.0,
            elapsed: Duration::ZERO,
        })
    }

    /// Takes this for one of the things that it may have been instead, unless it is the same in other letters.
    pub fn or_instead(&mut self, other: String) {
        let said = names::letters(&other);
        let is_new = |known: &String| names::letters(known) != said;
        if !said.is_empty() && is_new(&self.text) && self.alternatives.iter().all(is_new) {
            self.alternatives.push(other);
        }
    }
}

/// Says why there is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscribeError {
    /// There was silence or noise, or text that whisper made up.
    #[error("failed to hear any words")]
    NothingHeard,
    /// Whisper itself failed.
    #[error("failed to run whisper: {reason}")]
    Whisper {
        /// The report of whisper.cpp.
        reason: String,
    },
    /// None of those who were asked gave an answer.
    #[error("failed to have an utterance recognised: {reason}")]
    Unanswered {
        /// Names all that were asked, and why each gave none.
        reason: String,
    },
    /// The whisper thread has been shut down or died.
    #[error("failed to reach the whisper thread: it has ended")]
    Ended,
}

/// A cheap handle to the one whisper thread, which ends with the last handle.
#[derive(Debug, Clone)]
pub struct Recognizer {
    requests: mpsc::Sender<Request>,
    stop: CancellationToken,
    ended: CancellationToken,
    known: Known,
    /// Counts the callers that go first and are being served or wait.
    first: watch::Sender<usize>,
}

/// Lists the languages of a whisper model, as whisper's codes. It reads the first bytes of the file, and blocks for
/// as long.
pub fn languages(model: &Path) -> Result<Vec<&'static str>, LoadModelError> {
    model_file::is_multilingual(model).map(language::codes)
}

/// Looks at a whisper model from end to end and loads nothing: a file that is missing, cut short or something else is refused. It
/// blocks for about a millisecond.
///
/// # Errors
/// Those of [`Recognizer::start`] that the file alone tells.
pub fn verify_model(model: &Path) -> Result<(), LoadModelError> {
    model_file::check(model, ModelKind::Whisper)
}

/// Gives whisper's code for a language, by its tag or, as recognisers elsewhere tell it, by its English name.
pub fn language_code(language: &str) -> Option<&'static str> {
    language::whisper_code(language).or_else(|| language::code_of_name(language))
}

/// Tells whether a text that a recogniser elsewhere heard is one that recognisers make up of silence and noise: the
/// sign-off of a video, the credits of its subtitles, or a sound that is no word.
pub fn is_made_up(text: &str) -> bool {
    invented::is_made_up(text)
}

/// A caller that goes first, for as long as this is there.
#[derive(Debug)]
struct First<'a>(&'a watch::Sender<usize>);

impl<'a> First<'a> {
    fn among(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count)
    }
}

impl Drop for First<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl Recognizer {
    /// Checks and loads the model, and starts the thread. Blocks while the file is read, about 0.1 s on a warm disk.
    pub fn start(settings: &SpeechSettings) -> Result<Self, LoadModelError> {
        let (requests, inbox) = mpsc::channel(QUEUE);
        let stop = CancellationToken::new();
        let known = Known::default();
        let ended = worker::start(settings, known.clone(), inbox, stop.clone())?;
        Ok(Self {
            requests,
            stop,
            ended,
            known,
            first: watch::Sender::new(0),
        })
    }

    /// Says what people say to this device, once for all handles; until then nothing is known of it.
    pub fn expect(&self, known: Arc<dyn KnownSpeech>) {
        self.known.is(known);
    }

    /// Gives what is known of what people say to this device.
    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    /// Turns 16 kHz mono samples between −1 and 1 into text; `lang` is a tag such as `en-US`, or absent to detect it.
    ///
    /// A model for English only always decodes in English. Waits its turn while others are being transcribed.
    /// Dropping the future stops the work at whisper's next check, which is after at most one pass of the encoder.
    pub async fn transcribe(
        &self,
        samples: Vec<f32>,
        lang: Option<String>,
    ) -> Result<Transcript, TranscribeError> {
        let _first = First::among(&self.first);
        self.put(samples, lang, Depth::Whole).await
    }

    /// Looks at the last seconds for a few words with nothing before or behind them, such as an order to stop, in a fraction of the
    /// time that [`Self::transcribe`] takes. Where nothing is heard there, it looks at the last second alone;
    /// [`TranscribeError::NothingHeard`] of everything else.
    pub async fn glance(
        &self,
        samples: Vec<f32>,
        lang: Option<String>,
    ) -> Result<Transcript, TranscribeError> {
        let _first = First::among(&self.first);
        self.put(samples, lang, Depth::Glance).await
    }

    /// Transcribes for a caller that everyone else goes before: it begins when nothing else is to be transcribed, gives way
    /// as soon as something is, and then begins anew. How long that may go on is the caller's to say.
    pub async fn transcribe_aside(
        &self,
        samples: Vec<f32>,
        lang: Option<String>,
    ) -> Result<Transcript, TranscribeError> {
        let mut first = self.first.subscribe();
        loop {
            let is_free = first.wait_for(|count| *count == 0).await.is_ok();
            if !is_free {
                return Err(TranscribeError::Ended);
            }
            tokio::select! {
                biased;
                outcome = self.put(samples.clone(), lang.clone(), Depth::Whole) => return outcome,
                _ = first.wait_for(|count| *count > 0) => {}
            }
        }
    }

    async fn put(
        &self,
        samples: Vec<f32>,
        lang: Option<String>,
        depth: Depth,
    ) -> Result<Transcript, TranscribeError> {
        let asked = Instant::now();
        let cancelled = self.stop.child_token();
        let _cancels_when_dropped = cancelled.clone().drop_guard();
        let (reply, answer) = oneshot::channel();
        let job = Job {
            samples,
            lang,
            depth,
            cancelled,
            reply,
        };
        self.requests
            .send(Request::Transcribe(job))
            .await
            .map_err(|_| TranscribeError::Ended)?;
        let mut transcript = answer.await.map_err(|_| TranscribeError::Ended)??;
        transcript.elapsed = asked.elapsed();
        Ok(transcript)
    }

    /// Ends the whisper thread, whatever other handles there are, and waits until it has let go of the model.
    pub async fn shutdown(&self) {
        self.stop.cancel();
        // With a full queue the thread is not waiting, and sees the token before its next job.
        drop(self.requests.try_send(Request::Stop));
        self.ended.cancelled().await;
    }
}
