//! Whether a question about what is there now (what is set, what is on a list, how loud it is) was looked at by a tool: what an
//! earlier answer told may not be so any more, and a small model tells it again.
//!
//! Such a question is one that a sentence of a tool which only reads, here on the device, makes sure of. The brain cannot answer it
//! before it has made a call, whatever comes of that; one that is held to a schema can only call what reads.

use crate::turn::resources::Resources;
use loquat_conversation::toolbox::Tool;

impl Resources {
    /// Tells whether a tool has to be called before anything is answered.
    pub(in crate::turn) fn has_to_look(&self) -> bool {
        self.stands && self.shared.call_ids.is_empty() && self.asks_what_is_there()
    }

    fn asks_what_is_there(&self) -> bool {
        let likely = self
            .question
            .selection
            .as_ref()
            .and_then(|selection| selection.likely.first());
        let best = self.catalogue.entries().first();
        let is_best = |tool: &Tool| likely.is_some_and(|likely| likely.is_sure && likely.tool == tool.name);
        best.is_some_and(|entry| is_best(&entry.tool) && entry.tool.reads_here())
    }
}
