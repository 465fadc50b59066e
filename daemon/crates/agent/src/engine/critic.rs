//! CRITIC (Gou et al., 2023): a draft, claims of it that tools can check, and a revision by what they found.
//!
//! The whole is one conversation, so that what was found in one round is still there in the next. Without tools there is
//! nothing to check with: the draft is the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use crate::brain::ChatMessage;
use crate::budget::Limit;
use crate::context::Context;
use crate::decoder::squash;
use crate::form::{Answer, Claims, Form, Observed};
use crate::protocol::{Protocol, prompts, worked};
use crate::question::Question;
use crate::record::CallRecord;
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
                    // It was made of nothing but what was found, so there is nothing to check.
                    if turn.is_constrained() {
                        break;
                    }
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
    let calls = if turn.is_constrained() {
        let drafted = Question {
            utterance: worked::drafted(&turn.question.utterance, draft),
            history: Vec::new(),
            ..turn.question.clone()
        };
        let apart = Context::new(&drafted, &worked::checking(&catalogue));
        consult_in(turn, apart, &form).await?
    } else {
        let words = prompts::with_tools(prompts::CRITIQUE, &catalogue);
        turn.consult(&words, &form).await?
    };
    if calls.is_empty() {
        return Ok(None);
    }
    turn.act_as_graph(Node::apart(calls)).await?;
    if turn.exhausted().is_some() {
        return Err(turn.conclude(prompts::REVISE).await);
    }
    if turn.is_constrained() && found(turn).next().is_none() {
        return Ok(None);
    }
    revised(turn).await.map(Some)
}

/// The calls that brought something. A small model tells what was wrong with the others.
fn found(turn: &Turn) -> impl Iterator<Item = &CallRecord> {
    let calls = turn.steps().iter().flat_map(|step| &step.calls);
    calls.filter(|call| call.ok)
}

/// The answer anew, from what the tools gave. A model so small that its steps are constrained writes its draft again as
/// long as it sees it, so it is shown the calls as if it had made them for the question.
async fn revised(turn: &mut Turn) -> Flow<String> {
    if !turn.is_constrained() {
        return turn.consult(prompts::REVISE, &Answer).await;
    }
    let protocol = Protocol::react(turn.capabilities(), &turn.catalogue);
    let instructions = protocol.instructions(&turn.catalogue, turn.question.lang.as_deref());
    let mut apart = Context::new(&turn.question, &instructions);
    for message in worked::steps(found(turn), &turn.question.utterance) {
        apart.push(message);
    }
    let answer = consult_in(turn, apart, &Observed).await?;
    turn.context.push(ChatMessage::assistant(answer.as_str()));
    Ok(answer)
}

/// Asks in another conversation. The model on the device goes on with it for the next question, for its beginning is
/// always the same.
async fn consult_in<F: Form>(turn: &mut Turn, apart: Context, form: &F) -> Flow<F::Meaning> {
    let conversation = std::mem::replace(&mut turn.context, apart);
    let meaning = turn.consult("", form).await;
    turn.context = conversation;
    meaning
}
