//! Tree of Thoughts (Yao et al., 2023): several next thoughts from each chain, the most promising ones grow on, and the
//! first that answers ends the search. Uses no tools.

mod grow;
mod search;

use futures_util::future::{BoxFuture, FutureExt};

use super::inner::lines;
use super::{Engine, Form, Setting, concurrency};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::phase::plain;
use loquat_conversation::dialect::{Words, prompts};

const N_BRANCHES: Setting = Setting::count("n_branches", 3, 1..=100, "thoughts from each chain");
const BEAM_WIDTH: Setting = Setting::count("beam_width", 2, 1..=100, "chains that live on");
const MAX_DEPTH: Setting = Setting::count("max_depth", 4, 0..=100, "the longest chain");
const SEARCH: Setting = Setting::new(
    "search",
    Form::Word(&["bfs", "dfs"]),
    "level by level, or depth first with backtracking",
);
const THRESHOLD: Setting = Setting::count(
    "threshold",
    4,
    0..=10,
    "in a search depth first, turns back from thoughts that score less",
);
const GENERATE: Setting = Setting::new(
    "generate",
    Form::Word(&["sample", "propose"]),
    "a reply for each thought, or all in one reply",
);
const EVALUATE: Setting = Setting::new(
    "evaluate",
    Form::Word(&["value", "vote"]),
    "a score for each thought, or one vote on all",
);
const CONCURRENCY: Setting = concurrency(8);

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-tree-of-thoughts-loop",
    settings: &[
        N_BRANCHES,
        BEAM_WIDTH,
        MAX_DEPTH,
        SEARCH,
        THRESHOLD,
        GENERATE,
        EVALUATE,
        CONCURRENCY,
    ],
    limit: Limit::Phases,
    run,
};

/// Says how the tree grows and is searched.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Each chain gets so many thoughts.
    branches: usize,
    /// Chains that live on; in a depth-first search the thoughts of one chain that are tried.
    beam: usize,
    /// A chain has at most this many thoughts.
    depth: usize,
    /// Brain calls at once; one gives a strict order.
    concurrency: usize,
    /// The search goes depth first with backtracking, instead of level by level.
    deep: bool,
    /// All thoughts of a chain come in one reply, instead of one reply each.
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
                turn.begin(plain);
                let words = Words::from(&prompts::THOUGHT_ANSWER).behind(&chain.told());
                turn.conclude(words).await
            }
            Err(ending) => ending,
        }
    }
    .boxed()
}

impl Shape {
    fn of(turn: &Turn) -> Self {
        let count = |setting: &Setting| turn.settings().count(setting) as usize;
        let is = |setting: Setting, value: &str| turn.settings().word(setting.key).as_deref() == Some(value);
        Self {
            branches: count(&N_BRANCHES),
            beam: count(&BEAM_WIDTH),
            // Without any depth the answer is asked for at once.
            depth: count(&MAX_DEPTH),
            concurrency: count(&CONCURRENCY),
            deep: is(SEARCH, "dfs"),
            propose: is(GENERATE, "propose"),
            vote: is(EVALUATE, "vote"),
            threshold: f64::from(turn.settings().count(&THRESHOLD)),
        }
    }
}

impl Chain {
    fn grown(&self, thought: String, score: f64) -> Self {
        let mut thoughts = self.thoughts.clone();
        thoughts.push(thought);
        Self { thoughts, score }
    }

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
