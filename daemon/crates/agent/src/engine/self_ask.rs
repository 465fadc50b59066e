//! Self-Ask (Press et al., 2022): follow-up questions, answered by tools or by the brain itself, until the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, Setting};
use crate::turn::{Ending, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::catalogue::Catalogue;
use loquat_conversation::dialect::phase::step::{Steps, instructions};

const MAX_FOLLOW_UPS: Setting = Setting::count("max_follow_ups", 8, 1..=100, "questions");

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-self-ask-loop",
    settings: &[MAX_FOLLOW_UPS],
    limit: Limit::Own(&MAX_FOLLOW_UPS),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let steps = Steps::follow_ups(&turn.resources.catalogue, answering(&turn.resources.catalogue));
        turn.begin_in(steps.manner(), instructions);
        turn.think_and_act(&steps).await
    }
    .boxed()
}

/// A tool that answers questions has one of these arguments for its question, the best first.
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
