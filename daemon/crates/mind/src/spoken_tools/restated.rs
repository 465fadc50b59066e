//! Sentences in which a brain has said again what a person wants: read as if the person had said them, and what was said before in the
//! plain words that such a brain is shown. Asks no brain and runs no tool.

use std::collections::BTreeSet;

use futures_util::future::{BoxFuture, FutureExt, ready};
use loquat_agent::grammar::Grammar;
use loquat_agent::turn::IntendedCall;
use loquat_sentences::{Spelling, Template};
use loquat_skills::Calendar;

use super::last_said::Own;
use super::{InConversation, LastSaid, SpokenTools, Wanted, primary};

/// Forms of a sentence among which the shortest is taken.
const FORMS: usize = 32;

impl InConversation {
    /// What a whole sentence asks for, by itself or behind what was understood last, with the times and numbers that a person said. Nothing
    /// is guessed, and a sentence that lacks something is none: a person would have to fill in what they perhaps never wanted.
    pub fn restated(&self, sentence: &str, said: &str, lang: &str) -> Option<Wanted> {
        let said = Calendar::spoken(lang).as_said(sentence, said);
        let mut forms = said.delayed.into_iter().chain([said.sentence]);
        let (mut wanted, sentence) = forms.find_map(|form| Some((self.whole(&form, lang)?, form)))?;
        wanted.call.is_indirect = said.is_doubtful;
        wanted.call.restated = Some(sentence);
        Some(wanted)
    }

    /// What a sentence asks for, where it lacks nothing.
    fn whole(&self, sentence: &str, lang: &str) -> Option<Wanted> {
        let wanted = self
            .goes_on(sentence, lang)
            .or_else(|| self.alone(sentence, lang))?;
        let is_whole = |call: IntendedCall| self.spoken.intents.answer_to(&wanted.intent, &call).is_none();
        wanted
            .call
            .clone()
            .apart()
            .into_iter()
            .all(is_whole)
            .then_some(wanted)
    }

    fn alone(&self, sentence: &str, lang: &str) -> Option<Wanted> {
        let wish = self.spoken.understood(sentence, lang).into_iter().next()?;
        self.spoken.call(&wish.found.intent_name, sentence, lang)
    }

    /// The plain sentence for what was understood last.
    pub fn plainly_before(&self, lang: &str) -> Option<String> {
        let last = self.last_in(lang)?;
        Some(self.spoken.in_plain_words(last))
    }
}

impl SpokenTools {
    /// What was understood in the shortest words of its intent, or as it was said where these lack a part of it.
    fn in_plain_words(&self, last: &LastSaid) -> String {
        let plain = last.own.as_ref().and_then(|own| self.shortest(own, &last.lang));
        plain.unwrap_or_else(|| last.text.clone())
    }

    fn shortest(&self, own: &Own, lang: &str) -> Option<String> {
        let gaps: BTreeSet<&str> = own.slots.iter().map(|(slot, _)| slot.as_str()).collect();
        let mut intents = self.understood.iter();
        let intent = intents.find(|intent| intent.name == own.intent && primary(&intent.lang) == lang)?;
        let templates = intent.samples.iter();
        let templates = templates.filter_map(|sample| Template::read(sample, Spelling::Words).ok());
        let whole =
            templates.filter(|template| template.slots().into_iter().collect::<BTreeSet<_>>() == gaps);
        let forms = whole.flat_map(|template| template.sentences(FORMS));
        let has_all = |form: &String| gaps.iter().all(|gap| form.contains(&format!("{{{gap}}}")));
        let shortest = forms
            .filter(has_all)
            .min_by_key(|form| form.split_whitespace().count())?;
        let filled = own.slots.iter().fold(shortest, |form, (slot, said)| {
            form.replace(&format!("{{{slot}}}"), said)
        });
        Some(filled)
    }
}

/// The grammar of one utterance: the sentences that counted when it came, behind what was understood last.
#[derive(Debug)]
pub struct SentencesOfTurn {
    conversation: InConversation,
    lang: String,
}

impl SentencesOfTurn {
    /// The sentences of this language in a conversation.
    pub fn new(conversation: InConversation, lang: &str) -> Self {
        Self {
            conversation,
            lang: lang.to_owned(),
        }
    }
}

impl Grammar for SentencesOfTurn {
    fn understood<'a>(&'a self, sentence: &'a str, said: &'a str) -> BoxFuture<'a, Option<IntendedCall>> {
        let wanted = self.conversation.restated(sentence, said, &self.lang);
        ready(wanted.map(|wanted| wanted.call)).boxed()
    }
}
