//! A turn that one call answers, or a chain of calls each made with what an earlier one brought: the tool's own sentence is the answer, and the brain is not asked to put it into words.
//!
//! The brain says so beside the call, where its dialect has room for that. Only the turn that answers the person ends so,
//! never one within it, whose engine needs to see the result.

use super::{Ending, Turn};
use crate::figure::figures;
use crate::gate::texts;
use crate::language::spoken;
use crate::record::{CallRecord, Reason};

impl Turn {
    /// Whether a call may be the whole answer: the persona allows it, and this turn's answer is what is said.
    pub(super) fn may_end_with_call(&self) -> bool {
        let forbidden = self.setting("one_call").and_then(serde_json::Value::as_bool) == Some(false);
        self.resources.stands && !forbidden
    }

    /// The end by the sentence of the step's only call, or of the last in a chain, if all succeeded and its tool has one.
    pub(super) fn told_by_tool(&self, is_chain: bool) -> Option<Ending> {
        let is_good = match self.ledger.last_calls() {
            [call] => call.ok && !self.calculates_from_nothing(call),
            calls => is_chain && calls.iter().all(|call| call.ok),
        };
        let sentence = self.closing.sentence.as_deref().unwrap_or_default();
        let is_told = is_good && self.may_end_with_call() && !crate::speakable(sentence).is_empty();
        let reason = self.closing.reason.unwrap_or(Reason::FinalTool);
        is_told.then(|| Ending::new(reason, sentence))
    }

    /// Whether a tool calculated with numbers although the person said none. A small model also calculates where it was
    /// asked something else; it is shown what came of it, as other brains are.
    fn calculates_from_nothing(&self, call: &CallRecord) -> bool {
        let mut entries = self.catalogue.entries().iter();
        let calculates = entries.any(|entry| entry.tool.name == call.tool && entry.tool.calculates);
        let [words, ..] = &self.resources.shared.given;
        let has_numbers = |words: &str| !figures(words, spoken(self.question.lang.as_deref())).is_empty();
        calculates && !has_numbers(words) && has_numbers(&texts(&call.arguments))
    }
}
