//! One utterance that somebody is owed an answer to.

use std::sync::Arc;

use loquat_agent::brain::Sampling;
use loquat_agent::journal::Entry;
use loquat_wire::{Message, Session, answer_lang};
use serde::{Deserialize, Serialize};

use super::new_id;
use crate::mind::Mentality;

/// How the utterance reached us, which decides the frames around the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    /// We are the orchestrator: the whole lifecycle is ours.
    Solo,
    /// ovos-core asked us as its fallback handler.
    Fallback,
    /// ovos-core matched an intent of ours.
    Intent,
    /// ovos-core asked whether we go on with the conversation, and we do.
    Converse,
    /// Somebody asked a persona out of band; nothing is spoken.
    Query,
}

/// An utterance, who answers it, and the frame from which everything is derived.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Becomes the turn's id.
    pub(super) turn_id: String,
    /// How it reached us.
    pub(super) origin: Origin,
    /// The dispatch, request or query.
    pub(super) cause: Message,
    /// The session of the cause.
    pub(super) session: Session,
    /// What was said.
    pub(super) utterance: String,
    /// In which language the answer is, BCP-47.
    pub(super) lang: String,
    /// Who answers.
    pub(super) persona: Arc<Mentality>,
    /// How whoever asks wants the answer to be drawn.
    pub(super) sampling: Sampling,
    /// Whether its beginning was announced before a crash.
    pub(super) opened: bool,
    /// What was written of it before a crash, by attempt.
    pub(super) past: Vec<Vec<Entry>>,
}

impl Job {
    /// What was said, in which language, is for this persona to answer.
    pub(super) fn new(
        origin: Origin,
        cause: Message,
        persona: Arc<Mentality>,
        (utterance, lang): (String, &str),
    ) -> Self {
        let session = cause.context.session();
        Self {
            turn_id: new_id(),
            origin,
            lang: answer_lang(&session, lang),
            cause,
            session,
            utterance,
            persona,
            sampling: Sampling::default(),
            opened: false,
            past: Vec::new(),
        }
    }

    /// How it was asked. Whoever turns speech into text says in which language it was (AUDIO-IN-1), and nobody else does.
    pub(super) fn channel(&self) -> &'static str {
        if self.origin == Origin::Query {
            "query"
        } else if self.cause.context.get("stt_lang").is_some() {
            "voice"
        } else {
            "text"
        }
    }

    /// Whether a core has brought it to us.
    pub(super) fn is_from_core(&self) -> bool {
        matches!(self.origin, Origin::Fallback | Origin::Intent | Origin::Converse)
    }

    /// Whether the end marker is somebody else's: a core that stamps utterances also ends them.
    pub(super) fn is_ended_by_core(&self) -> bool {
        self.is_from_core() && self.cause.context.utterance_id().is_some()
    }
}
