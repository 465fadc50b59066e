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
mod restated;
mod rewoo;
mod rule;
mod self_ask;
mod tree;

pub use crate::turn::Engine;
pub use loquat_conversation::setting::{Form, MOST_STEPS, Setting};
use loquat_conversation::setting::{MAX_ITERATIONS, concurrency};

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
