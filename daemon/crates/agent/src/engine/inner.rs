//! Engines within engines: a child turn that another engine answers.

use std::time::Duration;

use super::{Engine, find, react};
use crate::turn::{Ending, Turn};
use loquat_conversation::dialect::phase::head;
use loquat_conversation::question::Question;
use loquat_conversation::record::StepRecord;

/// Engines in engines in engines are no deeper than this; further in, ReAct does the work.
const DEEPEST: u32 = 3;

/// A trajectory shows so many characters of each argument and observation.
const SHOWN: usize = 300;

/// The end of a turn within another, and what it did on the way.
pub(super) struct Episode {
    pub(super) ending: Ending,
    pub(super) trajectory: String,
}

/// The engine that a setting names, ReAct without one.
pub(super) fn named(turn: &Turn, key: &str) -> &'static Engine {
    let engine = turn.settings().word(key).and_then(|id| find(&id));
    engine
        .filter(|_| turn.resources.depth < DEEPEST)
        .unwrap_or(&react::ENGINE)
}

/// Has another engine answer the question as `change` leaves it, in at most so many steps and perhaps less time. `closes`
/// tells whether a loop that reaches its limit is asked for a closing answer.
pub(super) async fn answer(
    turn: &Turn,
    engine: &'static Engine,
    steps: u32,
    time: Option<Duration>,
    closes: bool,
    change: impl FnOnce(&mut Question),
) -> Episode {
    let steps = engine.limit.within(steps, turn.settings().values());
    let mut child = turn.child(steps, time);
    child.work.closing.is_silent = !closes;
    change(&mut child.resources.question);
    let ending = (engine.run)(&mut child).await;
    let trajectory = told(child.work.steps());
    Episode { ending, trajectory }
}

/// The calls and their observations, one line each.
pub(super) fn told(steps: &[StepRecord]) -> String {
    lines(steps.iter().flat_map(|step| &step.calls).map(|call| {
        let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
        let (given, seen) = (head(&arguments, SHOWN), head(&call.observation, SHOWN));
        format!("{}({given}) gave {seen}", head(&call.tool, SHOWN))
    }))
}

/// Joins lines, each with a line break behind it.
pub(super) fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// Words of a brain where they stand beside ours: as data.
pub(super) fn quoted(words: &str) -> String {
    let result = serde_json::Map::from_iter([("result".to_owned(), words.into())]);
    crate::hands::observation::of_result(&result)
}
