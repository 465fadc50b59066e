//! What a small brain with the tools of a whole device is asked first: what was said, in a sentence that the device understands by
//! itself. Runs no tool.

use super::Turn;
use super::ask::Asked;
use super::resources::Resources;
use crate::gate::is_said;
use loquat_conversation::brain::Asking;
use loquat_conversation::dialect::restated::{self, Restated};
use loquat_conversation::intended::IntendedCall;
use loquat_conversation::question::Restating;

impl Turn {
    /// Asks the brain; nothing where it is not asked. One that fails is asked again with tools, and says then what is wrong.
    pub(crate) async fn restated(&mut self) -> Option<Restated> {
        let restating = self.resources.restating()?;
        let question = &self.resources.question;
        let request = restated::request(&question.utterance, restating, &question.prompts)?;
        let size = self.exchange.scales.weigh(&request);
        let asked = Asked::new(Asking::new(move |_| request.clone()), size);
        let (resources, work) = (&self.resources, &mut self.work);
        let reply = self.exchange.ask_once(resources, work, &asked, None).await;
        Some(reply.map_or(Restated::Unclear, |reply| restated::read(&reply)))
    }

    /// Gives the calls that the sentence asks for, where all that it holds was said and each is of a tool of this turn. A person is
    /// asked before they change what is not easily taken back.
    pub(crate) async fn understood(&self, sentence: &str) -> Option<IntendedCall> {
        let grammar = self.resources.grammar.as_ref()?;
        if !self.resources.was_said(sentence) {
            return None;
        }
        let calls = grammar.understood(sentence).await?.apart();
        let is_here = |call: &IntendedCall| {
            let entry = self.resources.catalogue.find(&call.tool);
            entry.is_some_and(|entry| entry.tool.toolbox_id == call.toolbox_id)
        };
        if !calls.iter().all(is_here) {
            return None;
        }
        IntendedCall::together(calls.into_iter().map(|call| IntendedCall {
            is_guess: true,
            ..call
        }))
    }

    /// Tells whether the words are like no sentence of any tool.
    pub(crate) fn has_nothing_fitting(&self) -> bool {
        self.resources.catalogue.entries().is_empty()
    }
}

impl Resources {
    /// Says how the brain is asked, where it is worth it: one of the smallest makes up sentences that nobody meant.
    fn restating(&self) -> Option<&Restating> {
        let is_asked = self.has_device() && self.capabilities().acts_at_once;
        self.question.restating.as_ref().filter(|_| is_asked)
    }

    /// Tells whether a sentence holds nothing but words of the device and what the person said.
    fn was_said(&self, sentence: &str) -> bool {
        let Some(restating) = &self.question.restating else {
            return false;
        };
        let before = restating.before.as_deref();
        let said: Vec<&str> = before
            .into_iter()
            .chain([self.question.utterance.as_str()])
            .collect();
        is_said(sentence, &said, &restating.lang)
    }
}
