//! Chain of thought (Wei et al., 2022; zero-shot: Kojima et al., 2022), with self-consistency (Wang et al., 2022) when
//! `samples` is more than one: several chains at a time until two agree. Uses no tools.

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream;

use super::Engine;
use crate::brain::Sampling;
use crate::budget::Limit;
use crate::context::Context;
use crate::form::{Form, Reasoned};
use crate::record::Reason;
use crate::turn::{Ending, Flow, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-chain-of-thought-loop",
    settings: &["samples", "concurrency"],
    limit: Limit::Phases,
    run,
};

const STEPS: &str = "\
Think step by step before you answer: write each step on a line of its own as Step 1:, Step 2: and so on, briefly. \
Then end with one line FINAL ANSWER: and what to say. \
The final answer is read aloud: one to three short, plain sentences without Markdown.";

const STEPS_JSON: &str = "\
Reason step by step, briefly, before you answer. Reply with one JSON object that holds the reasoning and the answer. \
The answer is read aloud: one to three short, plain sentences without Markdown.

Example:
Person: Two trains of three cars each: how many cars?
{\"reasoning\": \"Each train has 3 cars. 2 times 3 is 6.\", \"answer\": \"There are six cars.\"}";

/// Chains that are compared have to differ.
const VARIED: Sampling = Sampling {
    temperature: Some(0.7),
    top_p: None,
    max_tokens: None,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let steps = if turn.is_constrained() { STEPS_JSON } else { STEPS };
        turn.context = Context::new(&turn.question, steps);
        let samples = turn.count("samples", 1, 1..=100);
        let answered = if samples == 1 {
            turn.consult("", &Reasoned).await
        } else {
            agreed(turn, samples).await
        };
        match answered {
            Ok(answer) => Ending::answered(answer),
            Err(ending) if ending.is_limit() && ending.answer.is_empty() => {
                turn.conclude(Reasoned.shape()).await
            }
            Err(ending) => ending,
        }
    }
    .boxed()
}

/// The answer that two chains share, else the first one.
async fn agreed(turn: &mut Turn, samples: u32) -> Flow<String> {
    let concurrency = turn.count("concurrency", 2, 1..=100);
    let mut answers: Vec<String> = Vec::new();
    let mut failure = None;
    let chains = stream::iter(0..samples).map(|_| {
        let mut chain = turn.branch();
        async move { chain.consult_with("", &Reasoned, VARIED).await }
    });
    let mut chains = std::pin::pin!(chains.buffered(concurrency as usize));
    while let Some(chain) = chains.next().await {
        match chain {
            Ok(answer) if answers.iter().any(|known| agree(known, &answer)) => return Ok(answer),
            Ok(answer) => answers.push(answer),
            Err(ending) => failure = Some(ending),
        }
    }
    let none = || failure.unwrap_or_else(|| Ending::silent(Reason::ParseError));
    answers.into_iter().next().ok_or_else(none)
}

/// Words that turn an answer into its opposite.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "cannot", "nicht", "kein", "keine", "não", "pas",
];

/// Whether two answers say the same, as far as their words tell: the same numbers, or the words of one within the other.
fn agree(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ',' | '\'')));
        let word = |part: &str| part.trim_matches(['.', ',', '\'']).to_lowercase();
        parts.map(word).filter(|word| !word.is_empty()).collect()
    };
    let (one, other) = (words(one), words(other));
    let pick = |words: &[String], wanted: fn(&str) -> bool| -> Vec<String> {
        words.iter().filter(|word| wanted(word)).cloned().collect()
    };
    let negates: fn(&str) -> bool = |word| NEGATIONS.contains(&word) || word.ends_with("n't");
    let numeric: fn(&str) -> bool = |word| word.starts_with(|c: char| c.is_ascii_digit());
    if pick(&one, negates) != pick(&other, negates) {
        return false;
    }
    let (numbers, others) = (pick(&one, numeric), pick(&other, numeric));
    if !numbers.is_empty() || !others.is_empty() {
        return numbers == others;
    }
    let (short, long) = if one.len() < other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    !short.is_empty() && long.windows(short.len()).any(|window| window == short.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_agree_in_what_they_say() {
        assert!(agree("Paris", "The capital is Paris."));
        assert!(agree("It is 42.", "42"));
        assert!(!agree("It is 42.", "It is 43."));
        assert!(!agree("Paris", "Not Paris"));
        assert!(!agree("Paris", "Rome"));
        assert!(!agree("", "Rome"));
    }
}
