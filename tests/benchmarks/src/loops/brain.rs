//! The brain in the subject's own process: its reply depends on how often it has spoken in the conversation.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{
    Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink, Finish, NativeCall, Role,
    Usage,
};
use loquat_tests::brain::Reply;

use super::{ANSWER, Job, Kind};

/// Calls of the slow tool in one reply.
const SLOW_CALLS: usize = 4;

/// A scripted brain.
#[derive(Debug)]
pub(super) struct Script {
    kind: Kind,
    brain_calls: usize,
    delay: Duration,
    asked: AtomicUsize,
}

/// Text and native calls of a reply; a call is a tool and its arguments as JSON.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    text: String,
    calls: Vec<(&'static str, String)>,
}

impl Script {
    pub(super) fn new(job: &Job) -> Self {
        Self {
            kind: job.kind,
            brain_calls: job.brain_calls,
            delay: Duration::from_millis(job.delay_ms),
            asked: AtomicUsize::default(),
        }
    }

    /// How often it was asked.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn reply(&self, request: &ChatRequest) -> Said {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.kind == Kind::Tree {
            return thought(request, number);
        }
        let spoken = request
            .messages
            .iter()
            .filter(|message| message.role == Role::Assistant);
        let spoken = spoken.count();
        reply(self.kind, spoken, spoken + 1 >= self.brain_calls)
    }
}

impl Brain for Script {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: matches!(self.kind, Kind::Native | Kind::Tools),
            ..Capabilities::default()
        }
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move {
            if !self.delay.is_zero() {
                tokio::time::sleep(self.delay).await;
            }
            Ok(self.reply(&asking.for_brain(self.capabilities())).into())
        }
        .boxed()
    }
}

/// What is said after so many replies of the same turn.
pub(super) fn reply(kind: Kind, spoken: usize, last: bool) -> Said {
    let sum = format!("{{\"a\":{spoken},\"b\":1}}");
    let said = |text: String| Said {
        text,
        ..Said::default()
    };
    let calls = |calls| Said {
        calls,
        ..Said::default()
    };
    match kind {
        Kind::React if last => said(format!("Thought: I know enough.\nFINAL_ANSWER: {ANSWER}")),
        Kind::React => said(format!(
            "Thought: I need a tool.\nAction: add\nAction Input: {sum}"
        )),
        Kind::Native if last => said(ANSWER.to_owned()),
        Kind::Native => calls(vec![("add", sum)]),
        Kind::Tools if spoken > 0 => said(ANSWER.to_owned()),
        Kind::Tools => calls(
            (0..SLOW_CALLS)
                .map(|number| ("wait", format!("{{\"number\":{number}}}")))
                .collect(),
        ),
        Kind::Tree => said(format!("Thought {spoken} goes on.")),
    }
}

/// A new thought, or a score. Which one is wanted is told by the newest message.
fn thought(request: &ChatRequest, number: usize) -> Said {
    let newest = request.messages.last().map(|message| message.content.as_str());
    let scores = newest.is_some_and(|newest| newest.contains("How promising"));
    Said {
        text: if scores {
            "5".to_owned()
        } else {
            format!("Thought {number} goes on.")
        },
        ..Said::default()
    }
}

impl From<Said> for ChatReply {
    fn from(said: Said) -> Self {
        let calls = said.calls.into_iter().enumerate();
        let tool_calls: Vec<NativeCall> = calls
            .map(|(number, (name, arguments))| NativeCall {
                id: format!("c{number}"),
                name: name.to_owned(),
                arguments,
            })
            .collect();
        Self {
            content: said.text,
            reasoning: String::new(),
            finish: if tool_calls.is_empty() {
                Finish::Stop
            } else {
                Finish::ToolCalls
            },
            tool_calls,
            usage: Usage::default(),
        }
    }
}

impl From<Said> for Reply {
    fn from(said: Said) -> Self {
        let calls = said.calls.into_iter().enumerate();
        Self {
            tool_calls: calls
                .map(|(number, (name, arguments))| (format!("c{number}"), name.to_owned(), arguments))
                .collect(),
            content: (!said.text.is_empty()).then_some(said.text),
            ..Self::default()
        }
    }
}
