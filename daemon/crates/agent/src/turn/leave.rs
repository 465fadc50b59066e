//! What becomes of a call that has run: its record, what later calls need to know of it, and whether it ends the turn.

use std::sync::Arc;

use super::Ending;
use super::closing::Cause;
use super::plan::Done;
use super::resources::Resources;
use super::work::Work;
use crate::gate::Admitted;
use crate::hands::observation;
use loquat_conversation::catalogue::tools_of;
use loquat_conversation::record::Reason;
use loquat_conversation::toolbox::{Category, Outcome, ToolError};
use loquat_conversation::turn_cache::Failing;

impl Work {
    /// Records what a call brought, and tells whether that ends the turn.
    pub(super) fn leave(&mut self, resources: &Resources, done: Done) -> Option<Ending> {
        let Done {
            index,
            key,
            admitted,
            outcome,
            elapsed,
        } = done;
        let ok = outcome.is_ok();
        if let Ok(outcome) = &outcome {
            self.ledger.count_usage(outcome.usage);
        }
        resources.note_foreign_text(&admitted, &outcome);
        let seen: Arc<str> = match &outcome {
            Ok(outcome) => observation::of_tool(&admitted.entry.tool, &outcome.result),
            Err(error) => observation::of_error(&error.to_string()),
        }
        .into();
        resources
            .shared
            .with_guard(|guard| guard.end(&key, Arc::clone(&seen), ok));
        resources.recall.remember(&admitted, &key, &outcome);
        self.note_outcome(index, &admitted, &outcome);
        self.ledger.close(index, seen, ok, elapsed);
        match outcome {
            Ok(outcome) => self.settle(&admitted, outcome),
            Err(ToolError::Fault(fault)) => {
                self.closing.begin_at_once(Cause::ToolFault(fault));
                None
            }
            Err(ToolError::Withheld(words)) => Some(Ending::new(Reason::ConfirmationDenied, words)),
            Err(ToolError::Reply { spoken, .. }) => {
                self.sayable.keep_refusal(spoken);
                None
            }
        }
    }

    /// Notes in the call's record what can be done after it, or that nothing of it was done.
    fn note_outcome(&mut self, index: usize, admitted: &Admitted, outcome: &Result<Outcome, ToolError>) {
        let Some(record) = self.ledger.call(index) else {
            return;
        };
        match outcome {
            Ok(outcome) => {
                record.choices.clone_from(&outcome.choices);
                let tool = &admitted.entry.tool;
                // What goes on has done nothing yet.
                if let Some(undo) = &tool.undo
                    && !tool.read_only
                    && tool.category != Category::Async
                {
                    let tools = tools_of(admitted.entry.toolbox.as_ref());
                    let undo = undo.of_call(&tools, &admitted.arguments, outcome);
                    record.undo = undo.map(Box::new);
                }
            }
            // This is no failure of the tool.
            Err(ToolError::Withheld(_)) => (record.executed, record.changes) = (false, false),
            Err(_) => {}
        }
    }

    /// Keeps what a result hands on; some results are the end.
    fn settle(&mut self, admitted: &Admitted, outcome: Outcome) -> Option<Ending> {
        let Outcome {
            result,
            answer,
            spoken,
            extras,
            ..
        } = outcome;
        let tool = &admitted.entry.tool;
        let words = loquat_conversation::toolbox::words(&result);
        let streamed = words.clone().filter(|_| tool.streams);
        self.extras.keep(admitted.entry.toolbox.id(), extras);
        // Its own words for a person, before those of a member that may be written for brains.
        let words = spoken.clone().or(words);
        self.sayable.keep_sentence(spoken.or_else(|| streamed.clone()));
        self.sayable.keep_result(words.clone());
        let answer = answer.or(streamed);
        if tool.category == Category::Dangerous {
            self.closing.begin(Cause::Danger);
        }
        if tool.category == Category::Terminal {
            let words = answer.or_else(|| self.sayable.beside_a_call()).or(words);
            return Some(Ending::new(Reason::TerminalTool, words.unwrap_or_default()));
        }
        answer
            .filter(|_| tool.may_end_turn)
            .map(|answer| Ending::new(Reason::FinalTool, answer))
    }

    /// Counts the step if tools ran in it and all failed. Too many of them in a row end the turn, and still more the
    /// session.
    pub(super) fn note_failures(&mut self, resources: &Resources) {
        let calls = self.ledger.last_calls().iter();
        let ran: Vec<bool> = calls.filter(|call| call.executed).map(|call| call.ok).collect();
        if ran.is_empty() {
            return;
        }
        let failed = !ran.contains(&true);
        let is_stopped = resources.recall.stops_the_session(Failing::Tools, failed);
        if is_stopped {
            let fault = Cause::EmergencyStop.fault();
            let session = &resources.question.session_id;
            tracing::error!(session, fault, "a session is stopped");
            self.closing.begin_at_once(Cause::EmergencyStop);
        }
        self.closing.count_tools(failed);
    }
}
