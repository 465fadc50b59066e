//! What was asked for and lacks a part: the turn has ended with a question, and what is said next in its session may be
//! the part.
//!
//! What is said next ends the question in any case: it completes the call, is a no, or is an utterance of its own. So
//! does silence. Nothing here asks for a yes; that is what [`consent`](super::consent) does.

use std::collections::HashMap;
use std::time::Duration;

use loquat_agent::brain::ChatMessage;
use loquat_agent::record::Reason;
use loquat_agent::speakable;
use loquat_mind::Reply;
use loquat_mind::spoken_tools::Wanted;
use loquat_orchestrator::frames::{self, Addressed, SKILL_ID};
use loquat_orchestrator::pipeline::Stage;
use loquat_orchestrator::search::RESPONSE;
use loquat_phrases::Phrases;
use loquat_phrases::assent::Reply as Assent;
use loquat_sentences::words::words;
use loquat_wire::{Message, topic};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::job::{Arrival, Job, Origin};
use super::{Desk, unix_now, utterances};

/// Questions that may be open in all sessions together.
const MOST: usize = 256;

/// A no of more words says something else as well.
const LONGEST_NO: usize = 2;

/// The calls that lack a part, by session.
#[derive(Debug, Default)]
pub(super) struct OpenCalls(HashMap<String, OpenCall>);

#[derive(Debug)]
struct OpenCall {
    wanted: Wanted,
    /// Which ones it may mean, where it is asked which one; else it lacks a part.
    choices: Vec<String>,
    turn_id: String,
    until: Instant,
}

impl OpenCalls {
    fn open(&mut self, job: &Job, wanted: Wanted, choices: Vec<String>, patience: Duration) {
        let now = Instant::now();
        self.0.retain(|_, call| call.until > now);
        if self.0.len() < MOST {
            let call = OpenCall {
                wanted,
                choices,
                turn_id: job.turn_id.clone(),
                until: now + patience,
            };
            self.0.insert(job.session.id().to_owned(), call);
        }
    }

    fn of(&self, session_id: &str) -> Option<&OpenCall> {
        let call = self.0.get(session_id);
        call.filter(|call| call.until > Instant::now())
    }

    pub(super) fn is_of(&self, job: &Job) -> bool {
        let call = self.0.get(job.session.id());
        call.is_some_and(|call| call.turn_id == job.turn_id)
    }

    /// What is said next is an utterance of its own.
    pub(super) fn close(&mut self, session_id: &str) {
        self.0.remove(session_id);
    }
}

/// The call of a sentence whose answer asks which of several it means, alone, since the others are done; and which ones.
fn asks_which(wanted: &Wanted, said: &Reply) -> Option<(Wanted, Vec<String>)> {
    let asking = said.asking.as_ref().filter(|_| said.text.contains('?'))?;
    let mut asks = wanted.clone();
    asks.call = asking.among(&wanted.call)?;
    Some((asks, asking.choices.clone()))
}

impl Desk {
    /// The question what was meant by a sentence that may mean several things, in the place of a turn.
    pub(super) fn asks_what_is_meant(&self, job: &Job) -> Option<Reply> {
        let meanings = job.wanted.as_ref()?.meanings();
        if meanings.is_empty() || self.mind.is_emergency_stopped() {
            return None;
        }
        let meanings: Vec<String> = meanings.iter().map(|name| speakable(name)).collect();
        let text = Phrases::of(&job.lang).which(&meanings);
        Some(Reply {
            history: vec![
                ChatMessage::user(job.utterance.as_str()),
                ChatMessage::assistant(text.as_str()),
            ],
            is_answer: true,
            ..Reply::instead(Reason::Answered, &text)
        })
    }

    /// Notes that the answer of this turn asks for a part of its call, or which of several its call means. A tool that could be
    /// called is not asked for.
    pub(super) fn note_open_call(&mut self, job: &Job, said: &Reply) {
        let wanted = job.wanted.as_ref().filter(|_| said.reason.is_success());
        let open = wanted.and_then(|wanted| {
            let meanings = wanted.meanings();
            if !meanings.is_empty() {
                return Some((wanted.clone(), meanings));
            }
            let asks_for_part =
                || said.text.trim_end().ends_with('?') && self.repertoire.tools.now().is_incomplete(wanted);
            let which = asks_which(wanted, said);
            which.or_else(|| asks_for_part().then(|| (wanted.clone(), Vec::new())))
        });
        if let Some((wanted, choices)) = open {
            self.dialogue
                .open_calls
                .open(job, wanted, choices, self.settings.consent.patience);
        }
    }

    /// The answer of a turn that asks is a question: the microphone is opened for what is said next.
    pub(super) fn as_question(&self, job: &Job, mut frame: Message) -> Message {
        if frame.topic == topic::SPEAK
            && (self.dialogue.open_calls.is_of(job) || self.dialogue.talks.is_asked_aloud(job))
        {
            for flag in ["listen", "expect_response"] {
                frame.data.insert(flag.to_owned(), Value::Bool(true));
            }
        }
        frame
    }

    fn is_question(&self, job: &Job) -> bool {
        self.dialogue.open_calls.is_of(job) || self.dialogue.talks.is_asked(job)
    }

    /// Has an older core bring us what is said next.
    pub(super) async fn stay_active(&self, job: &Job) {
        let activation = frames::activation(job.origin, &job.cause);
        if let Some(activation) = activation.filter(|_| self.is_question(job)) {
            self.emit(activation).await;
        }
    }

    /// Whether these words would complete what was asked for in their session.
    pub(super) fn would_complete(&self, words: &Message, lang: &str) -> bool {
        let open = self.dialogue.open_calls.of(words.context.session_id());
        let said = utterances(words).into_iter().next().unwrap_or_default();
        open.is_some_and(|open| self.answered(open, &said, lang).is_some())
    }

    /// The call that these words answer the question about.
    fn answered(&self, open: &OpenCall, said: &str, lang: &str) -> Option<Wanted> {
        let tools = self.repertoire.tools.now();
        if open.choices.is_empty() {
            tools.completed(&open.wanted, said, lang)
        } else {
            tools.chosen(&open.wanted, &open.choices, said, lang)
        }
    }

    /// The call that these words complete. What was asked for in the session is not waited for any more.
    pub(super) fn completed(&mut self, session_id: &str, said: &str, lang: &str) -> Option<Wanted> {
        let open = self.dialogue.open_calls.of(session_id);
        let completed = open.and_then(|open| self.answered(open, said, lang));
        self.dialogue.open_calls.close(session_id);
        completed
    }

    /// Takes an utterance that we orchestrate for what was asked for in its session. False where it is one of its own.
    pub(super) async fn completes(&mut self, entry: &Message, lang: &str, arrival: &Arrival) -> bool {
        let session = entry.context.session();
        let Some(open) = self.dialogue.open_calls.of(session.id()) else {
            return false;
        };
        let said = utterances(entry).into_iter().next().unwrap_or_default();
        // What says which one is meant is no "no", whatever word is in it.
        let is_choice = !open.choices.is_empty() && self.answered(open, &said, lang).is_some();
        let is_no = !is_choice
            && words(&said).len() <= LONGEST_NO
            && Phrases::of(lang).reply(&said, &self.settings.consent.names) == Assent::No;
        let wanted = self.completed(session.id(), &said, lang).filter(|_| !is_no);
        if wanted.is_none() && !is_no {
            return false;
        }
        let addressed = Addressed {
            skill_id: SKILL_ID,
            intent: RESPONSE,
            pipeline_id: Stage::Converse.id(),
            lang,
            utterance: &said,
            slots: &Map::new(),
            session: &session,
        };
        let dispatch = frames::dispatch(entry, &addressed, unix_now());
        let Some(wanted) = wanted else {
            self.at_once(&dispatch, "", lang, None).await;
            return true;
        };
        let summoned = session.persona_id().and_then(|id| self.mind.find(id));
        let Some(persona) = summoned.or_else(|| self.mind.default_persona()) else {
            return false;
        };
        let mut job = Job::new(Origin::Solo, dispatch, persona, said, lang).said_by(arrival);
        job.wanted = Some(wanted);
        self.take(job).await;
        true
    }
}
