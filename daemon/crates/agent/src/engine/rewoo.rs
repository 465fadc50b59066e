//! `ReWOO` (Xu et al., 2023): all tool calls are planned in one go, later ones naming the results of earlier ones, and one
//! more brain call answers from what they brought. Two brain calls, however many hops.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, MAX_ITERATIONS, react};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::call_graph::Node;
use loquat_conversation::dialect::phase::{Blueprint, Calls, calling, solve};
use loquat_conversation::dialect::{Wording, Words, prompts};

pub(super) const ENGINE: Engine = Engine {
    id: "rewoo",
    settings: &[MAX_ITERATIONS],
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
        match planned(turn, Words::none()).await {
            Ok(Some(answer)) => Ending::answered(answer),
            Ok(None) => turn.conclude(solve as Wording).await,
            Err(ending) if ending.is_limit() && ending.answer.is_empty() => {
                turn.conclude(&prompts::CONCLUDE).await
            }
            Err(ending) => ending,
        }
    }
    .boxed()
}

/// Has calls planned and runs them; the answer instead, when none are needed.
pub(super) async fn planned(turn: &mut Turn, words: Words) -> Flow<Option<String>> {
    let catalogue = std::sync::Arc::clone(&turn.resources.catalogue);
    let form = Calls {
        catalogue: &catalogue,
    };
    match turn.consult(words, &form).await? {
        Blueprint::Answer(answer) => Ok(Some(answer)),
        Blueprint::Calls(nodes) => {
            turn.resources.tell_plan(nodes.iter().map(Node::words).collect());
            turn.act_as_graph(nodes).await?;
            Ok(None)
        }
    }
}
