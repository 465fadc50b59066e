//! What the orchestrator keeps of sessions between utterances (SESSION-2): of the device's own who takes part in it and what
//! was noted, of others only which skill waits for an answer. Everything else travels with the frames.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use loquat_orchestrator::changes::Changes;
use loquat_orchestrator::{frames, handlers};
use loquat_orchestrator::{notes, pipeline};
use loquat_wire::{Message, Session, session, topic};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::arrival::Arrival;
use super::door::LARGEST_SESSION;
use super::routes::Note;
use super::{Desk, unix_now};

/// A skill that has not taken an answer by then waits no more.
const WAITING_LIFE: Duration = Duration::from_secs(120);

/// Missing stages that are told; a client that names more makes them up.
const MISSING: usize = 100;

/// Sessions in which a skill may wait at once.
const WAITING: usize = 1000;

/// Bytes of the id of a skill that is noted.
const LONGEST_ID: usize = 256;

/// Bytes of what lasts of the device's own session.
const LARGEST_KEPT: usize = 32 * 1024;

/// The field that names who was summoned.
const PERSONA: &str = "persona_id";

/// The fields that list which skills take part.
const PARTAKING: [&str; 2] = ["active_handlers", "converse_handlers"];

/// What lasts of the device's own session. Everything else that a frame brings is good for its utterance: anybody may send
/// one, and a pipeline, a deny list or a language of theirs would be the person's until the device is restarted.
const KEPT: [&str; 7] = [
    PERSONA,
    "site_id",
    "active_handlers",
    "converse_handlers",
    "active_skills",
    "response_mode",
    "intent_context",
];

/// What of that decides nothing of who answers, so that any frame may say it.
const OF_ANYBODY: [&str; 1] = ["site_id"];

/// The store.
#[derive(Debug, Clone, Default)]
pub(super) struct Sessions {
    /// What lasts of the device's own session, which clients need not send whole (SESSION-2 §2.3).
    own: Session,
    /// The skill that waits for an answer, by session.
    waiting: HashMap<String, (String, Instant)>,
    /// Stages that sessions have named and that are not there; each is told once.
    missing: BTreeSet<String>,
}

impl Sessions {
    /// The persona that was summoned in the device's own session.
    pub(super) fn own_persona(&self) -> Option<&str> {
        self.own.persona_id()
    }

    /// What a frame of the device's session brings goes before ours. Longer than its utterance lasts only [`KEPT`], and what
    /// decides who answers only of the owner's frames; absent fields stay. Other sessions are their own truth.
    ///
    /// The persona is changed for longer by what the owner says, and by no field that another client has brought: a frame
    /// without words would give the person's voice to the persona that it names. A persona that `knows` does not know is none
    /// whom the device could be left with.
    pub(super) fn merge(&mut self, entry: &mut Message, arrival: &Arrival, knows: impl Fn(&str) -> bool) {
        let mut session = entry.context.session();
        let mistyped = session.mistyped();
        for (field, found) in &mistyped {
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
        let wrong: BTreeSet<String> = mistyped.iter().map(|(field, _)| (*field).to_owned()).collect();
        let brought = session.as_map().iter();
        let brought = brought.filter(|(field, value)| !value.is_null() && !wrong.contains(*field));
        let is_owners = arrival.speaker.is_owner();
        let lasts = |field: &str, value: &Value| match value.as_str() {
            // That no persona is summoned any more gives no other client the person's voice.
            Some("") if field == PERSONA => is_owners,
            Some(id) if field == PERSONA => arrival.is_heard_here() && knows(id),
            _ if is_owners => field != PERSONA && KEPT.contains(&field),
            _ => OF_ANYBODY.contains(&field),
        };
        let (lasting, passing): (Vec<_>, Vec<_>) = brought.partition(|(field, value)| lasts(field, value));
        for (field, value) in lasting {
            self.own.insert(field.clone(), value.clone());
        }
        self.tidy();
        let mut whole = self.own.clone();
        for (field, value) in passing {
            whole.insert(field.clone(), value.clone());
        }
        // Left out, as the specification would have it, it makes older clients take the session for another client's.
        whole.insert("session_id", json!(session::DEFAULT_SESSION_ID));
        whole.shed(LARGEST_SESSION);
        entry.context.set_session(&whole);
    }

    /// What a match left of a session, its notes counted down, on top of what has become of the device's own meanwhile: a
    /// search may take seconds, and a persona that was summoned in them stays.
    pub(super) fn rebased(&self, before: &Session, after: &Session) -> Session {
        if !after.is_default() {
            let mut session = after.clone();
            notes::count_down(&mut session);
            return session;
        }
        let mut session = before.clone();
        for field in KEPT {
            match self.own.get(field) {
                Some(value) => session.insert(field, value.clone()),
                None => drop(session.remove(field)),
            }
        }
        for field in before.as_map().keys().chain(after.as_map().keys()) {
            match after.as_map().get(field) {
                same if same == before.as_map().get(field) => {}
                Some(value) => session.insert(field.clone(), value.clone()),
                None => drop(session.remove(field)),
            }
        }
        session
    }

    /// Takes over what lasts of the device's session as a match left it (SE2-3), but for who answers.
    pub(super) fn adopt(&mut self, session: &Session) {
        if session.is_default() {
            let before = std::mem::take(&mut self.own);
            for field in KEPT {
                let from = if field == PERSONA { &before } else { session };
                if let Some(value) = from.get(field) {
                    self.own.insert(field, value.clone());
                }
            }
            self.tidy();
        }
    }

    /// Takes over what a skill changed in this session, if it is the device's; what happened meanwhile stays, and so does who
    /// answers.
    pub(super) fn amend(&mut self, session: &Session, changes: &Changes) {
        if session.is_default() {
            let before = self.own.persona_id().map(str::to_owned);
            changes.apply(&mut self.own);
            self.own.set_persona_id(before.as_deref());
            self.tidy();
        }
    }

    /// Bounds what is kept, in size and in time.
    fn tidy(&mut self) {
        let now = unix_now();
        if self.own.text(PERSONA).is_none() {
            self.own.remove(PERSONA);
        }
        notes::prune(&mut self.own, now);
        notes::age(&mut self.own, now);
        for field in PARTAKING {
            handlers::keep_handlers(&mut self.own, field, now);
        }
        handlers::keep_waiting(&mut self.own, now);
        self.own.bound();
        self.own.shed(LARGEST_KEPT);
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
    /// utterance less, also where it is a skill's (CONTEXT-1 §4).
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

    /// Notes which persona was summoned in the device's session, or that none is any more.
    pub(super) fn note_summoned(&mut self, session: &Session) {
        if session.is_default() {
            self.own.set_persona_id(session.persona_id());
        }
    }

    /// A skill takes part in the device's session.
    fn activate(&mut self, skill_id: &str) {
        for field in PARTAKING {
            handlers::push_handler(&mut self.own, field, skill_id, unix_now());
        }
    }

    /// A skill takes part in the device's session no more.
    fn deactivate(&mut self, skill_id: &str) {
        for field in PARTAKING {
            handlers::remove_handler(&mut self.own, field, skill_id);
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
    pub(super) fn note(&mut self, note: Note, message: &Message) {
        let session = message.context.session();
        let skill_id = message.data.get("skill_id").and_then(Value::as_str);
        let Some(skill_id) = skill_id.filter(|id| id.len() <= LONGEST_ID) else {
            return;
        };
        match note {
            Note::Waits => self.sessions.wait(session.id(), skill_id),
            Note::WaitsNoMore => {
                let waiting = self.sessions.waiting.get(session.id());
                if waiting.is_some_and(|(id, _)| id == skill_id) {
                    self.sessions.waiting.remove(session.id());
                }
            }
            Note::Active | Note::Inactive if !session.is_default() => {}
            Note::Active => self.sessions.activate(skill_id),
            Note::Inactive => self.sessions.deactivate(skill_id),
            Note::Knows => self
                .repertoire
                .registered
                .change(|manifest| manifest.note_knowing(skill_id)),
        }
    }

    /// Which skills take part in common query? Their answers are noted as they come.
    pub(super) async fn ask_who_knows(&self) {
        self.emit(frames::originated(topic::COMMON_QUERY_PING, json!({})))
            .await;
    }
}
