//! A sentence about several things that were spoken of one after the other: "close them both", "cancel all of them".
//!
//! Each of them is done what would be done to one. Where it is not clear which they are, nothing is understood: never is it done to
//! one alone. Nothing here runs a tool.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::Phrases;
use loquat_phrases::following::Several;
use loquat_sentences::words::words_and_figures;
use loquat_skills::{alerts, home};
use serde_json::Value;

use super::{LastSaid, MOST_WORDS, SpokenTools, Wanted};

/// The tools that make something new, which can be cancelled.
pub(super) const MAKING: [&str; 4] = ["set_timer", "set_alarm", "set_reminder", alerts::DO_LATER];

/// Arguments that name a kind of thing of a home, and the one that names a thing.
const KINDS: [&str; 2] = ["class", "kind"];
const THING: &str = "thing";

/// The intent of such a sentence.
const SEVERAL: &str = "several";

/// What asks whether one thing is so. Of several it is told how each is.
const ASKING: [&str; 2] = ["question", "state"];

/// The tool that cancels it.
const CANCEL: &str = "cancel_alert";

impl SpokenTools {
    /// Whether a text is about several things that were spoken of.
    pub(super) fn is_of_several(text: &str, lang: &str) -> bool {
        let said = words_and_figures(text);
        let phrases = Phrases::known(lang);
        phrases.is_some_and(|phrases| phrases.following.of_several(&said, &[]).is_some())
    }

    /// The calls of a sentence about several things that were spoken of.
    pub(super) fn of_several(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let Phrases {
            following, orders, ..
        } = Phrases::known(lang)?;
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let said = following.without_fillers(&said);
        let core = orders.core_of(&said);
        let nouns = self.nouns_of(last, lang);
        let (several, texts) = following.of_several(core, &nouns)?;
        let Some(things) = self.things_of(last, several) else {
            return self.of_those_asked_about(&texts, lang, last);
        };
        let are_named = following
            .of_several(core, &[])
            .is_some_and(|(_, unnamed)| unnamed != texts);
        if are_named && things.iter().any(|thing| self.nouns_of(thing, lang) != nouns) {
            return None;
        }
        let mut found = texts
            .iter()
            .filter_map(|text| self.with_pronoun(text, lang, last));
        found.find_map(|found| self.to_each(several, &found, lang, &things))
    }

    /// The call of a sentence about all that a question was about, where that named a kind of thing: "lock them both" behind "are the
    /// doors locked".
    fn of_those_asked_about(&self, texts: &[String], lang: &str, last: &LastSaid) -> Option<Wanted> {
        let says = |argument: &str| last.call.arguments.contains_key(argument);
        let is_of_kind = KINDS.iter().any(|argument| says(argument)) && !says(THING);
        if last.call.tool != home::READ || !is_of_kind {
            return None;
        }
        let mut found = texts
            .iter()
            .filter_map(|text| self.with_pronoun(text, lang, last));
        found.find_map(|found| self.about_last(found, lang, last))
    }

    /// The calls of a sentence with a pronoun behind one about several things: it is about these.
    pub(super) fn of_the_same(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let several = last.together?;
        let found = self.with_pronoun(text, lang, last)?;
        let things = self.things_of(last, several)?;
        self.to_each(several, &found, lang, &things)
    }

    /// What a language calls several of those that were spoken of last.
    fn nouns_of(&self, last: &LastSaid, lang: &str) -> Vec<String> {
        let object = self.intents.object(&last.call).unwrap_or_default();
        let kind = object.get("kind").and_then(Value::as_str);
        let kind = kind.filter(|_| last.call.toolbox_id == alerts::ID);
        kind.map(|kind| alerts::nouns(kind, lang, self.locales()))
            .unwrap_or_default()
    }

    /// What was spoken of last, each once, the first one first; nothing where they are fewer than that. What was done something with
    /// goes before what was only asked about.
    fn things_of<'l>(&self, last: &'l LastSaid, several: Several) -> Option<Vec<&'l LastSaid>> {
        // Who asked whether the window is shut and whether the door is locked does not mean both by one order.
        let asks_alike = |said: &LastSaid| {
            let mut asked = ["class", "state"].iter();
            asked.all(|part| said.call.arguments.get(*part) == last.call.arguments.get(*part))
        };
        let is_named = |said: &LastSaid| said.call.arguments.contains_key(THING) && asks_alike(said);
        let done = self.each_of(last, several, &|said| self.acts(said.call.clone()));
        done.or_else(|| {
            self.each_of(last, several, &|said| {
                said.call.tool == home::READ && is_named(said)
            })
        })
    }

    fn each_of<'l>(
        &self,
        last: &'l LastSaid,
        several: Several,
        is_meant: &dyn Fn(&LastSaid) -> bool,
    ) -> Option<Vec<&'l LastSaid>> {
        let mut things: Vec<&LastSaid> = Vec::new();
        for said in last.chain().filter(|said| is_meant(said)) {
            let is_new = |known: &&LastSaid| !self.is_same(known, said);
            if things.iter().all(is_new) {
                things.push(said);
            }
        }
        if several == Several::Both {
            things.truncate(2);
        }
        things.reverse();
        (things.len() > 1).then_some(things)
    }

    /// Whether two sentences were about the same thing. What was made new is another thing each time.
    fn is_same(&self, one: &LastSaid, other: &LastSaid) -> bool {
        let is_made = |said: &LastSaid| MAKING.contains(&said.call.tool.as_str());
        !is_made(one) && !is_made(other) && self.intents.object(&one.call) == self.intents.object(&other.call)
    }

    fn to_each(
        &self,
        several: Several,
        found: &Recognised,
        lang: &str,
        things: &[&LastSaid],
    ) -> Option<Wanted> {
        let calls = things.iter().map(|thing| self.to_one(found, lang, thing));
        let call = IntendedCall::together(calls.collect::<Option<Vec<IntendedCall>>>()?)?;
        Some(Wanted {
            intent: SEVERAL.to_owned(),
            several: Some(several),
            ..Wanted::recalled(None, call)
        })
    }

    /// What is done to one of them. An alert is known by what takes it back alone.
    fn to_one(&self, found: &Recognised, lang: &str, thing: &LastSaid) -> Option<IntendedCall> {
        if thing.call.toolbox_id == alerts::ID {
            let (_, tool) = self.intents.tool(&found.intent_name)?;
            let is_made = MAKING.contains(&thing.call.tool.as_str());
            let undo = thing.undo.as_ref().filter(|_| tool == CANCEL && is_made)?;
            return Some(undo.call.clone()).filter(|call| call.further.is_empty());
        }
        let mut call = self.about_last(found.clone(), lang, thing)?.call;
        if call.tool == home::READ {
            call.arguments
                .retain(|argument, _| !ASKING.contains(&argument.as_str()));
        }
        Some(call)
    }
}
