//! Literal words: they fit here, or further on behind open text.

use super::{Found, Matcher, Way, What};
use crate::letter::is_space;
use crate::phrase::{Letters, weight};

impl Matcher<'_> {
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
        let Some((
            _,
            Found {
                what: What::Open { ends_word },
                ..
            },
        )) = self.findings.last(here.slots)
        else {
            return;
        };
        let at_word = ends_word && !self.language.ignores_whitespace;
        let place = (here.buffer, here.at);
        let mut start = self.buffers.find(place, letters, 0, at_word);
        if start == Some(0) {
            start = self.buffers.find(place, letters, 1, at_word);
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
            start = self.buffers.find(place, letters, length + 1, false);
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
}
