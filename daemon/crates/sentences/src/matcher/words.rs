//! Literal words: they fit here, or further on behind open text.

use super::{Found, Matcher, Way, What};
use crate::letter::is_space;
use crate::phrase::{Letters, weight};

impl<'a> Matcher<'a> {
    /// Adds the ways on which these letters come next.
    pub(super) fn say(&mut self, words: Letters<'_>, way: Way, ways: &mut Vec<Way>) {
        let (buffer, at, letters) = self.aligned(words, way);
        let here = Way { buffer, at, ..way };
        let is_blank = letters.iter().all(|letter| is_space(*letter));
        if way.is_open && is_blank {
            ways.push(Way {
                is_word_start: true,
                ..here
            });
        } else if way.is_open {
            self.say_later(words, letters, here, ways);
        } else {
            ways.extend(self.said(words, letters, here, way));
        }
    }

    /// Where the letters are compared. Where a word begins, white space counts neither in the text nor in the letters.
    fn aligned<'w>(&mut self, words: Letters<'w>, way: Way) -> (u32, u32, &'w [char]) {
        if self.language.ignores_whitespace {
            let (buffer, at) = self.buffers.without_gaps(way.buffer, way.at);
            return (buffer, at, words.folded);
        }
        if way.is_word_start {
            return (
                way.buffer,
                self.buffers.after_spaces(way.buffer, way.at),
                words.trimmed_start(),
            );
        }
        (way.buffer, way.at, words.folded)
    }

    /// The way on if the letters come next, with hyphens as spaces if not otherwise. At the end white space may be left out.
    fn said(&mut self, words: Letters<'_>, letters: &[char], here: Way, before: Way) -> Option<Way> {
        let rest = self.buffers.rest(here.buffer, here.at);
        let at = here.at + letters.len() as u32;
        if rest.starts_with(letters) {
            let literal = here.literal + weight(letters);
            return Some(Way {
                at,
                literal,
                is_word_start: words.ends_word,
                ..here
            });
        }
        if !letters.is_empty() && letters.iter().chain(rest).all(|letter| is_space(*letter)) {
            return Some(before);
        }
        if !self.buffers.has_break(here.buffer, here.at) {
            return None;
        }
        let buffer = self.buffers.broken(here.buffer);
        let fits = self.buffers.rest(buffer, here.at).starts_with(letters);
        fits.then_some(Way { buffer, at, ..here })
    }

    /// The ways on which open text ends where these letters come next.
    fn say_later(&mut self, words: Letters<'_>, letters: &[char], here: Way, ways: &mut Vec<Way>) {
        let Some(What::Open { ends_word, .. }) = self.open(here) else {
            return;
        };
        let at_word = ends_word && !self.language.ignores_whitespace;
        self.count(self.buffers.rest(here.buffer, here.at).len() as u32 / 16);
        let mut start = self.buffers.find(here.buffer, here.at, letters, 0, at_word);
        if start == Some(0) {
            start = self.buffers.find(here.buffer, here.at, letters, 1, at_word);
        }
        while let Some(length) = start.filter(|_| !self.has_given_up()) {
            self.count(length + 1);
            if let Some(closed) = self.closed(here, here.at, here.at + length) {
                self.say(
                    words,
                    Way {
                        is_word_start: true,
                        ..closed
                    },
                    ways,
                );
            }
            start = self
                .buffers
                .find(here.buffer, here.at, letters, length + 1, false);
        }
    }

    /// The way on which open text has ended before this letter, unless it would be empty.
    pub(super) fn closed(&mut self, way: Way, from: u32, to: u32) -> Option<Way> {
        let (before, open) = self.findings.last(way.slots)?;
        if self
            .buffers
            .said(way.buffer, from, to)
            .iter()
            .all(|letter| is_space(*letter))
        {
            return None;
        }
        if open.what.is_of_words() && !self.may_hold(open.slot, way, from, to) {
            return None;
        }
        let closed = Found {
            what: What::Closed,
            buffer: way.buffer,
            from,
            to,
            ..open
        };
        let slots = self.findings.add(before, closed);
        Some(Way {
            at: to,
            slots,
            is_open: false,
            ..way
        })
    }

    /// What was found last: the open text, where some goes on.
    pub(super) fn open(&self, way: Way) -> Option<What<'a>> {
        let (_, found) = self.findings.last(way.slots)?;
        Some(found.what)
    }

    /// Whether a slot may hold the words from here to there: whole ones at the end, unless they are joined to what follows.
    pub(super) fn may_hold(&mut self, slot: u32, way: Way, from: u32, to: u32) -> bool {
        let Some(judge) = &mut self.judge else {
            return true;
        };
        let name = self.language.slots.get(slot as usize).map_or("", String::as_str);
        let letters = self.buffers.trimmed(way.buffer, from, to);
        (!way.is_word_start || judge.is_word_end(to)) && judge.accepts(self.intent, slot, name, letters)
    }

    /// Adds the ways on which words behind other words fill a slot, which end at any place where one ends.
    pub(super) fn words_begin(&mut self, slot: u32, ends_word: bool, way: Way, ways: &mut Vec<Way>) {
        let what = What::Open {
            ends_word,
            of_words: true,
        };
        if !way.is_open {
            let begun = self.begun(slot, what, way);
            return ways.push(begun);
        }
        let is_of_words = self.open(way).is_some_and(What::is_of_words);
        let last = self.buffers.len(way.buffer);
        for to in (way.at + 1..last).filter(|_| is_of_words) {
            let is_end = self
                .buffers
                .rest(way.buffer, to)
                .first()
                .is_some_and(|letter| is_space(*letter));
            if !is_end || self.has_given_up() {
                continue;
            }
            self.count(4);
            if let Some(closed) = self.closed(way, way.at, to)
                && !self
                    .buffers
                    .is_end(way.buffer, self.buffers.after_spaces(way.buffer, to))
            {
                let begun = self.begun(slot, what, closed);
                ways.push(begun);
            }
        }
    }

    /// The way on which open text begins to fill a slot.
    pub(super) fn begun(&mut self, slot: u32, what: What<'a>, way: Way) -> Way {
        let at = if what.is_of_words() {
            self.buffers.after_spaces(way.buffer, way.at)
        } else {
            way.at
        };
        let (buffer, from, to) = (way.buffer, at, at);
        let found = Found {
            slot,
            what,
            buffer,
            from,
            to,
        };
        Way {
            at,
            slots: self.findings.add(way.slots, found),
            is_open: true,
            is_word_start: way.is_word_start && !what.is_of_words(),
            ..way
        }
    }
}
