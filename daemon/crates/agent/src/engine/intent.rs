//! The one call that a sentence asks for, and the tool's own words for what came of it. No brain is asked.
//!
//! Where the call is refused or brings no words the turn ends without any, and what was said is for the persona.

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use crate::brain::ChatReply;
use crate::budget::Limit;
use crate::decoder::{Arguments, Call};
use crate::record::Reason;
use crate::turn::{Ending, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "loquat-intent",
    settings: &[],
    limit: Limit::Steps("max_iterations"),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let Some(intended) = turn.question.intended.clone() else {
            return Ending::silent(Reason::Noop);
        };
        turn.open_step();
        let call = Call {
            id: None,
            tool: intended.tool,
            arguments: Arguments::Named(intended.arguments),
        };
        match turn.act(&ChatReply::of_words(""), "", vec![call], false).await {
            Ok(()) => turn.told(),
            Err(ending) => ending,
        }
    }
    .boxed()
}
