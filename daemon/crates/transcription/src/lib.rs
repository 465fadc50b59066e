//! The ladder of those who turn speech into text: the whisper of this device and servers of the owner's choosing, one after the
//! other until one answers. What is said goes to no server that the ladder does not name.

pub mod recognizers;
pub mod recordings;
mod server;
#[cfg(test)]
mod tests;
mod whisper;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use loquat_settings::{Environment, Folders};
use loquat_speech::{
    Completeness, KnownSpeech, Recognizer, TranscribeError, Transcriber, Transcript, Transcription,
    Utterance, language_code,
};
use parking_lot::Mutex;
use sync_wrapper::SyncFuture;
use tokio::time::{Instant, timeout};

pub use self::server::{Server, ServerError};
pub use self::whisper::Whisper;
use recognizers::{LOCAL, Recognizers};

/// A server that failed is asked after all others for this long: a network that is away is not waited for at every
/// sentence.
const RESTS: Duration = Duration::from_secs(30);

/// One recogniser of the ladder.
#[derive(Debug)]
enum Rung {
    Local,
    Server {
        server: Box<Server>,
        /// It failed, and is asked after the others until then.
        rests_until: Mutex<Option<Instant>>,
    },
}

/// The recognisers in their order. Clones share one, and are cheap.
#[derive(Debug, Clone)]
pub struct Ladder {
    inner: Arc<Inner>,
    place: Place,
}

#[derive(Debug)]
struct Inner {
    rungs: Vec<Rung>,
    whisper: Arc<Whisper>,
    known: Option<Arc<dyn KnownSpeech>>,
    /// All languages that are spoken here, the usual one first.
    langs: Vec<String>,
    /// The whisper of this device may take this long where another recogniser could be asked.
    patience: Duration,
}

/// Whom an utterance has to wait for at the whisper of this device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A person waits: for those who came before.
    First,
    /// It was heard by another device: for all.
    Aside,
}

/// The settings of the ladder.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The names of its rungs, the first one first.
    pub ladder: &'a [String],
    /// The servers that it may name.
    pub recognizers: &'a Recognizers,
    /// A recogniser may take this long before the next one is asked.
    pub patience: Duration,
    /// All languages that are spoken here, the usual one first.
    pub langs: Vec<String>,
    /// The folders in which keys are kept.
    pub folders: &'a Folders,
    /// It expands `~` in paths.
    pub environment: &'a Environment,
}

/// Makes the servers that the ladder names, or says why one cannot be used.
pub fn servers(wanted: &Wanted<'_>) -> BTreeMap<String, Result<Server, String>> {
    let named = wanted.ladder.iter().filter_map(|name| {
        let described = wanted.recognizers.0.get(name)?;
        let key = described.key.as_ref();
        let key = key
            .map(|key| key.fetch(wanted.folders, wanted.environment))
            .transpose();
        let server = key.and_then(|key| Server::new(name, described, key, wanted.patience));
        Some((name.clone(), server))
    });
    named.collect()
}

impl Ladder {
    /// Makes the ladder of the settings. A server that cannot be used is left out, which the log tells.
    pub fn new(wanted: &Wanted<'_>, whisper: Arc<Whisper>) -> Self {
        let mut servers = servers(wanted);
        let rung = |name: &String| {
            if name == LOCAL {
                return Some(Rung::Local);
            }
            match servers.remove(name)? {
                Ok(server) => {
                    tracing::info!(
                        name,
                        address = server.address(),
                        "what is said is sent to a recogniser elsewhere"
                    );
                    let rests_until = Mutex::default();
                    let server = Box::new(server);
                    Some(Rung::Server { server, rests_until })
                }
                Err(reason) => {
                    tracing::warn!(name, reason, "a recogniser of speech.ladder cannot be used");
                    None
                }
            }
        };
        let rungs = wanted.ladder.iter().filter_map(rung).collect();
        Self::of(rungs, whisper, wanted.langs.clone(), wanted.patience)
    }

    /// Makes a ladder of nothing but the whisper of this device.
    pub fn local(whisper: Arc<Whisper>) -> Self {
        Self::of(vec![Rung::Local], whisper, [], RESTS)
    }

    fn of(
        rungs: Vec<Rung>,
        whisper: Arc<Whisper>,
        langs: impl IntoIterator<Item = String>,
        patience: Duration,
    ) -> Self {
        let inner = Inner {
            rungs,
            known: whisper.known(),
            whisper,
            langs: langs.into_iter().collect(),
            patience,
        };
        Self {
            inner: Arc::new(inner),
            place: Place::First,
        }
    }

    /// A transcriber for what another device hears; the microphone of this one goes first.
    #[must_use]
    pub fn aside(&self) -> Self {
        Self {
            place: Place::Aside,
            ..self.clone()
        }
    }

    /// Makes ready what an ear needs: the whisper of this device, loaded, if it is asked at all. The error says why nothing can be
    /// heard; a whisper that is missing is none where a server can be asked.
    pub async fn ready(&self) -> Result<(), String> {
        let whisper = || async { self.inner.whisper.recognizer().await.map(drop) };
        self.with_or_without(whisper).await
    }

    /// Looks whether [`Self::ready`] can succeed, and loads nothing. The error says why not.
    pub async fn verify(&self) -> Result<(), String> {
        self.with_or_without(|| self.inner.whisper.verify()).await
    }

    /// Lets go of whisper whenever no caller has asked for it for so long. Runs until it is dropped.
    pub async fn let_go_when_idle(&self, idle: Duration) {
        self.inner.whisper.let_go_when_idle(idle).await;
    }

    async fn with_or_without<F>(&self, whisper: impl FnOnce() -> F) -> Result<(), String>
    where
        F: Future<Output = Result<(), String>>,
    {
        let has_servers = self.inner.servers().next().is_some();
        if !self.inner.is_local() {
            return if has_servers {
                Ok(())
            } else {
                Err("no recogniser of speech.ladder can be used".to_owned())
            };
        }
        match whisper().await {
            Ok(()) => Ok(()),
            Err(reason) if has_servers => {
                tracing::warn!(
                    reason,
                    "whisper is not there; only recognisers elsewhere are asked"
                );
                Ok(())
            }
            Err(reason) => Err(reason),
        }
    }

    /// Lets go of the model, if it was loaded.
    pub async fn shutdown(&self) {
        self.inner.whisper.shutdown().await;
    }

    /// Gives the whisper of this device, if it is asked at all.
    pub fn whisper(&self) -> Option<&Arc<Whisper>> {
        self.inner.is_local().then_some(&self.inner.whisper)
    }

    /// Tells whether anybody can be asked: a server, or a whisper whose model is installed.
    pub fn can_hear(&self) -> bool {
        let has_model = || self.whisper().is_some_and(|whisper| whisper.model().is_file());
        self.inner.servers().next().is_some() || has_model()
    }

    /// Turns a recording of another device into text. The microphone of this device goes first.
    pub async fn transcribe_aside(
        &self,
        samples: Vec<f32>,
        lang: Option<String>,
    ) -> Result<Transcript, TranscribeError> {
        let utterance = Utterance { samples, lang };
        self.inner.climb(utterance, None, Place::Aside).await
    }
}

impl Transcriber for Ladder {
    fn look(&self, until_now: Utterance) -> Option<Transcription> {
        // Only on this device: what a person has not ended is sent nowhere.
        let inner = self.inner.is_local().then(|| Arc::clone(&self.inner))?;
        let place = self.place;
        Some(Box::pin(SyncFuture::new(async move {
            inner.local(until_now, place).await
        })))
    }

    fn glance(&self, until_now: Utterance) -> Option<Transcription> {
        let inner = self.inner.is_local().then(|| Arc::clone(&self.inner))?;
        // A device that hears from elsewhere does not speak here.
        (self.place == Place::First).then(|| -> Transcription {
            Box::pin(SyncFuture::new(async move { inner.glance(until_now).await }))
        })
    }

    fn transcribe(&self, whole: Utterance, looked: Option<Transcription>) -> Transcription {
        let (inner, place) = (Arc::clone(&self.inner), self.place);
        Box::pin(SyncFuture::new(
            async move { inner.climb(whole, looked, place).await },
        ))
    }

    fn completeness(&self, text: &str, lang: &str) -> Completeness {
        let known = self.inner.known.as_ref();
        known.map_or(Completeness::Unsure, |known| known.completeness(text, lang))
    }
}

impl Inner {
    /// Asks one after the other.
    async fn climb(
        &self,
        whole: Utterance,
        mut looked: Option<Transcription>,
        place: Place,
    ) -> Result<Transcript, TranscribeError> {
        let mut reasons = Vec::new();
        let order = self.order();
        for (index, rung) in order.iter().enumerate() {
            let is_last = index + 1 == order.len();
            let outcome = match rung {
                Rung::Local => {
                    let patience = (!is_last && place == Place::First).then_some(self.patience);
                    self.local_within(patience, whole.clone(), looked.take(), place)
                        .await
                }
                Rung::Server { server, rests_until } => {
                    self.elsewhere(server, rests_until, &whole, &mut looked).await
                }
            };
            match outcome {
                Ok(transcript) => return Ok(transcript),
                Err(TranscribeError::NothingHeard) => return Err(TranscribeError::NothingHeard),
                Err(TranscribeError::Unanswered { reason }) => reasons.push(reason),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        let reason = reasons.join("; ");
        Err(TranscribeError::Unanswered { reason })
    }

    /// Orders all of the ladder, with those that rest last.
    fn order(&self) -> Vec<&Rung> {
        let now = Instant::now();
        let rests = |rung: &&Rung| match rung {
            Rung::Local => false,
            Rung::Server { rests_until, .. } => rests_until.lock().is_some_and(|until| now < until),
        };
        let (resting, awake): (Vec<&Rung>, Vec<&Rung>) = self.rungs.iter().partition(rests);
        awake.into_iter().chain(resting).collect()
    }

    /// Asks the whisper of this device, which may have begun at the last pause.
    async fn local_within(
        &self,
        patience: Option<Duration>,
        whole: Utterance,
        looked: Option<Transcription>,
        place: Place,
    ) -> Result<Transcript, TranscribeError> {
        let outcome = async {
            match looked {
                Some(looked) => looked.await,
                None => self.local(whole, place).await,
            }
        };
        let Some(patience) = patience else {
            return outcome.await;
        };
        let seconds = patience.as_secs_f64();
        let too_slow = |_| TranscribeError::Unanswered {
            reason: format!("whisper took longer than {seconds:.1} s"),
        };
        timeout(patience, outcome).await.map_err(too_slow)?
    }

    async fn local(&self, utterance: Utterance, place: Place) -> Result<Transcript, TranscribeError> {
        let missing = |reason| TranscribeError::Unanswered { reason };
        let recognizer = self.whisper.recognizer().await.map_err(missing)?;
        let Utterance { samples, lang } = utterance;
        match place {
            Place::First => Recognizer::transcribe(&recognizer, samples, lang).await,
            Place::Aside => recognizer.transcribe_aside(samples, lang).await,
        }
    }

    /// Has the whisper of this device look for a few words.
    async fn glance(&self, utterance: Utterance) -> Result<Transcript, TranscribeError> {
        let missing = |reason| TranscribeError::Unanswered { reason };
        let recognizer = self.whisper.recognizer().await.map_err(missing)?;
        Recognizer::glance(&recognizer, utterance.samples, utterance.lang).await
    }

    /// Asks a server. What whisper has found meanwhile tells the language, and stands among the alternatives.
    async fn elsewhere(
        &self,
        server: &Server,
        rests_until: &Mutex<Option<Instant>>,
        whole: &Utterance,
        looked: &mut Option<Transcription>,
    ) -> Result<Transcript, TranscribeError> {
        let found = looked.as_mut().and_then(FutureExt::now_or_never);
        let found = found.inspect(|outcome| {
            *looked = Some(Box::pin(std::future::ready(outcome.clone())));
        });
        let found = found.and_then(Result::ok);
        let lang = found.as_ref().map(|found| found.lang.clone());
        let lang = lang.or_else(|| whole.lang.clone().filter(|lang| !self.is_in_question(lang)));
        let began = Instant::now();
        let asked = Utterance {
            samples: whole.samples.clone(),
            lang: lang.clone(),
        };
        let heard = match server.hear(&asked).await {
            Ok(heard) => heard,
            Err(error) => {
                let reason = error.to_string();
                tracing::warn!(
                    name = server.name(),
                    reason,
                    "a recogniser elsewhere gave no text"
                );
                *rests_until.lock() = Some(Instant::now() + RESTS);
                return Err(TranscribeError::Unanswered { reason });
            }
        };
        *rests_until.lock() = None;
        let lang = lang
            .or_else(|| self.spoken(heard.language))
            .or_else(|| whole.lang.clone());
        let lang = lang.unwrap_or_else(|| "en".to_owned());
        let is_expected = self.knows(&heard.text, &lang);
        let mut transcript = Transcript::from_elsewhere(&heard.text, lang, whole.samples.len(), is_expected)?;
        transcript.elapsed = began.elapsed();
        if let Some(found) = found {
            transcript.or_instead(found.text);
        }
        Ok(transcript)
    }

    /// Tells whether several languages may be meant where this one is asked for.
    fn is_in_question(&self, lang: &str) -> bool {
        let usual = self.langs.first().map(String::as_str);
        self.langs.len() > 1 && usual.map(language_code) == Some(language_code(lang))
    }

    /// Gives the tag of the language of this code that is spoken here.
    fn spoken(&self, code: Option<&'static str>) -> Option<String> {
        let is_it = |tag: &&String| language_code(tag) == code;
        code.and_then(|_| self.langs.iter().find(is_it).cloned())
    }

    fn knows(&self, text: &str, lang: &str) -> bool {
        self.known.as_ref().is_some_and(|known| known.knows(text, lang))
    }

    fn is_local(&self) -> bool {
        self.rungs.iter().any(|rung| matches!(rung, Rung::Local))
    }

    fn servers(&self) -> impl Iterator<Item = &Server> {
        self.rungs.iter().filter_map(|rung| match rung {
            Rung::Local => None,
            Rung::Server { server, .. } => Some(server.as_ref()),
        })
    }
}
