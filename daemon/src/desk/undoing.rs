//! Undoing what was done last in a session: the call that takes it back runs in a turn of its own, through the gate, once.
//!
//! What can be undone is known for a while and not over a restart.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::ChatMessage;
use loquat_agent::record::Reason;
use loquat_wire::Message;
use tokio::time::Instant;

use super::job::{Job, Origin, Speaker};
use super::{Asked, Desk};
use crate::mind::{ReadyPersona, Reply, Undoable};
use crate::phrases::Phrases;

/// Who says "undo that" later means something else.
const WITHIN: Duration = Duration::from_secs(600);

/// Sessions in which something can be undone.
const MOST: usize = 256;

/// What can be undone, by session.
#[derive(Debug, Default)]
pub(super) struct Undoables(HashMap<String, (Undoable, Arc<ReadyPersona>, Instant)>);

impl Undoables {
    fn keep(&mut self, job: &Job, undoable: Undoable) {
        let now = Instant::now();
        self.0.retain(|_, (.., until)| *until > now);
        if self.0.len() < MOST {
            let kept = (undoable, Arc::clone(&job.persona), now + WITHIN);
            self.0.insert(job.session.id().to_owned(), kept);
        }
    }

    /// What was done last, and who did it. It is not undone twice.
    fn take(&mut self, session_id: &str) -> Option<(Undoable, Arc<ReadyPersona>)> {
        let (undoable, persona, until) = self.0.remove(session_id)?;
        (until > Instant::now()).then_some((undoable, persona))
    }
}

impl Desk {
    /// Notes what a turn has done that can be undone.
    pub(super) fn note_undoable(&mut self, job: &Job, said: &Reply) {
        if let Some(undoable) = &said.undo {
            self.undoables.keep(job, undoable.clone());
        }
    }

    /// The person wants what was done last to be undone. It waits for the turn that runs, which may be meant.
    pub(super) async fn undo(
        &mut self,
        (origin, cause): (Origin, Message),
        (words, lang): (String, &str),
        speaker: Option<Speaker>,
    ) {
        let persona = self.mind.default_persona();
        let persona = persona.unwrap_or_else(|| Arc::new(ReadyPersona::apologising(String::new())));
        let mut job = Job::new(origin, cause, persona, (words, lang)).said_by(speaker);
        job.undoes = true;
        self.take(job).await;
    }

    /// Undoes what was done last, for an utterance that we orchestrate.
    pub(super) async fn undo_as_asked(&mut self, asked: &Asked, dispatch: Message, words: &str) {
        let speaker = Some(Speaker::of(&asked.entry, asked.own));
        let said = (words.to_owned(), asked.lang.as_str());
        self.undo((Origin::Solo, dispatch), said, speaker).await;
    }

    /// Ends what goes on behind its turn; where nothing does, "cancel that" undoes what was done last.
    pub(super) async fn cancel_as_asked(&mut self, asked: &Asked, dispatch: Message, words: &str) {
        let lang = asked.lang.as_str();
        if let Some(said) = self.cancel_background(dispatch.context.session_id(), lang) {
            self.at_once(&dispatch, &said, lang, None).await;
        } else {
            self.undo_as_asked(asked, dispatch, words).await;
        }
    }

    /// What the job is to undo, now that its turn begins; where there is nothing, what is said of that.
    pub(super) fn undo_of(&mut self, job: &mut Job) -> Option<Result<Undoable, Reply>> {
        if !job.undoes {
            return None;
        }
        let Some((undoable, persona)) = self.undoables.take(job.session.id()) else {
            let text = Phrases::of(&job.lang).nothing_to_undo.as_str();
            return Some(Err(Reply {
                history: vec![
                    ChatMessage::user(job.utterance.as_str()),
                    ChatMessage::assistant(text),
                ],
                is_answer: true,
                ..Reply::instead(Reason::Answered, text)
            }));
        };
        job.persona = persona;
        Some(Ok(undoable))
    }
}
