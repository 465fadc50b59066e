//! A text made ready to be matched, each letter with its place in the normalised text. Knows no templates.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::letter::{is_punctuation, is_space, is_unspaced, is_word};

/// Letters, and where each stands in the normalised text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub(crate) letters: Vec<char>,
    pub(crate) places: Vec<u32>,
}

/// White space as one space each, letters with accents in one piece, and one kind of apostrophe.
pub(crate) fn even(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if is_space(letter) => {
                if !spaced.ends_with(' ') {
                    spaced.push(' ');
                }
            }
            letter => spaced.push(letter),
        }
    }
    let whole = if is_nfc(&spaced) {
        spaced
    } else {
        spaced.nfc().collect()
    };
    whole.replace('’', "'")
}

/// The text without signs around its words and without space around it.
pub(crate) fn normalised(text: &str) -> Vec<char> {
    let mut spoken = Spoken::new(even(text).chars().collect());
    spoken.drop_punctuation();
    spoken.trim();
    spoken.letters
}

impl Spoken {
    pub(crate) fn new(letters: Vec<char>) -> Self {
        let places = (0..letters.len() as u32).collect();
        Self { letters, places }
    }

    /// Cuts out ranges, which follow each other, and puts a letter in the place of each.
    pub(crate) fn replace(&mut self, ranges: &[Range<usize>], letter: Option<char>) {
        if ranges.is_empty() {
            return;
        }
        let mut kept = Self::new(Vec::with_capacity(self.letters.len()));
        let mut from = 0;
        for range in ranges {
            kept.take(self, from..range.start);
            if let (Some(letter), Some(place)) = (letter, self.places.get(range.start)) {
                kept.letters.push(letter);
                kept.places.push(*place);
            }
            from = range.end;
        }
        kept.take(self, from..self.letters.len());
        *self = kept;
    }

    fn take(&mut self, other: &Self, range: Range<usize>) {
        self.letters
            .extend(other.letters.get(range.clone()).unwrap_or_default());
        self.places.extend(other.places.get(range).unwrap_or_default());
    }

    /// Cuts off white space at both ends.
    pub(crate) fn trim(&mut self) {
        let is_said = |letter: &char| !is_space(*letter);
        let end = self.letters.iter().rposition(is_said).map_or(0, |last| last + 1);
        let start = self.letters.iter().position(is_said).unwrap_or(end);
        self.letters.truncate(end);
        self.places.truncate(end);
        self.letters.drain(..start);
        self.places.drain(..start);
    }

    /// Makes one space of each run of white space.
    pub(crate) fn even_spaces(&mut self) {
        let ranges = self.runs(is_space);
        self.replace(&ranges, Some(' '));
    }

    /// Drops white space between letters of scripts that have none there.
    pub(crate) fn drop_unspaced(&mut self) {
        let ranges = unspaced_gaps(&self.letters);
        self.replace(&ranges, None);
    }

    /// Adds the space that ends the last word.
    pub(crate) fn end_word(&mut self) {
        let place = self.places.last().map_or(0, |last| last + 1);
        self.letters.push(' ');
        self.places.push(place);
    }

    fn runs(&self, is_one: fn(char) -> bool) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (at, letter) in self.letters.iter().enumerate() {
            if !is_one(*letter) {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.end == at => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        runs
    }

    fn drop_punctuation(&mut self) {
        let first = self.runs(is_punctuation).into_iter().next();
        self.replace(
            &first.filter(|run| run.start == 0).into_iter().collect::<Vec<_>>(),
            None,
        );
        if !self.ends_with_initialism() {
            let last = self.runs(is_punctuation).pop();
            let end = self.letters.len();
            self.replace(
                &last.filter(|run| run.end == end).into_iter().collect::<Vec<_>>(),
                None,
            );
        }
        for signs in [
            Self::signs_before,
            Self::signs_after,
            Self::dots_after,
            Self::signs_alone,
        ] {
            let ranges = signs(self);
            self.replace(&ranges, None);
        }
    }

    /// Initials, each with its dot, at the end: "the A.C."
    fn ends_with_initialism(&self) -> bool {
        let mut start = self.letters.len();
        let mut pairs = 0;
        while let Some(before) = start.checked_sub(2) {
            if self.letters.get(before + 1) != Some(&'.') || !self.is_word_at(Some(before)) {
                return false;
            }
            start = before;
            pairs += 1;
            if pairs > 1 && !self.is_word_at(start.checked_sub(1)) {
                return true;
            }
        }
        false
    }

    fn is_word_at(&self, at: Option<usize>) -> bool {
        at.and_then(|at| self.letters.get(at))
            .is_some_and(|letter| is_word(*letter))
    }

    /// Whether there is a letter there that is no part of a word.
    fn is_other_at(&self, at: Option<usize>) -> bool {
        at.and_then(|at| self.letters.get(at))
            .is_some_and(|letter| !is_word(*letter))
    }

    /// Signs before a word, but not directly after another.
    fn signs_before(&self) -> Vec<Range<usize>> {
        let runs = self
            .runs(is_punctuation)
            .into_iter()
            .filter(|run| self.is_word_at(Some(run.end)));
        let after_word = |run: &Range<usize>| self.is_word_at(run.start.checked_sub(1)) || run.start == 0;
        let cut = runs.map(|run| {
            if after_word(&run) {
                run.start + 1..run.end
            } else {
                run
            }
        });
        cut.filter(|run| !run.is_empty()).collect()
    }

    /// Signs after a word other than dots, but not directly before another word.
    fn signs_after(&self) -> Vec<Range<usize>> {
        let runs = self.runs(|letter| is_punctuation(letter) && letter != '.');
        let after = runs
            .into_iter()
            .filter(|run| self.is_word_at(run.start.checked_sub(1)));
        self.up_to_other(after)
    }

    /// Signs that touch no word.
    fn signs_alone(&self) -> Vec<Range<usize>> {
        let cut = |run: Range<usize>| {
            let follows = self.is_other_at(run.start.checked_sub(1));
            if follows { run } else { run.start + 1..run.end }
        };
        let runs = self.runs(is_punctuation).into_iter().map(cut);
        self.up_to_other(runs.filter(|run| !run.is_empty()))
    }

    /// The part of each run that a letter follows which is no part of a word; a further sign is such a letter.
    fn up_to_other(&self, runs: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
        let cut = runs.map(|run| {
            let end = if self.is_other_at(Some(run.end)) {
                run.end
            } else {
                run.end - 1
            };
            run.start..end
        });
        cut.filter(|run| !run.is_empty()).collect()
    }

    /// Dots after a word, but not those of initials.
    fn dots_after(&self) -> Vec<Range<usize>> {
        let is_initial = |at: usize| {
            at >= 3
                && self.letters.get(at - 2) == Some(&'.')
                && self.is_word_at(Some(at - 1))
                && self.is_word_at(Some(at - 3))
        };
        let dots = (0..self.letters.len()).filter(|at| self.letters.get(*at) == Some(&'.'));
        let dropped = dots.filter(|at| self.is_other_at(Some(at + 1)) && !is_initial(*at));
        dropped.map(|at| at..at + 1).collect()
    }
}

/// White space that stands between two letters of scripts that have none there.
pub(crate) fn unspaced_gaps(letters: &[char]) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        let spaces = letters
            .iter()
            .skip(at + 1)
            .take_while(|letter| is_space(**letter))
            .count();
        let next = letters.get(at + 1 + spaces);
        if spaces > 0 && is_unspaced(*letter) && next.is_some_and(|next| is_unspaced(*next)) {
            gaps.push(at + 1..at + 1 + spaces);
        }
        at += 1 + spaces;
    }
    gaps
}

#[cfg(test)]
mod tests;
