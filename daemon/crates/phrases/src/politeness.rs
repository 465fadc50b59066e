//! How people ask for a deed in a question that is no order: "would you mind closing the blinds". Behind such an opening the verb has
//! a form of its own, a gerund or an infinitive. With the verb of an order in its place the rest is an order.
//!
//! Only verbs for what a device does are in the tables, so that what only people can do is no order. Nothing is decided here.

use std::collections::BTreeMap;

use loquat_orchestrator::orders::Orders;
use loquat_sentences::words::{Word, words_and_figures};
use serde::Deserialize;

use crate::asides::Asides;
use crate::following::{leading, plain};

/// A person says no longer order.
const MOST_WORDS: usize = 40;

/// So many times words that say nothing are taken from both ends of others.
const MOST_AROUND: usize = 4;

/// A word that no list has. It stands for the order among words that say nothing.
const NO_WORD: &str = "xyzzy";

/// Signs that end a clause.
const ENDS: [char; 7] = [',', '.', ';', ':', '!', '?', '…'];

/// The openings of one language, and what stands behind them.
#[derive(Debug, Deserialize)]
#[serde(from = "Written")]
pub(crate) struct Politeness {
    openings: Vec<Vec<String>>,
    suggestions: Vec<Vec<String>>,
    links: Vec<String>,
    verb_ends: bool,
    verbs: Vec<(Vec<String>, String)>,
}

/// As they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What stands behind these is asked for: `would you mind`.
    openings: Vec<String>,
    /// These may as well ask about something else than before: `how about`.
    suggestions: Vec<String>,
    /// What may stand between an opening and the verb. An elided word ends in its apostrophe.
    links: Vec<String>,
    /// Whether the verb is the last word of its clause rather than the first.
    verb_ends: bool,
    /// The forms of verbs behind an opening, and what an order has in their place: `closing` is `close`.
    verbs: BTreeMap<String, String>,
}

impl Politeness {
    /// What stands in an order in the place of the other forms of its verb.
    pub(crate) fn ordering(&self) -> impl Iterator<Item = &str> {
        self.verbs.iter().map(|(_, verb)| verb.as_str())
    }
}

impl From<Written> for Politeness {
    fn from(written: Written) -> Self {
        let apart = |lists: Vec<String>| lists.iter().map(|words| plain(words)).collect();
        let verbs = written.verbs.into_iter();
        Self {
            openings: apart(written.openings),
            suggestions: apart(written.suggestions),
            links: written.links,
            verb_ends: written.verb_ends,
            verbs: verbs.map(|(form, verb)| (plain(&form), verb)).collect(),
        }
    }
}

/// What a language says around orders.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) orders: &'a Orders,
    pub(crate) asides: &'a Asides,
    /// Words that carry next to nothing, such as articles.
    pub(crate) slight: &'a [String],
}

impl Around<'_> {
    /// Whether an order may stand between these words and has nothing of them.
    fn says_nothing(&self, front: &[Word], behind: &[Word]) -> bool {
        let order = Word {
            plain: NO_WORD.to_owned(),
            said: NO_WORD.to_owned(),
        };
        let words = [front, &[order], behind].concat();
        let mut rest = words.as_slice();
        for _ in 0..MOST_AROUND {
            rest = self.orders.core_of(rest);
            match self.asides.behind_join(rest) {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        rest.len() == 1
    }
}

impl Politeness {
    /// The text as an order; nothing where it is no such question. What may ask about something else than before does not count
    /// where something was said before.
    pub(crate) fn order(&self, text: &str, is_first: bool, around: Around<'_>) -> Option<String> {
        let said = Said::of(text)?;
        let begun = |at: usize| {
            let rest = said.words.get(at..)?;
            let suggestions = self.suggestions.iter().filter(|_| is_first);
            let openings = self.openings.iter().chain(suggestions);
            openings.filter_map(|opening| leading(rest, opening)).max()
        };
        let mut places = (0..said.words.len()).filter_map(|at| Some((at, at + begun(at)?)));
        places.find_map(|(at, behind)| {
            let order = self.with_verbs(&said, behind, around)?;
            let front = said.raw.get(..at).filter(|_| said.begins_order(at, around))?;
            let whole = [front.join(" "), order].join(" ");
            Some(whole.trim().trim_end_matches('?').trim_end().to_owned())
        })
    }

    /// The words from here on with the verbs of orders; nothing where none has the form that belongs behind an opening.
    fn with_verbs(&self, said: &Said<'_>, from: usize, around: Around<'_>) -> Option<String> {
        let mut text: Vec<String> = Vec::new();
        let mut has_verb = false;
        let mut at = from;
        while let Some(raw) = said.raw.get(at) {
            if let Some((end, verb)) = self.verb_at(said, from, at, around) {
                text.push(said.with_marks(verb, end - 1));
                has_verb = true;
                at = end;
            } else if self.verb_ends || has_verb {
                text.push((*raw).to_owned());
                at += 1;
            } else {
                return None;
            }
        }
        has_verb.then(|| text.join(" "))
    }

    /// The verb of an order for the words that begin here, and where they end.
    fn verb_at(&self, said: &Said<'_>, from: usize, at: usize, around: Around<'_>) -> Option<(usize, &str)> {
        let start = if self.verb_ends {
            at
        } else {
            self.behind_links(said, at)
        };
        let (end, verb) = self.form_at(said, start)?;
        let is_here = if self.verb_ends {
            said.ends_order(end, around)
        } else {
            at == from || said.goes_on_with(at, end, around)
        };
        is_here.then_some((end, verb))
    }

    /// The place behind words that may stand in front of the verb.
    fn behind_links(&self, said: &Said<'_>, at: usize) -> usize {
        let rest = said.words.get(at..).unwrap_or_default();
        let links = rest.iter().take_while(|word| self.links.contains(&word.plain));
        at + links.count()
    }

    /// The longest form of a verb that begins here.
    fn form_at(&self, said: &Said<'_>, at: usize) -> Option<(usize, &str)> {
        let rest = said.words.get(at..)?;
        let found = self.verbs.iter().filter_map(|(form, verb)| {
            let length = leading(rest, form).or_else(|| self.elided(rest, form))?;
            Some((at + length, verb.as_str()))
        });
        found.max_by_key(|(end, _)| *end)
    }

    /// How many words these are, if a link is one word with the first of them: `d'éteindre`.
    fn elided(&self, rest: &[Word], form: &[String]) -> Option<usize> {
        let (first, behind) = rest.split_first()?;
        let (begins, further) = form.split_first()?;
        let mut elided = self.links.iter().filter(|link| link.ends_with('\''));
        let is_it = elided.any(|link| first.plain.strip_prefix(link.as_str()) == Some(begins.as_str()));
        let further = leading(behind, further).filter(|_| is_it)?;
        Some(1 + further)
    }
}

/// A text, word by word.
struct Said<'t> {
    words: Vec<Word>,
    /// Each word as it was said, with its marks.
    raw: Vec<&'t str>,
}

impl<'t> Said<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let words = words_and_figures(text);
        let raw = text.split_whitespace();
        let raw: Vec<&str> = raw.filter(|raw| !words_and_figures(raw).is_empty()).collect();
        (words.len() == raw.len() && words.len() <= MOST_WORDS).then_some(Self { words, raw })
    }

    /// Whether a clause ends in front of this place.
    fn is_parted(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.raw.get(before));
        before.is_none_or(|raw| raw.ends_with(ENDS))
    }

    /// Whether an order begins here: the words of its clause in front of it say nothing.
    fn begins_order(&self, at: usize, around: Around<'_>) -> bool {
        let start = (0..=at).rev().find(|start| self.is_parted(*start)).unwrap_or(0);
        let front = self.words.get(start..at).unwrap_or_default();
        around.says_nothing(front, &[])
    }

    /// Whether an order ends here: with its clause, in front of a conjunction, or of words that say nothing.
    fn ends_order(&self, at: usize, around: Around<'_>) -> bool {
        let behind = self.words.get(at..).unwrap_or_default();
        let parted = || around.orders.parted(&self.words);
        self.is_parted(at)
            || parted().iter().any(|(head, _)| head.len() == at)
            || around.says_nothing(&[], behind)
    }

    /// Whether a further order begins here, behind a conjunction, and its verb ends there. With nothing slight behind it such a word
    /// is a part of a name: "reading glasses".
    fn goes_on_with(&self, at: usize, end: usize, around: Around<'_>) -> bool {
        let is_slight = |word: &Word| around.slight.contains(&word.plain);
        let count = self.words.len();
        let parted = || around.orders.parted(&self.words);
        self.words.get(end).is_some_and(is_slight)
            && parted()
                .iter()
                .any(|(_, tail)| count.checked_sub(tail.len()) == Some(at))
    }

    /// A word with the marks of the one in whose place it stands.
    fn with_marks(&self, word: &str, at: usize) -> String {
        let raw = self.raw.get(at).copied().unwrap_or_default();
        let marks = raw.get(raw.trim_end_matches(ENDS).len()..).unwrap_or_default();
        format!("{word}{marks}")
    }
}

#[cfg(test)]
mod tests;
