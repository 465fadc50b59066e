//! What the orchestrator keeps of sessions between utterances (SESSION-2): the device's own whole, of others only which
//! skill waits for an answer. Everything else of a named session travels with its frames.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use loquat_wire::{Message, Session, session, topic};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Desk, lifecycle, unix_now};
use crate::orchestrator::changes::Changes;
use crate::orchestrator::{notes, pipeline};

/// Notes of skills about sessions.
pub(super) const TOPICS: [&str; 5] = [
    topic::GET_RESPONSE_ENABLE,
    topic::GET_RESPONSE_DISABLE,
    topic::SKILL_ACTIVATE,
    topic::SKILL_DEACTIVATE,
    topic::COMMON_QUERY_PONG,
];

/// A skill that has not taken an answer by then waits no more.
const WAITING_LIFE: Duration = Duration::from_secs(120);

/// Missing stages that are told; somebody who names more makes them up.
const MISSING: usize = 100;

/// Sessions in which somebody may wait at once.
const WAITING: usize = 1000;

/// The store.
#[derive(Debug, Clone, Default)]
pub(super) struct Sessions {
    /// The device's own session, which clients need not send whole (SESSION-2 §2.3).
    own: Session,
    /// The skill that waits for an answer, by session.
    waiting: HashMap<String, (String, Instant)>,
    /// Stages that sessions have named and that are not there; each is told once.
    missing: BTreeSet<String>,
}

impl Sessions {
    /// Fields that a frame of the device's session brings replace ours, absent ones stay; other sessions are their
    /// own truth.
    pub(super) fn merge(&mut self, entry: &mut Message) {
        let mut session = entry.context.session();
        let wrong: Vec<String> = session
            .mistyped()
            .iter()
            .map(|(field, _)| (*field).to_owned())
            .collect();
        for (field, found) in session.mistyped() {
            tracing::warn!(
                field,
                found,
                "a field of the session has a wrong type and counts as absent"
            );
        }
        if !session.is_default() {
            if session.get("intent_context").is_some() {
                notes::prune(&mut session, unix_now());
                entry.context.set_session(&session);
            }
            return;
        }
        for (field, value) in session.as_map() {
            let cleared = field == "persona_id" && value.as_str() == Some("");
            if cleared {
                self.own.remove(field);
            } else if !value.is_null() && !wrong.contains(field) {
                self.own.insert(field.clone(), value.clone());
            }
        }
        // Left out, as the specification would have it, it makes older clients take the session for somebody else's.
        self.own.insert("session_id", json!(session::DEFAULT_SESSION_ID));
        notes::prune(&mut self.own, unix_now());
        entry.context.set_session(&self.own);
    }

    /// What a match left of a session, its notes counted down, on top of what has become of the device's own meanwhile: a
    /// search may take seconds, and a persona that was summoned in them stays.
    pub(super) fn rebased(&self, before: &Session, after: &Session) -> Session {
        if !after.is_default() {
            let mut session = after.clone();
            notes::count_down(&mut session);
            return session;
        }
        let mut session = self.own.clone();
        for field in before.as_map().keys().chain(after.as_map().keys()) {
            match after.as_map().get(field) {
                same if same == before.as_map().get(field) => {}
                Some(value) => session.insert(field.clone(), value.clone()),
                None => {
                    session.remove(field);
                }
            }
        }
        session
    }

    /// Takes over the device's session as a match or a skill left it (SE2-3).
    pub(super) fn adopt(&mut self, session: &Session) {
        if session.is_default() {
            self.own = session.clone();
        }
    }

    /// Takes over what a skill changed in this session, if it is the device's; what happened meanwhile stays.
    pub(super) fn amend(&mut self, session: &Session, changes: &Changes) {
        if session.is_default() {
            changes.apply(&mut self.own);
        }
    }

    /// Tells of stages that a session names and that are not there (PL-5).
    pub(super) fn name_missing_stages(&mut self, session: &Session) {
        for name in pipeline::missing(session) {
            if self.missing.len() < MISSING && self.missing.insert(name.to_owned()) {
                tracing::warn!(
                    stage = name,
                    "a session names a stage of the pipeline that is not there; it is left out"
                );
            }
        }
    }

    /// An utterance of this session is about to be matched with the notes as they are; after it they live for one
    /// utterance less, whoever it is for (CONTEXT-1 §4).
    pub(super) fn count_down(&mut self, session: &Session) {
        if session.is_default() {
            notes::count_down(&mut self.own);
        }
    }

    /// The skill that waits for an answer in a session and asked for it the older way. It gets one.
    pub(super) fn take_waiting(&mut self, session_id: &str) -> Option<String> {
        let (skill_id, since) = self.waiting.remove(session_id)?;
        (since.elapsed() < WAITING_LIFE).then_some(skill_id)
    }

    /// The persona that a session has summoned beside an ovos-core. The older core does not keep what we put into the
    /// device's session, so there our own note counts.
    pub(super) fn summoned_beside_core(&self, session: &Session) -> Option<String> {
        let noted = session.is_default().then(|| self.own.persona_id()).flatten();
        session.persona_id().or(noted).map(str::to_owned)
    }

    /// Notes who was summoned in the device's session.
    pub(super) fn note_summoned(&mut self, session: &Session) {
        if session.is_default() {
            self.own.set_persona_id(session.persona_id());
        }
    }

    fn wait(&mut self, session_id: &str, skill_id: &str) {
        self.waiting
            .retain(|_, (_, since)| since.elapsed() < WAITING_LIFE);
        if self.waiting.len() < WAITING {
            let entry = (skill_id.to_owned(), Instant::now());
            self.waiting.insert(session_id.to_owned(), entry);
        }
    }
}

impl Desk {
    /// A skill tells something about a session, or that it takes part.
    pub(super) fn note(&mut self, canonical: &str, message: &Message) {
        let session = message.context.session();
        let Some(skill_id) = message.data.get("skill_id").and_then(Value::as_str) else {
            return;
        };
        match canonical {
            topic::GET_RESPONSE_ENABLE => self.sessions.wait(session.id(), skill_id),
            topic::GET_RESPONSE_DISABLE => {
                let waiting = self.sessions.waiting.get(session.id());
                if waiting.is_some_and(|(id, _)| id == skill_id) {
                    self.sessions.waiting.remove(session.id());
                }
            }
            topic::SKILL_ACTIVATE | topic::SKILL_DEACTIVATE if session.is_default() => {
                for field in ["active_handlers", "converse_handlers"] {
                    if canonical == topic::SKILL_ACTIVATE {
                        lifecycle::push_handler(&mut self.sessions.own, field, skill_id, unix_now());
                    } else {
                        lifecycle::remove_handler(&mut self.sessions.own, field, skill_id);
                    }
                }
            }
            topic::COMMON_QUERY_PONG => std::sync::Arc::make_mut(&mut self.manifest).note_knowing(skill_id),
            _ => {}
        }
    }

    /// Which skills take part in common query? Their answers are noted as they come.
    pub(super) async fn ask_who_knows(&self) {
        self.emit(lifecycle::originated(topic::COMMON_QUERY_PING, json!({})))
            .await;
    }
}
