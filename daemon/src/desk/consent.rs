//! Asks the person aloud before a tool may do harm, and takes what they say next for the answer.
//!
//! Only an utterance of its own session counts, and only for the call that it was asked about; no frame and no tool can
//! say yes in the person's place. What is neither yes nor no counts as a no, and as an utterance of its own; what is
//! unclear is asked about once more.
//!
//! Whose words count is up to `desk.consent_from`. With "own" it is the microphone and the terminal of this process, in
//! the device's own session, where one of them is there; in other sessions nothing is asked and nothing is run. With
//! "bus" it is any client in the device's own session, and in others the source that began the turn. What others say in
//! that session leaves the question open and is an utterance of its own, but their no and their stop are heeded, since
//! they can do no harm.
//!
//! Beside an ovos-core the answer is what the core brings us next of that session, whichever way it takes: as a word in
//! a conversation, as the response that a session says we wait for, or as an utterance that no skill wanted. It counts
//! only when a speaker whose words count was heard saying so after the question.
//!
//! A turn may want to ask several things at once, as the steps of a plan do. One question is open at a time, since what
//! is said next can be the answer to one only; the others wait for their turn.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::consent::{Consent, Person, Request};
use loquat_orchestrator::frames::{self, Addressed, SKILL_ID};
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::search::RESPONSE;
use loquat_wire::Message;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::asker::{Answer, Asker, Attempt, Question};
use super::job::{Arrival, Job, Origin, Voice};
use super::pin_lock::PinLock;
use super::utterances::Utterances;
use super::{Desk, spoken, unix_now, utterances};
use crate::assent::Reply;
use crate::deed;
use crate::phrases::Phrases;
use crate::pin::PinHash;
use crate::settings::ConsentFrom;

/// Questions that may wait to be asked; the asker of one more waits. There is one at most for each turn that runs.
const WAITING: usize = 16;

/// A PIN that comes later than this after its question is not taken for one.
const LATE_PIN: Duration = Duration::from_secs(120);

/// The field of a session that says whose question waits for an answer.
const RESPONSE_MODE: &str = "response_mode";

/// Who may say yes to a tool that may do harm, and how.
#[derive(Debug, Clone)]
pub struct ConsentRules {
    /// Whose words count.
    pub from: ConsentFrom,
    /// How long an answer is waited for.
    pub patience: Duration,
    /// The PIN that some tools want.
    pub pin: Option<PinHash>,
    /// Whether a person can speak or type to this process itself.
    pub attended: watch::Receiver<bool>,
    /// By which the device is called, besides its personas' names.
    pub names: Vec<String>,
}

/// Whose words are the answer to a question.
#[derive(Debug, PartialEq, Eq)]
enum Answerer {
    /// The microphone and the terminal of this process.
    Own,
    /// Any client of the bus.
    Anybody,
    /// Who began the turn.
    Source(Option<String>),
}

impl Answerer {
    fn is(&self, voice: &Voice) -> bool {
        match self {
            Self::Own => voice.own,
            Self::Anybody => true,
            Self::Source(source) => *source == voice.source,
        }
    }
}

/// Why something is not even asked.
#[derive(Debug, Clone, Copy)]
enum Bar {
    /// No speaker whose words count can be asked in this session.
    Elsewhere,
    /// A PIN is wanted, and there is none.
    NoPin,
    /// It was wrong too often.
    Locked,
}

impl Bar {
    fn sentence(self, phrases: &Phrases) -> &str {
        match self {
            Self::Elsewhere => &phrases.elsewhere,
            Self::NoPin => &phrases.pin_missing,
            Self::Locked => &phrases.pin_locked,
        }
    }

    fn log(self, request: &Request) {
        let why = match self {
            Self::Elsewhere => {
                "only the device's own microphone or terminal may say yes to it, and neither serves this session; \
                 desk.consent_from = \"bus\" lets clients of the bus say yes"
            }
            Self::NoPin => {
                "it wants a PIN, and none is set; run `loquat pin` and put what it prints into loquat.toml"
            }
            Self::Locked => "the PIN was wrong too often in a row; it is asked for again in five minutes",
        };
        tracing::warn!(
            tool = request.tool,
            session = request.session_id,
            "a tool is not run: {why}"
        );
    }
}

/// What a person said, as an answer.
#[derive(Debug, Clone)]
enum Meant {
    Reply(Reply),
    Pin(SecretString),
}

impl Meant {
    /// Whether a core may bring it to us as an answer.
    fn is_answer(&self) -> bool {
        !matches!(self, Self::Reply(Reply::Stop | Reply::Other))
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Reply(one), Self::Reply(other)) => one == other,
            (Self::Pin(one), Self::Pin(other)) => one.expose_secret() == other.expose_secret(),
            _ => false,
        }
    }
}

/// What waits for the answer of a person.
#[derive(Debug)]
pub(super) struct OpenQuestion {
    answer: oneshot::Sender<Answer>,
    since: Instant,
    by: Answerer,
    /// Whether a PIN has to come.
    pin: bool,
    /// How the device may be addressed.
    names: Vec<String>,
    /// The last answer that was said to the core since.
    heard: Option<Meant>,
    /// Whether the log tells that a speaker who may not has answered.
    is_told: bool,
}

impl OpenQuestion {
    /// Whether the turn still waits for its answer.
    pub(super) fn is_open(&self) -> bool {
        !self.answer.is_closed()
    }

    /// Whether these words would be its answer.
    pub(super) fn is_answered_by(&self, words: &Message, lang: &str) -> bool {
        self.is_open() && self.meant(words, lang).is_answer()
    }

    fn meant(&self, words: &Message, lang: &str) -> Meant {
        let said = utterances(words).into_iter().next().unwrap_or_default();
        let phrases = Phrases::of(lang);
        let reply = phrases.reply(&said, &self.names);
        if !self.pin || matches!(reply, Reply::No | Reply::Stop) {
            return Meant::Reply(reply);
        }
        match (phrases.pin(&said), reply) {
            (Some(pin), _) => Meant::Pin(pin),
            // Of a yes alone nothing is run that wants a PIN.
            (None, Reply::Yes) => Meant::Reply(Reply::Unclear),
            (None, other) => Meant::Reply(other),
        }
    }

    /// Whether these words of this speaker are heeded.
    fn heeds(&mut self, meant: &Meant, voice: &Voice) -> bool {
        if self.by.is(voice) || matches!(meant, Meant::Reply(Reply::No | Reply::Stop)) {
            return true;
        }
        if meant.is_answer() && !self.is_told {
            self.is_told = true;
            tracing::warn!(
                source = voice.source,
                "somebody who may not answered a question for consent; it stays open (desk.consent_from)"
            );
        }
        false
    }
}

/// The way for new questions, and the rules by which they are answered. What is asked is kept with the turn that asks.
#[derive(Debug)]
pub(super) struct Questions {
    sender: mpsc::Sender<Question>,
    receiver: mpsc::Receiver<Question>,
    /// When a PIN was last asked for in a session, so that one which comes too late goes nowhere.
    pins: HashMap<String, Instant>,
    rules: ConsentRules,
    lock: Arc<PinLock>,
}

impl Questions {
    /// None yet.
    pub(super) fn new(rules: &ConsentRules) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self {
            sender,
            receiver,
            pins: HashMap::new(),
            lock: Arc::new(PinLock::new(rules.pin.clone())),
            rules: rules.clone(),
        }
    }

    /// The next one to ask. Never ends. Cancel safe.
    pub(super) async fn next(&mut self) -> Question {
        match self.receiver.recv().await {
            Some(question) => question,
            None => std::future::pending().await,
        }
    }

    /// Who can be asked during this job. A query comes from a program, and no person can be asked.
    pub(super) fn person(&self, job: &Job) -> Option<Arc<dyn Person>> {
        let (sender, lock) = (self.sender.clone(), Arc::clone(&self.lock));
        let asker = || Arc::new(Asker::new(sender, self.rules.patience, lock)) as Arc<dyn Person>;
        (job.origin != Origin::Query).then(asker)
    }

    /// Whose words are the answer to a question in this job, or why it is not asked.
    fn answerer(&self, job: &Job, request: &Request) -> Result<Answerer, Bar> {
        let is_device = job.session.is_default();
        let by = match self.rules.from {
            ConsentFrom::Own if is_device && *self.rules.attended.borrow() => Answerer::Own,
            ConsentFrom::Own => return Err(Bar::Elsewhere),
            ConsentFrom::Bus if is_device => Answerer::Anybody,
            ConsentFrom::Bus => {
                let voice = job.voice.clone().ok_or(Bar::Elsewhere)?;
                Answerer::Source(voice.source)
            }
        };
        match request.pin {
            true if !self.lock.is_set() => Err(Bar::NoPin),
            true if self.lock.is_locked() => Err(Bar::Locked),
            _ => Ok(by),
        }
    }

    /// A PIN was asked for in this session.
    fn pin_was_asked_for(&mut self, session_id: &str) {
        self.pins.retain(|_, since| since.elapsed() < LATE_PIN);
        self.pins.insert(session_id.to_owned(), Instant::now());
    }

    /// Notes what is said to a core, which may bring it to us. Words that are no answer end the question at once, since the
    /// core may bring them to a skill.
    pub(super) fn overhear(utterances: &mut Utterances, entry: &Message, lang: &str, voice: &Voice) {
        let session_id = entry.context.session_id();
        let Some(asked) = utterances.question(session_id) else {
            return;
        };
        let meant = asked.meant(entry, lang);
        if !asked.heeds(&meant, voice) {
            return;
        }
        if meant.is_answer() {
            asked.heard = Some(meant);
        } else {
            utterances.take_question(session_id);
        }
    }

    /// Takes what a core brings for the answer; words that mean something else than the person has said are none.
    pub(super) fn takes_from_core(
        &self,
        utterances: &mut Utterances,
        dispatch: &Message,
        lang: &str,
    ) -> bool {
        let session_id = dispatch.context.session_id();
        let is_answer = utterances.question(session_id).and_then(|asked| {
            let (heard, meant) = (asked.heard.as_ref()?, asked.meant(dispatch, lang));
            heard.is_same(&meant).then_some(meant)
        });
        match is_answer {
            Some(meant) => answered(utterances, session_id, meant),
            None => self.is_late_pin(dispatch, lang),
        }
    }

    /// Takes words for the answer to what was asked in their session before they were said. False when nothing was, or
    /// when they are no answer; where they count, the question is then over in any case.
    fn takes(
        &self,
        utterances: &mut Utterances,
        words: &Message,
        (lang, said_at): (&str, Instant),
        voice: &Voice,
    ) -> bool {
        let session_id = words.context.session_id();
        let asked = utterances.question(session_id);
        let Some(asked) = asked.filter(|asked| asked.since <= said_at) else {
            return self.is_late_pin(words, lang);
        };
        let meant = asked.meant(words, lang);
        if asked.heeds(&meant, voice) {
            return answered(utterances, session_id, meant);
        }
        self.is_late_pin(words, lang)
    }

    /// Whether a PIN is expected in a session, or was a short while ago, so that what is said there may be one.
    fn expects_pin(&self, session_id: &str) -> bool {
        let since = self.pins.get(session_id);
        since.is_some_and(|since| since.elapsed() < LATE_PIN)
    }

    /// A PIN that is not waited for is not passed on to a brain.
    fn is_late_pin(&self, words: &Message, lang: &str) -> bool {
        let said = || utterances(words).into_iter().next().unwrap_or_default();
        self.expects_pin(words.context.session_id()) && Phrases::of(lang).pin(&said()).is_some()
    }
}

/// Gives the turn that waits this answer. Whether it was one.
fn answered(utterances: &mut Utterances, session_id: &str, meant: Meant) -> bool {
    let Some(asked) = utterances.take_question(session_id) else {
        return false;
    };
    let is_answer = meant.is_answer();
    let answer = match meant {
        Meant::Pin(pin) => Answer::Pin(pin),
        Meant::Reply(Reply::Yes) => Answer::Consent(Consent::Given),
        Meant::Reply(Reply::No | Reply::Stop) => Answer::Consent(Consent::Refused),
        Meant::Reply(Reply::Unclear) => Answer::Unclear,
        Meant::Reply(Reply::Other) => Answer::Consent(Consent::Unclear),
    };
    // The turn may have ended meanwhile; then this is an utterance like any other.
    asked.answer.send(answer).is_ok() && is_answer
}

impl Desk {
    /// Asks aloud, as a part of the turn that waits, or tells why that cannot be.
    pub(super) async fn ask_person(&mut self, question: Question) {
        let Question {
            request,
            attempt,
            answer,
        } = question;
        // Of a turn that has ended meanwhile nothing is asked, least of all in the turn that runs now.
        if answer.is_closed() {
            return;
        }
        let Some(job) = self.utterances.running(&request.session_id) else {
            return;
        };
        let phrases = Phrases::of(&job.lang);
        let by = match self.questions.answerer(job, &request) {
            Ok(by) => by,
            Err(bar) => {
                bar.log(&request);
                let sentence = spoken::speak(&job.cause, bar.sentence(phrases), &job.lang);
                self.emit(sentence).await;
                answer.send(Answer::Consent(Consent::Barred)).ok();
                return;
            }
        };
        // The gate has seen to it that it can be said.
        let Ok(deed) = deed::whole(&request.tool, request.told(), phrases) else {
            return;
        };
        let text = wording(phrases, &deed, (request.pin, attempt));
        let patience = self.questions.rules.patience;
        let question = spoken::question(&waiting(&job.cause, patience), &text, &job.lang);
        let activation = frames::activation(job.origin, &job.cause);
        let mut names = self.questions.rules.names.clone();
        names.push(job.persona.name.clone());
        let asked = OpenQuestion {
            answer,
            since: Instant::now(),
            by,
            pin: request.pin,
            names,
            heard: None,
            is_told: false,
        };
        if asked.pin {
            self.questions.pin_was_asked_for(&request.session_id);
        }
        self.utterances.ask(&request.session_id, asked);
        if let Some(activation) = activation {
            self.emit(activation).await;
        }
        self.emit(question).await;
    }

    /// Takes an utterance for the answer to what was asked in its session before it was said. False when nothing was, or
    /// when it is no answer.
    pub(super) async fn answers(
        &mut self,
        entry: &Message,
        lang: &str,
        arrival: &Arrival,
    ) -> bool {
        let Some(voice) = &arrival.voice else {
            return false;
        };
        let session = entry.context.session();
        let may_be_pin = self.questions.expects_pin(session.id());
        if !self
            .questions
            .takes(&mut self.utterances, entry, (lang, arrival.at), voice)
        {
            return false;
        }
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        let addressed = Addressed {
            skill_id: SKILL_ID,
            intent: RESPONSE,
            pipeline_id: Stage::Converse.id(),
            lang,
            utterance: if may_be_pin { "" } else { &said },
            slots: &Map::new(),
            session: &session,
        };
        let dispatch = frames::dispatch(entry, &addressed, unix_now());
        self.at_once(&dispatch, "", lang, None).await;
        true
    }
}

/// The frame from which a question is derived: its session tells that we wait for an answer.
fn waiting(cause: &Message, patience: Duration) -> Message {
    let mut cause = cause.clone();
    let mut session = cause.context.session();
    let expires_at = unix_now() + patience.as_secs_f64();
    session.insert(
        RESPONSE_MODE,
        json!({"skill_id": SKILL_ID, "expires_at": expires_at}),
    );
    cause.context.set_session(&session);
    cause
}

fn wording(phrases: &Phrases, deed: &str, (pin, attempt): (bool, Attempt)) -> String {
    match (pin, attempt) {
        (false, Attempt::First) => phrases.consent(deed),
        (false, _) => phrases.consent_again(deed),
        (true, Attempt::First) => phrases.consent_pin(deed),
        (true, Attempt::Unclear) => phrases.pin_again.clone(),
        (true, Attempt::WrongPin) => phrases.pin_wrong.clone(),
    }
}

/// Takes out of an entry that a question of ours waits for an answer: it waits for one, and here it is (CONVERSE-1
/// §5.1). Whether one really waits is known without it.
pub(super) fn no_longer_waiting(entry: &mut Message) {
    let mut session = entry.context.session();
    let holder = session.get(RESPONSE_MODE).and_then(|mode| mode.get("skill_id"));
    if holder.and_then(Value::as_str) == Some(SKILL_ID) {
        session.remove(RESPONSE_MODE);
        entry.context.set_session(&session);
    }
}

#[cfg(test)]
mod tests;
