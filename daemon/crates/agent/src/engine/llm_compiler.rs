//! LLM compiler (Kim et al., 2023): calls planned in one go as a graph, each started as soon as its inputs are there;
//! when they do not suffice, more are planned from what is known.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, react, rewoo};
use crate::budget::Limit;
use crate::form::{Join, Joined};
use crate::protocol::prompts;
use crate::turn::{Ending, Flow, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "llm-compiler",
    settings: &["max_replans", "max_iterations"],
    limit: Limit::Phases,
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    // Without tools there is nothing to plan.
    if turn.catalogue.is_empty() {
        return react::run(turn);
    }
    async move {
        rewoo::begin(turn);
        match joined(turn).await {
            Ok(ending) => ending,
            Err(ending) if ending.is_limit() => turn.conclude(&turn.reminding(prompts::SOLVE)).await,
            Err(ending) => ending,
        }
    }
    .boxed()
}

async fn joined(turn: &mut Turn) -> Flow<Ending> {
    let mut words = String::new();
    for _ in 0..turn.count("max_replans", 2, 0..=100) {
        if let Some(answer) = rewoo::planned(turn, &words).await? {
            return Ok(Ending::answered(answer));
        }
        let join = if turn.is_constrained() {
            prompts::JOIN_JSON
        } else {
            prompts::JOIN
        };
        match turn.consult(&turn.reminding(join), &Join).await? {
            Joined::Answer(answer) => return Ok(Ending::answered(answer)),
            // What is missing stands in the conversation.
            Joined::Replan(_) => prompts::CALLS_AGAIN.clone_into(&mut words),
        }
    }
    if let Some(answer) = rewoo::planned(turn, &words).await? {
        return Ok(Ending::answered(answer));
    }
    Ok(turn.conclude(&turn.reminding(prompts::SOLVE)).await)
}
