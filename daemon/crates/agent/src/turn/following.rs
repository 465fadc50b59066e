//! Instructions that a tool brings, followed by the brain in a turn within: its answer is what the call gives back.
//!
//! Nothing is allowed in it that the turn does not allow: each call goes through the gate, and instructions of strangers
//! mark the turn before the brain reads them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::entry::tools_in_prompt;
use super::{Ending, Turn};
use crate::gate::Admitted;
use loquat_conversation::toolbox::{Instructions, Outcome, ToolError};

/// Tells whether a brain has to follow something before there is a result.
pub(super) fn brings_instructions(outcome: &Result<Outcome, ToolError>) -> bool {
    outcome
        .as_ref()
        .is_ok_and(|outcome| outcome.instructions.is_some())
}

impl Turn {
    /// Gives what a call brings in the end, and how long that took. Of instructions it is what the brain answers that
    /// follows them.
    pub(super) async fn followed(
        &mut self,
        admitted: &Admitted,
        outcome: Result<Outcome, ToolError>,
        elapsed: Duration,
    ) -> (Result<Outcome, ToolError>, Duration) {
        if !brings_instructions(&outcome) {
            return (outcome, elapsed);
        }
        self.note_foreign_text(admitted, &outcome);
        let mut brought = match outcome {
            Ok(outcome) => outcome,
            failed => return (failed, elapsed),
        };
        let Some(instructions) = brought.instructions.take() else {
            return (Ok(brought), elapsed);
        };
        let since = Instant::now();
        let ending = self.follow(admitted, &instructions).await;
        let elapsed = elapsed + since.elapsed();
        if ending.answer.is_empty() {
            return (Err(unanswered(&ending)), elapsed);
        }
        let answer = Value::from(ending.answer.as_str());
        brought.result.insert(instructions.member, answer);
        brought.spoken = Some(ending.answer);
        (Ok(brought), elapsed)
    }

    /// Has the brain follow instructions with the tools that they allow, within the limits of this turn.
    async fn follow(&mut self, admitted: &Admitted, instructions: &Instructions) -> Ending {
        // What they name does not count as guessed.
        self.resources.shared.heard.see(instructions.text.as_str().into());
        let mut child = self.child(self.resources.loop_steps, None);
        let most = tools_in_prompt(&self.resources.settings);
        let tools = self
            .catalogue
            .following(&admitted.entry.tool, instructions.only.as_deref())
            .narrowed(&instructions.text, most, &self.resources.turn_cache);
        child.catalogue = Arc::new(tools);
        child.question.utterance.clone_from(&instructions.text);
        let usual = child.usual;
        let steps = child.begin_steps(usual);
        // On the heap: what is followed may call a tool that waits for this again.
        let ending = Box::pin(child.think_and_act(&steps)).await;
        if let Some(cause) = child.closing.cause().filter(|cause| cause.ends_the_whole()) {
            self.closing.begin(cause.clone());
        }
        ending
    }
}

fn unanswered(ending: &Ending) -> ToolError {
    let why = ending.fault.as_deref().unwrap_or("the brain gave no answer");
    ToolError::reply(
        "RuntimeError",
        format!("the instructions were not followed to an end: {why}"),
    )
}
