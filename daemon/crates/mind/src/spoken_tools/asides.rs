//! Orders and questions with something beside them that asks for nothing: "I can't hear a thing, turn the music down". Each clause
//! is understood as a whole by itself, or tells why, or says nothing.
//!
//! A clause that may say more of the order than why leaves all of it to a brain, and so does a pronoun that names what another
//! clause told of. Nothing here runs a tool.

use std::borrow::Cow;

use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::alerts;

use super::community::Words;
use super::{MOST_WISHES, MOST_WORDS, OF_PACK, SpokenTools, Wish};

/// With more of them it is a story. Each run of them is compared with all sentences.
const MOST_CLAUSES: usize = 5;

/// So many words that say nothing stand in front of an order.
const MOST_JOINS: usize = 3;

/// Signs that end a clause, where a blank follows.
const ENDS: [char; 8] = [',', '.', ';', ':', '!', '?', '…', '–'];

/// A part of what was said, up to a sign or to a word that links the next to it.
#[derive(Clone, Copy)]
struct Clause<'t> {
    said: &'t str,
    /// Whether a sign ends it.
    is_marked: bool,
}

impl SpokenTools {
    /// What a sentence asks for, perhaps with something in it or beside it that asks for nothing.
    pub(super) fn understood(&self, text: &str, lang: &str) -> Vec<Wish> {
        let found = self.understood_as_said(text, lang);
        if !found.is_empty() {
            return found;
        }
        let plain = without_particles(text, lang);
        plain.map_or(found, |plain| self.understood_as_said(&plain, lang))
    }

    fn understood_as_said(&self, text: &str, lang: &str) -> Vec<Wish> {
        let together = self.understood_together(text, lang);
        if !together.is_empty() && !self.is_loose(&together, text, lang) {
            return together;
        }
        let apart = self.beside_asides(text, lang);
        if apart.is_empty() { together } else { apart }
    }

    /// What the clauses of a text ask for; nothing where one of them may say anything else.
    fn beside_asides(&self, text: &str, lang: &str) -> Vec<Wish> {
        let read = self.read_apart(text, lang);
        read.map(|(wishes, _)| wishes).unwrap_or_default()
    }

    /// The text without what asks for nothing, where it is understood only so.
    pub(super) fn without_asides<'t>(&self, text: &'t str, lang: &str) -> Cow<'t, str> {
        let together = self.understood_together(text, lang);
        if !together.is_empty() && !self.is_loose(&together, text, lang) {
            return Cow::Borrowed(text);
        }
        match self.read_apart(text, lang) {
            Some((_, orders)) => Cow::Owned(orders.join(", ")),
            None if together.is_empty() => self
                .behind_joins(text, lang)
                .map_or(Cow::Borrowed(text), Cow::Owned),
            None => Cow::Borrowed(text),
        }
    }

    /// What a sentence asks for that is joined to an earlier one by its first words alone: "and set a timer for ten minutes".
    pub(super) fn joined_on(&self, text: &str, lang: &str) -> Option<Wish> {
        let behind = self.behind_joins(text, lang)?;
        self.understood_together(&behind, lang).into_iter().next()
    }

    /// The one whole sentence behind words that only join it to another.
    fn behind_joins(&self, text: &str, lang: &str) -> Option<String> {
        let asides = &Phrases::known(lang)?.asides;
        let said = words_and_figures(text);
        let behind = asides.behind_join(&said).filter(|_| said.len() <= MOST_WORDS)?;
        let (wishes, order) = self.ordered(&texts(behind).join(" "), lang)?;
        (wishes.len() == 1).then_some(order)
    }

    /// Whether these are a sentence of the pack that took words of the text for the name of a thing that is not there.
    fn is_loose(&self, wishes: &[Wish], text: &str, lang: &str) -> bool {
        let [Wish { call: Some(_), found }] = wishes else {
            return false;
        };
        let is_known = || self.of_pack(text, lang, Words::Known).is_some();
        let names_a_thing = || matches!(self.of_pack(text, lang, Words::Any), Some((_, true)));
        found.intent_name.starts_with(OF_PACK) && !is_known() && !names_a_thing()
    }

    /// The wishes of the clauses, and the words of each that has any.
    fn read_apart(&self, text: &str, lang: &str) -> Option<(Vec<Wish>, Vec<String>)> {
        let clauses = clauses(text, lang);
        let is_short = text.split_whitespace().count() <= MOST_WORDS;
        let is_read = is_short && clauses.len() <= MOST_CLAUSES && self.has_aside(&clauses, lang);
        let read = is_read.then(|| self.read_clauses(&clauses, lang)).flatten()?;
        // Of two orders one may speak of the other: "we need soap, note that for later".
        let is_one_order = read.1.len() == 1 && read.0.len() <= MOST_WISHES;
        is_one_order.then_some(read)
    }

    /// Whether a clause is an aside beside others, or has anything in front that says nothing: where none is, all was compared
    /// before.
    fn has_aside(&self, clauses: &[Clause<'_>], lang: &str) -> bool {
        let Some(phrases) = Phrases::known(lang) else {
            return false;
        };
        if let [clause] = clauses {
            let said = words_and_figures(clause.said);
            // "And the lamp" goes on with what was said before.
            let goes_on = || !phrases.following.read(&said).is_empty();
            return phrases.asides.behind_join(&said).is_some() && !goes_on();
        }
        clauses.iter().any(|clause| {
            let said = words_and_figures(clause.said);
            phrases.asides.behind_join(&said).is_some() || self.is_aside(clause.said, lang)
        })
    }

    /// Reads some clauses: the longest run of them that is an order, or else the shortest that is an aside, and then the rest.
    fn read_clauses(&self, clauses: &[Clause<'_>], lang: &str) -> Option<(Vec<Wish>, Vec<String>)> {
        if clauses.is_empty() {
            return Some((Vec::new(), Vec::new()));
        }
        let mut counts = 1..=clauses.len();
        let mut longest_first = counts.clone().rev();
        longest_first
            .find_map(|count| self.behind_order(clauses, count, lang))
            .or_else(|| counts.find_map(|count| self.behind_aside(clauses, count, lang)))
    }

    fn behind_order(
        &self,
        clauses: &[Clause<'_>],
        count: usize,
        lang: &str,
    ) -> Option<(Vec<Wish>, Vec<String>)> {
        let (run, rest) = clauses.split_at_checked(count)?;
        let (mut wishes, order) = self.ordered(&joined(run), lang)?;
        let (further, behind) = self.read_clauses(rest, lang)?;
        wishes.extend(further);
        Some((wishes, std::iter::once(order).chain(behind).collect()))
    }

    fn behind_aside(
        &self,
        clauses: &[Clause<'_>],
        count: usize,
        lang: &str,
    ) -> Option<(Vec<Wish>, Vec<String>)> {
        let (run, rest) = clauses.split_at_checked(count)?;
        let (_, before_last) = run.split_last()?;
        let is_one = before_last.iter().all(|clause| !clause.is_marked);
        let is_aside = is_one && self.is_aside(&joined(run), lang);
        is_aside.then(|| self.read_clauses(rest, lang)).flatten()
    }

    /// Whether a clause asks for nothing and tells no time, length or day, which the order beside it might be for.
    fn is_aside(&self, clause: &str, lang: &str) -> bool {
        let is_known = Phrases::known(lang).is_some_and(|phrases| phrases.asides.is_aside(clause));
        let tells_a_measure = || {
            let measures = self
                .intents
                .measures_in(clause, lang, |toolbox, _| toolbox == alerts::ID);
            measures
                .values()
                .flat_map(|read| read.values())
                .any(|parts| !parts.is_empty())
        };
        is_known && !tells_a_measure()
    }

    /// What a clause asks for that lacks nothing and names nothing by a pronoun, and its words.
    fn ordered(&self, clause: &str, lang: &str) -> Option<(Vec<Wish>, String)> {
        let phrases = Phrases::known(lang)?;
        let said = words_and_figures(clause);
        let mut words = said.as_slice();
        for _ in 0..=MOST_JOINS {
            let order = texts(words).join(" ");
            let order = order.trim_end_matches(',').to_owned();
            let mut wishes = self.understood_together(&order, lang);
            if self.is_loose(&wishes, &order, lang) {
                wishes.clear();
            }
            let is_whole =
                |wish: &Wish| self.whole_call(wish, lang).is_some() && !names_by_pronoun(wish, phrases);
            if !wishes.is_empty() {
                return wishes.iter().all(is_whole).then_some((wishes, order));
            }
            words = phrases.asides.behind_join(words)?;
        }
        None
    }
}

/// A sentence without its words that change nothing, where it has any: "wie spät ist es denn grad in Rom".
fn without_particles(text: &str, lang: &str) -> Option<String> {
    let said = words_and_figures(text);
    let asides = &Phrases::known(lang)?.asides;
    let plain = asides
        .without_particles(&said)
        .filter(|_| said.len() <= MOST_WORDS)?;
    Some(texts(&plain).join(" "))
}

/// Whether a gap holds nothing but a word that stands for something else.
fn names_by_pronoun(wish: &Wish, phrases: &Phrases) -> bool {
    let mut slots = wish.found.slots.iter();
    slots.any(|(_, said)| {
        words_and_figures(said)
            .iter()
            .all(|word| phrases.following.is_idle(word))
    })
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.said.as_str()).collect()
}

fn joined(run: &[Clause<'_>]) -> String {
    let said: Vec<&str> = run.iter().map(|clause| clause.said).collect();
    said.join(" ")
}

/// The clauses of a text.
fn clauses<'t>(text: &'t str, lang: &str) -> Vec<Clause<'t>> {
    let asides = Phrases::known(lang).map(|phrases| &phrases.asides);
    let is_link = |word: &str| asides.is_some_and(|asides| asides.is_link(word));
    let mut clauses = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(char::is_whitespace) {
        let (Some(said), Some(behind)) = (text.get(start..at), text.get(at..)) else {
            continue;
        };
        let is_marked = said.ends_with(ENDS);
        let next = behind.split_whitespace().next().unwrap_or_default();
        if is_marked || is_link(next) && !said.trim().is_empty() {
            clauses.push(Clause {
                said: said.trim(),
                is_marked,
            });
            start = at;
        }
    }
    let last = text.get(start..).unwrap_or_default().trim();
    clauses.push(Clause {
        said: last,
        is_marked: true,
    });
    clauses.retain(|clause| clause.said.contains(char::is_alphanumeric));
    clauses
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[test]
    fn a_clause_ends_at_a_sign_or_in_front_of_a_word_that_links() {
        let parted = |text: &str| -> Vec<String> {
            let clauses = clauses(text, "en-US").into_iter();
            clauses.map(|clause| clause.said.to_owned()).collect()
        };
        assert_eq!(
            parted("Right, it is 2,450 so turn it up. Now!"),
            ["Right,", "it is 2,450", "so turn it up.", "Now!"]
        );
        assert_eq!(parted("turn it up"), ["turn it up"]);
        assert!(parted(" ").is_empty());
    }
}
