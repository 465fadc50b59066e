//! Chain of thought (Wei et al., 2022; zero-shot: Kojima et al., 2022), with self-consistency (Wang et al., 2022) when
//! `samples` is more than one: several chains at a time until two agree. Uses no tools.

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream;

use super::{Engine, Setting, concurrency};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::brain::Sampling;
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::Words;
use loquat_conversation::dialect::phase::{Phase, Reasoned, reasoning};
use loquat_conversation::record::Reason;
use loquat_decoder::language::in_all;

const SAMPLES: Setting = Setting::count(
    "samples",
    1,
    1..=100,
    "the most chains; two that agree are enough",
);
const CONCURRENCY: Setting = concurrency(2);

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-chain-of-thought-loop",
    settings: &[SAMPLES, CONCURRENCY],
    limit: Limit::Phases,
    run,
};

/// Chains that are compared have to differ.
const VARIED: Sampling = Sampling {
    temperature: Some(0.7),
    top_p: None,
    max_tokens: None,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        turn.begin(reasoning);
        let samples = turn.settings().count(&SAMPLES);
        let answered = if samples == 1 {
            turn.consult(Words::none(), &Reasoned).await
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
    let concurrency = turn.settings().count(&CONCURRENCY);
    let mut answers: Vec<String> = Vec::new();
    let mut failure = None;
    let chains = stream::iter(0..samples).map(|_| {
        let mut chain = turn.branch();
        async move { chain.consult_with(Words::none(), &Reasoned, VARIED).await }
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

/// Tells whether two answers say the same, as far as their words tell: the same numbers, or the words of one within
/// the other.
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
    let negates: fn(&str) -> bool = |word| {
        let mut negations = in_all(|language| &language.words.negation);
        negations.any(|known| known == word) || word.ends_with("n't")
    };
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
