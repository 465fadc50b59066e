//! A whole sentence that lacks only what the last one named: "will it rain there", "how many days until then", "put eggs on it",
//! "plus twelve".
//!
//! What was named takes the place of the word that stands for it, and what comes of that has to be understood by itself. Nothing
//! is understood where it could mean two things. Nothing here runs a tool.

use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use serde_json::Value;

use super::works::{is_work, known_by};
use super::{LastSaid, MOST_WORDS, Own, SpokenTools, Wanted};

/// The tool for sums, and the argument that holds one.
const SUM: &str = "evaluate_expression";
const EXPRESSION: &str = "expression";

/// The gap for the time that a question is about.
const TIME: &str = "when";

/// This number stands for the last sum while the sentence is read, since sentences take numbers and no sums. A person who says
/// this very number is not understood here.
const PLACEHOLDER: &str = "918273";

impl SpokenTools {
    /// The call of a sentence with a word for what the last one named, or of a sum that goes on with the last.
    pub(super) fn recast(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let following = &Phrases::known(lang)?.following;
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let mut slots = last.own.as_ref().map(|own| own.slots.clone()).unwrap_or_default();
        slots.extend(known_by(last));
        let otherwise = Self::asked_otherwise(&said, lang, last);
        let said_anew = otherwise.as_deref().map(words_and_figures);
        let asked = said_anew.as_ref().unwrap_or(&said);
        let mut texts = following.recalled(asked, &slots);
        texts.extend(following.recalled(&following.without_fillers(asked), &slots));
        texts.extend(otherwise);
        let mut meant: Vec<Wanted> = Vec::new();
        let wanted = texts.iter().filter_map(|text| self.whole_wanted(text, lang));
        // What a work told of is nothing that is done something with.
        let is_deed = |wanted: &Wanted| {
            self.is_asked_for_a_deed(text, lang, wanted)
                || is_work(&last.call.toolbox_id) && self.acts(wanted.call.clone())
        };
        for wanted in wanted.filter(|wanted| !is_deed(wanted)) {
            if meant.iter().all(|known| known.call != wanted.call) {
                meant.push(wanted);
            }
        }
        match meant.len() {
            0 => self.summed(&said, lang, last),
            1 => meant.pop().map(|wanted| self.at_same_time(wanted, lang, last)),
            _ => None,
        }
    }

    /// Whether a question would be taken for an order, as where its words are put on a list.
    pub(super) fn is_asked_for_a_deed(&self, text: &str, lang: &str, wanted: &Wanted) -> bool {
        let asks = || Phrases::known(lang).is_some_and(|phrases| phrases.asking.is_question(text));
        self.acts(wanted.call.clone()) && asks()
    }

    /// A question without a time of its own asks about that of the question before.
    fn at_same_time(&self, wanted: Wanted, lang: &str, last: &LastSaid) -> Wanted {
        let time = |own: &Own| own.slots.iter().find(|(slot, _)| slot == TIME).cloned();
        let before = last.own.as_ref().and_then(time);
        let is_question = wanted.call.toolbox_id == last.call.toolbox_id && !self.acts(wanted.call.clone());
        let timed = || {
            let own = wanted.own.as_ref().filter(|own| time(own).is_none())?;
            let mut own = own.clone();
            own.slots.push(before.filter(|_| is_question)?);
            let call = self.made(&own, lang)?;
            Some(Wanted::going_on(own, call))
        };
        timed().unwrap_or(wanted)
    }

    /// What a text asks for that lacks nothing and means one thing.
    fn whole_wanted(&self, text: &str, lang: &str) -> Option<Wanted> {
        let text = &*self.without_asides(text, lang);
        let wishes = self.understood(text, lang);
        let [wish] = wishes.as_slice() else {
            return None;
        };
        self.whole_call(wish, lang)?;
        self.call(&wish.found.intent_name, text, lang)
    }

    /// A sum that goes on with the last one.
    fn summed(&self, said: &[Word], lang: &str, last: &LastSaid) -> Option<Wanted> {
        let before = expression(&last.call)?;
        let Phrases {
            following, orders, ..
        } = Phrases::known(lang)?;
        let ways = following.read(said).into_iter();
        let ways = ways.map(|way| (way.rest, way.how.takes_back()));
        let whole: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
        let ways = ways.chain([(whole.join(" "), false)]);
        let mut calls = ways.filter_map(|(text, corrects)| {
            let said = words_and_figures(&text);
            let text = following.with_sum(orders.core_of(&said), PLACEHOLDER);
            let before = if corrects { first_part(before)? } else { before };
            self.sum_with(&text, lang, before)
        });
        calls.next().map(|call| Wanted::recalled(None, call))
    }

    /// The call of a sum in which the placeholder stands for the last one.
    fn sum_with(&self, text: &str, lang: &str, before: &str) -> Option<IntendedCall> {
        let found = self.of_ours(text, lang)?.found;
        let call = self.called_by_ours(&found, lang)?;
        let parts: Vec<&str> = expression(&call)?.split(PLACEHOLDER).collect();
        let [front, behind] = parts.as_slice() else {
            return None;
        };
        let is_changed = !front.trim().is_empty() || !behind.trim().is_empty();
        let sum = Value::from(format!("{front}({before}){behind}"));
        let mut arguments = call.arguments.clone();
        arguments.insert(EXPRESSION.to_owned(), sum);
        is_changed.then_some(IntendedCall { arguments, ..call })
    }
}

/// The sum with which a longer one went on: what is in its first brackets, behind which there is more.
fn first_part(sum: &str) -> Option<&str> {
    let inside = sum.strip_prefix('(')?;
    let mut open = 1_usize;
    let end = inside.find(|sign| {
        match sign {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let (first, rest) = inside.split_at_checked(end)?;
    (rest.len() > 1).then_some(first)
}

/// What a call calculates.
fn expression(call: &IntendedCall) -> Option<&str> {
    let is_sum = call.tool == SUM && call.arguments.len() == 1;
    let said = call.arguments.get(EXPRESSION).filter(|_| is_sum)?;
    said.as_str()
}
