//! A word in a long silence: who has asked aloud and hears nothing for a while is told that the device is still at it, once a turn.
//!
//! A tool that has words for what it does has those said. Typed questions, satellites and programs see what happens, or are served by
//! others, so only the device's own conversation is spoken to. What is said here is no answer: it is not remembered, and the
//! microphone is not opened behind it.

use std::time::Duration;

use loquat_agent::event::Event;
use loquat_orchestrator::frames;
use loquat_part::events::News;
use loquat_phrases::Phrases;
use loquat_wire::Message;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::Desk;
use super::job::Job;

/// What is said of the turn that a person waits for.
#[derive(Debug, Default)]
pub(super) struct Silence {
    /// How long nothing is heard before a word is said; zero is never.
    patience: Duration,
    /// What tools tell of themselves; absent where that is not heard.
    news: Option<broadcast::Receiver<News>>,
    waited_for: Option<WaitedFor>,
    /// Counts the words that were said, so that no two in a row are the same.
    said: usize,
}

/// A turn of which nothing was heard yet.
#[derive(Debug)]
struct WaitedFor {
    turn_id: String,
    cause: Message,
    lang: String,
    until: Instant,
}

#[derive(Debug)]
pub(super) enum Break {
    /// It has lasted long enough.
    Overdue,
    /// A tool has words for what it does.
    Tool(String),
}

impl Silence {
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            patience,
            ..Self::default()
        }
    }

    /// Hears what tools tell of themselves.
    pub(super) fn listen_to(&mut self, news: broadcast::Receiver<News>) {
        self.news = Some(news);
    }

    /// A turn begins that a person may wait for.
    pub(super) fn begins(&mut self, job: &Job) {
        let is_heard = job.channel() == "voice" && job.session.is_default();
        if is_heard && !self.patience.is_zero() {
            self.waited_for = Some(WaitedFor {
                turn_id: job.turn_id.clone(),
                cause: job.cause.clone(),
                lang: job.lang.clone(),
                until: Instant::now() + self.patience,
            });
        }
    }

    /// Something else is said of the turn that is waited for, or it is to be silent.
    pub(super) fn ends(&mut self) {
        self.waited_for = None;
    }

    /// Waits for what breaks the silence. Nothing is lost where this is dropped.
    pub(super) async fn next(&mut self) -> Break {
        loop {
            let Some(waited_for) = &self.waited_for else {
                return std::future::pending().await;
            };
            let overdue = sleep_until(waited_for.until);
            let Some(news) = &mut self.news else {
                overdue.await;
                return Break::Overdue;
            };
            let heard = tokio::select! {
                biased;
                heard = news.recv() => heard,
                () = overdue => return Break::Overdue,
            };
            match heard {
                Ok(news) => {
                    if let Some(phrase) = phrase_of(news, &waited_for.turn_id) {
                        return Break::Tool(phrase);
                    }
                }
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => self.news = None,
            }
        }
    }

    /// The frame that breaks the silence, which is none from then on.
    fn broken(&mut self, by: Break) -> Option<Message> {
        let WaitedFor { cause, lang, .. } = self.waited_for.take()?;
        let text = match by {
            Break::Tool(phrase) => phrase,
            Break::Overdue => {
                let words = &Phrases::of(&lang).patience;
                let next = words.get(self.said % words.len().max(1))?;
                self.said += 1;
                next.clone()
            }
        };
        Some(frames::aside(&cause, &text, &lang))
    }
}

fn phrase_of(news: News, turn_id: &str) -> Option<String> {
    match news.event {
        Event::ToolAwaited { phrase, .. } if *news.turn_id == *turn_id => phrase,
        _ => None,
    }
}

impl Desk {
    /// Adds what tools tell of themselves while they are waited for.
    #[must_use]
    pub fn with_news(mut self, news: broadcast::Receiver<News>) -> Self {
        self.silence.listen_to(news);
        self
    }

    pub(super) async fn break_silence(&mut self, by: Break) {
        if let Some(word) = self.silence.broken(by) {
            self.emit(word).await;
        }
    }
}
