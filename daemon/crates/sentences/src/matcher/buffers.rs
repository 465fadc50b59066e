//! The forms of a text that templates are followed through: with and without skip words, and with hyphens as spaces.

use std::ops::Range;

use crate::letter::{fold, is_break, is_space, is_word};
use crate::spoken::{Spoken, unspaced_gaps};

/// The number of a buffer.
pub(crate) type BufferId = u32;

/// All forms of a text.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Vec<Buffer>);

/// A form of a text.
#[derive(Debug)]
struct Buffer {
    spoken: Spoken,
    folded: Vec<char>,
    /// One past the last hyphen or underscore.
    break_end: usize,
    /// The form whose hyphens are spaces.
    broken: Option<BufferId>,
    /// It may have white space between letters of scripts without it.
    has_gaps: bool,
}

impl Buffers {
    /// Keeps a form of the text.
    pub(crate) fn add(&mut self, spoken: Spoken) -> BufferId {
        let folded: Vec<char> = spoken.letters.iter().copied().map(fold).collect();
        let break_end = folded
            .iter()
            .rposition(|letter| is_break(*letter))
            .map_or(0, |last| last + 1);
        self.0.push(Buffer {
            spoken,
            folded,
            break_end,
            broken: None,
            has_gaps: false,
        });
        (self.0.len() - 1) as BufferId
    }

    fn get(&self, buffer: BufferId) -> Option<&Buffer> {
        self.0.get(buffer as usize)
    }

    /// What is left of a buffer, folded.
    pub(crate) fn rest(&self, buffer: BufferId, at: u32) -> &[char] {
        self.get(buffer)
            .and_then(|buffer| buffer.folded.get(at as usize..))
            .unwrap_or_default()
    }

    /// Letters of a buffer, as they were said.
    pub(crate) fn said(&self, buffer: BufferId, from: u32, to: u32) -> &[char] {
        let letters = self
            .get(buffer)
            .and_then(|buffer| buffer.spoken.letters.get(from as usize..to as usize));
        letters.unwrap_or_default()
    }

    pub(crate) fn whole(&self, buffer: BufferId) -> Option<&Spoken> {
        self.get(buffer).map(|buffer| &buffer.spoken)
    }

    pub(crate) fn len(&self, buffer: BufferId) -> u32 {
        self.get(buffer).map_or(0, |buffer| buffer.folded.len() as u32)
    }

    /// Where letters of a buffer are without white space around them.
    pub(crate) fn trimmed(&self, buffer: BufferId, from: u32, to: u32) -> Range<u32> {
        let said = self.said(buffer, from, to);
        let is_said = |letter: &char| !is_space(*letter);
        let first = said.iter().position(is_said);
        let last = said.iter().rposition(is_said);
        match first.zip(last) {
            Some((first, last)) => from + first as u32..from + last as u32 + 1,
            None => from..from,
        }
    }

    pub(crate) fn is_end(&self, buffer: BufferId, at: u32) -> bool {
        at >= self.len(buffer)
    }

    /// The next letter that is no white space.
    pub(crate) fn after_spaces(&self, buffer: BufferId, at: u32) -> u32 {
        at + self
            .rest(buffer, at)
            .iter()
            .take_while(|letter| is_space(**letter))
            .count() as u32
    }

    /// Whether a hyphen or an underscore is left.
    pub(crate) fn has_break(&self, buffer: BufferId, at: u32) -> bool {
        self.get(buffer)
            .is_some_and(|buffer| buffer.break_end > at as usize)
    }

    /// The form of a buffer whose hyphens and underscores are spaces.
    pub(crate) fn broken(&mut self, buffer: BufferId) -> BufferId {
        let Some(whole) = self.get(buffer) else {
            return buffer;
        };
        if let Some(broken) = whole.broken {
            return broken;
        }
        let mut spoken = whole.spoken.clone();
        for letter in spoken.letters.iter_mut().filter(|letter| is_break(**letter)) {
            *letter = ' ';
        }
        let broken = self.add(spoken);
        if let Some(buffer) = self.0.get_mut(broken as usize) {
            buffer.has_gaps = true;
        }
        if let Some(buffer) = self.0.get_mut(buffer as usize) {
            buffer.broken = Some(broken);
        }
        broken
    }

    /// The place in a form without white space between letters of scripts without it. Only broken forms have any.
    pub(crate) fn without_gaps(&mut self, buffer: BufferId, at: u32) -> (BufferId, u32) {
        let has_gaps = self.get(buffer).is_some_and(|buffer| buffer.has_gaps);
        if !has_gaps || unspaced_gaps(self.rest(buffer, at)).is_empty() {
            return (buffer, at);
        }
        let Some(spoken) = self.get(buffer).map(|buffer| &buffer.spoken) else {
            return (buffer, at);
        };
        let from = at as usize;
        let mut rest = Spoken {
            letters: spoken.letters.get(from..).unwrap_or_default().to_vec(),
            places: spoken.places.get(from..).unwrap_or_default().to_vec(),
        };
        rest.drop_unspaced();
        (self.add(rest), 0)
    }

    /// The first place of these letters from here on, as the distance from `at`. With `at_word` a word begins or ends there;
    /// what stands before `at + from` does not count.
    pub(crate) fn find(
        &self,
        buffer: BufferId,
        at: u32,
        letters: &[char],
        from: u32,
        at_word: bool,
    ) -> Option<u32> {
        let text = self.rest(buffer, at + from);
        let first = letters.first()?;
        let is_edge = |at: usize| {
            let before = at
                .checked_sub(1)
                .and_then(|before| text.get(before))
                .is_some_and(|letter| is_word(*letter));
            before != text.get(at).is_some_and(|letter| is_word(*letter))
        };
        let places = text
            .iter()
            .enumerate()
            .filter(|(_, letter)| *letter == first)
            .map(|(at, _)| at);
        let mut fitting = places.filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(letters)));
        fitting
            .find(|at| !at_word || is_edge(*at))
            .map(|at| from + at as u32)
    }
}
