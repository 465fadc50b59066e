//! One utterance that has to be answered.

use std::sync::Arc;

use loquat_agent::brain::Sampling;
use loquat_agent::journal::Entry;
pub(super) use loquat_orchestrator::frames::Origin;
use loquat_wire::{Message, Session, answer_lang};
use serde::{Deserialize, Serialize};

use super::new_id;
use crate::mind::ReadyPersona;
use crate::satellite::SATELLITES;
use crate::spoken_tools::Wanted;
use crate::state::Moment;

/// Who put an utterance on the bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Speaker {
    /// The microphone or the terminal of this process.
    pub(super) own: bool,
    /// What the utterance names as its source.
    pub(super) source: Option<String>,
}

impl Speaker {
    /// Of an utterance as it came; `own` tells whether it was heard or typed here.
    pub(super) fn of(entry: &Message, own: bool) -> Self {
        Self {
            own,
            source: entry.context.source().map(str::to_owned),
        }
    }

    /// Whether an utterance that this process has emitted was heard or typed here. What a satellite says was said elsewhere.
    /// What we dispatch to a skill is ours as well, under a topic of that skill's choice and with words of another client's,
    /// but it names a skill and the utterance that it came of, and what is heard or typed names neither.
    pub(super) fn is_heard_here(entry: &Message, own: bool) -> bool {
        let context = &entry.context;
        let is_from_elsewhere = context.source() == Some(SATELLITES);
        own && !is_from_elsewhere && context.skill_id().is_none() && context.utterance_id().is_none()
    }
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
    /// Who said it, where that is known.
    pub(super) speaker: Option<Speaker>,
    /// What was said.
    pub(super) utterance: String,
    /// In which language the answer is, BCP-47.
    pub(super) lang: String,
    /// Who answers.
    pub(super) persona: Arc<ReadyPersona>,
    /// Whether our own ear or terminal heard it, and not another client of the bus.
    pub(super) own: bool,
    /// How the asker wants the answer to be drawn.
    pub(super) sampling: Sampling,
    /// The call that it asks for, where a tool understood it without a brain.
    pub(super) wanted: Option<Wanted>,
    /// Whether it asks that what was done last be undone.
    pub(super) undoes: bool,
    /// Whether its beginning was announced before a crash.
    pub(super) opened: bool,
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
        (utterance, lang): (String, &str),
    ) -> Self {
        let session = cause.context.session();
        Self {
            turn_id: new_id(),
            origin,
            lang: answer_lang(&session, lang),
            cause,
            session,
            speaker: None,
            utterance,
            persona,
            own: false,
            sampling: Sampling::default(),
            wanted: None,
            undoes: false,
            opened: false,
            since: None,
            past: Vec::new(),
        }
    }

    /// Adds who said it.
    #[must_use]
    pub(super) fn said_by(self, speaker: Option<Speaker>) -> Self {
        Self {
            own: speaker.as_ref().is_some_and(|speaker| speaker.own),
            speaker,
            ..self
        }
    }

    /// How it was asked. What says in which language it was heard was spoken (AUDIO-IN-1), if our own microphone says so,
    /// or a core, which is believed about what it brings.
    pub(super) fn channel(&self) -> &'static str {
        let is_heard = self.cause.context.get("stt_lang").is_some();
        match self.origin {
            Origin::Query => "query",
            _ if is_heard && (self.own || self.origin.is_from_core()) => "voice",
            _ => "text",
        }
    }

    /// Whether a core sends the end marker: one that stamps utterances also ends them.
    pub(super) fn is_ended_by_core(&self) -> bool {
        self.origin.is_from_core() && self.cause.context.utterance_id().is_some()
    }
}

#[cfg(test)]
mod tests {
    use loquat_wire::topic;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_satellite_says_is_not_heard_here() {
        let mut entry = Message::new(topic::UTTERANCE_HANDLE, json!({"utterances": ["yes"]}));
        assert!(Speaker::is_heard_here(&entry, true));
        assert!(!Speaker::is_heard_here(&entry, false));
        entry.context.set_source(SATELLITES);
        assert!(!Speaker::is_heard_here(&entry, true));
    }
}
