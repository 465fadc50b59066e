//! Telling what came of what went on in the background: to the session that asked, once, and not into a turn or into what
//! is being spoken. It stands in the session's history then.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::ChatMessage;
use loquat_mind::background::{Background, Notice};
use loquat_orchestrator::frames;
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Desk, spoken};

/// The end of what is spoken may be lost on the way; nothing waits longer for it.
const LONGEST_SPEECH: Duration = Duration::from_secs(60);

/// Sessions of which it is known that they are spoken to.
const MOST_SPEAKING: usize = 256;

/// What waits to be told.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// Where they come from; they wait there when many do here.
    news: Option<mpsc::Receiver<Notice>>,
    waiting: VecDeque<Notice>,
    /// Since when it is spoken, by session.
    speaking: HashMap<String, Instant>,
}

/// What goes on after its turn, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Unasked {
    pub(super) background: Option<Arc<Background>>,
    /// What came of that and is not told yet.
    pub(super) notices: Notices,
}

impl Unasked {
    pub(super) fn of(background: Arc<Background>, news: mpsc::Receiver<Notice>) -> Self {
        Self {
            background: Some(background),
            notices: Notices::from(news),
        }
    }
}

/// Notices that wait at the desk.
const MOST_WAITING: usize = 64;

impl Notices {
    fn from(news: mpsc::Receiver<Notice>) -> Self {
        Self {
            news: Some(news),
            ..Self::default()
        }
    }

    /// The next notice, whenever one comes. Cancel safe.
    pub(super) async fn next(&mut self) -> Notice {
        match &mut self.news {
            Some(news) if self.waiting.len() < MOST_WAITING => match news.recv().await {
                Some(notice) => notice,
                None => std::future::pending().await,
            },
            _ => std::future::pending().await,
        }
    }

    fn is_speaking(&self, session_id: &str) -> bool {
        let since = self.speaking.get(session_id);
        since.is_some_and(|since| since.elapsed() < LONGEST_SPEECH)
    }
}

impl Desk {
    /// It begins to be spoken in a session, or has ended.
    pub(super) async fn speech(&mut self, message: &Message, begins: bool) {
        let session_id = message.context.session_id().to_owned();
        self.dialogue
            .questions
            .speech(&mut self.utterances, &session_id, begins);
        let speaking = &mut self.unasked.notices.speaking;
        if begins {
            speaking.retain(|_, since| since.elapsed() < LONGEST_SPEECH);
            if speaking.len() < MOST_SPEAKING {
                speaking.insert(session_id, Instant::now());
            }
        } else {
            speaking.remove(&session_id);
            self.tell_notices().await;
        }
    }

    pub(super) async fn noticed(&mut self, notice: Notice) {
        self.unasked.notices.waiting.push_back(notice);
        self.tell_notices().await;
    }

    /// Tells what can be told now.
    pub(super) async fn tell_notices(&mut self) {
        for _ in 0..self.unasked.notices.waiting.len() {
            let Some(notice) = self.unasked.notices.waiting.pop_front() else {
                return;
            };
            let session_id = notice.session_id.as_str();
            let is_free = !self.utterances.has_jobs(session_id)
                && self.utterances.last_search(session_id).is_none()
                && !self.unasked.notices.is_speaking(session_id);
            if is_free {
                self.tell_notice(notice).await;
            } else {
                self.unasked.notices.waiting.push_back(notice);
            }
        }
    }

    async fn tell_notice(&mut self, notice: Notice) {
        let Some(text) = notice.text.as_deref() else {
            return;
        };
        let cause = addressed(&notice);
        self.emit(spoken::speak(&cause, text, &notice.lang)).await;
        self.recall().await;
        let said = ChatMessage::assistant(text).with_foreign_text(notice.foreign);
        self.conversations
            .add(&notice.session_id, &notice.deed, &said, &self.utterances);
        self.keep(&notice.session_id).await;
        if let Some(background) = &self.unasked.background {
            background.told(notice.id).await;
        }
    }

    /// A program asks what goes on, or ends it.
    pub(super) async fn background_order(&mut self, order: &Message) {
        let Some(background) = self.unasked.background.clone() else {
            return;
        };
        let session_id = order.context.session_id();
        // A guest learns of its own calls alone.
        let session = (!self.entrance.ways.asker(session_id).is_program()).then_some(session_id);
        if let Some(id) = order.data.get("cancel").and_then(Value::as_u64) {
            background.cancel_one(id, session);
        }
        let answer = order.response(json!({"calls": background.listing(session)}));
        self.emit(frames::ours(answer)).await;
    }

    /// What goes on in a session, in words.
    pub(super) fn told_background(&self, session_id: &str, lang: &str) -> String {
        let deeds = self
            .unasked
            .background
            .as_ref()
            .map(|background| background.deeds(session_id));
        let phrases = loquat_phrases::Phrases::of(lang);
        match deeds.unwrap_or_default().as_slice() {
            [] => phrases.background_idle.clone(),
            deeds => phrases.background_running(deeds),
        }
    }

    /// Ends what goes on in a session; nothing is said where nothing did.
    pub(super) fn cancel_background(&self, session_id: &str, lang: &str) -> Option<String> {
        let ended = self.unasked.background.as_ref()?.cancel(session_id);
        (!ended.is_empty()).then(|| loquat_phrases::Phrases::of(lang).background_cancelled(&ended))
    }
}

/// A frame for the person who asked for it.
fn addressed(notice: &Notice) -> Message {
    let mut message = frames::originated(topic::SPEAK, json!({}));
    for (key, value) in &notice.route {
        message.context.insert(key, value.clone());
    }
    if !notice.session_id.is_empty() {
        message.context.set_session(&Session::named(&notice.session_id));
    }
    message
}
