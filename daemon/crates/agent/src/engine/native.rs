//! The model server's own tool calls. A brain without them is spoken to as the ReAct loop speaks.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, MAX_ITERATIONS};
use crate::turn::{Ending, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::Dialect;

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-native-toolcall-loop",
    settings: &[MAX_ITERATIONS],
    limit: Limit::Steps("max_iterations"),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let steps = turn.begin_steps(Dialect::Native);
        turn.think_and_act(&steps).await
    }
    .boxed()
}
