//! The model server's own tool calls. A brain without them is driven by the ReAct loop instead, whole.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, react, think_and_act};
use crate::budget::Limit;
use crate::protocol::Protocol;
use crate::turn::{Ending, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-native-toolcall-loop",
    settings: &["max_iterations"],
    limit: Limit::Steps("max_iterations"),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    if !turn.capabilities().native_tools {
        return react::run(turn);
    }
    async move {
        let protocol = Protocol::native(&turn.catalogue);
        turn.begin(&protocol);
        think_and_act(turn, &protocol).await
    }
    .boxed()
}
