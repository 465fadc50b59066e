//! One utterance being answered.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::brain::{Brain, ChatMessage};
use crate::event::Observer;
use crate::record::Reason;
use crate::toolbox::Toolbox;

/// What was said, by whom, and how it is to be answered.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Unique.
    pub turn_id: String,
    /// The conversation.
    pub session_id: String,
    /// What was said or typed.
    pub utterance: String,
    /// The session's earlier utterances and answers, oldest first.
    pub history: Vec<ChatMessage>,
    /// The persona's own instructions; empty when it has none.
    pub persona_prompt: String,
    /// Language of the answer, BCP-47.
    pub lang: Option<String>,
    /// `metric` or `imperial`.
    pub units: Option<String>,
    /// IANA name of the person's time zone.
    pub time_zone: Option<String>,
    /// `half` or `full`.
    pub time_format: Option<String>,
    /// `MDY`, `DMY` or `YMD`.
    pub date_format: Option<String>,
}

/// Who and what answers.
#[derive(Clone)]
pub struct Means {
    /// The chat model.
    pub brain: Arc<dyn Brain>,
    /// The tools, in the persona's order.
    pub toolboxes: Vec<Arc<dyn Toolbox>>,
    /// The limits.
    pub budget: Budget,
    /// The engine's own settings from the persona file.
    pub settings: Map<String, Value>,
    /// Hears everything.
    pub observer: Arc<dyn Observer>,
    /// Ends the turn from outside.
    pub stop: StopSignal,
}

/// Limits of one turn; the first that is hit wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Brain calls that may ask for tools. After the last one more is made, with tools withheld.
    pub max_iterations: u32,
    /// Tool calls.
    pub max_tool_calls: u32,
    /// Prompt and completion tokens together; absent is unlimited.
    pub max_tokens: Option<u64>,
    /// Wall clock, in seconds.
    pub deadline_seconds: u64,
}

impl std::fmt::Debug for Means {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Means")
            .field("brain", &self.brain)
            .field("toolboxes", &self.toolboxes)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_iterations: 10,
            max_tool_calls: 20,
            max_tokens: None,
            deadline_seconds: 60,
        }
    }
}

impl Budget {
    /// The wall clock limit.
    pub fn deadline(&self) -> Duration {
        Duration::from_secs(self.deadline_seconds)
    }
}

/// The end that pulls: stops a turn from outside.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<Option<Reason>>);

/// The end that feels the pull.
#[derive(Debug, Clone)]
pub struct StopSignal(watch::Receiver<Option<Reason>>);

/// A pair that stops one turn.
pub fn stop_pair() -> (Stopper, StopSignal) {
    let (sender, receiver) = watch::channel(None);
    (Stopper(sender), StopSignal(receiver))
}

impl Stopper {
    /// Stops the turn; the first reason stands.
    pub fn stop(&self, reason: Reason) {
        self.0.send_if_modified(|current| {
            let first = current.is_none();
            if first {
                *current = Some(reason);
            }
            first
        });
    }
}

impl StopSignal {
    /// Waits for the stop. Cancel safe. Pends for ever when the stopper is gone without having stopped anything.
    pub async fn stopped(&mut self) -> Reason {
        let reason = match self.0.wait_for(Option::is_some).await {
            Ok(reason) => *reason,
            Err(_) => None,
        };
        match reason {
            Some(reason) => reason,
            None => std::future::pending().await,
        }
    }
}

/// How an engine ended.
#[derive(Debug)]
pub(crate) struct Ending {
    reason: Reason,
    answer: String,
    fault: Option<String>,
}

/// One utterance being answered.
pub(crate) struct Turn {
    question: Question,
    means: Means,
}

impl Turn {
    pub(crate) async fn plain(&mut self) -> Ending {
        let mut messages = self.question.history.clone();
        messages.push(ChatMessage::user(&self.question.utterance));
        let request = crate::brain::ChatRequest {
            messages,
            ..Default::default()
        };
        match self.means.brain.chat(&request, &()).await {
            Ok(reply) => Ending {
                reason: Reason::Answered,
                answer: reply.content,
                fault: None,
            },
            Err(error) => Ending {
                reason: Reason::LlmError,
                answer: String::new(),
                fault: Some(error.to_string()),
            },
        }
    }
}

/// Runs the whole turn. Never fails: every turn ends with one record and one [`crate::event::Event::TurnEnded`].
pub async fn answer(
    engine: &'static crate::engine::Engine,
    question: Question,
    means: Means,
) -> crate::record::Record {
    let started = tokio::time::Instant::now();
    let observer = Arc::clone(&means.observer);
    let mut turn = Turn { question, means };
    let ending = (engine.run)(&mut turn).await;
    observer.event(&crate::event::Event::TurnEnded {
        reason: ending.reason,
        answer: ending.answer.clone(),
        elapsed: started.elapsed(),
    });
    crate::record::Record {
        turn_id: turn.question.turn_id,
        answer: ending.answer.clone(),
        reason: ending.reason,
        fault: ending.fault,
        steps: Vec::new(),
        brain_calls: 1,
        usage: crate::brain::Usage::default(),
        elapsed: started.elapsed(),
        history: vec![
            ChatMessage::user(turn.question.utterance),
            ChatMessage::assistant(ending.answer),
        ],
    }
}
