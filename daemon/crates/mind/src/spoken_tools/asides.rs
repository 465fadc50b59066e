//! Orders and questions with something beside them that asks for nothing: "I can't hear a thing, turn the music down". Each clause
//! is understood as a whole by itself, or tells why, or says nothing.
//!
//! A clause that may say more of the order than why leaves all of it to a brain, and so does a pronoun that names what another
//! clause told of. Nothing here runs a tool.

use std::borrow::Cow;

use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{Intents, alerts};

use super::community::Words;
use super::years::with_year;
use super::{MOST_WISHES, MOST_WORDS, OF_PACK, SpokenTools, Wish};

/// With more of them it is a story. Each run of them is compared with all sentences.
const MOST_CLAUSES: usize = 5;

/// So many words that say nothing stand in front of an order.
const MOST_JOINS: usize = 3;

/// Arguments that hold a day, or on which days something is repeated.
const DAYS: [&str; 2] = ["date", "repeat"];

/// Signs that end a clause, where a blank follows.
const ENDS: [char; 8] = [',', '.', ';', ':', '!', '?', '…', '–'];

/// A part of what was said, up to a sign or to a word that links the next to it.
#[derive(Clone, Copy)]
struct Clause<'t> {
    said: &'t str,
    /// Whether a sign ends it.
    is_marked: bool,
}

/// What the clauses of a text say.
#[derive(Default)]
struct Apart {
    wishes: Vec<Wish>,
    /// The words of each clause that has any.
    orders: Vec<String>,
    /// Whether a clause that asks for nothing tells when something else is.
    tells_time: bool,
    /// Whether it tells on which day.
    tells_day: bool,
}

impl Apart {
    fn of(wishes: Vec<Wish>, order: String) -> Self {
        Self {
            wishes,
            orders: vec![order],
            tells_time: false,
            tells_day: false,
        }
    }
}

/// A clause that asks for nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aside {
    Plain,
    /// It tells when something else is.
    OfAnotherTime,
}

impl SpokenTools {
    /// What a sentence asks for, perhaps with something in it or beside it that asks for nothing.
    pub(super) fn understood(&self, text: &str, lang: &str) -> Vec<Wish> {
        let found = self.understood_as_said(text, lang);
        if !found.is_empty() {
            return found;
        }
        let plain = without_particles(text, lang);
        let found = plain.map_or(found, |plain| self.understood_as_said(&plain, lang));
        if !found.is_empty() {
            return found;
        }
        let other = self.in_other_words(text, lang);
        other.map_or(found, |other| self.understood_together(&other, lang))
    }

    /// The sentence that a text stands for which is none itself: with what it is about in its place, or with the year in figures.
    fn in_other_words(&self, text: &str, lang: &str) -> Option<String> {
        let about = self.about_its_topic(text, lang);
        about.or_else(|| {
            with_year(text, lang).filter(|dated| !self.understood_together(dated, lang).is_empty())
        })
    }

    fn understood_as_said(&self, text: &str, lang: &str) -> Vec<Wish> {
        let together = self.understood_together(text, lang);
        if self.have_time_of_another(&together, text, lang) {
            return Vec::new();
        }
        if !together.is_empty() && !self.is_loose(&together, text, lang) {
            return together;
        }
        let apart = self.beside_asides(text, lang);
        if apart.is_empty() { together } else { apart }
    }

    /// Whether a wish took its time from a clause that tells when something else is: "remind me to call Ann, her plane lands at
    /// nine".
    fn have_time_of_another(&self, wishes: &[Wish], text: &str, lang: &str) -> bool {
        let slots = wishes.iter().flat_map(|wish| &wish.found.slots);
        let slots = slots.map(|(slot, said)| (Intents::holds_time(slot), words_and_figures(said)));
        let slots: Vec<(bool, Vec<Word>)> = slots.filter(|(_, said)| !said.is_empty()).collect();
        let times: Vec<&Vec<Word>> = slots
            .iter()
            .filter(|(is_time, _)| *is_time)
            .map(|(_, said)| said)
            .collect();
        let clauses = clauses(text, lang);
        // A clause whose first words no gap took is a part of the sentence: "I have to feed the cat at seven so remind me".
        let is_taken = |first: &Word| {
            slots
                .iter()
                .any(|(_, said)| holds(said, std::slice::from_ref(first)))
        };
        let is_elsewhere = |clause: &Clause<'_>| {
            let said = words_and_figures(clause.said);
            times.iter().any(|time| holds(&said, time))
                && said.first().is_some_and(is_taken)
                && self.aside(clause.said, lang) == Some(Aside::OfAnotherTime)
        };
        !times.is_empty() && clauses.len() > 1 && clauses.iter().any(is_elsewhere)
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
                .or_else(|| self.in_other_words(text, lang))
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
    pub(super) fn is_loose(&self, wishes: &[Wish], text: &str, lang: &str) -> bool {
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
        let is_one_order = read.orders.len() == 1 && read.wishes.len() <= MOST_WISHES;
        // What has a time of its own is for no other that is told beside it.
        let has_time = !read.tells_time || self.have_times(&read.wishes, lang);
        // A day may be that of both: "wake me at five, we're flying on Friday".
        let is_clear = has_time && (!read.tells_day || self.have_days(&read.wishes, lang));
        (is_one_order && is_clear).then_some((read.wishes, read.orders))
    }

    /// Whether each of these wishes has its own time.
    fn have_times(&self, wishes: &[Wish], lang: &str) -> bool {
        wishes.iter().all(|wish| {
            let is_time = |slot: &str| Intents::holds_time(slot);
            let call = || self.called(wish, lang);
            wish.found.slots.iter().any(|(slot, _)| is_time(slot))
                || call().is_some_and(|call| call.arguments.keys().any(|argument| is_time(argument)))
        })
    }

    /// Whether each of these wishes has its own day.
    fn have_days(&self, wishes: &[Wish], lang: &str) -> bool {
        wishes.iter().all(|wish| {
            let slots = wish.found.slots.iter();
            let mut times = slots.filter(|(slot, _)| Intents::holds_time(slot));
            times.any(|(_, said)| self.tells_a_day(said, lang))
        })
    }

    fn tells_a_day(&self, text: &str, lang: &str) -> bool {
        let measures = self
            .intents
            .measures_in(text, lang, |toolbox, _| toolbox == alerts::ID);
        let mut read = measures.values().flatten();
        read.any(|(argument, parts)| DAYS.contains(&argument.as_str()) && !parts.is_empty())
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
            phrases.asides.behind_join(&said).is_some() || self.aside(clause.said, lang).is_some()
        })
    }

    /// Reads some clauses: the longest run of them that is an order, or else the shortest that is an aside, and then the rest.
    fn read_clauses(&self, clauses: &[Clause<'_>], lang: &str) -> Option<Apart> {
        if clauses.is_empty() {
            return Some(Apart::default());
        }
        let mut counts = 1..=clauses.len();
        let mut longest_first = counts.clone().rev();
        longest_first
            .find_map(|count| self.behind_order(clauses, count, lang))
            .or_else(|| counts.find_map(|count| self.behind_aside(clauses, count, lang)))
    }

    fn behind_order(&self, clauses: &[Clause<'_>], count: usize, lang: &str) -> Option<Apart> {
        let (run, rest) = clauses.split_at_checked(count)?;
        let (wishes, order) = self.ordered(&joined(run), lang)?;
        if self.is_done_by(&wishes, &joined(rest), lang) {
            return Some(Apart::of(wishes, order));
        }
        let behind = self.read_clauses(rest, lang)?;
        Some(Apart {
            wishes: wishes.into_iter().chain(behind.wishes).collect(),
            orders: std::iter::once(order).chain(behind.orders).collect(),
            tells_time: behind.tells_time,
            tells_day: behind.tells_day,
        })
    }

    fn behind_aside(&self, clauses: &[Clause<'_>], count: usize, lang: &str) -> Option<Apart> {
        let (run, rest) = clauses.split_at_checked(count)?;
        let (_, before_last) = run.split_last()?;
        let is_one = before_last.iter().all(|clause| !clause.is_marked);
        let aside = self.aside(&joined(run), lang).filter(|_| is_one)?;
        let behind = self.read_clauses(rest, lang)?;
        let is_of_time = aside == Aside::OfAnotherTime;
        Some(Apart {
            tells_time: behind.tells_time || is_of_time,
            tells_day: behind.tells_day || is_of_time && self.tells_a_day(&joined(run), lang),
            ..behind
        })
    }

    /// Whether words ask by a pronoun for what these wishes do already: "the rice is done, cancel it".
    fn is_done_by(&self, wishes: &[Wish], text: &str, lang: &str) -> bool {
        let [wish] = wishes else { return false };
        let Some(call) = self.called(wish, lang) else {
            return false;
        };
        let is_same = |intent: &str| {
            let tool = self.intents.tool(intent);
            self.pronouns.contains_key(intent) && tool == Some((&call.toolbox_id, &call.tool))
        };
        let found = self.among(text, lang, &is_same);
        found.is_some_and(|found| found.slots.is_empty())
    }

    /// How a clause asks for nothing; nothing where it may ask for something. A time, length or day in it may be that of the order
    /// beside it, unless it tells of something else.
    fn aside(&self, clause: &str, lang: &str) -> Option<Aside> {
        let asides = &Phrases::known(lang)?.asides;
        if !self.tells_a_measure(clause, lang) {
            return asides.is_aside(clause).then_some(Aside::Plain);
        }
        asides.is_appointment(clause).then_some(Aside::OfAnotherTime)
    }

    fn tells_a_measure(&self, clause: &str, lang: &str) -> bool {
        let measures = self
            .intents
            .measures_in(clause, lang, |toolbox, _| toolbox == alerts::ID);
        let mut read = measures.values().flat_map(|read| read.values());
        read.any(|parts| !parts.is_empty())
    }

    /// The one part of a text that is left without the clauses that ask for nothing; nothing where there are none of these, or no
    /// such part.
    pub(super) fn but_for_asides(&self, text: &str, lang: &str) -> Option<String> {
        let clauses = clauses(text, lang);
        if clauses.len() > MOST_CLAUSES || text.split_whitespace().count() > MOST_WORDS {
            return None;
        }
        let is_left = |clause: &&Clause<'_>| self.aside(clause.said, lang) != Some(Aside::Plain);
        let left: Vec<Clause<'_>> = clauses.iter().filter(is_left).copied().collect();
        let first = clauses.iter().position(|clause| is_left(&clause))?;
        let last = clauses.iter().rposition(|clause| is_left(&clause))?;
        let is_one = left.len() < clauses.len() && last + 1 - first == left.len();
        is_one.then(|| joined(&left).trim_end_matches(ENDS).to_owned())
    }

    /// What a clause asks for that lacks nothing and names nothing by a pronoun, and its words.
    fn ordered(&self, clause: &str, lang: &str) -> Option<(Vec<Wish>, String)> {
        let phrases = Phrases::known(lang)?;
        let said = words_and_figures(clause);
        let mut words = said.as_slice();
        for _ in 0..=MOST_JOINS {
            let order = texts(words).join(" ");
            let mut order = order.trim_end_matches(',').to_owned();
            let mut wishes = self.understood_together(&order, lang);
            if self.is_loose(&wishes, &order, lang) {
                wishes.clear();
            }
            let is_empty = wishes.is_empty();
            if let Some(about) = is_empty.then(|| self.about_its_topic(&order, lang)).flatten() {
                wishes = self.understood_together(&about, lang);
                order = about;
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
            .all(|word| phrases.following.is_idle(word) || phrases.ends_order(&word.plain))
    })
}

/// Whether these words stand among others, one behind the other.
fn holds(words: &[Word], wanted: &[Word]) -> bool {
    let plain = |words: &[Word]| -> Vec<String> { words.iter().map(|word| bare(&word.plain)).collect() };
    let wanted = plain(wanted);
    plain(words).windows(wanted.len()).any(|here| here == wanted)
}

/// A word without the signs around it.
fn bare(word: &str) -> String {
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned()
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
