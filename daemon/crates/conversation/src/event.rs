//! All that happens in a turn, as one stream of typed events.
//!
//! Log, journal, traces, web page and terminal are readers of this stream; nothing of a turn is reported elsewhere.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::brain::{Asking, Capabilities, Usage};
use crate::consent::Consent;
use crate::record::Reason;

/// A thing that happened in a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The turn began.
    TurnStarted {
        /// The words that were said or typed.
        utterance: String,
        /// The engine that answers.
        engine: String,
    },
    /// The brain is being asked.
    BrainAsked {
        /// Counts from 1 within the turn.
        step: u32,
        /// The brain's name.
        brain: String,
        /// The request has about so many tokens.
        prompt_tokens: u64,
    },
    /// A piece of the reply while it is written.
    ReplyDelta {
        /// The step it belongs to.
        step: u32,
        /// These words came.
        text: String,
    },
    /// A piece of what the brain reasons before its reply, while it does. All of it is the step's thought when the reply is
    /// complete.
    ReasoningDelta {
        /// The step it belongs to.
        step: u32,
        /// These words came.
        text: String,
    },
    /// What was written of the reply so far is void: the call is being made again.
    ReplyRestarted {
        /// The step it belongs to.
        step: u32,
    },
    /// A piece of the answer while it is written, as it is spoken; told only to those who want to hear it early. All of
    /// them since the last [`Self::AnswerVoided`], joined, are the answer with which the turn ends. A reader that may
    /// have lost events on the way takes the answer from [`Self::TurnEnded`].
    AnswerDelta {
        /// The step it belongs to.
        step: u32,
        /// These words came.
        text: String,
        /// Says whether it is the last: the answer is complete with it, and nothing of it is taken back any more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_whole: bool,
    },
    /// What was told of the answer so far is not the answer after all: the stream broke, a call followed, or what came behind it
    /// may not be said.
    AnswerVoided {
        /// It turned out in this step.
        step: u32,
    },
    /// The conversation was made shorter, because it would not have fitted into the brain's window for long.
    ContextCompacted {
        /// The last step before.
        step: u32,
        /// Says whether notes were taken; otherwise long messages were only cut.
        noted: bool,
        /// The used share of the window before, from 0.0 to 1.0 and beyond; zero where its size is not known.
        before: f64,
        /// The used share now.
        after: f64,
    },
    /// The brain replied.
    BrainReplied {
        /// It belongs to this step.
        step: u32,
        /// The time from asking to the end of the reply.
        elapsed: Duration,
        /// It cost these tokens and this money.
        usage: Usage,
    },
    /// The brain gave no reply.
    BrainFailed {
        /// It belongs to this step.
        step: u32,
        /// It says in words what failed.
        error: String,
    },
    /// The brain thought this before it acted or answered.
    Thought {
        /// It belongs to this step.
        step: u32,
        /// The brain thought these words.
        text: String,
    },
    /// A plan was made, or made anew.
    Planned {
        /// It is one line for each step.
        steps: Vec<String>,
    },
    /// A tool is being run.
    ToolCalled {
        /// It belongs to this step.
        step: u32,
        /// Identifies the call within the turn.
        call_id: String,
        /// The toolbox has this id.
        toolbox_id: String,
        /// The name of the tool.
        tool: String,
        /// They are valid.
        arguments: Arc<Map<String, Value>>,
    },
    /// A persona asks another, which answers in a turn of its own.
    Delegated {
        /// The call by which it asks.
        call_id: String,
        /// The id of the one that is asked.
        persona_id: String,
        /// The turn of the one that is asked.
        turn_id: String,
    },
    /// A call takes so long that a waiting person wants to know; told once a call. A screen or a terminal
    /// shows it, and it may be spoken while nothing else was heard yet.
    ToolAwaited {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The name of the tool.
        tool: String,
        /// The words that the tool wants to be said of it meanwhile; absent where it has none.
        phrase: Option<String>,
    },
    /// A piece of what a tool tells while it works. All pieces of a call that succeeds, joined, are its result.
    ToolPiece {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The name of the tool.
        tool: String,
        /// These words came.
        text: String,
    },
    /// A call tells how far it is, in the tool's own words, which are not part of its result. They are never spoken.
    ToolProgressed {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The name of the tool.
        tool: String,
        /// The tool said these words.
        text: String,
    },
    /// A call ended, or was turned away before it ran.
    ToolReturned {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The brain named the tool so.
        tool: String,
        /// Says whether it succeeded.
        ok: bool,
        /// The result, or what was wrong, as the brain sees it.
        observation: Arc<str>,
        /// The time for which it ran; zero if it never did.
        elapsed: Duration,
    },
    /// The person is being asked whether a call may run.
    ConsentAsked {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The name of the tool.
        tool: String,
    },
    /// The person answered, or did not.
    ConsentAnswered {
        /// It belongs to this step.
        step: u32,
        /// The call.
        call_id: String,
        /// The person's answer.
        consent: Consent,
    },
    /// The turn has taken in what strangers wrote: from now on it changes and sends nothing without the person's yes. Told
    /// once for the history and once for the first result.
    Tainted {
        /// Says what marked it: `history`, or the toolbox and the tool.
        by: String,
    },
    /// A call was in the reply but was not run.
    CallDropped {
        /// It belongs to this step.
        step: u32,
        /// The name of the tool.
        tool: String,
        /// It was not run for this reason.
        why: String,
    },
    /// The reply could not be used and the brain is asked again.
    ReplyRejected {
        /// It belongs to this step.
        step: u32,
        /// The reply has this fault.
        #[serde(default)]
        fault: ReplyFault,
        /// Says what was wrong with it; this may hold what was said.
        why: String,
    },
    /// The turn ended; always the last event.
    TurnEnded {
        /// The reason of the end.
        reason: Reason,
        /// The answer as it is spoken; empty where the daemon words a failure itself.
        answer: String,
        /// The time from beginning to end.
        elapsed: Duration,
    },
}

/// The kind of a reply's fault, without a word of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReplyFault {
    /// It cannot be read, or is not what was asked for.
    #[default]
    Form,
    /// It tells numbers that nothing gave.
    Figures,
    /// It tells of a deed that was not done.
    Deed,
    /// It repeats what only the brain was told.
    Echo,
    /// It tells what is there, and no tool has looked.
    Unread,
}

/// Hears the events of a turn. Must not block.
pub trait Observer: Send + Sync {
    /// Takes the next event.
    fn event(&self, event: &Event);

    /// Takes what the brain is sent in a step, as it would be for the brain that is asked first. Told behind
    /// [`Event::BrainAsked`].
    fn prompt(&self, _step: u32, _request: &Asking<'_>, _capabilities: Capabilities) {}

    /// Tells whether it wants to be told of the answer while it is written. That costs some work for each piece.
    fn hears_answers(&self) -> bool {
        false
    }
}

/// An observer that takes nothing in.
impl Observer for () {
    fn event(&self, _: &Event) {}
}
