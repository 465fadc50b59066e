//! What came of a turn: the answer, the reason and the figures.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::brain::{BrainError, ChatMessage, Usage};
use crate::intended::IntendedCall;

/// Says how a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The brain answered.
    Answered,
    /// A tool's result was the answer.
    FinalTool,
    /// A terminal tool ran.
    TerminalTool,
    /// A dangerous tool ended the turn.
    DangerousTool,
    /// There was nothing to answer.
    Noop,
    /// The steps ran out.
    MaxIterations,
    /// The tool calls ran out.
    MaxToolCalls,
    /// The tokens ran out.
    CriticalTokens,
    /// The time ran out.
    Deadline,
    /// No brain replied.
    LlmError,
    /// No reply could be understood.
    ParseError,
    /// One call came again and again.
    LoopDetected,
    /// The person said stop, or the daemon is going down.
    Stopped,
    /// The person spoke into the answer.
    BargeIn,
    /// The person said no.
    ConfirmationDenied,
    /// The emergency stop was pulled.
    EmergencyStop,
}

impl Reason {
    /// Tells whether the answer is one the engine meant to give, so that the person is served.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Answered | Self::FinalTool | Self::TerminalTool)
    }
}

/// One tool call and its outcome. Every call that a brain asked for and that entered the conversation has exactly
/// one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Identifies the call within the turn.
    pub call_id: String,
    /// The brain named the tool so.
    pub tool: String,
    /// The arguments after validation; as decoded when they were turned away.
    pub arguments: Arc<Map<String, Value>>,
    /// Says whether it was run at all.
    pub executed: bool,
    /// Says whether its tool may have changed something, so that it must not be run once more unasked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes: bool,
    /// Says whether it succeeded.
    pub ok: bool,
    /// The text that the brain was shown.
    pub observation: Arc<str>,
    /// The time for which it ran.
    pub elapsed: Duration,
    /// The call that takes it back, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Box<IntendedCall>>,
    /// The things that it may have meant, where the person is asked which one it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// One brain call and the tool calls it asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The brain thought this.
    pub thought: String,
    /// The calls it asked for.
    pub calls: Vec<CallRecord>,
    /// The time from asking to the end of the reply.
    pub brain_time: Duration,
    /// It cost these tokens and this money.
    pub usage: Usage,
}

/// The result of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The id of the turn, which is unique.
    pub turn_id: String,
    /// The words that are to be said. They are empty only when nothing may be said ([`Reason::Stopped`],
    /// [`Reason::BargeIn`], [`Reason::Noop`]) or when `reason` is a failure without a best answer, which the daemon
    /// words itself.
    pub answer: String,
    /// The reason of its end.
    pub reason: Reason,
    /// The detail behind a failure, for logs and events; never spoken. It may stand beside an answer, when something
    /// failed on the way to it.
    pub fault: Option<String>,
    /// Says why the brain gave no reply, where the turn ended by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brain_error: Option<BrainError>,
    /// The last plan that was made, one line a step; empty where the engine makes none.
    #[serde(default)]
    pub plan: Vec<String>,
    /// The sentence of the device in which the brain said again what was wanted, where that was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restated: Option<String>,
    /// They are in the order in which they were taken.
    pub steps: Vec<StepRecord>,
    /// All brain calls, also those that failed.
    pub brain_calls: u32,
    /// It is the sum over all steps.
    pub usage: Usage,
    /// The time from beginning to end.
    pub elapsed: Duration,
    /// The tool whose result marked the turn with strangers' words, as `toolbox/tool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taint: Option<String>,
    /// The messages that the session's history keeps of this turn: the utterance and the answer.
    pub history: Vec<ChatMessage>,
}

impl Record {
    /// The calls that succeeded and may have changed something, in their order.
    pub fn deeds(&self) -> impl Iterator<Item = &CallRecord> {
        self.attempted().filter(|call| call.ok)
    }

    /// The only call of a sentence that asks which of several it means, and its place among the calls of the sentence, each of
    /// which has a step of its own. Nothing where two ask, since an answer does not tell to which question it is one. What a
    /// brain's call asks is for the brain, which has the conversation.
    pub fn asking(&self) -> Option<(usize, &CallRecord)> {
        let steps = self.steps.iter().enumerate().filter(|_| self.is_of_sentence());
        let calls = steps.flat_map(|(place, step)| step.calls.iter().map(move |call| (place, call)));
        let mut asking = calls.filter(|(_, call)| !call.choices.is_empty());
        asking.next().filter(|_| asking.next().is_none())
    }

    /// Tells whether the calls are those of a sentence, and no brain made them.
    pub fn is_of_sentence(&self) -> bool {
        self.brain_calls == 0 || self.restated.is_some()
    }

    /// The calls that may have changed something, in their order. Of one that failed it is not known whether it did.
    pub fn attempted(&self) -> impl Iterator<Item = &CallRecord> {
        let calls = self.steps.iter().flat_map(|step| &step.calls);
        calls.filter(|call| call.executed && call.changes)
    }
}
