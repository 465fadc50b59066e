//! The table of engines: the loop strategies a persona can name.
//!
//! An engine is a short function over `turn.think()` and `turn.act()`. It has no parser, no tool path and no retry of
//! its own.
//!
//! Engines compose through children: an episode of Reflexion and a step of a plan are turns that another engine
//! answers, with a part of the steps and of the time. Every conversation begins with the persona, the history, the
//! language and the units, so every phase of every engine sees them.

mod auto;
mod chain_of_thought;
mod critic;
mod inner;
mod intent;
mod llm_compiler;
mod native;
mod plan;
mod react;
mod reflexion;
mod rewoo;
mod rule;
mod self_ask;
mod setting;
mod tree;

use futures_util::future::BoxFuture;

pub use self::setting::{Form, MOST_STEPS, Setting};
use self::setting::{MAX_ITERATIONS, concurrency};
use crate::budget::Limit;
use crate::dialect::phase::step::Steps;
use crate::turn::{Ending, Move, Turn};

/// A loop strategy.
#[derive(Debug)]
pub struct Engine {
    /// The id persona files name it by.
    pub id: &'static str,
    /// The settings that a persona file may give it, beside its brain and its toolboxes.
    pub settings: &'static [Setting],
    pub(crate) limit: Limit,
    pub(crate) run: for<'a> fn(&'a mut Turn) -> BoxFuture<'a, Ending>,
}

/// All engines that a persona can name.
pub static ENGINES: &[Engine] = &[
    react::ENGINE,
    native::ENGINE,
    plan::ENGINE,
    reflexion::ENGINE,
    critic::ENGINE,
    self_ask::ENGINE,
    chain_of_thought::ENGINE,
    tree::ENGINE,
    rewoo::ENGINE,
    llm_compiler::ENGINE,
    auto::ENGINE,
];

/// Answers what a skill understood without a brain; no persona can name it.
pub static INTENT: Engine = intent::ENGINE;

/// Finds the engine with this id.
pub fn find(id: &str) -> Option<&'static Engine> {
    ENGINES.iter().chain([&INTENT]).find(|engine| engine.id == id)
}

/// Thinks and acts in turns until there is an answer.
pub(crate) async fn think_and_act(turn: &mut Turn, steps: &Steps) -> Ending {
    loop {
        let acted = match turn.think(steps).await {
            Ok(Move::Answer(answer)) => return Ending::answered(answer),
            Ok(Move::Act {
                reply,
                thought,
                calls,
                is_last,
            }) => turn.act(&reply, &thought, calls, is_last).await,
            Err(ending) => Err(ending),
        };
        if let Err(ending) = acted {
            return ending;
        }
    }
}
