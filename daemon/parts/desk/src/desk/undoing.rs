//! Undoing what was done last in a session: the call that takes it back runs in a turn of its own, through the gate, once.
//!
//! What can be undone is known for a while, over a restart too: it is written down before the answer that tells of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::brain::ChatMessage;
use loquat_agent::record::Reason;
use loquat_mind::spoken_tools::Wanted;
use loquat_mind::{ReadyPersona, Reply, Undoable};
use loquat_phrases::Phrases;
use loquat_skills::Change;
use loquat_state::{Moment, UNDOABLE, unix_now};
use loquat_wire::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::job::{Arrival, Job, Origin};
use super::{Asked, Desk};

/// Who says "undo that" later means something else.
const WITHIN: Duration = Duration::from_secs(600);

/// So long it is known that something was done, and that it is too late.
const REMEMBERED: Duration = Duration::from_secs(86_400);

/// Sessions in which something can be undone.
const MOST: usize = 256;

/// What can be undone, by session.
#[derive(Debug, Default)]
pub(super) struct Undoables(HashMap<String, Kept>);

/// What was done last.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    undoable: Undoable,
    /// Who did it.
    persona_id: String,
    /// It is done for this speaker.
    #[serde(default)]
    speaker: Speaker,
    since: Moment,
}

impl Kept {
    fn is_younger_than(&self, limit: Duration, now: &Moment) -> bool {
        self.since.age_at(now).is_some_and(|age| age < limit)
    }
}

/// Why nothing is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotUndone {
    /// Nothing was done that can be, or it has been undone.
    Nothing,
    /// It was too long ago, or it cannot be told how long.
    TooOld,
}

impl Undoables {
    /// What is to be written down of it, and the sessions of which nothing is.
    fn keep(&mut self, session_id: &str, kept: Kept) -> Vec<Change> {
        let old: Vec<String> = self
            .0
            .iter()
            .filter(|(_, other)| !other.is_younger_than(REMEMBERED, &kept.since))
            .map(|(session_id, _)| session_id.clone())
            .collect();
        let mut changes: Vec<Change> = old.iter().filter_map(|old| self.forget(old)).collect();
        if self.0.len() < MOST || self.0.contains_key(session_id) {
            let value = serde_json::to_value(&kept).unwrap_or_default();
            changes.push(Change::write(UNDOABLE, session_id, value));
            self.0.insert(session_id.to_owned(), kept);
        }
        changes
    }

    fn forget(&mut self, session_id: &str) -> Option<Change> {
        self.0.remove(session_id)?;
        Some(Change::remove(UNDOABLE, session_id))
    }

    /// What was done last, and who did it.
    fn find(
        &self,
        session_id: &str,
        now: &Moment,
        speaker: &Speaker,
        persona: impl Fn(&str) -> Option<Arc<ReadyPersona>>,
    ) -> Result<(Undoable, Arc<ReadyPersona>), NotUndone> {
        let kept = self.0.get(session_id).ok_or(NotUndone::Nothing)?;
        // What was done for one speaker is not undone for a stranger who speaks in the same session.
        if !speaker.is_owner() && *speaker != kept.speaker {
            return Err(NotUndone::Nothing);
        }
        if !kept.is_younger_than(WITHIN, now) {
            return Err(NotUndone::TooOld);
        }
        let persona = persona(&kept.persona_id).ok_or(NotUndone::Nothing)?;
        Ok((kept.undoable.clone(), persona))
    }

    /// Takes in what an earlier process has written down. What this one has done counts before it.
    pub(super) fn recall(&mut self, records: Vec<(String, Value)>) {
        for (session_id, value) in records.into_iter().take(MOST) {
            if let Ok(kept) = serde_json::from_value(value) {
                self.0.entry(session_id).or_insert(kept);
            }
        }
    }
}

impl Desk {
    /// Notes what a turn has done that can be undone.
    pub(super) async fn note_undoable(&mut self, job: &Job, said: &Reply) {
        if let Some(undoable) = &said.undo {
            let kept = Kept {
                undoable: undoable.clone(),
                persona_id: job.persona.id.clone(),
                speaker: job.speaker.clone(),
                since: Moment::now(unix_now()),
            };
            let changes = self.dialogue.undoables.keep(job.session.id(), kept);
            self.write_down(changes).await;
        }
    }

    /// Nothing that was done in a session is known any more.
    pub(super) async fn forget_undoable(&mut self, session_id: &str) {
        let gone = self.dialogue.undoables.forget(session_id);
        self.write_down(gone.into_iter().collect()).await;
    }

    /// Before whatever is written for the turn from now on.
    async fn write_down(&self, changes: Vec<Change>) {
        if let Some(state) = &self.ledger.state
            && !changes.is_empty()
        {
            state.note(changes).await;
        }
    }

    /// The person wants what was done last to be undone. It waits for the turn that runs, which may be meant.
    pub(super) async fn undo(
        &mut self,
        origin: Origin,
        cause: Message,
        words: String,
        lang: &str,
        arrival: &Arrival,
    ) {
        let persona = self.mind.default_persona();
        let persona = persona.unwrap_or_else(|| Arc::new(ReadyPersona::apologising(String::new())));
        let mut job = Job::new(origin, cause, persona, words, lang).said_by(arrival);
        job.undoes = true;
        self.take(job).await;
    }

    /// Undoes what was done last, for an utterance that we orchestrate.
    pub(super) async fn undo_as_asked(&mut self, asked: &Asked, dispatch: Message, words: &str) {
        self.undo(
            Origin::Solo,
            dispatch,
            words.to_owned(),
            &asked.lang,
            &asked.arrival,
        )
        .await;
    }

    /// Ends what goes on behind its turn; where nothing does, "cancel that" undoes what was done last, or cancels what was only
    /// spoken of since.
    pub(super) async fn cancel_as_asked(&mut self, asked: &Asked, dispatch: Message, words: &str) {
        let lang = asked.lang.as_str();
        if let Some(said) = self.cancel_background(dispatch.context.session_id(), lang) {
            self.at_once(&dispatch, &said, lang, None).await;
        } else if let Some(wanted) = self.cancels_last(asked, words) {
            let persona = self.mind.default_persona();
            let persona = persona.unwrap_or_else(|| Arc::new(ReadyPersona::apologising(String::new())));
            let mut job =
                Job::new(Origin::Solo, dispatch, persona, words.to_owned(), lang).said_by(&asked.arrival);
            job.wanted = Some(wanted);
            self.take(job).await;
        } else {
            self.undo_as_asked(asked, dispatch, words).await;
        }
    }

    /// The call that cancels what was spoken of last, where that was not done last itself.
    fn cancels_last(&self, asked: &Asked, words: &str) -> Option<Wanted> {
        let last = asked.last.clone().filter(|last| !last.can_be_undone());
        self.repertoire.tools.behind(last).means_last(words, &asked.lang)
    }

    /// What the job is to undo, now that its turn begins; where there is nothing, what is said of that.
    pub(super) async fn undo_of(&mut self, job: &mut Job) -> Option<Result<Undoable, Reply>> {
        if !job.undoes {
            return None;
        }
        let now = Moment::now(unix_now());
        let bound_to = self.bound_id(&job.speaker);
        let may_reach = |id: &str| bound_to.as_deref().is_none_or(|bound_to| bound_to == id);
        let persona = |id: &str| self.mind.find(id).filter(|found| may_reach(&found.id));
        let found = self
            .dialogue
            .undoables
            .find(job.session.id(), &now, &job.speaker, persona);
        // It is not undone twice, also where this process dies now.
        if !matches!(found, Err(NotUndone::Nothing)) {
            self.forget_undoable(job.session.id()).await;
        }
        let why_not = match found {
            Ok((undoable, persona)) => {
                job.persona = persona;
                return Some(Ok(undoable));
            }
            Err(why_not) => why_not,
        };
        let phrases = Phrases::of(&job.lang);
        let text = match why_not {
            NotUndone::Nothing => phrases.nothing_to_undo.as_str(),
            NotUndone::TooOld => phrases.too_late_to_undo.as_str(),
        };
        Some(Err(Reply {
            history: vec![
                ChatMessage::user(job.utterance.as_str()),
                ChatMessage::assistant(text),
            ],
            is_answer: true,
            ..Reply::instead(Reason::Answered, text)
        }))
    }
}

#[cfg(test)]
mod tests {
    use loquat_agent::turn::IntendedCall;

    use super::*;

    fn at(uptime: f64) -> Moment {
        Moment {
            boot_id: Some("a".into()),
            uptime,
            ..Moment::default()
        }
    }

    fn done(uptime: f64) -> Kept {
        let undoable = Undoable {
            call: IntendedCall::default(),
            deed: "put".into(),
        };
        Kept {
            undoable,
            persona_id: "tester".into(),
            speaker: Speaker::Program,
            since: at(uptime),
        }
    }

    #[test]
    fn what_was_written_down_is_known_again_and_grows_too_old() {
        let mut before = Undoables::default();
        let written = before.keep("kitchen", done(100.0));
        let records = written
            .into_iter()
            .map(|change| (change.id, change.value.unwrap()));
        let mut after = Undoables::default();
        after.recall(records.collect());
        let why_not = |uptime| {
            after
                .find("kitchen", &at(uptime), &Speaker::Program, |_| None)
                .unwrap_err()
        };
        assert_eq!(why_not(699.0), NotUndone::Nothing, "its persona has gone");
        assert_eq!(why_not(701.0), NotUndone::TooOld);
        assert!(
            after
                .find("hall", &at(101.0), &Speaker::Program, |_| None)
                .is_err()
        );
        let changes = after.keep("hall", done(100_000.0));
        assert!(
            changes[0].value.is_none(),
            "the oldest is not kept for ever: {changes:?}"
        );
        assert!(after.forget("kitchen").is_none());
    }
}
