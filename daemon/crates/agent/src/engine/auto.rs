//! Whatever is enough: a direct answer, one tool call, a loop, and only when that fails a plan (`ADaPT`, Prasad et al.,
//! 2023: try first, decompose on failure).
//!
//! Rights come from the settings and, narrower, from the channel. An assessment only decides where within them to begin.

mod rights;

use futures_util::future::{BoxFuture, FutureExt};

use super::inner::{answer, told};
use super::{Engine, Form, Setting};
use crate::turn::{Ending, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::phase::{Vote, nothing};
use loquat_conversation::dialect::{Dialect, prompts};
use loquat_conversation::record::Reason;
use rights::{Rights, complexity};

const MULTI_ACTION: Setting =
    Setting::new("multi_action", Form::Switch, "with `false` one tool call at most");
const DECOMPOSE: Setting = Setting::new("decompose", Form::Switch, "with `false` it never plans steps");
const ASSESSMENT: Setting = Setting::new(
    "assessment",
    Form::Word(&["off", "heuristic", "brain"]),
    "who says beforehand how hard a question is",
);

pub(super) const ENGINE: Engine = Engine {
    id: "auto",
    settings: &[
        MULTI_ACTION,
        rights::MAX_ITERATIONS,
        DECOMPOSE,
        rights::DECOMPOSE_ENGINE,
        ASSESSMENT,
    ],
    limit: Limit::Phases,
    run,
};

/// The hardest question there is: it is decomposed without a try.
const HARDEST: u32 = 5;

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let rights = Rights::of(turn);
        if !rights.multi_action {
            return single_action(turn).await;
        }
        let level = match assess(turn).await {
            Ok(level) => level,
            Err(ending) => return ending,
        };
        if level == Some(HARDEST) && rights.decompose {
            return decomposed(turn, &rights, "").await;
        }
        let first = match level {
            Some(0..=2) => 1,
            Some(3) => 3,
            _ => 5,
        };
        tried(turn, &rights, first.min(rights.iterations)).await
    }
    .boxed()
}

/// Makes at most one tool call, then the answer.
async fn single_action(turn: &Turn) -> Ending {
    let mut child = turn.child(1, None);
    child.stands_for(turn);
    child.allow_tool_calls(1);
    let steps = child.begin_steps(Dialect::Native);
    let ending = child.think_and_act(&steps).await;
    let expected = matches!(ending.reason, Reason::MaxIterations | Reason::MaxToolCalls);
    if expected && !ending.answer.is_empty() && turn.work.exhausted().is_none() {
        return Ending::answered(ending.answer);
    }
    ending
}

/// Asks how hard the question is, from 1 to 5. Nothing where no brain was asked.
async fn assess(turn: &Turn) -> Result<Option<u32>, Ending> {
    match turn.settings().word(ASSESSMENT.key).as_deref() {
        Some("heuristic") => Ok(Some(complexity(&turn.resources.question.utterance))),
        Some("brain") => {
            let mut child = turn.branch();
            child.begin(nothing);
            let form = Vote {
                candidates: HARDEST as usize,
            };
            match child.consult(&prompts::ASSESS, &form).await {
                Ok(level) => Ok(level.map(|index| index as u32 + 1)),
                // It can be tried without knowing how hard it is.
                Err(ending) if ending.reason != Reason::LlmError => Ok(None),
                Err(ending) => Err(ending),
            }
        }
        _ => Ok(None),
    }
}

/// Tries with so many actions, then with as many as may be; what fails then is decomposed.
async fn tried(turn: &Turn, rights: &Rights, first: u32) -> Ending {
    // One step more than actions, so that the brain can answer with the last observation.
    let mut child = turn.child(first + 1, None);
    child.stands_for(turn);
    child.work.closing.is_silent = true;
    let steps = child.begin_steps(Dialect::Native);
    let mut ending = child.think_and_act(&steps).await;
    if ending.reason == Reason::MaxIterations && first < rights.iterations {
        child.grant(rights.iterations - first);
        ending = child.think_and_act(&steps).await;
    }
    let failed = matches!(
        ending.reason,
        Reason::MaxIterations | Reason::ParseError | Reason::LoopDetected
    );
    if ending.is_limit() && turn.work.exhausted().is_some() || failed && !rights.decompose {
        child.work.closing.is_silent = false;
        return child.think_and_act(&steps).await;
    }
    if !failed {
        return ending;
    }
    let known = told(child.work.steps());
    drop(child);
    decomposed(turn, rights, &known).await
}

async fn decomposed(turn: &Turn, rights: &Rights, known: &str) -> Ending {
    let known_before = turn.resources.text(&prompts::KNOWN);
    let episode = answer(turn, rights.engine, rights.iterations, None, true, |question| {
        if !known.is_empty() {
            question.utterance = format!("{}\n\n{}\n{known}", question.utterance, known_before);
        }
    });
    episode.await.ending
}
