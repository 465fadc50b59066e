//! Self-Ask (Press et al., 2022): follow-up questions, answered by tools or by the brain itself, until the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, think_and_act};
use crate::budget::Limit;
use crate::catalogue::Catalogue;
use crate::context::Context;
use crate::protocol::{Protocol, worked};
use crate::turn::{Ending, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-self-ask-loop",
    settings: &["max_follow_ups"],
    limit: Limit::Own("max_follow_ups", 8),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let constrained = turn.is_constrained() && !turn.catalogue.is_empty();
        let (protocol, instructions) = if constrained {
            let protocol = Protocol::react(turn.capabilities(), &turn.catalogue);
            (protocol, worked::asking_on(&turn.catalogue))
        } else {
            let protocol = Protocol::FollowUp {
                answering: answering(&turn.catalogue),
            };
            let instructions = protocol.instructions(&turn.catalogue, turn.question.lang.as_deref());
            (protocol, instructions)
        };
        turn.context = Context::new(&turn.question, &instructions);
        think_and_act(turn, &protocol).await
    }
    .boxed()
}

/// What a tool that answers questions calls its question, best first.
const QUESTIONS: &[&str] = &["query", "question", "q", "search", "text"];

/// The tool that a question without a tool goes to: the first that takes just a text, by the name it gives it.
fn answering(catalogue: &Catalogue) -> Option<String> {
    let rated = catalogue.entries().iter().filter_map(|entry| {
        let argument = entry.only_text()?;
        let rate = QUESTIONS.iter().position(|known| *known == argument);
        Some((rate.unwrap_or(QUESTIONS.len()), entry.tool.name.clone()))
    });
    rated.min_by_key(|(rate, _)| *rate).map(|(_, name)| name)
}
