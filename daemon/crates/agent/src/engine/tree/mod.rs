//! Tree of Thoughts (Yao et al., 2023): several next thoughts from each chain, the most promising ones grow on, and the
//! first that answers ends the search. Uses no tools.

mod grow;
mod search;

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use super::inner::lines;
use crate::budget::Limit;
use crate::context::Context;
use crate::protocol::prompts;
use crate::turn::{Ending, Flow, Turn};

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-tree-of-thoughts-loop",
    settings: &[
        "n_branches",
        "beam_width",
        "max_depth",
        "concurrency",
        "search",
        "generate",
        "evaluate",
        "threshold",
    ],
    limit: Limit::Phases,
    run,
};

/// How the tree grows and is searched.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Thoughts from each chain.
    branches: usize,
    /// Chains that live on; in a depth-first search the thoughts of one chain that are tried.
    beam: usize,
    /// The longest chain.
    depth: usize,
    /// Brain calls at once; one gives a strict order.
    concurrency: usize,
    /// Depth first with backtracking, instead of level by level.
    deep: bool,
    /// All thoughts of a chain in one reply, instead of one reply each.
    propose: bool,
    /// The chains of a level are compared in one vote, instead of each having a score of its own.
    vote: bool,
    /// A depth-first search turns back from thoughts with a lower score.
    threshold: f64,
}

/// A chain of thoughts and how promising it is.
#[derive(Debug, Clone, Default)]
struct Chain {
    thoughts: Vec<String>,
    score: f64,
}

/// What a search came to.
enum Found {
    /// A thought that answers.
    Answer(String),
    /// None did; this chain is the best.
    Best(Chain),
}

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let shape = Shape::of(turn);
        let found = if shape.deep {
            search::depth_first(turn, shape).await
        } else {
            search::breadth_first(turn, shape).await
        };
        match found {
            Ok(Found::Answer(answer)) => Ending::answered(answer),
            Ok(Found::Best(chain)) => {
                turn.context = Context::new(&turn.question, prompts::PLAIN);
                let words = format!("{}{}", chain.told(), prompts::CONCLUDE_TREE);
                turn.conclude(&words).await
            }
            Err(ending) => ending,
        }
    }
    .boxed()
}

impl Shape {
    fn of(turn: &Turn) -> Self {
        let count = |key, default| turn.count(key, default, 1..=100) as usize;
        let is = |key, value: &str| turn.word(key).as_deref() == Some(value);
        Self {
            branches: count("n_branches", 3),
            beam: count("beam_width", 2),
            // Without any depth the answer is asked for at once.
            depth: turn.count("max_depth", 4, 0..=100) as usize,
            concurrency: count("concurrency", 8),
            deep: is("search", "dfs"),
            propose: is("generate", "propose"),
            vote: is("evaluate", "vote"),
            threshold: f64::from(turn.count("threshold", 4, 0..=10)),
        }
    }
}

impl Chain {
    /// With one more thought.
    fn grown(&self, thought: String, score: f64) -> Self {
        let mut thoughts = self.thoughts.clone();
        thoughts.push(thought);
        Self { thoughts, score }
    }

    /// Its thoughts, one line each.
    fn told(&self) -> String {
        let thoughts = self.thoughts.iter().enumerate();
        lines(thoughts.map(|(number, thought)| format!("Step {}: {thought}", number + 1)))
    }
}

/// A phase that a limit ended leaves what there is; any other failure ends the turn.
fn unless_limited<T>(result: Flow<T>) -> Flow<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(ending) if ending.is_limit() => Ok(None),
        Err(ending) => Err(ending),
    }
}
