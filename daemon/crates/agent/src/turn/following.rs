//! Instructions that a tool brings, followed by the brain in a turn within: its answer is what the call gives back.
//!
//! Nothing is allowed in it that the turn does not allow: each call goes through the gate, and instructions of strangers
//! mark the turn before the brain reads them.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::plan::Done;
use super::{Ending, Turn};
use crate::gate::Admitted;
use loquat_conversation::toolbox::{Instructions, ToolError};

impl Turn {
    /// Gives what a call brings in the end, and how long that took. Of instructions it is what the brain answers that
    /// follows them.
    pub(super) async fn followed(&mut self, done: Done) -> Done {
        if !done.brings_instructions() {
            return done;
        }
        self.resources.note_foreign_text(&done.admitted, &done.outcome);
        let Done {
            admitted,
            outcome: Ok(mut brought),
            ..
        } = done
        else {
            return done;
        };
        let Some(instructions) = brought.instructions.take() else {
            return Done {
                admitted,
                outcome: Ok(brought),
                ..done
            };
        };
        let since = Instant::now();
        let ending = self.follow(&admitted, &instructions).await;
        let elapsed = done.elapsed + since.elapsed();
        let outcome = if ending.answer.is_empty() {
            Err(unanswered(&ending))
        } else {
            let answer = Value::from(ending.answer.as_str());
            brought.result.insert(instructions.member, answer);
            brought.spoken = Some(ending.answer);
            Ok(brought)
        };
        Done {
            admitted,
            outcome,
            elapsed,
            ..done
        }
    }

    /// Has the brain follow instructions with the tools that they allow, within the limits of this turn.
    async fn follow(&mut self, admitted: &Admitted, instructions: &Instructions) -> Ending {
        // What they name does not count as guessed.
        self.resources.shared.heard.see(instructions.text.as_str().into());
        let mut child = self.child(self.resources.settings.usual_loop_steps(), None);
        let tools = self
            .resources
            .catalogue
            .following(&admitted.entry.tool, instructions.only.as_deref())
            .narrowed(
                &instructions.text,
                self.resources.settings.tools_in_prompt(),
                &self.resources.turn_cache,
            );
        child.resources.catalogue = Arc::new(tools);
        child.resources.question.utterance.clone_from(&instructions.text);
        let usual = child.exchange.usual();
        let steps = child.begin_steps(usual);
        // On the heap: what is followed may call a tool that waits for this again.
        let ending = Box::pin(child.think_and_act(&steps)).await;
        let cause = child.work.closing.cause();
        if let Some(cause) = cause.filter(|cause| cause.ends_the_whole()) {
            self.work.closing.begin(cause.clone());
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
