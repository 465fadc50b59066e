//! What a person may just have said in whole: while the ear still waits whether they speak on, the brain reads it already, so
//! that its reply begins sooner. When they do, or say something else, it was for nothing.
//!
//! Only solo and only for the device's own conversation, while no turn runs whose brain would have to wait. What a skill
//! understands needs no brain.

use std::future::pending;
use std::sync::Arc;

use loquat_agent::Speaker;
use loquat_orchestrator::search::ToolIntents;
use loquat_wire::speech::MICROPHONE;
use loquat_wire::{Message, topic, utterance_lang};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Desk;
use super::arrival::Voice;
use super::job::{Job, Origin};
use super::presence::Mode;

/// What is read ahead, and the words that make it worth it.
#[derive(Debug, Default)]
pub(super) struct ReadingAhead {
    /// What may have been said in whole; empty where nothing may.
    whole: Option<watch::Receiver<String>>,
    /// One at most. It ends when the set is dropped.
    reading: JoinSet<()>,
}

impl ReadingAhead {
    /// Waits for news, and for ever where nothing is told.
    pub(super) async fn next(&mut self) -> String {
        if let Some(whole) = &mut self.whole
            && whole.changed().await.is_ok()
        {
            return whole.borrow_and_update().clone();
        }
        self.whole = None;
        pending().await
    }

    /// A turn begins: what is left to read it reads itself.
    pub(super) fn ends(&mut self) {
        self.reading = JoinSet::new();
    }
}

impl Desk {
    /// Adds the words that may have been said in whole while the ear still listens. Without them nothing is read ahead.
    #[must_use]
    pub fn with_half_heard(mut self, whole: Option<watch::Receiver<String>>) -> Self {
        self.reading_ahead.whole = whole;
        self
    }

    /// Has the brain read what it would be asked, where these words are all that is said.
    pub(super) fn read_ahead(&mut self, text: &str) {
        self.reading_ahead.ends();
        let is_solo = *self.orchestration.mode.borrow() == Mode::Solo;
        if text.is_empty() || !is_solo || self.utterances.is_any_running() {
            return;
        }
        let Some(job) = self.job_ahead(text) else { return };
        let last = self.dialogue.last_readings.last(job.session.id(), &job.speaker);
        let tools = self.repertoire.tools.behind(last.clone());
        let lang = utterance_lang(&job.cause, &self.settings.languages);
        let history = self.conversations.so_far(job.session.id());
        let utterance = job.said(history, None, last);
        let person = self.dialogue.questions.person(&job);
        let mind = Arc::clone(&self.mind);
        let reading = async move {
            let is_understood =
                job.persona.leaves_to_tools && tools.recognise(&job.utterance, &lang).is_some();
            if !is_understood {
                mind.read_ahead(&job.persona, utterance, person).await;
            }
        };
        self.reading_ahead.reading.spawn(reading);
    }

    /// What the ear would bring with these words.
    fn job_ahead(&self, text: &str) -> Option<Job> {
        let lang = &self.settings.lang;
        let mut entry = Message::new(
            topic::UTTERANCE_HANDLE,
            json!({"utterances": [text], "lang": lang}),
        );
        entry.context.set_source(MICROPHONE);
        entry.context.insert("stt_lang", json!(lang));
        let summoned = self.sessions.own_persona().and_then(|id| self.mind.find(id));
        let persona = summoned.or_else(|| self.mind.default_persona())?;
        let mut job = Job::new(Origin::Solo, entry, persona, text.to_owned(), lang);
        job.speaker = Speaker::Owner;
        job.voice = Some(Voice {
            own: true,
            source: Some(MICROPHONE.to_owned()),
        });
        Some(job)
    }
}
