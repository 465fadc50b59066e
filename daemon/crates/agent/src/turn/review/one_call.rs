//! A turn that one call answers, or a chain of calls each made with what an earlier one brought: the tool's own sentence is the answer, and the brain is not asked to put it into words.
//!
//! The brain says so beside the call, where its dialect has room for that. Only the turn that answers the person ends so,
//! never one within it, whose engine needs to see the result.

use std::collections::HashSet;

use serde_json::Value;

use crate::figure::figures;
use crate::gate::texts;
use crate::turn::Ending;
use crate::turn::resources::Resources;
use crate::turn::work::Work;
use loquat_conversation::record::{CallRecord, Reason};
use loquat_decoder::language::spoken;

impl Resources {
    /// Tells whether a call may be the whole answer: the persona allows it, and this turn's answer is what is said.
    pub(in crate::turn) fn may_end_with_call(&self) -> bool {
        self.stands && !self.settings.forbids_one_call()
    }

    /// Tells whether what was said can be compared with arguments, which are in English.
    pub(super) fn is_in_english(&self) -> bool {
        let lang = self.question.lang.as_deref();
        lang.is_none_or(|lang| lang.starts_with("en"))
    }

    /// Tells whether a call answers what was said, as far as its arguments show.
    fn is_about_what_was_said(&self, call: &CallRecord) -> bool {
        !self.calculates_from_nothing(call) && !self.names_the_unsaid(call)
    }

    /// Tells whether an argument holds no word of what was said: what a tool tells of that may not be what was asked.
    fn names_the_unsaid(&self, call: &CallRecord) -> bool {
        if !self.is_in_english() || self.tool_calculates(call) {
            return false;
        }
        let heard = &self.shared.heard;
        let history = self.question.history.iter();
        let history = history.map(|message| message.content.as_str());
        let told = [heard.said.as_str(), heard.surroundings.as_str()];
        let said: HashSet<String> = history.chain(told).flat_map(names).collect();
        call.arguments.values().filter_map(Value::as_str).any(|text| {
            let mut named = names(text).peekable();
            named.peek().is_some() && named.all(|name| !said.contains(&name))
        })
    }

    fn tool_calculates(&self, call: &CallRecord) -> bool {
        let mut entries = self.catalogue.entries().iter();
        entries.any(|entry| entry.tool.name == call.tool && entry.tool.calculates)
    }

    /// Tells whether a tool calculated with numbers although the person said none. A small model also calculates
    /// where it was asked something else; it is shown what came of it, as other brains are.
    fn calculates_from_nothing(&self, call: &CallRecord) -> bool {
        let words = &self.shared.heard.said;
        let has_numbers = |words: &str| !figures(words, spoken(self.question.lang.as_deref())).is_empty();
        self.tool_calculates(call) && !has_numbers(words) && has_numbers(&texts(&call.arguments))
    }
}

impl Work {
    /// The end by the sentence of the step's only call, or of the last in a chain, if it is to be the last, all succeeded and
    /// its tool has one.
    pub(in crate::turn) fn told_by_tool(
        &self,
        resources: &Resources,
        is_chain: bool,
        is_last: bool,
    ) -> Option<Ending> {
        let is_good = match self.ledger.last_calls() {
            _ if !is_last => false,
            [call] => call.ok && resources.is_about_what_was_said(call),
            calls => is_chain && calls.iter().all(|call| call.ok),
        };
        let sentence = self.sayable.sentence().unwrap_or_default();
        let is_told =
            is_good && resources.may_end_with_call() && !loquat_decoder::speakable(sentence).is_empty();
        let reason = self.closing.reason().unwrap_or(Reason::FinalTool);
        is_told.then(|| Ending::new(reason, sentence))
    }

    /// The end by the sentence of the turn's only good call, where a small model makes that again: it means to answer, and what it
    /// would make of the result is worse than what the tool says of it.
    pub(in crate::turn) fn told_by_call_made_again(&self, resources: &Resources) -> Option<Ending> {
        if !(resources.is_small() && self.ledger.knows_enough() && resources.may_end_with_call()) {
            return None;
        }
        let mut good = self.ledger.calls().filter(|call| call.ok && call.executed);
        let only = good.next().filter(|_| good.next().is_none())?;
        let is_told = resources.is_about_what_was_said(only);
        let sentence = self.sayable.told_before().filter(|_| is_told)?;
        Some(Ending::new(Reason::FinalTool, sentence))
    }
}

/// Words for where and when the person is, which need not be said.
const HERE_AND_NOW: [&str; 3] = ["here", "local", "today"];

/// The words that name something, in small letters. Times are written in more than one way, and short words name little.
fn names(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphabetic());
    words
        .filter(|word| word.chars().count() > 3)
        .map(str::to_lowercase)
        .filter(|word| !HERE_AND_NOW.contains(&word.as_str()))
}
