//! What was understood last in each session, which the next utterance may go on with, and no later one.
//!
//! Sessions never see each other, and what one speaker said serves no other. Nothing here reads a sentence.

use std::collections::HashMap;
use std::sync::Arc;

use loquat_agent::Speaker;
use loquat_mind::Reply;
use loquat_mind::spoken_tools::LastSaid;
use loquat_wire::utterance_lang;

use super::Desk;
use super::job::{Job, Origin};

/// Sessions in which something was understood last.
const MOST: usize = 256;

/// By session.
#[derive(Debug, Default)]
pub(super) struct LastReadings(HashMap<String, Kept>);

#[derive(Debug)]
struct Kept {
    last: Arc<LastSaid>,
    /// What was said to a core since.
    since: Option<Vec<String>>,
}

impl LastReadings {
    fn keep(&mut self, session_id: &str, last: LastSaid) {
        self.0.retain(|_, kept| kept.last.is_fresh());
        if self.0.len() < MOST || self.0.contains_key(session_id) {
            let kept = Kept {
                last: Arc::new(last),
                since: None,
            };
            self.0.insert(session_id.to_owned(), kept);
        }
    }

    /// What this speaker may go on with. It is not known any more then.
    pub(super) fn take(&mut self, session_id: &str, speaker: &Speaker) -> Option<Arc<LastSaid>> {
        let kept = self.0.remove(session_id)?;
        kept.last.is_of(speaker).then_some(kept.last)
    }

    /// What this speaker may go on with, which stays known.
    pub(super) fn last(&self, session_id: &str, speaker: &Speaker) -> Option<Arc<LastSaid>> {
        let kept = self.0.get(session_id)?;
        kept.last.is_of(speaker).then(|| Arc::clone(&kept.last))
    }

    /// These words are said to a core, which may bring them to us. What is said after them goes on with nothing of ours.
    pub(super) fn said_to_core(&mut self, session_id: &str, words: Vec<String>) {
        let Some(kept) = self.0.get_mut(session_id) else {
            return;
        };
        // A frame may come under both of its names.
        match &kept.since {
            Some(since) if *since != words => {
                self.0.remove(session_id);
            }
            _ => kept.since = Some(words),
        }
    }

    pub(super) fn forget(&mut self, session_id: &str) {
        self.0.remove(session_id);
    }
}

impl Desk {
    /// What a job may go on with, whose turn begins now.
    pub(super) fn last_reading(&mut self, job: &mut Job) -> Option<Arc<LastSaid>> {
        if job.origin == Origin::Query {
            return None;
        }
        let since = self.dialogue.last_readings.take(job.session.id(), &job.speaker);
        job.last = job.last.take().or(since);
        job.last.clone()
    }

    /// A job was carried out as this sentence, in which a brain said again what was wanted. What is said next goes on with that.
    pub(super) fn restate(&self, job: &mut Job, mut sentence: String) {
        let tools = self.repertoire.tools.behind(job.last.clone());
        job.wanted = tools.restated(&sentence, &job.utterance, &job.lang);
        // A person who says "again" is not asked once more what was meant.
        if let Some(wanted) = &mut job.wanted {
            wanted.call.is_indirect = false;
            sentence = wanted.call.restated.take().unwrap_or(sentence);
        }
        job.heard = Some(std::mem::replace(&mut job.utterance, sentence));
    }

    /// Notes what a turn has understood without a brain.
    pub(super) fn note_last_reading(&mut self, job: &Job, said: &Reply) {
        if job.origin == Origin::Query {
            return;
        }
        self.dialogue.last_readings.forget(job.session.id());
        let lang = utterance_lang(&job.cause, &self.settings.languages);
        let wanted = job.wanted.as_ref().filter(|_| said.reason.is_success());
        let last = wanted.and_then(|wanted| LastSaid::of(wanted, &job.utterance, &lang, &job.speaker, said));
        let last = last.map(|last| last.heard_as(job.heard.clone()).behind(job.last.as_ref()));
        let of_several = || job.last.as_ref()?.together(wanted?);
        if let Some(last) = last.or_else(of_several) {
            self.dialogue.last_readings.keep(job.session.id(), last);
        }
    }
}
