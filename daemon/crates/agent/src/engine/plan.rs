//! Plan and execute: a list of steps, each a turn of its own with a part of the budget, and an answer from what they
//! brought.
//!
//! Steps that need nothing of each other run at once. When a step shows that the plan is wrong, the rest is planned anew.

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::{StreamExt, stream};

use super::inner::{Episode, answer, lines, named, quoted};
use super::{Engine, Form, Setting, concurrency, react};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::dialect::phase::{Item, Plan, Planned, plain, planning, replan};
use loquat_conversation::dialect::{Words, prompts};
use loquat_conversation::record::Reason;

const MAX_STEPS: Setting = Setting::count("max_steps", 10, 1..=100, "further steps of a plan are cut off");
const MAX_STEP_ITERATIONS: Setting =
    Setting::new("max_step_iterations", Form::Steps(5), "brain calls of one step");
pub(super) const MAX_REPLANS: Setting = Setting::count("max_replans", 2, 0..=100, "how often it plans anew");
const STEP_ENGINE: Setting = Setting::new(
    "step_engine",
    Form::Engine(react::ENGINE.id),
    "which engine does a step",
);
const CONCURRENCY: Setting = concurrency(4);

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-plan-execute-loop",
    settings: &[
        MAX_STEPS,
        MAX_STEP_ITERATIONS,
        MAX_REPLANS,
        STEP_ENGINE,
        CONCURRENCY,
    ],
    limit: Limit::Phases,
    run,
};

/// The steps that have been done, in order.
type Done = Vec<Brought>;

#[derive(Debug, Clone)]
struct Brought {
    step: String,
    result: String,
    /// Says whether the result is the answer: the step was the whole question, and it was answered.
    is_answer: bool,
}

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move { planned(turn).await.unwrap_or_else(|ending| ending) }.boxed()
}

async fn planned(turn: &mut Turn) -> Flow<Ending> {
    let form = Plan {
        most: turn.settings().count(&MAX_STEPS) as usize,
    };
    turn.begin(planning);
    let mut done = Done::new();
    let mut words = Words::none();
    let mut replans = turn.settings().count(&MAX_REPLANS);
    loop {
        let items = match turn.consult(words, &form).await {
            Ok(Planned::Answer(answer)) => return Ok(Ending::answered(answer)),
            Ok(Planned::Steps(items)) => {
                turn.resources
                    .tell_plan(items.iter().map(|item| item.text.clone()).collect());
                items
            }
            Err(ending) if ending.is_limit() => break,
            Err(ending) => return Err(ending),
        };
        let Some(why) = execute(turn, &items, &mut done).await? else {
            break;
        };
        if replans == 0 || turn.work.exhausted().is_some() {
            done.push(Brought {
                step: "the rest".to_owned(),
                result: format!("it failed: {why}"),
                is_answer: false,
            });
            break;
        }
        replans -= 1;
        let why = quoted(&why);
        let wrong = format!("{}The plan does not work: {why}\n", told(&done));
        words = Words::from(&prompts::PLAN_AGAIN).behind(&wrong);
    }
    if let Some(answer) = done.iter().find(|brought| brought.is_answer) {
        return Ok(Ending::answered(answer.result.clone()));
    }
    turn.begin(plain);
    let words = Words::from(&prompts::PLAN_ANSWER).behind(&told(&done));
    Ok(turn.conclude(words).await)
}

/// Runs the steps; why the plan is wrong, when one shows it.
async fn execute(turn: &mut Turn, items: &[Item], done: &mut Done) -> Flow<Option<String>> {
    let concurrency = turn.settings().count(&CONCURRENCY) as usize;
    let mut results: Vec<Option<String>> = vec![None; items.len()];
    while results.iter().any(Option::is_none) && turn.work.exhausted().is_none() {
        let ready = ready(items, &results);
        let left = results.iter().filter(|result| result.is_none()).count();
        let before = done.clone();
        let ends: Vec<(usize, Ending)> = {
            let steps = stream::iter(ready).map(|index| step(turn, items, index, left, &before));
            steps.buffered(concurrency).collect().await
        };
        for (index, ending) in ends {
            let text = text_of(items, index).to_owned();
            let is_spoken = ending.reason == Reason::Answered;
            // A brain that fails now takes nothing away of what the steps before have brought.
            let result = match outcome(ending).map_err(|ending| turn.work.with_draft(ending))? {
                Ok(result) => result,
                Err(why) => return Ok(Some(why)),
            };
            if is_spoken {
                turn.work.keep(&result);
            }
            done.push(Brought {
                step: text,
                result: result.clone(),
                is_answer: is_spoken && is_whole(turn, items, &before),
            });
            if let Some(place) = results.get_mut(index) {
                *place = Some(result);
            }
        }
    }
    Ok(None)
}

/// The steps whose needs are there; when all wait for each other, the first.
fn ready(items: &[Item], results: &[Option<String>]) -> Vec<usize> {
    let is_open = |index: &usize| results.get(*index).is_some_and(Option::is_none);
    let is_ready = |index: &usize| {
        let needs = items.get(*index).and_then(|item| item.needs.as_ref());
        match needs {
            Some(needs) => !needs
                .iter()
                .any(|number| *number != index + 1 && is_open(&number.wrapping_sub(1))),
            None => (0..*index).all(|earlier| !is_open(&earlier)),
        }
    };
    let ready: Vec<usize> = (0..items.len()).filter(is_open).filter(is_ready).collect();
    if ready.is_empty() {
        return (0..items.len()).find(is_open).into_iter().collect();
    }
    ready
}

/// Takes one step, in a turn of its own with its part of the time.
async fn step(turn: &Turn, items: &[Item], index: usize, left: usize, done: &Done) -> (usize, Ending) {
    let words = if turn.resources.is_small() {
        wished_briefly(turn, items, index, done)
    } else {
        wished(turn, items, index, done)
    };
    let steps = turn.settings().loop_steps(&MAX_STEP_ITERATIONS);
    // A quick step leaves its time to the others; a slow one must leave them some.
    let time = turn.work.remaining() * 2 / (left as u32 + 2);
    let engine = named(turn, STEP_ENGINE.key);
    let episode = answer(turn, engine, steps, Some(time), false, |question| {
        question.utterance = words;
    })
    .await;
    (index, with_findings(episode))
}

/// Words what a step is to do, with the whole plan around it.
fn wished(turn: &Turn, items: &[Item], index: usize, done: &Done) -> String {
    let plan = items.iter().enumerate();
    let plan = lines(plan.map(|(number, item)| format!("{}. {}", number + 1, item.text)));
    format!(
        "{}\n\nThis is done in steps:\n{plan}{}Now do only step {}: {}\n{}",
        turn.resources.question.utterance,
        told(done),
        index + 1,
        text_of(items, index),
        turn.resources.text(&prompts::PLAN_STEP)
    )
}

/// Words a step for a small model: it does what stands first, and whatever else it reads of a plan it takes for
/// wishes.
fn wished_briefly(turn: &Turn, items: &[Item], index: usize, done: &Done) -> String {
    if is_whole(turn, items, done) {
        return turn.resources.question.utterance.clone();
    }
    format!("{}\n{}", text_of(items, index), told(done))
}

/// Tells whether the only step is the question itself, which a small model understands better than its own words for
/// it.
fn is_whole(turn: &Turn, items: &[Item], done: &Done) -> bool {
    turn.resources.is_small() && items.len() == 1 && done.is_empty()
}

fn text_of(items: &[Item], index: usize) -> &str {
    items.get(index).map_or("", |item| item.text.as_str())
}

/// A step that ran into its limit brought what its calls did.
fn with_findings(episode: Episode) -> Ending {
    let Episode { ending, trajectory } = episode;
    if ending.is_limit() && ending.answer.is_empty() {
        return Ending::new(ending.reason, trajectory);
    }
    ending
}

/// Reads what a step brought, or why the plan is wrong. The error is the end of the turn where the step was that.
fn outcome(ending: Ending) -> Flow<Result<String, String>> {
    match ending.reason {
        Reason::LlmError
        | Reason::FinalTool
        | Reason::TerminalTool
        | Reason::DangerousTool
        | Reason::ConfirmationDenied
        | Reason::EmergencyStop => return Err(ending),
        Reason::Noop => return Ok(Ok("nothing was to be done".to_owned())),
        _ => {}
    }
    if let Some(why) = replan(&ending.answer) {
        return Ok(Err(why.to_owned()));
    }
    if ending.answer.is_empty() {
        let fault = ending
            .fault
            .unwrap_or_else(|| "a step brought nothing".to_owned());
        return Ok(Err(fault));
    }
    Ok(Ok(ending.answer))
}

/// Tells what has been done, one line a step.
fn told(done: &Done) -> String {
    let results = done.iter().enumerate();
    lines(results.map(|(number, Brought { step, result, .. })| {
        format!("Result of step {} ({step}): {}", number + 1, quoted(result))
    }))
}
