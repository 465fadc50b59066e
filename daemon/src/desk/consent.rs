//! Asks the person aloud before a tool may do harm, and takes what they say next for the answer.
//!
//! Only an utterance of the same session counts, and only for the call that it was asked about; no frame and no tool can
//! say yes in the person's place. What is neither yes nor no counts as a no, and as an utterance of its own.
//!
//! Beside an ovos-core the answer is what the core brings us next of that session, whichever way it takes: as a word in
//! a conversation, as the response that a session says we wait for, or as an utterance that nobody else wanted. It counts
//! only when somebody was heard saying so after the question.
//!
//! A turn may want to ask several things at once, as the steps of a plan do. One question is open at a time, since what
//! is said next can be the answer to one only; the others wait for their turn.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_wire::Message;
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::Instant;

use super::job::{Job, Origin};
use super::lifecycle::{self, Addressed, SKILL_ID};
use super::{Desk, unix_now, utterances};
use crate::deed::deed;
use crate::orchestrator::pipeline::Stage;
use crate::phrases::Phrases;

/// Questions that may wait to be asked; whoever asks one more waits. There is one at most for each turn that runs.
const WAITING: usize = 16;

/// Where the answer to a question of ours is dispatched to.
const RESPONSE: &str = "response";

/// The field of a session that says whose question waits for an answer.
const RESPONSE_MODE: &str = "response_mode";

/// A call that waits for a yes.
#[derive(Debug)]
pub(super) struct Question {
    request: Request,
    answer: oneshot::Sender<Consent>,
}

/// What waits for the answer of a person.
#[derive(Debug)]
struct Asked {
    answer: oneshot::Sender<Consent>,
    since: Instant,
    /// Whether the last that somebody has said to the core since was a yes.
    heard: Option<bool>,
}

/// What has been asked and not been answered, by session, and the way for new questions.
#[derive(Debug)]
pub(super) struct Questions {
    sender: mpsc::Sender<Question>,
    receiver: mpsc::Receiver<Question>,
    asked: HashMap<String, Asked>,
    patience: Duration,
}

impl Questions {
    /// None yet; an answer is waited for this long.
    pub(super) fn new(patience: Duration) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self {
            sender,
            receiver,
            asked: HashMap::new(),
            patience,
        }
    }

    /// Whether the person of this session has been asked something.
    pub(super) fn waits_in(&self, session_id: &str) -> bool {
        let asked = self.asked.get(session_id);
        asked.is_some_and(|asked| !asked.answer.is_closed())
    }

    /// The next one to ask. Never ends. Cancel safe.
    pub(super) async fn next(&mut self) -> Question {
        match self.receiver.recv().await {
            Some(question) => question,
            None => std::future::pending().await,
        }
    }

    /// Who can be asked during this job. Whoever asks for words out of band is no person.
    pub(super) fn person(&self, job: &Job) -> Option<Arc<dyn Person>> {
        let asker = || {
            Arc::new(Asker {
                questions: self.sender.clone(),
                patience: self.patience,
                floor: Semaphore::new(1),
            }) as Arc<dyn Person>
        };
        (job.origin != Origin::Query).then(asker)
    }

    fn ask(&mut self, session_id: String, answer: oneshot::Sender<Consent>) {
        // A turn that ended meanwhile waits for nothing any more.
        self.asked.retain(|_, asked| !asked.answer.is_closed());
        let asked = Asked {
            answer,
            since: Instant::now(),
            heard: None,
        };
        self.asked.insert(session_id, asked);
    }

    /// Whether these words would be the answer to what was asked in this session.
    pub(super) fn waits_for(&self, words: &Message, lang: &str) -> bool {
        self.waits_in(words.context.session_id()) && meant(words, lang).is_some()
    }

    /// Somebody speaks to a core, which may bring it to us. Words that are no answer end the question at once, since the
    /// core may bring them to somebody else.
    pub(super) fn overhear(&mut self, entry: &Message, lang: &str) {
        let session_id = entry.context.session_id();
        let heard = meant(entry, lang);
        if heard.is_none() {
            self.asked.remove(session_id);
        } else if let Some(asked) = self.asked.get_mut(session_id) {
            asked.heard = heard;
        }
    }

    /// The same words, brought by a core; what means something else than the person has said is not their answer.
    pub(super) fn takes_from_core(&mut self, dispatch: &Message, lang: &str) -> bool {
        let asked = self.asked.get(dispatch.context.session_id());
        let heard = asked.and_then(|asked| asked.heard);
        heard.is_some() && heard == meant(dispatch, lang) && self.takes(dispatch, lang, Instant::now())
    }

    /// Takes words for the answer to what was asked in their session before they were said. False when nothing was, or
    /// when they are no answer; the question is then over all the same.
    fn takes(&mut self, words: &Message, lang: &str, said_at: Instant) -> bool {
        let session_id = words.context.session_id();
        let asked = self.asked.get(session_id);
        if asked.is_none_or(|asked| said_at < asked.since) {
            return false;
        }
        let Some(asked) = self.asked.remove(session_id) else {
            return false;
        };
        let meant = meant(words, lang);
        let consent = match meant {
            Some(true) => Consent::Given,
            Some(false) => Consent::Refused,
            None => Consent::Unclear,
        };
        // The turn may have ended meanwhile; then this is an utterance like any other.
        asked.answer.send(consent).is_ok() && meant.is_some()
    }
}

/// Takes the questions of a turn and of all turns within it to the desk. A session has one turn at a time, so this also
/// keeps the order of what its person is asked.
struct Asker {
    questions: mpsc::Sender<Question>,
    patience: Duration,
    /// Who holds it asks. Closed once a question was met with silence.
    floor: Semaphore,
}

impl Asker {
    async fn ask(&self, request: &Request) -> Consent {
        if request.pin {
            tracing::warn!(
                tool = request.tool,
                "the tool asks for a PIN, and there is none; it is not run"
            );
            return Consent::Unclear;
        }
        // Each question before this one is over when the patience is, and all are when the turn stops or its time is up,
        // since that drops them.
        let Ok(_permit) = self.floor.acquire().await else {
            return Consent::Unclear;
        };
        let (answer, heard) = oneshot::channel();
        let question = Question {
            request: request.clone(),
            answer,
        };
        if self.questions.send(question).await.is_err() {
            return Consent::Unclear;
        }
        match tokio::time::timeout(self.patience, heard).await {
            Ok(Ok(consent)) => consent,
            Ok(Err(_)) => Consent::Unclear,
            Err(_) => {
                // Nobody is there, or a late yes would be taken for the answer to the next question.
                self.floor.close();
                Consent::Unclear
            }
        }
    }
}

impl Person for Asker {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(self.ask(request))
    }
}

impl Desk {
    /// Asks aloud, as a part of the turn that waits.
    pub(super) async fn ask_person(&mut self, Question { request, answer }: Question) {
        // Of a turn that has ended meanwhile nothing is asked, least of all in the turn that runs now.
        if answer.is_closed() {
            return;
        }
        let Some(job) = self.conversations.running(&request.session_id) else {
            return;
        };
        let text = Phrases::of(&job.lang).consent(&deed(&request.tool, &request.arguments));
        let mut cause = job.cause.clone();
        let mut session = cause.context.session();
        let expires_at = unix_now() + self.questions.patience.as_secs_f64();
        session.insert(
            RESPONSE_MODE,
            json!({"skill_id": SKILL_ID, "expires_at": expires_at}),
        );
        cause.context.set_session(&session);
        let question = lifecycle::question(&cause, &text, &job.lang);
        let activation = lifecycle::activation(job);
        self.questions.ask(request.session_id, answer);
        if let Some(activation) = activation {
            self.emit(activation).await;
        }
        self.emit(question).await;
    }

    /// Takes an utterance for the answer to what was asked in its session before it was said. False when nothing was, or
    /// when it is no answer; the question is then over all the same.
    pub(super) async fn answers(&mut self, entry: &Message, lang: &str, said_at: Instant) -> bool {
        if !self.questions.takes(entry, lang, said_at) {
            return false;
        }
        let session = entry.context.session();
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        let addressed = Addressed {
            skill_id: SKILL_ID,
            intent: RESPONSE,
            pipeline_id: Stage::Converse.id(),
            lang,
            utterance: &said,
            slots: &Map::new(),
            session: &session,
        };
        let dispatch = lifecycle::dispatch(entry, &addressed, unix_now());
        self.at_once(&dispatch, "", lang, None).await;
        true
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

/// Whether somebody says yes or no.
fn meant(words: &Message, lang: &str) -> Option<bool> {
    let said = utterances(words).into_iter().next()?;
    Phrases::of(lang).is_yes(&said)
}

#[cfg(test)]
mod tests {
    use loquat_wire::Session;

    use super::*;

    fn said(text: &str) -> Message {
        let mut message = Message::new("x", json!({"utterances": [text]}));
        message.context.set_session(&Session::named("kitchen"));
        message
    }

    fn asked() -> (Questions, oneshot::Receiver<Consent>) {
        let mut questions = Questions::new(Duration::from_secs(60));
        let (answer, heard) = oneshot::channel();
        questions.ask("kitchen".to_owned(), answer);
        (questions, heard)
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_said_before_the_question_is_not_its_answer() {
        let before = Instant::now();
        tokio::time::advance(Duration::from_secs(1)).await;
        let (mut questions, mut heard) = asked();
        assert!(!questions.takes(&said("Yes"), "en-US", before));
        assert!(questions.waits_in("kitchen") && heard.try_recv().is_err());
        assert!(questions.takes(&said("No"), "en-US", Instant::now()));
        assert_eq!(heard.await.unwrap(), Consent::Refused);
    }

    #[tokio::test]
    async fn a_core_may_bring_only_what_was_heard() {
        let (mut questions, heard) = asked();
        assert!(!questions.takes_from_core(&said("Yes"), "en-US"), "nobody spoke");
        questions.overhear(&said("No"), "en-US");
        assert!(!questions.takes_from_core(&said("Yes"), "en-US"), "it was a no");
        assert!(questions.takes_from_core(&said("no, thanks"), "en-US"));
        assert_eq!(heard.await.unwrap(), Consent::Refused);
    }
}
