//! LLM compiler (Kim et al., 2023): calls planned in one go as a graph, each started as soon as its inputs are there;
//! when they do not suffice, more are planned from what is known.

use futures_util::future::{BoxFuture, FutureExt};

use super::plan::MAX_REPLANS;
use super::{Engine, MAX_ITERATIONS, react, rewoo};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::phase::{Join, Joined, calling, joining, solve};
use loquat_conversation::dialect::{Wording, Words, prompts};

pub(super) const ENGINE: Engine = Engine {
    id: "llm-compiler",
    settings: &[MAX_REPLANS, MAX_ITERATIONS],
    limit: Limit::Phases,
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    // Without tools there is nothing to plan.
    if turn.resources.catalogue.is_empty() {
        return react::run(turn);
    }
    async move {
        turn.begin(calling);
        match joined(turn).await {
            Ok(ending) => ending,
            Err(ending) if ending.is_limit() => turn.conclude(solve as Wording).await,
            Err(ending) => ending,
        }
    }
    .boxed()
}

async fn joined(turn: &mut Turn) -> Flow<Ending> {
    let mut words = Words::none();
    let most = turn.settings().count(&MAX_REPLANS);
    for replan in 0..=most {
        if let Some(answer) = rewoo::planned(turn, words).await? {
            return Ok(Ending::answered(answer));
        }
        // A small model that may ask for more answers in the notation of its plan instead of in words.
        if replan == most || turn.resources.is_small() && has_all(turn) {
            break;
        }
        match turn.consult(joining as Wording, &Join).await? {
            Joined::Answer(answer) if turn.doubts(&answer) => break,
            Joined::Answer(answer) => return Ok(Ending::answered(answer)),
            // What is missing stands in the conversation.
            Joined::Replan(_) => words = Words::from(&prompts::CALLS_AGAIN),
        }
    }
    Ok(turn.conclude(solve as Wording).await)
}

/// Tells whether all calls of the last step brought something.
fn has_all(turn: &Turn) -> bool {
    let last = turn.work.steps().last();
    last.is_some_and(|step| step.calls.iter().all(|call| call.ok))
}
