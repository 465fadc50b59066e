//! CRITIC (Gou et al., 2023): a draft, claims of it that tools can check, and a revision by what they found.
//!
//! The whole is one conversation, so that what was found in one round is still there in the next. Without tools there is
//! nothing to check with: the draft is the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use crate::budget::Limit;
use crate::context::Context;
use crate::decoder::squash;
use crate::form::{Answer, Claims};
use crate::protocol::{prompts, worked};
use crate::turn::{Ending, Flow, Node, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-critic-loop",
    settings: &["max_critique_rounds"],
    limit: Limit::Phases,
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        turn.context = Context::new(&turn.question, prompts::PLAIN);
        let mut draft = match turn.consult("", &Answer).await {
            Ok(draft) => draft,
            Err(ending) if ending.is_limit() && ending.answer.is_empty() => {
                return turn.conclude(prompts::CONCLUDE).await;
            }
            Err(ending) => return ending,
        };
        turn.keep(&draft);
        if turn.catalogue.is_empty() {
            return Ending::answered(draft);
        }
        for _ in 0..turn.count("max_critique_rounds", 2, 0..=100) {
            match round(turn).await {
                Ok(Some(revised)) if squash(&revised) != squash(&draft) => {
                    turn.keep(&revised);
                    draft = revised;
                }
                // Nothing to check, or nothing changed by it.
                Ok(_) => break,
                Err(ending) => return ending.or_answer(draft),
            }
        }
        Ending::answered(draft)
    }
    .boxed()
}

/// One round of checking and revising; nothing when there was nothing to check.
async fn round(turn: &mut Turn) -> Flow<Option<String>> {
    let catalogue = std::sync::Arc::clone(&turn.catalogue);
    let form = Claims {
        catalogue: &catalogue,
    };
    let words = if turn.is_constrained() {
        format!(
            "{}\n{}",
            worked::checking(&catalogue),
            prompts::asked(&turn.question.utterance)
        )
    } else {
        prompts::with_tools(prompts::CRITIQUE, &catalogue)
    };
    let calls = turn.consult(&words, &form).await?;
    if calls.is_empty() {
        return Ok(None);
    }
    turn.act_as_graph(Node::apart(calls)).await?;
    if turn.exhausted().is_some() {
        return Err(turn.conclude(prompts::REVISE).await);
    }
    turn.consult(&revising(turn), &Answer).await.map(Some)
}

/// Asks for the draft anew. A model so small that its steps are constrained has forgotten the question by then.
fn revising(turn: &Turn) -> String {
    if turn.is_constrained() {
        format!(
            "{}\n{}",
            prompts::REVISE,
            prompts::asked(&turn.question.utterance)
        )
    } else {
        prompts::REVISE.to_owned()
    }
}
