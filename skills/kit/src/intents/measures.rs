//! What a text says for arguments that are times, lengths, days and the like, whatever else was said. Free words and names are left
//! to whoever reads the whole of it.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::Intents;
use super::filled::{LONGEST, NO_WORD, bare};
use crate::intent::Slot;
use crate::skill::Skill;

/// A measure has no more words than these: "a quarter past seven tomorrow morning".
const MOST_WORDS: usize = 6;

/// A gap that can hold one of these is for a measure. Models write them in English, so each gap reads English, too.
const MEASURES: [&str; 4] = ["7:30", "7 minutes", "7 days", "tomorrow"];

/// What was said for the arguments of tools, by toolbox and tool: for each argument the parts of the text that can be read so.
pub(super) type Measures = BTreeMap<(String, String), BTreeMap<String, Vec<String>>>;

/// Parts of a text, each with where its words stand.
type Spans = Vec<Range<usize>>;

impl Intents {
    /// What the text says for each argument of a tool that is a measure. The longest parts count, and none of them overlap.
    pub fn measures_in(&self, text: &str, lang: &str) -> Measures {
        let said: Vec<&str> = text.split_whitespace().map(bare).take(LONGEST).collect();
        let mut read: BTreeMap<_, Option<Spans>> = BTreeMap::new();
        let mut all: BTreeMap<(String, String), BTreeMap<String, Spans>> = BTreeMap::new();
        for skill in &self.skills {
            for intent in skill.intents.iter().filter(|intent| intent.composed.is_none()) {
                for slot in intent.slots {
                    let spans = read
                        .entry((skill.folder, slot.name, slot.read as usize))
                        .or_insert_with(|| self.spans((skill, slot), &said, lang));
                    let Some(spans) = spans else { continue };
                    let tool = all
                        .entry((skill.id.to_owned(), intent.tool.to_owned()))
                        .or_default();
                    tool.entry(slot.argument.to_owned())
                        .or_default()
                        .extend(spans.iter().cloned());
                }
            }
        }
        let words = |spans: Spans| {
            longest(spans)
                .into_iter()
                .filter_map(|span| Some(said.get(span)?.join(" ")))
        };
        let of_tool = |arguments: BTreeMap<String, Spans>| {
            let arguments = arguments.into_iter();
            arguments
                .map(|(argument, spans)| (argument, words(spans).collect()))
                .collect()
        };
        all.into_iter()
            .map(|(tool, arguments)| (tool, of_tool(arguments)))
            .collect()
    }

    /// The parts that such a gap can hold; nothing for any other gap.
    fn spans(&self, (skill, slot): (&Skill, &Slot), said: &[&str], lang: &str) -> Option<Spans> {
        let holds = |said: &str| matches!(self.fill((skill, slot), lang, said), Some(Value::String(_)));
        if holds(NO_WORD) || !MEASURES.iter().any(|measure| holds(measure)) {
            return None;
        }
        let parts = (0..said.len()).flat_map(|from| (1..=MOST_WORDS).map(move |length| from..from + length));
        let is_held = |part: &Range<usize>| {
            said.get(part.clone())
                .is_some_and(|words| holds(&words.join(" ")))
        };
        Some(parts.filter(is_held).collect())
    }
}

/// The longest of these parts that do not overlap, in their order.
fn longest(mut spans: Spans) -> Spans {
    spans.sort_by_key(|span| (std::cmp::Reverse(span.len()), span.start));
    let mut kept = Spans::new();
    for span in spans {
        let overlaps = |other: &Range<usize>| span.start < other.end && other.start < span.end;
        if !kept.iter().any(overlaps) {
            kept.push(span);
        }
    }
    kept.sort_by_key(|span| span.start);
    kept
}
