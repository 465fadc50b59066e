//! What a question is about: its words without those that only ask.
//!
//! The words that ask are in the lists `asked.value` of the works; nothing here asks one.

use super::KnowledgeKind;
use crate::reference::gap;
use crate::{web, wikipedia, wiktionary};
use loquat_kit::folded;
use loquat_kit::locale::Locales;

/// Of a question that is searched for as it is.
const MOST_WORDS: usize = 16;

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Topic(pub(crate) String);

impl Topic {
    /// That of a question; `None` where it does not ask for what a work of this kind knows.
    pub(crate) fn of(kind: KnowledgeKind, question: &str, locales: &Locales, lang: &str) -> Option<Self> {
        let folder = match kind {
            KnowledgeKind::Encyclopedia => wikipedia::FOLDER,
            KnowledgeKind::Dictionary => wiktionary::FOLDER,
        };
        let words = words(question);
        let patterns = locales.values(folder, lang, "asked.value");
        let patterns = patterns.flat_map(|(_, patterns)| patterns.split('|'));
        let topics = patterns.filter_map(|pattern| between(pattern, &words));
        // The pattern that leaves least knows most of the question.
        let topic = topics.min_by_key(|topic| topic.len())?.join(" ");
        gap::is_topic(&topic, locales, lang).then_some(Self(topic))
    }
}

/// Whether something is asked about the world: by a word that asks, and about neither the person nor the present.
pub(crate) fn is_about_the_world(question: &str, locales: &Locales, lang: &str) -> bool {
    let words = words(question);
    let lists = [(wikipedia::FOLDER, "asked.value"), (web::FOLDER, "asked.value")];
    let patterns = lists
        .into_iter()
        .flat_map(|(folder, name)| locales.values(folder, lang, name));
    let mut patterns = patterns.flat_map(|(_, patterns)| patterns.split('|'));
    words.len() <= MOST_WORDS
        && patterns.any(|pattern| between(pattern, &words).is_some())
        && !words.iter().any(|word| gap::points(word, locales, lang))
}

fn words(question: &str) -> Vec<&str> {
    let words = question.split(|letter: char| letter.is_whitespace() || "?!¿¡.,;:\"".contains(letter));
    words.filter(|word| !word.is_empty()).collect()
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
