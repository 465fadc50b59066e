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
//! An answer counts that began when its question had been heard: spoken to its end, or read. An equal answer right behind
//! the one that was taken is its echo, and an answer to nothing.
//!
//! A turn may want to ask several things at once, as the steps of a plan do. What one step wants is asked in one question, as
//! far as that can be kept in mind. One question is open at a time, since what is said next can be the answer to one only; the
//! others wait for their turn, and want another word than a yes.

mod open_question;
mod reception;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::consent::{AgreedAhead, Consent, Person, Request};
use loquat_agent::printable::printable;
use loquat_orchestrator::frames::{self, Addressed, SKILL_ID};
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::search::RESPONSE;
use loquat_part::stillness::Stillness;
use loquat_phrases::Phrases;
use loquat_phrases::assent::Reply;
use loquat_phrases::pin::PinHash;
use loquat_wire::Message;
use loquat_wire::session::DEFAULT_SESSION_ID;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use self::open_question::{Answerer, Meant, Overheard, Words};
pub(super) use self::open_question::{OpenQuestion, Wanted};
use self::reception::{LONGEST_SPEECH, Reach, Reception};
use super::arrival::Attendance;
use super::asker::{Answer, Asker, Attempt, Question};
use super::job::{Arrival, Job, Origin, Voice};
use super::pin_lock::{PinGuesser, PinLock};
use super::saying::Saying;
use super::utterances::Utterances;
use super::{Desk, spoken, unix_now, utterances};
use crate::settings::ConsentFrom;

/// Questions that may wait to be asked; the asker of one more waits. There is one at most for each turn that runs.
const WAITING: usize = 16;

/// A PIN that comes later than this after its question is not taken for one.
const LATE_PIN: Duration = Duration::from_secs(120);

/// An equal answer within this behind the one that was taken is its echo: of a recogniser that reports twice, or of a person
/// who says it again.
const ECHO: Duration = Duration::from_secs(2);

/// Sessions of which it is kept whether something speaks in them, besides the device's own.
const MOST_VOICES: usize = 256;

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
    /// Where the owner can speak or type.
    pub attendance: watch::Receiver<Attendance>,
    /// By which the device is called, besides its personas' names.
    pub names: Vec<String>,
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

/// The way for new questions, and the rules by which they are answered. What is asked is kept with the turn that asks.
#[derive(Debug)]
pub(super) struct Questions {
    sender: mpsc::Sender<Question>,
    receiver: mpsc::Receiver<Question>,
    /// When a PIN was last asked for in a session, so that one which comes too late goes nowhere.
    pins: HashMap<String, Instant>,
    /// The answer that was taken last in a session, and when.
    taken: HashMap<String, (Words, Instant)>,
    /// Since when the device speaks in a session; nothing where it is silent and has spoken before.
    voices: HashMap<String, Option<Instant>>,
    rules: ConsentRules,
    lock: Arc<PinLock>,
    stillness: Stillness,
}

impl Questions {
    /// None yet.
    pub(super) fn new(rules: &ConsentRules) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self {
            sender,
            receiver,
            pins: HashMap::new(),
            taken: HashMap::new(),
            voices: HashMap::new(),
            stillness: Stillness::default(),
            lock: Arc::new(PinLock::new(rules.pin.clone())),
            rules: rules.clone(),
        }
    }

    pub(super) fn ask_in(&mut self, stillness: Stillness) {
        self.stillness = stillness;
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
        let lang = job.lang.clone();
        let asker = || Arc::new(Asker::new(sender, lang, self.rules.patience, lock)) as Arc<dyn Person>;
        let person = (job.origin != Origin::Query).then(asker)?;
        let agreed = job.kept.as_ref().map(|kept| kept.agreed.clone());
        Some(match agreed.filter(|agreed| !agreed.is_empty()) {
            Some(agreed) => Arc::new(AgreedAhead::new(person, agreed)),
            None => person,
        })
    }

    /// Whose words are the answer to a question in this job, or why it is not asked.
    fn answerer(&self, job: &Job, request: &Request) -> Result<Answerer, Bar> {
        let is_device = job.session.is_default();
        let by = match self.rules.from {
            ConsentFrom::Own if is_device && self.is_attended() => Answerer::Own,
            ConsentFrom::Own => return Err(Bar::Elsewhere),
            ConsentFrom::Bus if is_device => Answerer::Anybody,
            ConsentFrom::Bus => {
                let voice = job.voice.clone().ok_or(Bar::Elsewhere)?;
                Answerer::Source(voice.source)
            }
        };
        match request.pin {
            true if !self.lock.is_set() => Err(Bar::NoPin),
            true if self.is_locked_for(&by, job) => Err(Bar::Locked),
            _ => Ok(by),
        }
    }

    fn is_attended(&self) -> bool {
        *self.rules.attendance.borrow() == Attendance::Here
    }

    /// Where anybody may answer, the device's own microphone may, and no guess from elsewhere takes its tries away.
    fn is_locked_for(&self, by: &Answerer, job: &Job) -> bool {
        let guesser = match by {
            Answerer::Own | Answerer::Anybody => PinGuesser::Here,
            Answerer::Source(source) => guesser(job.session.id(), source.as_deref()),
        };
        self.lock.is_locked(&guesser)
    }

    /// The device begins to speak in a session, or has ended.
    pub(super) fn speech(&mut self, utterances: &mut Utterances, session_id: &str, begins: bool) {
        let has_room = self.voices.len() < MOST_VOICES;
        if has_room || session_id == DEFAULT_SESSION_ID || self.voices.contains_key(session_id) {
            let since = begins.then(Instant::now);
            self.voices.insert(session_id.to_owned(), since);
        }
        if let Some(asked) = utterances.question(session_id) {
            asked.reception.speech(begins);
        }
    }

    /// What was to be spoken in a session was not heard to its end.
    pub(super) fn speech_interrupted(utterances: &mut Utterances, session_id: &str, said: &str) {
        if let Some(asked) = utterances.question(session_id) {
            asked.reception.interrupted(said);
        }
    }

    /// Whether these words are an answer that was taken a moment ago, once more, where nothing is asked. Who has said
    /// something else since does not repeat it.
    fn echoes(&mut self, words: &Message, lang: &str, voice: &Voice) -> bool {
        let session_id = words.context.session_id();
        let Some((before, _)) = self.taken.get(session_id) else {
            return false;
        };
        // A new wish may sound like the answer: "leave the house" is no second no.
        let words = Words::of(words, lang, &self.rules.names);
        let is_echo = before.are_repeated_by(&words) && self.is_echo(session_id, &words);
        if !is_echo && (voice.own || self.rules.from == ConsentFrom::Bus) {
            self.taken.remove(session_id);
        }
        is_echo
    }

    /// Whether these words are an answer that was taken a moment ago, once more.
    fn is_echo(&self, session_id: &str, words: &Words) -> bool {
        let taken = self.taken.get(session_id);
        taken.is_some_and(|(before, at)| at.elapsed() < ECHO && before.are_same(words))
    }

    fn pin_was_asked_for(&mut self, session_id: &str) {
        self.pins.retain(|_, since| since.elapsed() < LATE_PIN);
        self.pins.insert(session_id.to_owned(), Instant::now());
    }

    /// Notes what is said to a core, which may bring it to us. Words that are no answer end the question at once, since the
    /// core may bring them to a skill.
    pub(super) fn overhear(
        &mut self,
        utterances: &mut Utterances,
        entry: &Message,
        lang: &str,
        saying: Saying,
        voice: &Voice,
    ) {
        let session_id = entry.context.session_id();
        let Some(asked) = utterances.question(session_id) else {
            self.echoes(entry, lang, voice);
            return;
        };
        let words = asked.words(entry, lang);
        let meant = asked.meant(&words);
        if !asked.heeds(&meant, voice) {
            return;
        }
        if meant.is_answer() {
            let is_echo = self.is_echo(session_id, &words) && !meant.is_refusal();
            let reach = if is_echo {
                Reach::NotYet
            } else {
                asked.reach(&meant, saying)
            };
            let voice = voice.clone();
            asked.heard = Some(Overheard { words, reach, voice });
        } else if asked.reception.is_put_before(saying) {
            utterances.take_question(session_id);
        }
    }

    /// Takes what a core brings for the answer; words that mean something else than the person has said are none.
    pub(super) fn takes_from_core(
        &mut self,
        utterances: &mut Utterances,
        dispatch: &Message,
        lang: &str,
    ) -> bool {
        let session_id = dispatch.context.session_id();
        let heard = utterances.question(session_id).and_then(|asked| {
            let words = asked.words(dispatch, lang);
            asked.heard.take_if(|heard| heard.words.are_same(&words))
        });
        match heard {
            Some(Overheard { words, reach, voice }) => {
                self.weighed(utterances, session_id, words, reach, &voice)
            }
            None => self.is_late_pin(dispatch, lang),
        }
    }

    /// Takes words for the answer to what was asked in their session before they were said. False when nothing was, or
    /// when they are no answer; where they count, the question is then over in any case.
    fn takes(
        &mut self,
        utterances: &mut Utterances,
        words: &Message,
        lang: &str,
        saying: Saying,
        voice: &Voice,
    ) -> bool {
        self.taken.retain(|_, (_, at)| at.elapsed() < ECHO);
        let session_id = words.context.session_id();
        let Some(asked) = utterances.question(session_id) else {
            return self.echoes(words, lang, voice) || self.is_late_pin(words, lang);
        };
        let said = asked.words(words, lang);
        let meant = asked.meant(&said);
        let is_meant = meant.is_answer() || asked.reception.is_put_before(saying);
        if !is_meant || !asked.heeds(&meant, voice) {
            return self.is_late_pin(words, lang);
        }
        let is_echo = self.is_echo(session_id, &said) && !meant.is_refusal();
        let reach = if is_echo {
            Reach::NotYet
        } else {
            asked.reach(&meant, saying)
        };
        self.weighed(utterances, session_id, said, reach, voice) || self.is_late_pin(words, lang)
    }

    /// Gives the turn that waits the answer that these words are, if they are one that counts. An answer that does not count
    /// goes nowhere. Whether it was one.
    fn weighed(
        &mut self,
        utterances: &mut Utterances,
        session_id: &str,
        words: Words,
        reach: Reach,
        voice: &Voice,
    ) -> bool {
        let Some(asked) = utterances.question(session_id) else {
            return false;
        };
        let mut meant = asked.meant(&words);
        let guesser = if voice.own {
            PinGuesser::Here
        } else {
            guesser(session_id, voice.source.as_deref())
        };
        if meant.is_answer() {
            let is_locked = matches!(meant, Meant::Pin(_)) && self.lock.is_locked(&guesser);
            if reach == Reach::NotYet || is_locked {
                return true;
            }
            if reach == Reach::Cut {
                meant = Meant::Reply(Reply::Unclear);
            }
            // What was not clear is asked about again, and may be answered with the same words. Who has said it repeats no
            // earlier answer.
            if matches!(meant, Meant::Reply(Reply::Unclear)) {
                self.taken.remove(session_id);
            } else {
                self.taken.insert(session_id.to_owned(), (words, Instant::now()));
            }
        }
        answered(utterances, session_id, meant, guesser)
    }

    /// A question of this text is put in a session. While it is open, no program has a sound played at the device.
    fn reception(
        &self,
        session_id: &str,
        text: &str,
        patience: Duration,
        deadline: watch::Sender<Instant>,
    ) -> Reception {
        let voice = self.voices.get(session_id);
        let since = voice.copied().flatten();
        let since = since.filter(|since| since.elapsed() < LONGEST_SPEECH);
        let still = (session_id == DEFAULT_SESSION_ID).then(|| self.stillness.begin());
        Reception::begin(text, voice.is_some(), since, patience, deadline).in_stillness(still)
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

/// Who says a PIN elsewhere, as far as that is known.
fn guesser(session_id: &str, source: Option<&str>) -> PinGuesser {
    PinGuesser::Elsewhere(format!("{session_id} {}", source.unwrap_or_default()))
}

/// Gives the turn that waits this answer. Whether it was one.
fn answered(utterances: &mut Utterances, session_id: &str, meant: Meant, guesser: PinGuesser) -> bool {
    let Some(asked) = utterances.take_question(session_id) else {
        return false;
    };
    let is_answer = meant.is_answer();
    let answer = match meant {
        Meant::Pin(pin) => Answer::Pin(pin, guesser),
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
        self.silence.ends();
        let Question {
            request,
            deeds,
            wanted,
            attempt,
            answer,
            deadline,
        } = question;
        // Of a turn that has ended meanwhile nothing is asked, least of all in the turn that runs now.
        if answer.is_closed() {
            return;
        }
        let Some(job) = self.utterances.running(&request.session_id) else {
            return;
        };
        let phrases = Phrases::of(&job.lang);
        let by = match self.dialogue.questions.answerer(job, &request) {
            Ok(by) => by,
            Err(bar) => {
                bar.log(&request);
                // Who asks in words of their own also tells in their own why it cannot be.
                if request.question.is_none() {
                    let sentence = spoken::speak(&job.cause, bar.sentence(phrases), &job.lang);
                    self.emit(sentence).await;
                }
                answer.send(Answer::Consent(Consent::Barred)).ok();
                return;
            }
        };
        let is_first_yes = (wanted, attempt) == (Wanted::Yes, Attempt::First);
        let text = match (&request.question, &request.wording, &*deeds) {
            (Some(own), ..) => in_own_words(phrases, own, wanted),
            (None, None, [_]) if let Some(sentence) = request.restated.as_ref().filter(|_| is_first_yes) => {
                phrases.consent_guess(sentence)
            }
            // One that is put again says name and arguments.
            (None, Some(own), [_]) if wanted != Wanted::Pin && attempt == Attempt::First => {
                in_own_words(phrases, own, wanted)
            }
            (None, None, [deed]) if request.is_guess && is_first_yes => phrases.consent_guess(deed),
            _ => wording(phrases, &deeds, wanted, attempt),
        };
        let text = printable(&text).into_owned();
        let patience = self.dialogue.questions.rules.patience;
        let question = spoken::question(&waiting(&job.cause, patience), &text, &job.lang);
        let activation = frames::activation(job.origin, &job.cause);
        let mut names = self.dialogue.questions.rules.names.clone();
        names.push(job.persona.name.clone());
        let asked = OpenQuestion {
            answer,
            reception: self
                .dialogue
                .questions
                .reception(&request.session_id, &text, patience, deadline),
            by,
            wanted,
            names,
            heard: None,
            is_told: false,
        };
        if wanted == Wanted::Pin {
            self.dialogue.questions.pin_was_asked_for(&request.session_id);
        }
        self.utterances.ask(&request.session_id, asked);
        if let Some(activation) = activation {
            self.emit(activation).await;
        }
        self.emit(question).await;
    }

    /// Takes an utterance for the answer to what was asked in its session before it was said. False when nothing was, or
    /// when it is no answer.
    pub(super) async fn answers(&mut self, entry: &Message, lang: &str, arrival: &Arrival) -> bool {
        let Some(voice) = &arrival.voice else {
            return false;
        };
        let session = entry.context.session();
        let may_be_pin = self.dialogue.questions.expects_pin(session.id());
        if !self
            .dialogue
            .questions
            .takes(&mut self.utterances, entry, lang, arrival.saying, voice)
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

/// A question in the words of the tool that asks it, with what has to be said for a yes where that is no yes.
fn in_own_words(phrases: &Phrases, question: &str, wanted: Wanted) -> String {
    match wanted {
        Wanted::Number(number) => format!("{question} {}", phrases.consent_number(number)),
        Wanted::Yes | Wanted::Pin => question.to_owned(),
    }
}

fn wording(phrases: &Phrases, deeds: &[String], wanted: Wanted, attempt: Attempt) -> String {
    let deed = phrases.strung(deeds);
    match (wanted, attempt) {
        (Wanted::Yes, Attempt::First) if deeds.len() > 1 => phrases.consent_all(deeds.len(), &deed),
        (Wanted::Yes, Attempt::First) => phrases.consent(&deed),
        (Wanted::Yes, _) => phrases.consent_again(&deed),
        (Wanted::Pin, Attempt::First) => phrases.consent_pin(&deed),
        (Wanted::Pin, Attempt::Unclear) => phrases.pin_again.clone(),
        (Wanted::Pin, Attempt::WrongPin) => phrases.pin_wrong.clone(),
        (Wanted::Number(number), Attempt::First) => phrases.consent_next(number, &deed),
        (Wanted::Number(number), _) => phrases.consent_next_again(number, &deed),
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
