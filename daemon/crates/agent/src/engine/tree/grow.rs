//! Growing chains: asking for next thoughts and judging how promising they are.

use parking_lot::Mutex;
use std::collections::HashSet;

use futures_util::{StreamExt, stream};

use super::{Chain, Shape, unless_limited};
use crate::turn::{Flow, Turn};
use loquat_conversation::brain::Sampling;
use loquat_conversation::dialect::phase::{Next, Score, Thought, Thoughts, Vote, plain};
use loquat_conversation::dialect::{Words, prompts};
use loquat_decoder::squash;

/// Thoughts that are compared have to differ.
const VARIED: Sampling = Sampling {
    temperature: Some(0.9),
    top_p: None,
    max_tokens: None,
};

/// The outcome of growing some chains by one thought.
pub(super) enum Grown {
    Answer(String),
    /// The new chains, in order, equal ones merged. There are none when nothing is left of the budget.
    Chains(Vec<Chain>),
}

/// Grows each chain by its next thoughts and scores them, as many at once as may be.
pub(super) async fn grow(turn: &Turn, chains: &[Chain], shape: Shape) -> Flow<Grown> {
    let replies = if shape.propose { 1 } else { shape.branches };
    let known = Mutex::new(HashSet::new());
    let mut jobs = Vec::with_capacity(chains.len() * replies);
    for (place, chain) in chains.iter().enumerate() {
        jobs.extend((0..replies).map(|_| thoughts(turn, place, chain, shape, &known)));
    }
    let mut grown = std::pin::pin!(stream::iter(jobs).buffered(shape.concurrency));
    let mut new = Vec::new();
    while let Some(thoughts) = grown.next().await {
        match thoughts? {
            Some(Grown::Answer(answer)) => return Ok(Grown::Answer(answer)),
            Some(Grown::Chains(chains)) => new.extend(chains),
            None => {}
        }
    }
    if shape.vote {
        new = vote(turn, new).await?;
    }
    Ok(Grown::Chains(new))
}

/// The next thoughts of one chain that are new, with their scores.
async fn thoughts(
    turn: &Turn,
    place: usize,
    chain: &Chain,
    shape: Shape,
    known: &Mutex<HashSet<(usize, String)>>,
) -> Flow<Option<Grown>> {
    let Some(next) = unless_limited(next_thoughts(turn, chain, shape).await)? else {
        return Ok(None);
    };
    let mut chains = Vec::new();
    for next in next {
        let thought = match next {
            Next::Answer(answer) => return Ok(Some(Grown::Answer(answer))),
            Next::Step(thought) => thought,
        };
        let is_new = known.lock().insert((place, squash(&thought)));
        if !is_new {
            continue;
        }
        let mut candidate = chain.grown(thought, chain.score);
        if !shape.vote {
            let Some(score) = unless_limited(score(turn, &candidate).await)? else {
                break;
            };
            candidate.score = score;
        }
        chains.push(candidate);
    }
    Ok(Some(Grown::Chains(chains)))
}

async fn next_thoughts(turn: &Turn, chain: &Chain, shape: Shape) -> Flow<Vec<Next>> {
    let so_far = if chain.thoughts.is_empty() {
        "No steps yet.\n".to_owned()
    } else {
        chain.told()
    };
    let mut branch = turn.branch();
    branch.begin(plain);
    if shape.propose && shape.branches > 1 {
        let most = shape.branches;
        let form = Thoughts { most };
        let asked = turn
            .resources
            .text(&prompts::THOUGHTS)
            .replace("{number}", &most.to_string());
        let words = format!("{so_far}{asked}");
        return branch.consult(words, &form).await;
    }
    let words = Words::from(&prompts::THOUGHT).behind(&so_far);
    let next = branch.consult_with(words, &Thought, VARIED).await?;
    Ok(vec![next])
}

async fn score(turn: &Turn, chain: &Chain) -> Flow<f64> {
    let mut branch = turn.branch();
    branch.begin(plain);
    let words = Words::from(&prompts::SCORE).behind(&chain.told());
    branch.consult(words, &Score).await
}

/// Gives the best of the chains the highest score; without a clear vote their order stands.
async fn vote(turn: &Turn, chains: Vec<Chain>) -> Flow<Vec<Chain>> {
    if chains.len() < 2 {
        return Ok(chains);
    }
    let mut branch = turn.branch();
    branch.begin(plain);
    let choices = chains.iter().enumerate();
    let choices: Vec<String> = choices
        .map(|(number, chain)| {
            format!(
                "Choice {}:
{}",
                number + 1,
                chain.told()
            )
        })
        .collect();
    let words = Words::from(&prompts::VOTE).behind(&choices.concat());
    let form = Vote {
        candidates: chains.len(),
    };
    let best = unless_limited(branch.consult(words, &form).await)?.flatten();
    let scored = chains.into_iter().enumerate().map(|(index, chain)| Chain {
        score: if Some(index) == best { 10.0 } else { 5.0 },
        ..chain
    });
    Ok(scored.collect())
}
