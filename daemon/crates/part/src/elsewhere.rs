//! The port by which turns are thought on another machine. Which that is, and how it is reached, is its part's matter.

use std::fmt::Debug;

use loquat_agent::engine::Engine;
use loquat_agent::turn::{Means, Question};

/// Who thinks for this device.
pub trait Elsewhere: Debug + Send + Sync {
    /// Gives a turn of this persona its means, with a brain that is elsewhere where one is free.
    fn place(&self, persona: &str, engine: &Engine, question: &Question, means: Means) -> Means;
}
