//! Toolboxes that come in the middle of a turn: from the next brain call on their tools can be called.
//!
//! Only the loop that answers for the whole turn asks for them; the phases of other engines are planned with the tools
//! that there were. The instructions stay as they are, so that a prompt cache keeps them.

use super::{Turn, offer};
use loquat_conversation::conversation::Item;
use loquat_conversation::dialect::phase::step::{Steps, came};
use loquat_conversation::dialect::{Manner, prompts};

impl Turn {
    /// Takes in the tools that have come, and tells the brain of them. A turn that began without any tools has no words
    /// to call one with, and goes on without.
    pub(super) async fn welcome(&mut self, steps: &Steps) {
        let Some(arrivals) = self.resources.arrivals.clone() else {
            return;
        };
        if steps.manner() == Manner::Chat {
            return;
        }
        let toolboxes = arrivals.take().await;
        if toolboxes.is_empty() {
            return;
        }
        let Self {
            resources, exchange, ..
        } = self;
        let is_allowed = |tool: &_| offer::is_allowed(tool, &resources.question, &resources.settings);
        let (catalogue, new) = resources
            .catalogue
            .joined_by(&toolboxes, &resources.turn_cache, is_allowed);
        if !new.is_empty() {
            let told = came(&new, resources.text(&prompts::TOOLS_CAME));
            exchange.conversation.push(Item::Came(told));
        }
        resources.catalogue = catalogue.into();
    }
}
