//! ReAct (Yao et al., 2022): thought, action and observation in turns until there is an answer.
//!
//! A brain that can be held to a JSON Schema writes each step as one object; any other writes text.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, think_and_act};
use crate::budget::Limit;
use crate::protocol::Protocol;
use crate::turn::{Ending, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-react-loop",
    settings: &["max_iterations"],
    limit: Limit::Steps("max_iterations"),
    run,
};

pub(super) fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let protocol = Protocol::react(turn.capabilities(), &turn.catalogue);
        turn.begin(&protocol);
        think_and_act(turn, &protocol).await
    }
    .boxed()
}
