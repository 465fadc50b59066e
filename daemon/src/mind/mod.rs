//! The mind: personas made ready to answer.
//!
//! At the start every persona's handlers get their engine, brain and toolboxes; a turn then only picks them up.
//! Handlers are tried in order until one answers. What comes out is always something to say, or silence on purpose.

mod brains;
mod ready;
mod rehearsal;
mod watched;

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loquat_agent::brain::{BrainError, ChatMessage, Role, Sampling};
use loquat_agent::consent::Person;
use loquat_agent::journal::{Entry, Journal, answer_on_record, resume};
use loquat_agent::record::{Reason, Record};
use loquat_agent::reflection::reflect;
use loquat_agent::result::TurnResult;
use loquat_agent::speakable;
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Means, Question, Standing, StopSignal, stop_pair};
use loquat_wire::Session;
use serde_json::{Value, json};

pub use self::brains::{Brains, BrainsError, LocalModel};
pub use self::ready::{Handler, Mentality, ReadyError};
use self::rehearsal::Rehearsal;
use self::watched::Watched;
use crate::deed;
use crate::device::Device;
use crate::events::Hub;
use crate::payload::with;
use crate::phrases::Phrases;
use crate::state::State;
use crate::tools::{ForeignBoxes, LateBoxes};

/// What the brain is prepared with; only what stands before it matters.
const REHEARSED: &str = "Hello";

/// All personas, ready to answer.
#[derive(Debug)]
pub struct Mind {
    personas: Vec<Arc<Mentality>>,
    default: Option<String>,
    device: Device,
    hub: Hub,
    foreign: Arc<ForeignBoxes>,
    /// What lasts from turn to turn.
    standing: Arc<Standing>,
    /// Where turns are written down.
    state: Option<State>,
    /// Ids of personas that were taken back: sessions that use them are served, new ones are not (PERSONA-1 §9).
    retired: Mutex<BTreeSet<String>>,
}

/// What was said, and in which conversation.
#[derive(Debug)]
pub struct Utterance {
    /// Becomes the turn's id.
    pub turn_id: String,
    /// The session as the frame brought it.
    pub session: Session,
    /// The words.
    pub text: String,
    /// Language of the answer, BCP-47.
    pub lang: String,
    /// `voice`, `text` or `query`.
    pub channel: &'static str,
    /// How whoever asks wants the answer to be drawn.
    pub sampling: Sampling,
    /// The session's earlier utterances and answers.
    pub history: Vec<ChatMessage>,
    /// What was written of it before a crash, by attempt; usually nothing.
    pub past: Vec<Vec<Entry>>,
}

/// What comes of an utterance.
#[derive(Debug)]
pub struct Said {
    /// What is spoken; empty where silence is meant.
    pub text: String,
    /// How the turn ended.
    pub reason: Reason,
    /// Whether the text is an answer of the brain, perhaps of a turn that a limit ended, and no sentence of ours.
    pub is_answer: bool,
    /// What the conversation remembers.
    pub history: Vec<ChatMessage>,
    /// How the turn came out, for others on the bus; nothing where none was begun.
    pub result: Option<Value>,
    /// Why none was begun, for the program that asked, where what it asked makes no sense.
    pub refusal: Option<String>,
}

impl Said {
    /// A sentence of ours instead of an answer.
    pub fn instead(reason: Reason, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            reason,
            is_answer: false,
            history: Vec::new(),
            result: None,
            refusal: None,
        }
    }

    /// A sentence of ours to whoever hears it, and the error to the program that asked.
    pub fn refused(error: &str, text: &str) -> Self {
        Self {
            refusal: Some(error.to_owned()),
            ..Self::instead(Reason::Noop, text)
        }
    }

    /// Nothing at all.
    pub fn silence(reason: Reason) -> Self {
        Self::instead(reason, "")
    }
}

impl Mind {
    /// A mind of these personas; `default` names the one that answers when none is asked for.
    pub fn new(
        personas: Vec<Mentality>,
        default: Option<String>,
        device: Device,
        hub: Hub,
        foreign: Arc<ForeignBoxes>,
    ) -> Self {
        let personas = personas.into_iter().map(Arc::new).collect();
        Self {
            personas,
            default,
            device,
            hub,
            foreign,
            standing: Arc::default(),
            state: None,
            retired: Mutex::default(),
        }
    }

    /// The same with a place to write turns down.
    #[must_use]
    pub fn with_state(mut self, state: Option<State>) -> Self {
        self.state = state;
        self
    }

    /// The same with another memory of what lasts from turn to turn.
    #[must_use]
    pub fn with_standing(mut self, standing: Standing) -> Self {
        self.standing = Arc::new(standing);
        self
    }

    /// A persona by id or name, without regard to case.
    pub fn find(&self, id_or_name: &str) -> Option<Arc<Mentality>> {
        let wanted = id_or_name.trim().to_lowercase();
        let is_wanted = |persona: &&Arc<Mentality>| {
            persona.id.to_lowercase() == wanted || persona.name.to_lowercase() == wanted
        };
        self.personas.iter().find(is_wanted).map(Arc::clone)
    }

    /// As [`find`](Self::find), without those that were taken back.
    pub fn find_offered(&self, id_or_name: &str) -> Option<Arc<Mentality>> {
        self.find(id_or_name)
            .filter(|persona| !self.retired().contains(&persona.id))
    }

    /// Takes a persona back, or offers it again. Nothing happens for one that is not there.
    pub fn offer(&self, id: &str, offered: bool) {
        let Some(persona) = self.find(id) else { return };
        if offered {
            self.retired().remove(&persona.id);
        } else {
            self.retired().insert(persona.id.clone());
        }
    }

    /// The personas that are offered, in their order.
    pub fn offered(&self) -> Vec<Arc<Mentality>> {
        let retired = self.retired().clone();
        let offered = self
            .personas
            .iter()
            .filter(|persona| !retired.contains(&persona.id));
        offered.map(Arc::clone).collect()
    }

    fn retired(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The persona that answers when none is asked for.
    pub fn default_persona(&self) -> Option<Arc<Mentality>> {
        let named = self.default.as_deref().and_then(|name| self.find(name));
        named.or_else(|| self.personas.first().map(Arc::clone))
    }

    /// The person said stop: a session in which nothing worked any more may try again.
    pub fn stopped(&self, session_id: &str) {
        self.standing.clear(session_id);
    }

    /// What `ovos.persona.list` shows (PERSONA-1 §8.7).
    pub fn listing(&self) -> Vec<Value> {
        let entry = |persona: &Arc<Mentality>| {
            let entry = json!({"persona_id": persona.id, "name": persona.name});
            if persona.tags.is_empty() {
                entry
            } else {
                with(entry, "tags", json!(persona.tags))
            }
        };
        self.offered().iter().map(entry).collect()
    }

    /// Answers an utterance. Never fails and never panics: every path ends with words or with silence on purpose.
    /// `person` is asked before a tool may do harm; without anybody it is not run.
    pub async fn answer(
        &self,
        persona: &Mentality,
        utterance: Utterance,
        stop: StopSignal,
        person: Option<Arc<dyn Person>>,
    ) -> Said {
        if let Some(apology) = &persona.apology {
            return Said::instead(Reason::Noop, apology);
        }
        let mut last = None;
        for (attempt, handler) in persona.handlers.iter().enumerate() {
            let (stop, person) = (stop.clone(), person.clone());
            let (record, error) = self
                .ask(persona, (attempt, handler), &utterance, (stop, person))
                .await;
            // Another handler would begin anew, and do once more what was done or may have been.
            let unanswered = record.reason == Reason::LlmError
                && record.answer.is_empty()
                && record.attempted().next().is_none();
            last = Some((record, error, handler));
            if !unanswered {
                break;
            }
        }
        let phrases = Phrases::of(&utterance.lang);
        match last {
            Some((record, error, handler)) => {
                let result = reported(persona, handler, &record);
                let said = worded(record, error.as_ref(), phrases);
                let result = with(result, "answer", said.text.as_str());
                Said {
                    result: Some(result),
                    ..said
                }
            }
            None => Said::instead(Reason::LlmError, &phrases.no_persona),
        }
    }

    /// Looks back on a conversation with this persona: notes that take the place of those so far. Nothing when the
    /// brain has none or fails, which is no loss to anybody yet. Cancel safe.
    pub async fn reflect(
        &self,
        persona: &Mentality,
        notes: Option<&str>,
        messages: &[ChatMessage],
    ) -> Option<String> {
        let handler = persona.handlers.first()?;
        let reflected = reflect(&*handler.brain, notes, messages).await;
        // The model of this device has read something else meanwhile than what questions begin with.
        self.rehearse().await;
        reflected
            .inspect_err(|error| tracing::debug!(%error, "failed to look back on a conversation"))
            .ok()
            .flatten()
    }

    /// Prepares the brain of the default persona, so that the first question does not wait for a model to be loaded
    /// and to read its instructions. Cancel safe.
    pub async fn rehearse(&self) {
        let Some(persona) = self.default_persona() else {
            return;
        };
        let Some(handler) = persona.handlers.first() else {
            return;
        };
        let utterance = Utterance {
            turn_id: String::new(),
            session: Session::default(),
            text: REHEARSED.to_owned(),
            lang: self.device.lang.clone(),
            history: Vec::new(),
            channel: "voice",
            sampling: Sampling::default(),
            past: Vec::new(),
        };
        let means = Means {
            brain: Arc::new(Rehearsal(Arc::clone(&handler.brain))),
            toolboxes: self.toolboxes(handler).await,
            arrivals: None,
            budget: handler.budget,
            settings: handler.settings.clone(),
            observer: Arc::new(()),
            stop: stop_pair().1,
            standing: Arc::default(),
            person: None,
        };
        loquat_agent::answer(
            handler.engine,
            self.question(&persona, handler, &utterance),
            means,
        )
        .await;
    }

    async fn toolboxes(&self, handler: &Handler) -> Vec<Arc<dyn Toolbox>> {
        let mut toolboxes = handler.toolboxes.clone();
        toolboxes.extend(self.foreign.find(&handler.foreign).await);
        toolboxes
    }

    async fn ask(
        &self,
        persona: &Mentality,
        (attempt, handler): (usize, &Handler),
        utterance: &Utterance,
        (stop, person): (StopSignal, Option<Arc<dyn Person>>),
    ) -> (Record, Option<BrainError>) {
        let brain = Arc::new(Watched::new(Arc::clone(&handler.brain)));
        let toolboxes = self.toolboxes(handler).await;
        let late = LateBoxes::missing(&self.foreign, &handler.foreign, &toolboxes);
        let means = Means {
            brain: Arc::clone(&brain) as _,
            toolboxes,
            arrivals: late.clone().map(|late| late as _),
            budget: handler.budget,
            settings: handler.settings.clone(),
            observer: self.hub.observer(utterance.session.id(), &utterance.turn_id),
            stop,
            standing: Arc::clone(&self.standing),
            person,
        };
        let question = self.question(persona, handler, utterance);
        let past = utterance.past.get(attempt).filter(|past| !past.is_empty());
        // On the heap: it is large, and may be held beside the search for toolboxes.
        let turn = Box::pin(async {
            match (&self.state, past) {
                (None, _) => loquat_agent::answer(handler.engine, question, means).await,
                (Some(state), None) => {
                    let journal = state.journal(&utterance.turn_id, attempt);
                    answer_on_record(handler.engine, question, means, journal).await
                }
                (Some(state), Some(past)) => {
                    let journal = state.journal(&utterance.turn_id, attempt);
                    go_on(past.clone(), means, journal, (question, handler)).await
                }
            }
        });
        let record = match late {
            Some(late) => beside(turn, late.look()).await,
            None => turn.await,
        };
        if let Some(fault) = &record.fault {
            tracing::warn!(session = utterance.session.id(), reason = ?record.reason, fault, "a turn failed");
        }
        (record, brain.last_error())
    }

    fn question(&self, persona: &Mentality, handler: &Handler, utterance: &Utterance) -> Question {
        let remembered = if persona.remembers {
            utterance.history.as_slice()
        } else {
            &[]
        };
        let who = self.device.circumstances_of(&utterance.session);
        Question {
            turn_id: utterance.turn_id.clone(),
            session_id: who.session_id,
            utterance: utterance.text.clone(),
            history: persona.examples.iter().chain(remembered).cloned().collect(),
            channel: Some(utterance.channel.to_owned()),
            persona_prompt: handler.prompt.clone(),
            lang: Some(persona.lang.clone().unwrap_or_else(|| utterance.lang.clone())),
            units: who.units,
            time_zone: who.time_zone,
            time_format: who.time_format,
            date_format: who.date_format,
            sampling: handler.bounded(utterance.sampling),
        }
    }
}

/// What comes of `work`, and meanwhile something that may end earlier and is dropped when it does not.
async fn beside<T>(work: impl Future<Output = T>, other: impl Future<Output = ()>) -> T {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        done = &mut work => done,
        () = other => work.await,
    }
}

/// Goes on with what was written, or begins anew where that does not tell how it began.
async fn go_on(
    past: Vec<Entry>,
    means: Means,
    journal: Arc<dyn Journal>,
    (question, handler): (Question, &Handler),
) -> Record {
    match resume(past, means.clone(), Arc::clone(&journal)).await {
        Ok(record) => record,
        Err(error) => {
            tracing::warn!(%error, turn = question.turn_id, "failed to go on with a turn; it begins anew");
            answer_on_record(handler.engine, question, means, journal).await
        }
    }
}

/// The record's answer made speakable, or our own sentence where it has none.
fn worded(record: Record, error: Option<&BrainError>, phrases: &Phrases) -> Said {
    let done = deed::done(&record);
    let Record {
        answer,
        reason,
        mut history,
        ..
    } = record;
    let spoken = speakable(&answer);
    let is_answer = !spoken.is_empty();
    let text = match (spoken.is_empty(), reason.is_success()) {
        (false, _) => spoken,
        (true, _) if !done.is_empty() => phrases.for_failure_after(&done, reason, error),
        (true, true) => phrases.for_failure(Reason::ParseError, None).to_owned(),
        (true, false) => phrases.for_failure(reason, error).to_owned(),
    };
    // What the conversation remembers alternates: a question without an answer would melt into the next one.
    let is_answered = history.last().is_some_and(|last| last.role == Role::Assistant);
    match (is_answered, text.is_empty()) {
        (true, _) => {}
        (false, true) => history.clear(),
        (false, false) => history.push(ChatMessage::assistant(text.as_str())),
    }
    Said {
        text,
        reason,
        is_answer,
        history,
        result: None,
        refusal: None,
    }
}

/// The result of a turn and who answered.
fn reported(persona: &Mentality, handler: &Handler, record: &Record) -> Value {
    // Nothing in it can fail to become JSON.
    let result = serde_json::to_value(TurnResult::from(record)).unwrap_or_default();
    let result = with(result, "persona_id", persona.id.as_str());
    let result = with(result, "engine", handler.engine.id);
    with(result, "max_allowed_iterations", handler.budget.max_iterations)
}
