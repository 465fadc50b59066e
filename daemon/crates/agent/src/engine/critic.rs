//! CRITIC (Gou et al., 2023): a draft, claims of it that tools can check, and a revision by what they found.
//!
//! The whole is one conversation, so that what was found in one round is still there in the next. Without tools there is
//! nothing to check with: the draft is the answer.

use futures_util::future::{BoxFuture, FutureExt};

use super::{Engine, Setting};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::call_graph::Node;
use loquat_conversation::conversation::{Conversation, Item, Observations};
use loquat_conversation::dialect::phase::step;
use loquat_conversation::dialect::phase::{
    Answer, Claims, Observed, Phase, checking, critique, drafted, plain,
};
use loquat_conversation::dialect::{Dialect, Manner, Wording, Words, prompts};
use loquat_conversation::question::Question;
use loquat_conversation::record::CallRecord;
use loquat_decoder::squash;

const MAX_CRITIQUE_ROUNDS: Setting = Setting::count(
    "max_critique_rounds",
    2,
    0..=100,
    "rounds of checking and revising",
);

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-critic-loop",
    settings: &[MAX_CRITIQUE_ROUNDS],
    limit: Limit::Phases,
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        turn.begin(plain);
        let mut draft = match turn.consult(Words::none(), &Answer).await {
            Ok(draft) => draft,
            Err(ending) if ending.is_limit() && ending.answer.is_empty() => {
                return turn.conclude(&prompts::CONCLUDE).await;
            }
            Err(ending) => return ending,
        };
        turn.work.keep(&draft);
        if turn.resources.catalogue.is_empty() {
            return Ending::answered(draft);
        }
        for _ in 0..turn.settings().count(&MAX_CRITIQUE_ROUNDS) {
            match round(turn, &draft).await {
                Ok(Some(revised)) if squash(&revised) != squash(&draft) => {
                    turn.work.keep(&revised);
                    draft = revised;
                    // It was made of nothing but what was found, so there is nothing to check.
                    if turn.resources.is_small() {
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

/// Checks and revises once. Nothing when there was nothing to check.
async fn round(turn: &mut Turn, draft: &str) -> Flow<Option<String>> {
    let catalogue = std::sync::Arc::clone(&turn.resources.catalogue);
    let form = Claims {
        catalogue: &catalogue,
    };
    let calls = if turn.resources.is_small() {
        let drafted = Question {
            utterance: drafted(&turn.resources.question.utterance, draft),
            history: Vec::new(),
            ..turn.resources.question.clone()
        };
        let apart = Conversation::new(&drafted, &catalogue, checking);
        consult_in(turn, apart, &form).await?
    } else {
        turn.consult(critique as Wording, &form).await?
    };
    if calls.is_empty() {
        return Ok(None);
    }
    turn.act_as_graph(Node::apart(calls)).await?;
    if turn.work.exhausted().is_some() {
        return Err(turn.conclude(&prompts::REVISE).await);
    }
    if turn.resources.is_small() && found(turn).next().is_none() {
        return Ok(None);
    }
    revised(turn).await.map(Some)
}

/// The calls that brought something. A small model tells what was wrong with the others.
fn found(turn: &Turn) -> impl Iterator<Item = &CallRecord> {
    let calls = turn.work.steps().iter().flat_map(|step| &step.calls);
    calls.filter(|call| call.ok)
}

/// The answer anew, from what the tools gave. A small model writes its draft again as long as it
/// sees it, so it is shown the calls as if it had made them for the question.
async fn revised(turn: &mut Turn) -> Flow<String> {
    if !turn.resources.is_small() {
        return turn.consult(&prompts::REVISE, &Answer).await;
    }
    let manner = Manner::Steps {
        dialect: Dialect::Schema,
        one_call: false,
    };
    let mut apart = Conversation::in_manner(
        &turn.resources.question,
        &turn.resources.catalogue,
        manner,
        step::instructions,
    );
    for record in found(turn) {
        apart.push(Item::made(record, "A tool knows this."));
        let mut brought = Observations::new(std::slice::from_ref(record));
        brought.asked = Some(turn.resources.question.utterance.clone());
        apart.push(Item::Observed(brought));
    }
    let answer = consult_in(turn, apart, &Observed).await?;
    turn.exchange.conversation.push(Item::Said(answer.clone()));
    Ok(answer)
}

/// Asks in another conversation. The model on the device goes on with it for the next question, for its beginning is
/// always the same.
async fn consult_in<F: Phase>(turn: &mut Turn, apart: Conversation, form: &F) -> Flow<F::Meaning> {
    let conversation = std::mem::replace(&mut turn.exchange.conversation, apart);
    let meaning = turn.consult(Words::none(), form).await;
    turn.exchange.conversation = conversation;
    meaning
}
