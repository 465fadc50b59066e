//! The parts of a text that are times, lengths, days and the like, for the arguments of tools. Free words and names are left to
//! the brain.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::Intents;
use super::filled::{LONGEST, NO_WORD, bare};
use crate::intent::{Intent, Slot};
use crate::numbers::number;
use crate::skill::Skill;

/// A measure has no more words than these: "a quarter past seven tomorrow morning".
const MOST_WORDS: usize = 6;

/// A gap that can hold one of these is for a measure. Models write them in English, so each gap reads English, too.
const MEASURES: [&str; 5] = ["7:30", "7 minutes", "7 days", "tomorrow", "every day"];

/// What was said for the arguments of tools, by toolbox and tool: for each argument the parts of the text that can be read so.
pub(super) type Measures = BTreeMap<(String, String), BTreeMap<String, Vec<String>>>;

/// Parts of a text, by where their words stand.
type Spans = Vec<Range<usize>>;

/// An argument and a part of the text that it can hold.
type Held = (String, Range<usize>);

/// The parts that gaps for one argument can hold.
#[derive(Default)]
struct Measured {
    spans: Spans,
    /// Says whether they are of a gap of the argument's own name.
    is_own: bool,
}

impl Measured {
    fn take(&mut self, spans: &[Range<usize>], is_own: bool) {
        if is_own && !self.is_own {
            (self.spans, self.is_own) = (Spans::new(), true);
        }
        if is_own == self.is_own {
            self.spans.extend_from_slice(spans);
        }
    }
}

impl Intents {
    /// What the text says for each argument of these tools that is a measure: the longest parts, which do not overlap. Two arguments
    /// may have the same part. Tools are told by toolbox and name.
    pub fn measures_in(&self, text: &str, lang: &str, is_meant: impl Fn(&str, &str) -> bool) -> Measures {
        let said: Vec<&str> = text.split_whitespace().map(bare).take(LONGEST).collect();
        let mut measures = Measures::new();
        for (tool, arguments) in self.measured(&said, lang, &is_meant) {
            let names = arguments.keys().map(|name| (name.clone(), Vec::new()));
            let mut read: BTreeMap<String, Vec<String>> = names.collect();
            let all = arguments.into_iter();
            let held = all.flat_map(|(name, spans)| spans.into_iter().map(move |span| (name.clone(), span)));
            for (name, span) in longest(held.collect()) {
                let words = said.get(span).map(|words| words.join(" "));
                read.entry(name).or_default().extend(words);
            }
            measures.insert(tool, read);
        }
        measures
    }

    /// The arguments of these tools that are measures, with all parts of the text that can be read as one. A gap of the argument's
    /// own name goes before gaps that say more at once.
    fn measured(
        &self,
        said: &[&str],
        lang: &str,
        is_meant: &dyn Fn(&str, &str) -> bool,
    ) -> BTreeMap<(String, String), BTreeMap<String, Spans>> {
        let mut read: BTreeMap<_, Option<Spans>> = BTreeMap::new();
        let mut all: BTreeMap<(String, String), BTreeMap<String, Measured>> = BTreeMap::new();
        for skill in &self.skills {
            let is_wanted = |intent: &&Intent| intent.composed.is_none() && is_meant(skill.id, intent.tool);
            for intent in skill.intents.iter().filter(is_wanted) {
                for slot in intent.slots {
                    let spans = read
                        .entry((skill.folder, slot.name, slot.read as usize))
                        .or_insert_with(|| self.spans(skill, slot, said, lang));
                    let Some(spans) = spans else { continue };
                    let tool = all
                        .entry((skill.id.to_owned(), intent.tool.to_owned()))
                        .or_default();
                    let argument = tool.entry(slot.argument.to_owned()).or_default();
                    argument.take(spans, slot.name == slot.argument);
                }
            }
        }
        let spans = |(name, measured): (String, Measured)| (name, measured.spans);
        all.into_iter()
            .map(|(tool, arguments)| (tool, arguments.into_iter().map(spans).collect()))
            .collect()
    }

    /// The parts that such a gap can hold; nothing for any other gap.
    fn spans(&self, skill: &Skill, slot: &Slot, said: &[&str], lang: &str) -> Option<Spans> {
        let holds = |said: &str| matches!(self.fill(skill, slot, lang, said), Some(Value::String(_)));
        if holds(NO_WORD) || !MEASURES.iter().any(|measure| holds(measure)) {
            return None;
        }
        let parts = (0..said.len()).flat_map(|from| (1..=MOST_WORDS).map(move |length| from..from + length));
        // A number alone may count anything, and is a time only where a sentence says so.
        let is_measure = |part: &str| number(part, lang).is_none() && holds(part);
        let is_held = |part: &Range<usize>| {
            said.get(part.clone())
                .is_some_and(|words| is_measure(&words.join(" ")))
        };
        Some(parts.filter(is_held).collect())
    }
}

/// The longest of these parts that do not overlap, in their order.
fn longest(mut held: Vec<Held>) -> Vec<Held> {
    held.sort_by_key(|(_, span)| (std::cmp::Reverse(span.len()), span.start));
    let mut kept: Vec<Held> = Vec::new();
    for (name, span) in held {
        let overlaps = |other: &Range<usize>| span.start < other.end && other.start < span.end;
        let is_apart = kept.iter().all(|(_, other)| *other == span || !overlaps(other));
        if is_apart && !kept.contains(&(name.clone(), span.clone())) {
            kept.push((name, span));
        }
    }
    kept.sort_by_key(|(_, span)| span.start);
    kept
}
