//! From the question to the record: every turn begins once and ends once, whatever happens in between.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::time::sleep_until;

use super::recall::Recall;
use super::work::Work;
use super::{Ending, Engine, Turn};
use loquat_conversation::brain::ChatMessage;
use loquat_conversation::event::Event;
use loquat_conversation::means::Means;
use loquat_conversation::question::Question;
use loquat_conversation::record::{Reason, Record};
use loquat_conversation::turn_cache::Failing;
use loquat_decoder::speakable;

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
    let cancel = turn.resources.cancel.clone();
    // A dropped future must not leave tools running.
    let guard = turn.resources.cancel.clone().drop_guard();
    turn.resources.emit(&Event::TurnStarted {
        utterance: turn.resources.question.utterance.clone(),
        engine: engine.id.to_owned(),
    });
    turn.resources
        .shared
        .taint
        .tell_if_inherited(&*turn.resources.observer);
    let deadline = turn.work.ledger.spending.deadline();
    let ending = if turn.resources.question.utterance.trim().is_empty() {
        Ending::silent(Reason::Noop)
    } else if turn.resources.recall.is_stopped_by_failures() {
        Ending::silent(Reason::EmergencyStop).with_fault("the session is stopped until somebody clears it")
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
    let ending = turn.resources.recall.count_brain_failure(ending);
    let lang = turn.resources.question.lang.as_deref();
    let ending = turn.evidence().honest(ending, lang);
    turn.finish(ending)
}

impl Recall {
    /// Notes whether the brain failed the turn. Too many such turns in a row stop the session.
    fn count_brain_failure(&self, ending: Ending) -> Ending {
        const FAULT: &str =
            "the brain failed too often in a row; the session is stopped until somebody clears it";
        // What the brain would have done in a turn that was ended from outside is not known.
        let says_nothing = [
            Reason::Stopped,
            Reason::BargeIn,
            Reason::Deadline,
            Reason::EmergencyStop,
        ];
        let failed = ending.reason == Reason::LlmError;
        if says_nothing.contains(&ending.reason) || !self.stops_the_session(Failing::Brain, failed) {
            return ending;
        }
        tracing::error!(session = self.session_id(), "{FAULT}");
        Ending {
            reason: Reason::EmergencyStop,
            fault: ending.fault.or_else(|| Some(FAULT.to_owned())),
            ..ending
        }
    }
}

impl Turn {
    /// Closes what is open and writes the record.
    fn finish(self, ending: Ending) -> Record {
        let Self {
            resources, mut work, ..
        } = self;
        let Work {
            ledger,
            closing,
            sayable,
            restated,
            ..
        } = work.hand_over();
        let answer = match ending.reason {
            Reason::Deadline if ending.answer.is_empty() => sayable.at_deadline().unwrap_or_default(),
            _ => ending.answer,
        };
        let elapsed = ledger.spending.started().elapsed();
        let spoken = speakable(&answer);
        if let Some(telling) = &resources.telling {
            telling.settle(ledger.step(), &spoken);
        }
        resources.emit(&Event::TurnEnded {
            reason: ending.reason,
            answer: spoken,
            elapsed,
        });
        let taint = resources.shared.taint.taken_by();
        let mut history = vec![ChatMessage::user(resources.question.utterance.as_str())];
        if !answer.is_empty() {
            history.push(ChatMessage::assistant(answer.as_str()).with_foreign_text(taint.is_some()));
        }
        Record {
            turn_id: resources.question.turn_id,
            answer,
            reason: ending.reason,
            fault: ending.fault.or_else(|| closing.fault()),
            brain_error: ending.brain_error,
            plan: std::mem::take(&mut *resources.shared.plan.lock()),
            restated,
            brain_calls: ledger.brain_calls(),
            usage: ledger.usage,
            steps: ledger.into_steps(),
            elapsed,
            taint,
            history,
        }
    }
}
