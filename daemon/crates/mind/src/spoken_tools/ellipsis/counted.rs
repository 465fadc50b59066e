//! A bare number behind a timer: "and one for the rice, twelve", "und die Soße braucht fünfzehn", "give it five more". It counts in the
//! unit of the timer that was spoken of.
//!
//! The number has to stand where a length is wanted, in a sentence that sets or changes a timer. Behind an alarm a bare number is
//! an hour, and is left to others. Nothing here runs a tool.

use std::ops::Range;

use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_phrases::following::Following;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::alerts;
use serde_json::Value;

use super::{LastSaid, MOST_WORDS, SpokenTools, Wanted, joined};

/// Gaps for lengths of time.
const LENGTHS: [&str; 3] = ["duration", "further", "length"];

/// An intent that has one, and its gap, by which lengths are known.
const SET: &str = "alerts.set_timer";
const LENGTH: &str = "duration";

/// What sets and changes timers.
const TOOLS: [&str; 2] = ["set_timer", "change_alert"];

/// The kind that is counted so.
const TIMER: &str = "timer";

/// A text with a length in it.
struct Counted {
    text: String,
    length: String,
}

impl SpokenTools {
    /// The call of a text in which one number lacks its unit, or stands behind a word that says that something takes so long.
    pub(super) fn counted(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let phrases = Phrases::known(lang)?;
        let unit = self
            .unit_of(last, lang)
            .filter(|_| self.is_of_timer(&last.call))?;
        let said = words_and_figures(text);
        let core = phrases.orders.core_of(&said);
        if core.len() > MOST_WORDS {
            return None;
        }
        let number = self.number_in(core, &unit, lang, &phrases.following)?;
        let counted = self.with_unit(core, &number, &unit, lang, &phrases.following)?;
        let whole = self.whole_beside(&counted.text, lang, last);
        let wanted = whole.or_else(|| self.ellipsis(&counted.text, lang, last))?;
        let is_meant = self.sets_timer(&wanted, &counted.length);
        (is_meant && !self.is_asked_for_a_deed(text, lang, &wanted)).then_some(wanted)
    }

    /// The unit in which the length that was said last is counted; nothing where it has several, a part of one, or no number.
    pub(super) fn unit_of(&self, last: &LastSaid, lang: &str) -> Option<String> {
        let following = &Phrases::known(lang)?.following;
        let own = last.own.as_ref()?;
        let slots = own.slots.iter().chain(&own.first().slots);
        let mut lengths = slots.filter(|(slot, _)| LENGTHS.contains(&slot.as_str()));
        lengths.find_map(|(_, said)| {
            let words = words_and_figures(said);
            let (unit, numbers) = words.split_last()?;
            let is_number = |word: &Word| self.counts(word, &unit.said, lang, following);
            let is_one = !numbers.is_empty() && numbers.iter().all(is_number);
            (is_one && !following.is_fraction(unit)).then(|| unit.said.clone())
        })
    }

    /// Whether a word is a number of these units, and no mere article.
    fn counts(&self, word: &Word, unit: &str, lang: &str, following: &Following) -> bool {
        let length = format!("{} {unit}", word.said);
        let is_left_out = following.joins(word) || following.is_fraction(word);
        !is_left_out && self.intents.takes(SET, lang, LENGTH, &length)
    }

    /// Where the only number of a text stands, unless it is an hour.
    fn number_in(
        &self,
        said: &[Word],
        unit: &str,
        lang: &str,
        following: &Following,
    ) -> Option<Range<usize>> {
        let is_number = |at: &usize| {
            said.get(*at)
                .is_some_and(|word| self.counts(word, unit, lang, following))
        };
        let start = (0..said.len()).find(is_number)?;
        let count = (start..said.len()).take_while(is_number).count();
        let end = start + count;
        let is_only = !(end..said.len()).any(|at| is_number(&at));
        let before = start.checked_sub(1).and_then(|before| said.get(before));
        let is_hour = before.is_some_and(|before| following.makes_hour(before));
        (is_only && !is_hour).then_some(start..end)
    }

    /// The text with the unit behind the number, unless it has one, and without the word for what something needs; nothing where
    /// that changes nothing.
    fn with_unit(
        &self,
        said: &[Word],
        number: &Range<usize>,
        unit: &str,
        lang: &str,
        following: &Following,
    ) -> Option<Counted> {
        let front = said.get(..number.start)?;
        let needed = following.needed_in(front);
        let front = front.get(..front.len().checked_sub(needed)?)?;
        let bare = joined(said.get(number.clone())?);
        let next = said.get(number.end).map(|next| format!("{bare} {}", next.said));
        let own = next.filter(|length| self.intents.takes(SET, lang, LENGTH, length));
        let has_unit = own.is_some();
        let length = own.unwrap_or_else(|| format!("{bare} {unit}"));
        let behind = said.get(number.end + usize::from(has_unit)..)?;
        let front = front.iter().map(|word| word.said.as_str());
        let behind = behind.iter().map(|word| word.said.as_str());
        let words: Vec<&str> = front.chain([length.as_str()]).chain(behind).collect();
        let text = words.join(" ");
        (!has_unit || needed > 0).then_some(Counted { text, length })
    }

    /// Whether a call sets or changes a timer by this length.
    fn sets_timer(&self, wanted: &Wanted, length: &str) -> bool {
        let mut slots = wanted.own.iter().flat_map(|own| &own.slots);
        let has_it = slots.any(|(slot, said)| LENGTHS.contains(&slot.as_str()) && said.contains(length));
        let does_it = |call: &IntendedCall| TOOLS.contains(&call.tool.as_str()) && self.is_of_timer(call);
        has_it && wanted.done().is_some_and(does_it)
    }

    /// Whether a call is about a timer.
    fn is_of_timer(&self, call: &IntendedCall) -> bool {
        let object = self.intents.object(call).unwrap_or_default();
        call.toolbox_id == alerts::ID && object.get("kind").and_then(Value::as_str) == Some(TIMER)
    }
}
