//! What a small brain with the tools of a whole device is asked first: what was said, in a sentence that the device understands by
//! itself. Runs no tool.

use std::sync::Arc;

use super::Turn;
use super::ask::Asked;
use super::resources::Resources;
use crate::figure::figures;
use crate::gate::{is_said, shares_a_word};
use loquat_conversation::brain::Asking;
use loquat_conversation::dialect::restated::{self, Restated};
use loquat_conversation::intended::IntendedCall;
use loquat_conversation::question::Restating;
use loquat_conversation::toolbox::Tool;
use loquat_decoder::language::spoken;
use serde_json::{Map, Value};

/// Stands in the place of what fills a gap of a sentence.
const GAP: char = '…';

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

    /// Asks once more without the sentence before, of which such a brain often only says a part again; nothing where there is none.
    pub(crate) async fn restated_alone(&mut self) -> Option<Restated> {
        let restating = self.resources.question.restating.as_mut()?;
        restating.before.take()?;
        self.restated().await
    }

    /// Tells whether the person asks to be told something.
    pub(crate) fn is_question(&self) -> bool {
        self.resources.asks()
    }

    /// Gives the calls that the sentence asks for, where all that it holds was said and each is of a tool of this turn. A person is
    /// asked before they change what is not easily taken back. What has no word in common with what was said and only tells something
    /// is an answer to a question alone: such a brain falls back on one of a few sentences where it knows none.
    pub(crate) async fn understood(&self, sentence: &str) -> Option<IntendedCall> {
        let grammar = self.resources.grammar.as_ref()?;
        if !self.resources.was_said(sentence) {
            return None;
        }
        let said = self.resources.question.utterance.as_str();
        let understood = grammar.understood(sentence, said).await?;
        let is_doubtful = understood.is_indirect;
        let sentence = understood.restated.clone().unwrap_or_else(|| sentence.to_owned());
        let mut calls = understood.apart();
        // Beside another wish the sentence before is only repeated.
        if calls.len() > 1 {
            calls.retain(|call| !self.repeats(call));
        }
        let resources = &self.resources;
        let is_indirect = resources.is_indirect(&sentence);
        let only_tells = !resources.asks() && calls.iter().all(|call| resources.only_reads(call));
        if is_indirect && only_tells || !calls.iter().all(|call| resources.may_be_meant(call)) {
            return None;
        }
        IntendedCall::together(calls.into_iter().map(|call| IntendedCall {
            is_guess: true,
            is_indirect: is_indirect || is_doubtful,
            restated: Some(sentence.clone()),
            ..call
        }))
    }

    /// Tells whether a call is the one of the sentence before. Such a brain repeats that behind a remark; who wants it again says so in
    /// words that need no brain.
    pub(crate) fn repeats(&self, call: &IntendedCall) -> bool {
        let before = self.resources.question.understood_before.as_deref();
        let before = before.and_then(|before| before.split_once(' '));
        before.is_some_and(|(tool, arguments)| {
            let arguments = serde_json::from_str(arguments);
            tool == call.tool
                && arguments.is_ok_and(|arguments: Map<String, Value>| arguments == call.arguments)
        })
    }

    /// From now on the brain is shown the tools of other programs alone, and for a question those of the device that look something up
    /// and whose sentences are like what was said. What is no sentence is no deed, since such a brain does something for nearly
    /// everything; and it calculates with numbers that were not said.
    pub(crate) fn only_look(&mut self) {
        let resources = &self.resources;
        let asks = resources.asks();
        let may_show = |tool: &Tool| {
            let looks = asks && tool.read_only && !tool.calculates;
            !resources.is_of_device(tool) || looks && resources.is_like_a_sentence_for(tool)
        };
        let looking = resources.catalogue.showing(may_show);
        self.resources.catalogue = Arc::new(looking);
    }

    /// Tells whether what was said again so is talk: a question that asks for no calculation, or what has no word of the device.
    pub(crate) fn is_talk_after_all(&self, sentence: &str) -> bool {
        let resources = &self.resources;
        let restating = resources.question.restating.as_ref();
        let is_of_device =
            restating.is_some_and(|restating| restated::is_of_device(sentence, &restating.lang));
        !is_of_device || resources.asks() && !resources.is_like_a_calculation()
    }

    /// The words for a wish that the device does not understand, with the sentence that comes nearest to it.
    pub(crate) fn declined(&self) -> String {
        let question = &self.resources.question;
        let likely = question.selection.iter().flat_map(|selection| &selection.likely);
        let likely = likely.filter(|likely| likely.is_near);
        let mut whole =
            likely.filter_map(|likely| likely.said_as.as_deref().filter(|said| !said.contains(GAP)));
        restated::declined(whole.next())
    }

    /// Tells whether the words are like no sentence of any tool.
    pub(crate) fn has_nothing_fitting(&self) -> bool {
        self.resources.catalogue.entries().is_empty()
    }
}

impl Resources {
    /// Says how the brain is asked, where it is worth it: one of the smallest is not sure enough of what was meant.
    fn restating(&self) -> Option<&Restating> {
        let is_asked = self.has_device() && self.capabilities().acts_at_once;
        self.question.restating.as_ref().filter(|_| is_asked)
    }

    /// Tells whether the person may be asking to be told something, which is not known of every persona.
    pub(super) fn may_ask(&self) -> bool {
        self.question.selection.is_none() || self.asks()
    }

    /// Tells whether the person asks to be told something.
    pub(super) fn asks(&self) -> bool {
        let selection = self.question.selection.as_ref();
        selection.is_some_and(|selection| selection.asks)
    }

    /// Tells whether the person asks to be told something, perhaps in a question that begins like none: "and in Oslo?".
    pub(super) fn asks_in_any_words(&self) -> bool {
        let is_question = self.question.utterance.trim_end().ends_with('?');
        self.asks() || is_question && self.question.selection.is_some()
    }

    /// Tells whether a tool is one of the toolboxes that there are sentences for.
    fn is_of_device(&self, tool: &Tool) -> bool {
        let selection = self.question.selection.as_ref();
        selection.is_some_and(|selection| selection.listed.contains(&tool.toolbox_id))
    }

    /// Tells whether what was said has a number and is like a sentence of a tool that calculates.
    fn is_like_a_calculation(&self) -> bool {
        let question = &self.question;
        if figures(&question.utterance, spoken(question.lang.as_deref())).is_empty() {
            return false;
        }
        let selection = self.question.selection.iter();
        let mut near =
            selection.flat_map(|selection| selection.likely.iter().filter(|likely| likely.is_near));
        near.any(|likely| {
            let entry = self.catalogue.find(&likely.tool);
            entry.is_some_and(|entry| entry.tool.calculates)
        })
    }

    /// Tells whether a call is one of this turn, and no deed where the person asks to be told something.
    fn may_be_meant(&self, call: &IntendedCall) -> bool {
        let entry = self.catalogue.find(&call.tool);
        entry.is_some_and(|entry| {
            entry.tool.toolbox_id == call.toolbox_id && (entry.tool.read_only || !self.asks())
        })
    }

    /// Tells whether a sentence has no telling word in common with what was said.
    fn is_indirect(&self, sentence: &str) -> bool {
        let restating = self.question.restating.as_ref();
        let lang = restating.map_or("", |restating| restating.lang.as_str());
        !shares_a_word(sentence, &self.question.utterance, lang)
    }

    fn only_reads(&self, call: &IntendedCall) -> bool {
        let entry = self.catalogue.find(&call.tool);
        entry.is_some_and(|entry| entry.tool.read_only)
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
