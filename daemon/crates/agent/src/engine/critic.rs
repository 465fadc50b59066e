//! CRITIC (Gou et al., 2023): a draft, claims of it that tools can check, and a revision by what they found.
//!
//! The whole is one conversation, so that what was found in one round is still there in the next. Without tools there is
//! nothing to check with: the draft is the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use super::inner::lines;
use crate::brain::ChatMessage;
use crate::budget::Limit;
use crate::context::Context;
use crate::decoder::{Arguments, Call, squash};
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
            match round(turn, &draft).await {
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
async fn round(turn: &mut Turn, draft: &str) -> Flow<Option<String>> {
    let catalogue = std::sync::Arc::clone(&turn.catalogue);
    let form = Claims {
        catalogue: &catalogue,
    };
    let words = if turn.is_constrained() {
        worked::checking(&catalogue, &turn.question.utterance, draft)
    } else {
        prompts::with_tools(prompts::CRITIQUE, &catalogue)
    };
    let calls = turn.consult(&words, &form).await?;
    if calls.is_empty() || turn.is_constrained() && calls.iter().all(|call| is_checked(turn, call)) {
        return Ok(None);
    }
    turn.act_as_graph(Node::apart(calls)).await?;
    if turn.exhausted().is_some() {
        return Err(turn.conclude(prompts::REVISE).await);
    }
    revised(turn).await.map(Some)
}

/// Whether the very call was made before. Small models do not say that all is checked; they check the same again.
fn is_checked(turn: &Turn, call: &Call) -> bool {
    let Arguments::Named(arguments) = &call.arguments else {
        return false;
    };
    let mut made = turn.steps().iter().flat_map(|step| &step.calls);
    made.any(|made| made.tool == call.tool && *made.arguments == *arguments)
}

/// The answer anew, from what the tools gave. A model so small that its steps are constrained writes its draft again as
/// long as it sees it, so it is shown nothing but the question and what was found.
async fn revised(turn: &mut Turn) -> Flow<String> {
    if !turn.is_constrained() {
        return turn.consult(prompts::REVISE, &Answer).await;
    }
    let calls = turn.steps().iter().flat_map(|step| &step.calls);
    let found = lines(calls.map(|call| format!("Observation: {}", call.observation)));
    let words = found + &prompts::asked(&turn.question.utterance);
    let afresh = Context::new(&turn.question, prompts::FOUND);
    let conversation = std::mem::replace(&mut turn.context, afresh);
    let answer = turn.consult(&words, &Answer).await;
    turn.context = conversation;
    if let Ok(answer) = &answer {
        turn.context.push(ChatMessage::assistant(answer.as_str()));
    }
    answer
}
