//! From the question to the record: every turn begins once and ends once, whatever happens in between.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::PoisonError;

use futures_util::FutureExt;
use tokio::time::sleep_until;

use super::{Ending, Turn};
use crate::brain::ChatMessage;
use crate::engine::Engine;
use crate::event::Event;
use crate::question::{Means, Question};
use crate::record::{Reason, Record};

/// Runs a whole turn.
///
/// It never fails and never panics: every turn ends with exactly one [`Event::TurnEnded`], one [`Record`] and one
/// [`Reason`]. When the turn is stopped or its deadline passes, the brain's request is dropped at once, running tools
/// are cancelled and dropped, and what was finished is kept. Dropping the future gives the turn up without an end.
pub fn answer(
    engine: &'static Engine,
    question: Question,
    means: Means,
) -> impl Future<Output = Record> + Send {
    // On the heap: an engine's future is large, and callers hold this in futures of their own.
    Box::pin(live(engine, question, means))
}

async fn live(engine: &'static Engine, question: Question, means: Means) -> Record {
    let mut turn = Turn::new(engine, question, &means);
    let mut stop = means.stop;
    let cancel = turn.cancel.clone();
    // Whoever drops this future must not leave tools running.
    let guard = turn.cancel.clone().drop_guard();
    turn.emit(&Event::TurnStarted {
        utterance: turn.question.utterance.clone(),
        engine: engine.id.to_owned(),
    });
    let deadline = turn.spending.deadline();
    let ending = if turn.question.utterance.trim().is_empty() {
        Ending::silent(Reason::Noop)
    } else if turn.is_latched() {
        Ending::silent(Reason::EmergencyStop).with_fault("the session is latched until it is cleared")
    } else {
        tokio::select! {
            biased;
            reason = stop.stopped() => {
                cancel.cancel();
                Ending::silent(reason)
            }
            () = sleep_until(deadline) => {
                cancel.cancel();
                Ending::silent(Reason::Deadline).with_fault("the time of the turn ran out")
            }
            ended = AssertUnwindSafe((engine.run)(&mut turn)).catch_unwind() => ended.unwrap_or_else(|_| {
                Ending::silent(Reason::LlmError).with_fault("the engine or the brain's client crashed")
            }),
        }
    };
    drop(guard);
    turn.finish(ending)
}

impl Turn {
    /// Closes what is open and writes the record.
    fn finish(mut self, ending: Ending) -> Record {
        self.close_open_calls("it was stopped before it gave a result");
        self.gather();
        let answer = match ending.reason {
            Reason::Deadline if ending.answer.is_empty() => self
                .draft
                .take()
                .or_else(|| self.aside.take())
                .unwrap_or_default(),
            _ => ending.answer,
        };
        let elapsed = self.spending.started().elapsed();
        let spoken = crate::speakable(&answer);
        self.settle_answer(&spoken);
        self.emit(&Event::TurnEnded {
            reason: ending.reason,
            answer: spoken,
            elapsed,
        });
        let mut history = vec![ChatMessage::user(self.question.utterance.as_str())];
        if !answer.is_empty() {
            history.push(ChatMessage::assistant(answer.as_str()));
        }
        Record {
            turn_id: self.question.turn_id,
            answer,
            reason: ending.reason,
            fault: ending.fault.or(self.fault),
            plan: std::mem::take(&mut *self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner)),
            steps: self.steps,
            brain_calls: self.brain_calls,
            usage: self.usage,
            elapsed,
            history,
        }
    }
}
