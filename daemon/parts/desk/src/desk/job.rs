//! One utterance that has to be answered.

use std::sync::Arc;

use loquat_mind::spoken_tools::{LastSaid, Wanted};
use loquat_mind::{ReadyPersona, Utterance};
use loquat_state::Moment;

use loquat_agent::Speaker;
use loquat_agent::brain::{ChatMessage, Sampling};
use loquat_agent::journal::Entry;
pub(super) use loquat_orchestrator::frames::Origin;
use loquat_part::guests::channel_of;
use loquat_wire::{Message, Session, answer_lang};

pub(super) use super::arrival::{Arrival, Voice};
use super::new_id;
use crate::kept::Kept;

/// Who has begun to speak an answer before it was complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum BegunBy {
    #[default]
    Nobody,
    /// The voice of this process, which has the beginning.
    OurVoice,
    /// That of a process that was cut off.
    Earlier,
}

/// An utterance, who answers it, and the frame from which everything is derived.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Becomes the turn's id.
    pub(super) turn_id: String,
    /// It reached us in this way.
    pub(super) origin: Origin,
    /// It is the dispatch, the request or the query.
    pub(super) cause: Message,
    /// It is that of the cause.
    pub(super) session: Session,
    pub(super) speaker: Speaker,
    /// How it came in, where that was heard.
    pub(super) voice: Option<Voice>,
    /// What is known of it since it was kept for later.
    pub(super) kept: Option<Kept>,
    /// What was said, or the sentence in which a brain said it again.
    pub(super) utterance: String,
    /// The person's own words, where a brain said them again.
    pub(super) heard: Option<String>,
    /// In which language the answer is, BCP-47.
    pub(super) lang: String,
    /// Who answers.
    pub(super) persona: Arc<ReadyPersona>,
    /// How the asker wants the answer to be drawn.
    pub(super) sampling: Sampling,
    /// The call that it asks for, where a tool understood it without a brain.
    pub(super) wanted: Option<Wanted>,
    /// What was understood last in its session.
    pub(super) last: Option<Arc<LastSaid>>,
    /// Whether it asks that what was done last be undone.
    pub(super) undoes: bool,
    /// Whether its beginning was announced before a crash.
    pub(super) opened: bool,
    /// Who has begun to speak its answer.
    pub(super) begun: BegunBy,
    /// Since when its frames may have been sent, by a process that was cut off.
    pub(super) since: Option<Moment>,
    /// What was written of it before a crash, by attempt.
    pub(super) past: Vec<Vec<Entry>>,
}

impl Job {
    /// What was said, in which language, is for this persona to answer.
    pub(super) fn new(
        origin: Origin,
        cause: Message,
        persona: Arc<ReadyPersona>,
        utterance: String,
        lang: &str,
    ) -> Self {
        let session = cause.context.session();
        Self {
            turn_id: new_id(),
            origin,
            lang: answer_lang(&session, lang),
            cause,
            session,
            speaker: Speaker::Program,
            voice: None,
            kept: None,
            utterance,
            heard: None,
            persona,
            sampling: Sampling::default(),
            wanted: None,
            last: None,
            undoes: false,
            opened: false,
            begun: BegunBy::Nobody,
            since: None,
            past: Vec::new(),
        }
    }

    /// Adds who said it, and how it came in.
    #[must_use]
    pub(super) fn said_by(self, arrival: &Arrival) -> Self {
        Self {
            speaker: arrival.speaker.clone(),
            voice: arrival.voice.clone(),
            kept: arrival.kept.clone(),
            ..self
        }
    }

    /// What the mind is asked, behind this history and what was understood last.
    pub(super) fn said(
        &self,
        history: Vec<ChatMessage>,
        interrupted: Option<String>,
        last: Option<Arc<LastSaid>>,
    ) -> Utterance {
        let kept = self.kept.as_ref();
        Utterance {
            turn_id: self.turn_id.clone(),
            session: self.session.clone(),
            text: self.utterance.clone(),
            lang: self.lang.clone(),
            speaker: self.speaker.clone(),
            channel: self.channel(),
            door: self.door(),
            set_by: kept.and_then(|kept| kept.set_by.clone()),
            is_foreign: kept.is_some_and(|kept| kept.is_foreign),
            may_be_silent: kept.is_some_and(|kept| kept.is_own_turn),
            route: self.cause.context.route(),
            intended: self.wanted.as_ref().map(|wanted| wanted.call.clone()),
            undoing: None,
            sampling: self.sampling,
            history,
            interrupted,
            last,
            memories: Vec::new(),
            past: Vec::new(),
        }
    }

    /// What its turn adds to the session's history. What others say in the device's own session is marked, since the owner's
    /// turns are shown it.
    pub(super) fn with_origin(&self, history: Vec<ChatMessage>) -> Vec<ChatMessage> {
        let is_foreign = self.session.is_default() && !self.speaker.is_owner();
        let messages = history.into_iter();
        let marked = messages.map(|message| {
            let foreign = message.foreign || is_foreign;
            message.with_foreign_text(foreign)
        });
        marked.collect()
    }

    /// Whether our own ear or terminal heard it.
    pub(super) fn is_heard_here(&self) -> bool {
        self.voice.as_ref().is_some_and(|voice| voice.own)
    }

    /// How it was asked. What says in which language it was heard was spoken (AUDIO-IN-1), if our own microphone says so,
    /// or a core, which is believed about what it brings.
    pub(super) fn channel(&self) -> &'static str {
        let is_heard = self.cause.context.get("stt_lang").is_some();
        match self.origin {
            Origin::Query => "query",
            _ if self.kept.as_ref().is_some_and(|kept| kept.is_event) => "event",
            _ if self.kept.is_some() => "scheduled",
            _ if is_heard && (self.is_heard_here() || self.origin.is_from_core()) => "voice",
            _ => "text",
        }
    }

    /// The door by which it came from elsewhere.
    pub(super) fn door(&self) -> Option<&'static str> {
        match &self.speaker {
            Speaker::Guest(guest) => channel_of(guest),
            Speaker::Owner | Speaker::Program => None,
        }
    }

    /// Whether a core sends the end marker: one that stamps utterances also ends them.
    pub(super) fn is_ended_by_core(&self) -> bool {
        self.origin.is_from_core() && self.cause.context.utterance_id().is_some()
    }
}
