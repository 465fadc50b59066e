//! Deeds that the person did not ask for: a small brain that has the tools of a whole device does a second thing beside the one that was
//! asked for, does another in the place of one that failed, or does something that what was said is like no sentence for.
//!
//! Judged is by how like the sentences of a tool the words were. Only such a brain is judged so, and only what changes something.

use super::judge::Judge;
use super::resources::Resources;
use crate::gate::{Admitted, Refusal};
use loquat_conversation::record::CallRecord;
use loquat_conversation::toolbox::Tool;
use loquat_decoder::squash;

impl Judge<'_> {
    /// Turns away a deed beside another or in its place.
    pub(super) fn beside_other_deeds(&self, admitted: &Admitted) -> Result<(), Refusal> {
        let tool = &admitted.entry.tool;
        if !self.resources.doubts_deed(tool) {
            return Ok(());
        }
        let mut others = self.ledger.calls().filter(|call| is_other_deed(call, tool));
        let is_unlike = !self.resources.is_like_a_sentence_for(tool);
        let unasked = others.find_map(|other| unasked(other, tool, is_unlike));
        unasked.map_or(Ok(()), |text| Err(Refusal { text, mistake: false }))
    }
}

impl Resources {
    /// Tells whether a call of this brain changes something that it may have come upon by itself.
    fn doubts_deed(&self, tool: &Tool) -> bool {
        let is_chosen_for = self.question.selection.is_some() && self.question.intended.is_none();
        !tool.read_only && is_chosen_for && self.is_small()
    }

    /// Tells whether what was said is like a sentence for this tool.
    pub(super) fn is_like_a_sentence_for(&self, tool: &Tool) -> bool {
        let selection = self.question.selection.iter();
        let mut likely = selection.flat_map(|selection| &selection.likely);
        likely
            .any(|likely| likely.is_near && likely.tool == tool.name && likely.toolbox_id == tool.toolbox_id)
    }

    /// Tells whether a deed is a guess: the brain has come upon it, and what was said is like no sentence for it.
    pub(super) fn guesses_deed(&self, tool: &Tool) -> bool {
        self.doubts_deed(tool) && !self.is_like_a_sentence_for(tool)
    }
}

/// A call of another tool that ran and may have changed something, or should have.
fn is_other_deed(call: &CallRecord, tool: &Tool) -> bool {
    call.executed && call.changes && call.tool != tool.name
}

/// What the brain is told where a deed may not stand beside this one.
fn unasked(other: &CallRecord, tool: &Tool, is_unlike: bool) -> Option<String> {
    let (done, name) = (&other.tool, &tool.name);
    let is_named = || squash(&other.observation).contains(&squash(name));
    if other.ok {
        let text = format!("'{done}' has done what the person asked for. '{name}' was not run. Answer now.");
        return is_unlike.then_some(text);
    }
    (!is_named()).then(|| {
        format!(
            "The person asked for '{done}', which failed, and for nothing in its place. '{name}' was not run. Tell the \
             person why it failed."
        )
    })
}
