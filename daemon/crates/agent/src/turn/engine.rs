//! What a turn is run by: a loop strategy, as a turn knows it. Which ones there are is said elsewhere.

use futures_util::future::BoxFuture;

use super::{Ending, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::setting::Setting;

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
