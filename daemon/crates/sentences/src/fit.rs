//! Which sentences fit all the words of an utterance, and where in it sentences stand. Every fit counts; chooses none.

use std::cmp::Ordering;
use std::ops::Range;

use crate::context::Context;
use crate::home::Home;
use crate::language::{Block, Language, Sentence};
use crate::matcher::{BufferId, Found, Judge, Matcher, Takes, Way};
use crate::sketch::may_have;
use crate::utterance::Utterance;

/// Steps that one sentence may take; one that a person says takes a few hundred.
const MOST_STEPS: u32 = 5_000;

/// What is asked of the sentences.
#[derive(Clone, Copy)]
pub struct Fitting<'a> {
    /// Whether the sentences of an intent are meant.
    pub is_meant: &'a dyn Fn(&str) -> bool,
    /// Whether a slot of an intent may hold these words: the intent, the slot and the words. Without it, any may.
    pub takes: Option<Takes<'a>>,
}

/// A sentence that fits an utterance.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit<'a> {
    /// What a person wants.
    pub intent: &'a str,
    /// The place of the sentence among those that are meant.
    pub sentence: usize,
    /// They are slots and words, in the order of the sentence.
    pub slots: Vec<(String, String)>,
    /// Which words of the utterance each of them has.
    pub places: Vec<Range<usize>>,
    /// Words that the sentence names itself, of all words: 1.0 is the sentence itself.
    pub score: f64,
}

/// Where a sentence stands in an utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// It is this intent of the language, by its place.
    pub intent: usize,
    /// It covers these words.
    pub words: Range<usize>,
}

impl std::fmt::Debug for Fitting<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fitting").finish_non_exhaustive()
    }
}

impl Fitting<'static> {
    /// All sentences, with any words in their slots.
    pub const ALL: Self = Self {
        is_meant: &|_| true,
        takes: None,
    };
}

impl Fit<'_> {
    /// The one that is meant: of several sentences the one that foresees most words, of these the one with most slots, and of
    /// these the first. In one sentence each slot begins behind all that may stand before it, and a slot that is `typed` holds
    /// as many words as belong to it, any other as few as it can.
    pub fn best(fits: Vec<Self>, typed: impl Fn(&str) -> bool) -> Option<Self> {
        let mut of_sentences: Vec<Self> = Vec::new();
        for fit in fits {
            match of_sentences
                .last_mut()
                .filter(|last| last.sentence == fit.sentence)
            {
                None => of_sentences.push(fit),
                Some(last) if fit.order(last, &typed).is_gt() => *last = fit,
                Some(_) => {}
            }
        }
        of_sentences
            .into_iter()
            .reduce(|best, fit| if fit.worth(&best).is_gt() { fit } else { best })
    }

    /// Which of two fits of one sentence is meant rather.
    fn order(&self, other: &Self, typed: &impl Fn(&str) -> bool) -> Ordering {
        let slots = self.slots.iter().zip(&self.places).zip(&other.places);
        let by_slots = slots.map(|(((slot, _), own), others)| {
            let longer = own.end.cmp(&others.end);
            let by_length = if typed(slot) { longer } else { longer.reverse() };
            own.start.cmp(&others.start).then(by_length)
        });
        let first = by_slots.into_iter().find(|order| order.is_ne());
        first.unwrap_or_else(|| self.worth(other))
    }

    fn worth(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then_with(|| self.slots.len().cmp(&other.slots.len()))
    }
}

impl Language {
    /// Every way in which a sentence accounts for all words. Takes what it needs from the steps that are left; without any,
    /// nothing fits, and a sentence that needs too many does not.
    pub fn fits<'a>(
        &'a self,
        utterance: &Utterance,
        asked: Fitting<'_>,
        steps_left: &mut u32,
    ) -> Vec<Fit<'a>> {
        let (home, known) = (Home::new(), Context::new());
        let mut search: Option<Search<'_>> = None;
        let mut fits = Vec::new();
        for (number, (block, sentence)) in self.meant(asked.is_meant).enumerate() {
            let Some(left) = steps_left.checked_sub(1) else {
                break;
            };
            *steps_left = left;
            if !may_have(utterance.sketch, &sentence.needs) {
                continue;
            }
            let search = search.get_or_insert_with(|| {
                let judge = Judge::new(utterance, asked.takes);
                Search::new(self, utterance, &home, &known, Some(judge))
            });
            search.matcher.steps = 0;
            search.matcher.most_steps = left.min(MOST_STEPS);
            search.fits_of(block, sentence, self.intent_of(block), number, &mut fits);
            *steps_left -= search.matcher.steps.min(search.matcher.most_steps);
        }
        fits
    }

    /// Everywhere a sentence stands in an utterance without open text, with these names. None of them is empty.
    pub fn places(&self, utterance: &Utterance, home: &Home) -> Vec<Place> {
        let known = Context::new();
        let mut search = Search::new(self, utterance, home, &known, None);
        search.matcher.is_closed = true;
        let mut places = Vec::new();
        for (block, sentence) in self.meant(&|_| true) {
            if may_have(utterance.sketch, &sentence.needs) {
                search.places_of(block, sentence, &mut places);
            }
        }
        places.sort_unstable_by(|one: &Place, other| {
            let order = |place: &Place| (place.intent, place.words.start, place.words.end);
            order(one).cmp(&order(other))
        });
        places.dedup();
        places
    }

    fn meant<'a>(
        &'a self,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> impl Iterator<Item = (&'a Block, &'a Sentence)> {
        let blocks = self.blocks.iter().filter(|block| is_meant(self.intent_of(block)));
        blocks.flat_map(|block| block.sentences.iter().map(move |sentence| (block, sentence)))
    }
}

/// An utterance on its way through sentences.
struct Search<'a> {
    matcher: Matcher<'a>,
    form: BufferId,
    utterance: &'a Utterance,
    ways: Vec<Way>,
}

impl<'a> Search<'a> {
    fn new(
        language: &'a Language,
        utterance: &'a Utterance,
        home: &'a Home,
        known: &'a Context,
        judge: Option<Judge<'a>>,
    ) -> Self {
        let mut matcher = Matcher::new(language, home, known);
        matcher.judge = judge;
        Self {
            form: matcher.buffers.add(utterance.spoken.clone()),
            matcher,
            utterance,
            ways: Vec::new(),
        }
    }

    /// Adds every way in which a sentence fits; none if it needs too many steps.
    fn fits_of<'f>(
        &mut self,
        block: &'a Block,
        sentence: &'a Sentence,
        intent: &'f str,
        number: usize,
        fits: &mut Vec<Fit<'f>>,
    ) {
        let first = fits.len();
        let mut ways = std::mem::take(&mut self.ways);
        self.matcher
            .ways(block, sentence.root, Way::starting(self.form, 0), &mut ways);
        for way in ways.drain(..) {
            if self.matcher.has_given_up() {
                break;
            }
            if let Some(found) = self.matcher.found(way) {
                self.matcher.count(found.len() as u32 + 1);
                fits.push(self.fit(&found, intent, number));
            }
        }
        self.ways = ways;
        if self.matcher.has_given_up() {
            fits.truncate(first);
        }
    }

    fn fit<'f>(&self, found: &[Found<'_>], intent: &'f str, sentence: usize) -> Fit<'f> {
        let letters = |found: &Found<'_>| self.matcher.buffers.trimmed(found.buffer, found.from, found.to);
        let name = |found: &Found<'_>| self.matcher.language.slots.get(found.slot as usize).cloned();
        let slots = found.iter().map(|found| {
            (
                name(found).unwrap_or_default(),
                self.utterance.said(&letters(found)),
            )
        });
        let places = found.iter().map(|found| self.utterance.touched(&letters(found)));
        let places: Vec<Range<usize>> = places.collect();
        let words = self.utterance.words().len();
        let literal = words.saturating_sub(places.iter().map(Range::len).sum());
        Fit {
            intent,
            sentence,
            slots: slots.collect(),
            places,
            score: literal as f64 / words.max(1) as f64,
        }
    }

    fn places_of(&mut self, block: &'a Block, sentence: &'a Sentence, places: &mut Vec<Place>) {
        let mut ways = std::mem::take(&mut self.ways);
        for (start, place) in self.utterance.starts().enumerate() {
            self.matcher
                .ways(block, sentence.root, Way::starting(self.form, place), &mut ways);
            let ends = ways
                .drain(..)
                .filter(|way| way.at > place && self.utterance.is_word_end(way.at));
            places.extend(ends.map(|way| Place {
                intent: block.intent as usize,
                words: start..self.utterance.touched(&(place..way.at)).end,
            }));
        }
        self.ways = ways;
    }
}

#[cfg(test)]
mod tests;
