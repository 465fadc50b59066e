//! What a question is about: its words without those that only ask.
//!
//! The words that ask are in the lists `asked.value` of the works; nothing here asks one.

use super::{KnowledgeKind, gap};
use crate::locale::Locales;
use crate::spelling::folded;
use crate::{wikipedia, wiktionary};

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Topic(pub(super) String);

impl Topic {
    /// That of a question; `None` where it does not ask for what a work of this kind knows.
    pub(super) fn of(kind: KnowledgeKind, question: &str, locales: &Locales, lang: &str) -> Option<Self> {
        let folder = match kind {
            KnowledgeKind::Encyclopedia => wikipedia::FOLDER,
            KnowledgeKind::Dictionary => wiktionary::FOLDER,
        };
        let words: Vec<&str> = question
            .split(|letter: char| letter.is_whitespace() || "?!¿¡.,;:\"".contains(letter))
            .filter(|word| !word.is_empty())
            .collect();
        let patterns = locales.values(folder, lang, "asked.value");
        let patterns = patterns.flat_map(|(_, patterns)| patterns.split('|'));
        let topics = patterns.filter_map(|pattern| between(pattern, &words));
        // The pattern that leaves least knows most of the question.
        let topic = topics.min_by_key(|topic| topic.len())?.join(" ");
        gap::is_topic(&topic, locales, lang).then_some(Self(topic))
    }
}

/// The words that stand for the `*` of a pattern.
fn between<'a>(pattern: &str, words: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let (before, after) = pattern.split_once('*')?;
    let (before, after) = (folded(before), folded(after));
    let starts = |words: &[&str], text: &str| folded(&words.join(" ")) == text;
    let [first, last] = [&before, &after].map(|text| text.split_whitespace().count());
    // An apostrophe makes two words of one: `what's`.
    (0..=first).rev().find_map(|first| {
        (0..=last).rev().find_map(|last| {
            let (start, rest) = words.split_at_checked(first)?;
            let (topic, end) = rest.split_at_checked(rest.len().checked_sub(last)?)?;
            (starts(start, &before) && starts(end, &after) && !topic.is_empty()).then_some(topic)
        })
    })
}
