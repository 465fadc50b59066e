//! Putting new words in the place of old ones: which gaps of a sentence can hold them.
//!
//! A part of what fills a gap goes before all of it: a room in the name of a thing, a time of day in a moment, a number in a sum.
//! Words that are known go before words of a person's own, which fill a gap only where that is surely meant.

mod days;
mod hour;
mod names;
mod year;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use loquat_phrases::following::{Following, GoesOn, Move};
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{Intents, alerts, numbers};
use loquat_speech::is_number;

use super::{LastSaid, NEGATABLE, Own, SpokenTools, joined};

/// Gaps for a time of day, for a day, for either or both, and for days on which something is repeated.
const TIME: &str = "time";
const DATE: &str = "date";
const MOMENT: &str = "when";
const REPEAT: &str = "repeat";
const DAYS: [&str; 2] = [DATE, MOMENT];

/// Words that can be parted in two in more places than that are not parted.
const MOST_PARTED: usize = 8;

/// Gaps for places that may have any name.
const PLACES: [&str; 1] = ["place"];

/// A room is meant as one, and not as the things in it.
const ROOM: &str = "area";

/// Gaps for what has a name of a person's own.
const NAME: &str = "name";

/// The gap for a word that is spelled, which may be any.
const WORD: &str = "word";

/// Gaps for how many are meant.
const COUNT: &str = "count";

/// Times after which no other is needed.
const WHOLE_TIMES: [&str; 3] = ["duration", "period", MOMENT];

/// How words are put in.
pub(super) struct Filling<'a> {
    pub(super) spoken: &'a SpokenTools,
    pub(super) following: &'a Following,
    pub(super) last: &'a LastSaid,
    pub(super) lang: &'a str,
    pub(super) way: &'a GoesOn,
    /// The whole text, with the commas that a gap does not keep.
    pub(super) said: &'a [Word],
    /// Whether gaps may be filled with words of a person's own.
    pub(super) takes_free_words: bool,
    /// Whether the sentence changes something.
    pub(super) acts: bool,
    pub(super) known: Known,
}

/// Which words are known in which gap of which intent, as far as that was looked at: reading them is what takes time.
#[derive(Default)]
pub(super) struct Known(RefCell<BTreeMap<(String, String, String), bool>>);

/// Words fit, but not so that it is clear what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unclear;

/// A number, and the word that joins it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Figure<'a>(Option<&'a str>);

/// Words, and the one that joins them.
#[derive(Clone, Copy)]
struct Core<'a> {
    words: &'a [Word],
    joiner: Option<&'a Word>,
}

/// A part of the words that fill a gap.
struct Place<'a> {
    slot: &'a str,
    words: &'a [Word],
    part: Range<usize>,
}

/// Sentences that words make of another, each once.
#[derive(Default)]
struct Made(Vec<Own>);

impl Made {
    fn add(&mut self, own: Own) {
        if !self.0.contains(&own) {
            self.0.push(own);
        }
    }

    /// The only one, if there is any.
    fn only(self) -> Result<Option<Own>, Unclear> {
        let mut made = self.0.into_iter();
        let first = made.next();
        if made.next().is_some() {
            return Err(Unclear);
        }
        Ok(first)
    }
}

impl Filling<'_> {
    /// The sentence with the words in it; nothing where they fit nowhere.
    pub(super) fn filled(&self, own: &Own) -> Result<Option<Own>, Unclear> {
        let rest = words_and_figures(&self.way.rest);
        let clock = self.with_hour(own, &rest);
        let rest = clock.as_deref().unwrap_or(&rest);
        let filled = match &self.way.old {
            Some(old) => self.instead_of(own, &words_and_figures(old), rest)?,
            None => match self.in_one_gap(own, rest)? {
                Some(filled) => Some(filled),
                // Words alone are meant for one thing.
                None if self.way.how == Move::Bare => None,
                None => self.in_two_gaps(own, rest)?,
            },
        };
        match filled {
            Some(filled) if filled == *own => Err(Unclear),
            filled => Ok(filled.map(|filled| self.in_half_of(filled, own))),
        }
    }

    /// The words without those in front that join them, and without what stands for the thing of before behind them, the longest
    /// first.
    fn cores<'w>(&self, words: &'w [Word]) -> Vec<Core<'w>> {
        let mut cores = Vec::new();
        for core in self.following.cores(words) {
            let start = words.len() - core.len();
            let joiner = start.checked_sub(1).and_then(|at| words.get(at));
            let shorter = core.split_last();
            cores.push(Core { words: core, joiner });
            if let Some((_, shorter)) = shorter.filter(|(last, _)| self.following.joins(last)) {
                cores.push(Core {
                    words: shorter,
                    joiner,
                });
            }
        }
        cores.retain(|core| !self.following.brings_nothing(core.words));
        cores
    }

    /// The sentence about where the device is, in the place of another place.
    fn here(&self, own: &Own, cores: &[Core<'_>]) -> Option<Own> {
        let is_here = cores.iter().any(|core| self.following.is_here(core.words));
        let is_place = |slot: &str| slot == ROOM || PLACES.contains(&slot);
        let slots = own.slots.iter().filter(|(slot, _)| !is_place(slot)).cloned();
        let slots: Vec<(String, String)> = slots.collect();
        let had_place = slots.len() < own.slots.len();
        (is_here && had_place && !self.acts).then(|| {
            let narrower = self
                .spoken
                .intents
                .narrower(&own.intent)
                .filter(|_| slots.is_empty());
            let intent = narrower.unwrap_or_else(|| own.intent.clone());
            Own {
                intent,
                slots,
                ..own.clone()
            }
        })
    }

    fn in_one_gap(&self, own: &Own, rest: &[Word]) -> Result<Option<Own>, Unclear> {
        let cores = self.cores(rest);
        if let Some(here) = self.here(own, &cores) {
            return Ok(Some(here));
        }
        if let Some(at_part) = self
            .at_part_of_day(own, rest)
            .filter(|_| self.acts && self.way.how.takes_back())
        {
            return Ok(Some(at_part));
        }
        let known = self.known(own, &cores)?;
        let free = || {
            let (longest, shortest) = (cores.first()?, cores.last()?);
            self.free(own, *shortest, *longest)
        };
        Ok(match known {
            // A name ends where known words begin.
            None if self.takes_free_words => match self.in_two_gaps(own, rest) {
                Ok(Some(both)) => Some(both),
                _ => free(),
            },
            None => cores.last().and_then(|core| {
                self.in_only_number(own, *core)
                    .or_else(|| self.renamed(own, *core))
            }),
            known => known,
        })
    }

    /// Another number in the place of the only one of what a person has dictated: "no, it's 4712".
    fn in_only_number(&self, own: &Own, core: Core<'_>) -> Option<Own> {
        let is_correction = self.acts && self.way.how.takes_back() && self.number_in(core.words).is_some();
        if !is_correction {
            return None;
        }
        let mut made = Made::default();
        for (slot, said) in &own.slots {
            let words = words_and_figures(said);
            let numbers = words.iter().enumerate();
            let mut numbers = numbers.filter(|(_, word)| is_number(&word.plain, self.lang));
            if let (Some((at, _)), None) = (numbers.next(), numbers.next()) {
                let mut new = words.clone();
                new.splice(at..=at, core.words.iter().cloned());
                made.add(replaced(own, slot, &joined(&new)));
            }
        }
        made.only().ok()?
    }

    /// Where such words may be parted in two: at their comma, where they have one.
    fn places_to_part(&self, words: &[Word]) -> Vec<usize> {
        let commas = self.commas_in(words);
        if commas.is_empty() {
            (1..words.len()).collect()
        } else {
            commas
        }
    }

    /// Whether there is a comma between these words: what stands behind it is no part of a name.
    fn is_parted(&self, words: &[Word]) -> bool {
        !self.commas_in(words).is_empty()
    }

    /// The words with the commas between them.
    fn with_commas(&self, words: &[Word]) -> String {
        let commas = self.commas_in(words);
        let with_comma = |(at, word): (usize, &Word)| {
            let comma = if commas.contains(&(at + 1)) { "," } else { "" };
            format!("{}{comma}", word.said.trim_end_matches(','))
        };
        let words: Vec<String> = words.iter().enumerate().map(with_comma).collect();
        words.join(" ")
    }

    /// How many of these words stand before each comma between them.
    fn commas_in(&self, words: &[Word]) -> Vec<usize> {
        let is_here = |window: &[Word]| {
            window
                .iter()
                .map(|word| &word.plain)
                .eq(words.iter().map(|word| &word.plain))
        };
        let mut windows = self.said.windows(words.len().max(1));
        let Some(found) = windows.find(|window| is_here(window)) else {
            return Vec::new();
        };
        let inner = found.iter().enumerate().take(words.len().saturating_sub(1));
        let ends = inner.filter(|(_, word)| word.said.ends_with(','));
        ends.map(|(at, _)| at + 1).collect()
    }

    /// Words of which the first ones fill one gap and the others another.
    fn in_two_gaps(&self, own: &Own, rest: &[Word]) -> Result<Option<Own>, Unclear> {
        let mut made = Made::default();
        let mut named: Vec<(usize, Own)> = Vec::new();
        let places = self.places_to_part(rest);
        if places.len() > MOST_PARTED {
            return made.only();
        }
        for (front, back) in places.iter().filter_map(|at| rest.split_at_checked(*at)) {
            for (known, other) in [(front, back), (back, front)] {
                match self.in_both(own, known, other) {
                    Some((both, true)) => named.push((known.len(), both)),
                    Some((both, false)) => made.add(both),
                    None => {}
                }
            }
        }
        // A name ends where the longest words that are known begin: "the oven half" is none beside "an hour".
        let most = named.iter().map(|(known, _)| *known).max();
        let named = named.into_iter().filter(|(known, _)| Some(*known) == most);
        named.for_each(|(_, both)| made.add(both));
        made.only()
    }

    /// The sentence with known words in one gap, and then with others in another, and whether these are a name.
    fn in_both(&self, own: &Own, known: &[Word], other: &[Word]) -> Option<(Own, bool)> {
        let first = self.known(own, &self.cores(known)).ok()??;
        let cores = self.cores(other);
        let second = match self.known(&first, &cores).ok()? {
            Some(second) => (second, false),
            None => (self.named(&first, *cores.last()?)?, true),
        };
        Some(second).filter(|(second, _)| has_all_of(second, &first, own))
    }

    /// The sentence with known words in a gap.
    fn known(&self, own: &Own, cores: &[Core<'_>]) -> Result<Option<Own>, Unclear> {
        let ways = [
            Self::in_day_beside,
            Self::in_part,
            Self::in_gap,
            Self::in_new_gap,
            Self::in_number,
            Self::in_year,
            Self::within,
        ];
        for way in ways {
            let mut is_over = false;
            for core in cores {
                let mut made = Made::default();
                is_over |= way(self, own, *core, &mut made);
                if !made.0.is_empty() {
                    return made.only();
                }
            }
            if is_over {
                return Err(Unclear);
            }
        }
        Ok(None)
    }

    /// In the place of a part of a gap that is of their kind. Where there is such a part, they are meant for nothing else.
    fn in_part(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let mut has_part = false;
        let text = joined(core.words);
        let kinds: Vec<(&str, &str)> = self.gaps(own).collect();
        for (slot, said) in &own.slots {
            let words = words_and_figures(said);
            let is_other = |kind: &str| kind != slot && !self.is_known(own, kind, said);
            let others = kinds.iter().filter(|(kind, _)| is_other(kind));
            for (kind, _) in others.filter(|(kind, _)| self.is_known(own, kind, &text)) {
                for part in parts(words.len()) {
                    let old = words.get(part.clone()).unwrap_or_default();
                    let begins_so = self.begins_joined(old) == self.begins_joined(core.words);
                    if begins_so && self.is_known(own, kind, &joined(old)) {
                        has_part = true;
                        let words = &words;
                        self.splice(own, Place { slot, words, part }, core.words, made);
                    }
                }
            }
        }
        has_part
    }

    fn begins_joined(&self, words: &[Word]) -> bool {
        words.first().is_some_and(|first| self.following.joins(first))
    }

    /// In the place of all that fills a gap.
    fn in_gap(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let said = own.slots.iter().map(|(slot, _)| slot.as_str());
        let text = joined(core.words);
        let fitting: Vec<&str> = self.fitting(own, said, &text).collect();
        let meant: Vec<&str> = match fitting.as_slice() {
            [_, _, ..] => {
                let is_joined_so = |slot: &&str| self.is_joined_by(own, slot, core.joiner);
                fitting.iter().copied().filter(is_joined_so).collect()
            }
            _ => fitting.clone(),
        };
        for slot in &meant {
            made.add(replaced(own, slot, &text));
        }
        meant.is_empty() && !fitting.is_empty()
    }

    /// In a gap that nothing filled, perhaps of the wider intent.
    fn in_new_gap(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let text = joined(core.words);
        let unsaid = |own: &Own| -> Vec<&'static str> {
            let gaps = self.spoken.intents.gaps(&own.intent);
            let is_said = |slot: &str| own.slots.iter().any(|(said, _)| said == slot);
            gaps.map(|(slot, _)| slot).filter(|slot| !is_said(slot)).collect()
        };
        let wider = self.spoken.intents.wider(&own.intent).map(|intent| Own {
            intent,
            ..own.clone()
        });
        for own in std::iter::once(own).chain(wider.as_ref()) {
            let gaps = unsaid(own);
            let fitting: Vec<&str> = self.fitting(own, gaps.into_iter(), &text).collect();
            let repeats = fitting.contains(&REPEAT);
            // A time of day leaves the day that was said as it is.
            let is_of_day = fitting.contains(&TIME);
            let is_meant = |slot: &&str| (!repeats || *slot == REPEAT) && (!is_of_day || *slot != MOMENT);
            for slot in fitting.into_iter().filter(is_meant) {
                made.add(self.with(own, slot, &text));
            }
            if !made.0.is_empty() {
                break;
            }
        }
        self.one_of_each_argument(own, made);
        false
    }

    /// A number in the place of a number, with the same word in front of both where one is said.
    fn in_number(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let Some(shape) = self.number_in(core.words) else {
            return false;
        };
        // A deed is not done once more by a mere number.
        if self.acts && !self.way.how.takes_back() {
            return false;
        }
        for (slot, said) in self.known_slots(own) {
            let words = words_and_figures(said);
            for part in parts(words.len()) {
                let old = words.get(part.clone()).unwrap_or_default();
                let is_whole = || !self.goes_on_with_number(&words, &part, shape.0.is_some());
                if self.number_in(old) == Some(shape) && is_whole() {
                    let words = &words;
                    self.splice(own, Place { slot, words, part }, core.words, made);
                }
            }
        }
        false
    }

    /// The number that these words are.
    fn number_in<'w>(&self, words: &'w [Word]) -> Option<Figure<'w>> {
        if self.is_number_alone(words) {
            return Some(Figure(None));
        }
        let (first, rest) = words.split_first()?;
        let is_joined = self.following.joins(first) && self.is_number_alone(rest);
        is_joined.then_some(Figure(Some(first.plain.as_str())))
    }

    /// Whether words are a number, perhaps with other words between its own: "two hundred and fifty".
    fn is_number_alone(&self, words: &[Word]) -> bool {
        let is_in = |word: Option<&Word>| word.is_some_and(|word| is_number(&word.plain, self.lang));
        let is_framed = is_in(words.first()) && is_in(words.last());
        let text = joined(words);
        is_framed && (is_number(&text, self.lang) || numbers::number(&text, self.lang).is_some())
    }

    /// Whether a number goes on behind these words, or before them where no word joins it.
    fn goes_on_with_number(&self, words: &[Word], part: &Range<usize>, is_joined: bool) -> bool {
        let is_in = |run: Range<usize>| {
            let run = words.get(run).unwrap_or_default();
            self.is_number_alone(run)
        };
        let begin = part.start + usize::from(is_joined);
        let goes_on = (part.end + 1..=words.len()).any(|end| is_in(begin..end) || is_in(part.end..end));
        goes_on || !is_joined && (0..begin).any(|start| is_in(start..part.end) || is_in(start..begin))
    }

    /// In the place of some words of a gap, which then is known as a whole: the colour in the name of a lamp.
    fn within(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let has_number = |words: &[Word]| words.iter().any(|word| is_number(&word.plain, self.lang));
        if has_number(core.words) {
            return false;
        }
        for (slot, said) in self.known_slots(own) {
            let words = words_and_figures(said);
            let places =
                parts(words.len()).filter(|part| !has_number(words.get(part.clone()).unwrap_or_default()));
            for part in places.collect::<Vec<_>>() {
                let words = &words;
                self.splice(own, Place { slot, words, part }, core.words, made);
            }
        }
        false
    }

    /// The gaps of which more than one word is known, and what fills them.
    fn known_slots<'o>(&self, own: &'o Own) -> impl Iterator<Item = (&'o str, &'o str)> {
        let slots = own.slots.iter();
        let slots = slots.filter(|(slot, said)| said.contains(' ') && self.is_known(own, slot, said));
        slots.map(|(slot, said)| (slot.as_str(), said.as_str()))
    }

    /// Adds the sentence with new words in the place of a part of a gap, if that is known then.
    fn splice(&self, own: &Own, place: Place<'_>, core: &[Word], made: &mut Made) {
        let mut new = place.words.to_vec();
        new.splice(place.part, core.iter().cloned());
        let said = joined(&new);
        if self.is_known(own, place.slot, &said) {
            made.add(replaced(own, place.slot, &said));
        }
    }

    /// In the place of what was not meant, which fills a gap or a part of it.
    fn instead_of(&self, own: &Own, old: &[Word], rest: &[Word]) -> Result<Option<Own>, Unclear> {
        let plain = |words: &[Word]| -> Vec<String> { words.iter().map(|word| word.plain.clone()).collect() };
        let mut made = Made::default();
        let Some(new) = self.cores(rest).pop() else {
            return Ok(None);
        };
        for old in self.cores(old) {
            for (slot, said) in &own.slots {
                let words = words_and_figures(said);
                for part in all_parts(words.len()) {
                    if plain(words.get(part.clone()).unwrap_or_default()) != plain(old.words) {
                        continue;
                    }
                    let mut with_new = words.clone();
                    with_new.splice(part, new.words.iter().cloned());
                    let said = joined(&with_new);
                    let is_named = self.names_something(new) || self.is_known(own, slot, &said);
                    let takes = self.spoken.intents.takes(&own.intent, self.lang, slot, &said);
                    if is_named && takes {
                        made.add(replaced(own, slot, &said));
                    }
                }
            }
            if !made.0.is_empty() {
                break;
            }
        }
        made.only()
    }

    /// The gaps that hold these words, which are known. A room is meant as one.
    fn fitting<'s>(
        &self,
        own: &Own,
        slots: impl Iterator<Item = &'s str>,
        text: &str,
    ) -> impl Iterator<Item = &'s str> {
        let fitting: Vec<&str> = slots.filter(|slot| self.is_known(own, slot, text)).collect();
        let has_room = self.spoken.intents.has_slot(&own.intent, ROOM) && self.is_known(own, ROOM, text);
        fitting.into_iter().filter(move |slot| !has_room || *slot == ROOM)
    }

    /// Whether a gap holds these words as it would not hold any others.
    fn is_known(&self, own: &Own, slot: &str, text: &str) -> bool {
        let key = (own.intent.clone(), slot.to_owned(), text.to_owned());
        if let Some(is_known) = self.known.0.borrow().get(&key) {
            return *is_known;
        }
        let (intent, spoken) = (own.intent.as_str(), self.spoken);
        let is_known = spoken.intents.takes(intent, self.lang, slot, text)
            && (self.is_place(own, slot, text) || !spoken.takes_any_word(intent, self.lang, slot, text));
        self.known.0.borrow_mut().insert(key, is_known);
        is_known
    }

    /// Whether these words are a place, where any may be one: a city that is known, or what was said already with more to it.
    fn is_place(&self, own: &Own, slot: &str, text: &str) -> bool {
        if !PLACES.contains(&slot) {
            return false;
        }
        let words = words_and_figures(text);
        if self.begins_joined(&words) {
            return false;
        }
        let has = |said: &str| {
            let said = words_and_figures(said);
            said.iter()
                .all(|word| words.iter().any(|new| new.plain == word.plain))
        };
        let is_refined = own.slots.iter().any(|(said, words)| said == slot && has(words));
        is_refined || self.spoken.intents.is_known_place(text)
    }

    /// Whether the gap was joined to its sentence by the same word as the new words are.
    fn is_joined_by(&self, own: &Own, slot: &str, joiner: Option<&Word>) -> bool {
        let Some(joiner) = joiner else { return false };
        let said = own.slots.iter().find(|(known, _)| known == slot);
        let Some(said) = said.map(|(_, said)| words_and_figures(said)) else {
            return false;
        };
        let sentence = words_and_figures(&self.last.text);
        let mut windows = sentence.windows(said.len() + 1);
        windows.any(|window| {
            let mut words = window.iter().map(|word| &word.plain);
            words.next() == Some(&joiner.plain) && words.eq(said.iter().map(|word| &word.plain))
        })
    }

    /// The sentence with another gap filled. A time that says it all takes the place of other times.
    fn with(&self, own: &Own, slot: &str, text: &str) -> Own {
        let argument = self.argument(own, slot);
        let is_whole_time = WHOLE_TIMES.contains(&slot);
        // Days on which it is repeated stand in the place of the one day.
        let is_repeat = slot == REPEAT;
        let stays = |(said, _): &(String, String)| {
            let is_time = Intents::holds_time(said);
            let is_day = is_repeat && DAYS.contains(&said.as_str());
            self.argument(own, said) != argument && !(is_whole_time && is_time) && !is_day
        };
        let without_day = |(said, words): &(String, String)| {
            let told = alerts::without_day(words, self.lang).filter(|_| is_repeat && said == TIME);
            (said.clone(), told.unwrap_or_else(|| words.clone()))
        };
        let slots = own.slots.iter().filter(|slot| stays(slot));
        let mut slots: Vec<(String, String)> = slots.map(without_day).collect();
        slots.push((slot.to_owned(), text.to_owned()));
        Own { slots, ..own.clone() }
    }

    /// Gaps that become the same argument are one.
    fn one_of_each_argument(&self, own: &Own, made: &mut Made) {
        let calls: Vec<_> = made
            .0
            .iter()
            .map(|own| self.spoken.made(own, self.lang))
            .collect();
        let is_alike = calls.iter().all(|call| *call == calls.first().cloned().flatten());
        if is_alike || self.are_one_argument(own, &made.0) {
            made.0.truncate(1);
        }
    }

    fn are_one_argument(&self, own: &Own, made: &[Own]) -> bool {
        let argument = |made: &Own| made.slots.last().and_then(|(slot, _)| self.argument(own, slot));
        let mut arguments = made.iter().map(argument);
        let first = arguments.next().flatten();
        first.is_some() && arguments.all(|argument| argument == first)
    }

    fn gaps(&self, own: &Own) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.spoken.intents.gaps(&own.intent)
    }

    fn argument(&self, own: &Own, slot: &str) -> Option<&'static str> {
        let mut gaps = self.gaps(own);
        gaps.find(|(known, _)| *known == slot)
            .map(|(_, argument)| argument)
    }
}

/// The sentence with other words in a gap.
fn replaced(own: &Own, slot: &str, text: &str) -> Own {
    let slots = own.slots.iter().map(|(known, said)| {
        let said = if known == slot { text } else { said };
        (known.clone(), said.to_owned())
    });
    Own {
        slots: slots.collect(),
        ..own.clone()
    }
}

/// Whether what a first step put in a sentence is still in it behind the second.
fn has_all_of(second: &Own, first: &Own, own: &Own) -> bool {
    let mut new = first.slots.iter().filter(|slot| !own.slots.contains(slot));
    new.all(|slot| second.slots.contains(slot)) && second != first
}

/// Whether a new thing has but another name than the one before, and no time of its own.
pub(super) fn is_named_alone(new: &Own, own: &Own) -> bool {
    let mut changed = new
        .slots
        .iter()
        .filter(|slot| !own.slots.contains(slot))
        .peekable();
    changed.peek().is_some() && changed.all(|(slot, _)| slot == NAME)
}

/// The sentence about one thing, where the number is that of the sentence before.
pub(super) fn of_one(new: Own, own: &Own) -> Own {
    let is_of_before = |(slot, said): &(String, String)| {
        slot == COUNT
            && own
                .slots
                .iter()
                .any(|(known, before)| known == slot && before == said)
    };
    let slots = new.slots.iter().filter(|slot| !is_of_before(slot)).cloned();
    Own {
        slots: slots.collect(),
        ..new
    }
}

/// Every row of some, but not all, of so many words.
fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    all_parts(count).filter(move |part| part.len() < count)
}

fn all_parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).flat_map(move |start| (start + 1..=count).map(move |end| start..end))
}
