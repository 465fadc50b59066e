//! A sentence that lacks what the one before named, or has words beside it that say nothing: "take the milk off again", "cancel
//! the one on Saturday", "not the butter", "one degree more".
//!
//! What comes of the words has to be a sentence of the same toolbox and to lack nothing; where two things come of them, nothing
//! is understood. Nothing here runs a tool.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::Phrases;
use loquat_phrases::following::Following;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{alerts, home, lists};
use serde_json::Value;

use super::works::{is_work, known_by};
use super::{LastSaid, MOST_WORDS, Own, SpokenTools, Wanted, joined};
use crate::spoken_tools::denied::is_negated;

/// This stands for a gap that holds what an alert is called in a language: its kind.
const NOUN: &str = "noun";

/// This stands for the unit of a length of time.
const UNIT: &str = "unit";

/// Tools that take any words of a person's own.
const ADDING: [&str; 2] = ["add_to_list", "announce"];

/// The gap and the argument for a list.
const LIST: &str = "list";

/// What is said in a room.
const MESSAGE: &str = "message";

/// Tools that put words of a person's own on a list or take them off it. Behind a sentence about a list not every other that could
/// stand in front of its name is about it: "take a photo" takes nothing off it.
const ON_LISTS: [&str; 3] = [lists::ADD, lists::REMOVE, home::CHANGE_LIST];

/// Gaps for numbers that become more or less.
const AMOUNTS: [&str; 3] = ["degrees", "hundredths", "percent"];

/// Texts of which only one is understood, if the sentence means it.
struct Way {
    texts: Vec<String>,
    /// What the last sentence named was put behind words of which none asks for it.
    is_completed: bool,
}

impl SpokenTools {
    /// The call of a sentence that is whole with what the last one named, or without words that say nothing.
    pub(super) fn reworded(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let Phrases {
            following, orders, ..
        } = Phrases::known(lang)?;
        let said = words_and_figures(text);
        let core = orders.core_of(&said);
        if said.len() > MOST_WORDS || following.of_several(core, &[]).is_some() {
            return None;
        }
        let named = self.named_by(last, lang);
        self.stepped(core, lang, last, following).or_else(|| {
            let ways = ways(following, core, &named);
            let mut found = ways.iter().filter_map(|way| self.only_whole(way, lang, last));
            found.find(|wanted| !self.is_asked_for_a_deed(text, lang, wanted))
        })
    }

    /// The one call that these texts ask for.
    fn only_whole(&self, way: &Way, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let is_meant = |wanted: &Wanted| !(way.is_completed && ON_LISTS.contains(&wanted.call.tool.as_str()));
        let texts = way.texts.iter();
        let wanted = texts.filter_map(|text| self.whole_beside(text, lang, last));
        let mut meant: Vec<Wanted> = Vec::new();
        for wanted in wanted.filter(is_meant) {
            if meant.iter().all(|known| known.call != wanted.call) {
                meant.push(wanted);
            }
        }
        meant.pop().filter(|_| meant.is_empty())
    }

    /// What a text asks the toolbox of the last call for.
    pub(super) fn whole_beside(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let toolbox_id = last.call.toolbox_id.as_str();
        let is_there = |other: &str| other == toolbox_id || is_work(other) && is_work(toolbox_id);
        let is_meant = |intent: &str| {
            !self.dependent.contains(intent) && self.intents.toolbox_of(intent).is_some_and(is_there)
        };
        let found = self.among(text, lang, &is_meant);
        let found = found.filter(|found| !is_grown(found, last));
        let Some(found) = found else {
            if last.together.is_some() {
                return self.of_the_same(text, lang, last);
            }
            let found = self.with_pronoun(text, lang, last)?;
            return self.about_last(found, lang, last);
        };
        let mut said = found.slots.iter();
        if said.any(|(slot, said)| is_negated(slot, said, lang)) {
            return None;
        }
        let own = Own::of(found);
        let call = self.made(&own, lang)?;
        let is_whole = self.intents.answer_to(&own.intent, &call).is_none();
        // What is put on a list may be any words, also such as ask for no such thing; what was said in one room is known.
        let message = call.arguments.get(MESSAGE);
        let is_said_again = message.is_some() && message == last.call.arguments.get(MESSAGE);
        let is_whole = is_whole && (is_said_again || !ADDING.contains(&call.tool.as_str()));
        is_whole.then(|| Wanted::going_on(own, call))
    }

    /// What the last sentence named, with the word for what it is.
    fn named_by(&self, last: &LastSaid, lang: &str) -> Vec<(String, String)> {
        let own = last.own.as_ref();
        let mut named = own.map(|own| own.slots.clone()).unwrap_or_default();
        if let Some(noun) = self.noun_of(&last.call, lang) {
            named.push((NOUN.to_owned(), noun));
        }
        if let Some(unit) = self.unit_of(last, lang) {
            named.push((UNIT.to_owned(), unit));
        }
        named.extend(known_by(last));
        named.splice(0..0, list_of_home(&last.call));
        named
    }

    /// What a language calls one of those that a call is about.
    fn noun_of(&self, call: &IntendedCall, lang: &str) -> Option<String> {
        let object = self.intents.object(call)?;
        let kind = object.get("kind")?.as_str()?;
        (call.toolbox_id == alerts::ID)
            .then(|| alerts::noun(kind, lang, self.locales()))
            .flatten()
    }

    /// The call with a number that is more or less by so much than the last one.
    fn stepped(&self, core: &[Word], lang: &str, last: &LastSaid, following: &Following) -> Option<Wanted> {
        let (by, is_more) = following.step(core)?;
        let own = last.own.as_ref()?;
        let of_call =
            |call: &IntendedCall, argument: &str| call.arguments.get(argument).and_then(Value::as_f64);
        let mut gaps = self.intents.gaps(&own.intent);
        let (slot, argument) =
            gaps.find(|(slot, argument)| AMOUNTS.contains(slot) && of_call(&last.call, argument).is_some())?;
        let step = self.intents.call(&own.intent, lang, [(slot, by.as_str())])?;
        let step = of_call(&step, argument).filter(|step| *step > 0.0)?;
        let before = of_call(&last.call, argument)?;
        let now = if is_more { before + step } else { before - step };
        let mut changed = own.clone();
        let (_, said) = changed.slots.iter_mut().find(|(known, _)| known == slot)?;
        *said = said_anew(said, before, now)?;
        let call = self.made(&changed, lang)?;
        Some(Wanted::going_on(changed, call))
    }
}

/// The list of the home that a call was about, by its name there: it may have been called "the list".
fn list_of_home(call: &IntendedCall) -> Option<(String, String)> {
    let list = call.arguments.get(LIST).filter(|_| call.toolbox_id == home::ID)?;
    Some((LIST.to_owned(), list.as_str()?.to_owned()))
}

/// Whether a gap took words beside what the last sentence named for it, so that it names another thing: "what is left in the
/// larder" asks for no list that is called "larder the shopping list".
fn is_grown(found: &Recognised, last: &LastSaid) -> bool {
    let mut named = last.own.iter().flat_map(|own| &own.slots);
    named.any(|(slot, named)| {
        let mut said = found.slots.iter().filter(|(said_for, _)| said_for == slot);
        said.any(|(_, said)| said != named && said.contains(named.as_str()))
    })
}

/// The texts that may be meant, in the order in which they are looked up.
fn ways(following: &Following, core: &[Word], named: &[(String, String)]) -> Vec<Way> {
    let bare = following.without_fillers(core);
    if bare.is_empty() {
        return Vec::new();
    }
    let alone = (bare.len() < core.len()).then(|| joined(&bare));
    let together = |texts: Vec<String>| Way {
        texts,
        is_completed: false,
    };
    let each = |texts: Vec<String>, is_completed: bool| {
        texts.into_iter().map(move |text| Way {
            texts: vec![text],
            is_completed,
        })
    };
    // Of those that stand alone the first one that is understood has most words of the table, or most of what was named.
    let mut ways = vec![together(alone.into_iter().collect())];
    ways.extend(each(following.reworded(core, named), false));
    ways.extend(each(following.reworded(&bare, named), false));
    ways.push(together(following.recalled(&bare, named)));
    ways.extend(each(following.completed(&bare, named), true));
    ways
}

/// A number with another in its place, and the words beside it as they were.
fn said_anew(said: &str, before: f64, now: f64) -> Option<String> {
    let mut words: Vec<String> = said.split(' ').map(str::to_owned).collect();
    let number = words.first_mut()?;
    let is_it = number
        .trim_end_matches('%')
        .parse::<f64>()
        .is_ok_and(|is| number_of(is) == number_of(before))
        || said.split(' ').count() == 1;
    *number = number_of(now);
    is_it.then(|| words.join(" "))
}

/// A number without a fraction where it has none.
fn number_of(number: f64) -> String {
    format!("{number}")
}
