//! ReAct (Yao et al., 2022): thought, action and observation in turns until there is an answer.
//!
//! A brain that can be held to a JSON Schema writes each step as one object; any other writes text. A server that takes
//! native calls may drop them without a word, so these are used only where the persona says so.
//!
//! A small brain with very many tools takes no step for talk, which it answers in words, nor for what it can say again in a sentence
//! of the device.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, MAX_ITERATIONS, restated};
use crate::turn::{Ending, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::Dialect;

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-react-loop",
    settings: &[MAX_ITERATIONS],
    limit: Limit::Steps("max_iterations"),
    run,
};

pub(super) fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        if let Some(ending) = restated::answer(turn).await {
            return ending;
        }
        let steps = turn.begin_steps(Dialect::Schema);
        turn.think_and_act(&steps).await
    }
    .boxed()
}
