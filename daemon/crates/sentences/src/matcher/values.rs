//! Values of lists: those that fit here, or further on behind open text.

use std::rc::Rc;

use super::{Fit, Fits, Found, Matcher, Way, What};
use crate::choices::{Choice, Choices, Said};
use crate::phrase::Phrase;

impl<'a> Matcher<'a> {
    /// Adds the ways on which a value of this list comes next.
    pub(super) fn values(
        &mut self,
        list: u32,
        choices: &'a Choices,
        slot: u32,
        way: Way,
        ways: &mut Vec<Way>,
    ) {
        if way.is_open || choices.has_slots {
            return self.try_all(choices, slot, way, ways);
        }
        for fit in self.fits(list, choices, way).iter() {
            let Some(choice) = choices.get(fit.choice).filter(|choice| self.agrees(choice)) else {
                continue;
            };
            let end = Way {
                buffer: fit.buffer,
                at: fit.at,
                ..way
            };
            ways.extend(self.filled(choice, slot, way, end));
        }
    }

    /// Whether what a value makes known may be what the block requires.
    fn agrees(&self, choice: &Choice) -> bool {
        self.requires
            .iter()
            .all(|required| required.is_open_to(&choice.context))
    }

    fn try_all(&mut self, choices: &'a Choices, slot: u32, way: Way, ways: &mut Vec<Way>) {
        let mut ends = self.spare.pop().unwrap_or_default();
        for choice in &choices.all {
            if self.has_given_up() || !self.agrees(choice) {
                continue;
            }
            self.say_choice(choice, way, &mut ends);
            for end in ends.drain(..) {
                ways.extend(self.filled(choice, slot, way, end));
            }
        }
        self.spare.push(ends);
    }

    fn say_choice(&mut self, choice: &'a Choice, way: Way, ends: &mut Vec<Way>) {
        match &choice.said {
            Said::As(node) => self.follow(*node, way, ends),
            Said::Plainly(phrase) => self.say_value(phrase, way, ends),
        }
    }

    /// A value that is written with more letters than are left does not fit, even where white space counts for nothing.
    fn say_value(&mut self, phrase: &'a Phrase, way: Way, ends: &mut Vec<Way>) {
        let left = self.buffers.len(way.buffer) - way.at;
        self.count(1);
        if !phrase.is_blank() && phrase.letters(false).folded.len() <= left as usize {
            self.say(phrase.letters(self.language.ignores_whitespace), way, ends);
        }
    }

    /// The way on which the value fills the slot. Text that is still open then is empty, which it must not be.
    fn filled(&mut self, choice: &'a Choice, slot: u32, way: Way, end: Way) -> Option<Way> {
        if end.is_open {
            return None;
        }
        let from = self.value_start(way, end);
        let left = self.buffers.len(end.buffer) - end.at;
        let to = self.buffers.len(way.buffer).saturating_sub(left).max(from);
        let what = choice.value.as_ref().map_or(What::Said, What::Value);
        let slots = self.findings.add(
            end.slots,
            Found {
                slot,
                what,
                buffer: way.buffer,
                from,
                to,
            },
        );
        let known = if choice.context.is_empty() {
            end.context
        } else {
            way.context
        };
        Some(Way {
            buffer: end.buffer,
            at: end.at,
            slots,
            context: self.findings.learn(known, &choice.context),
            is_open: false,
            ..way
        })
    }

    /// Where the text of a value begins: behind the open text before it.
    fn value_start(&self, way: Way, end: Way) -> u32 {
        let Some((
            _,
            Found {
                what: What::Closed,
                buffer,
                from,
                to,
                ..
            },
        )) = self.findings.last(end.slots)
        else {
            return way.at;
        };
        let open = self.buffers.said(buffer, from, to);
        let rest = self
            .buffers
            .said(way.buffer, way.at, self.buffers.len(way.buffer));
        if rest.starts_with(open) {
            way.at + open.len() as u32
        } else {
            way.at
        }
    }

    /// The values that fit here. Templates ask for the same ones again and again, so they are kept.
    fn fits(&mut self, list: u32, choices: &'a Choices, way: Way) -> Rc<[Fit]> {
        let is_known = |fits: &&Fits| {
            (fits.list, fits.buffer, fits.at, fits.is_word_start)
                == (list, way.buffer, way.at, way.is_word_start)
        };
        if let Some(fits) = self.fits.iter().find(is_known) {
            return Rc::clone(&fits.found);
        }
        let blank = Way {
            slots: 0,
            context: 0,
            literal: 0,
            ..way
        };
        let mut found = Vec::new();
        if way.is_word_start && !self.language.ignores_whitespace {
            self.fits_in_order(choices, blank, &mut found);
        } else {
            self.fits_of(0..choices.all.len() as u32, choices, blank, &mut found);
        }
        let found: Rc<[Fit]> = found.into();
        self.fits.push(Fits {
            list,
            buffer: way.buffer,
            at: way.at,
            is_word_start: way.is_word_start,
            found: Rc::clone(&found),
        });
        found
    }

    /// At a word's start: plain values by their length, those with hyphens as spaces after them, then templates.
    fn fits_in_order(&mut self, choices: &'a Choices, way: Way, found: &mut Vec<Fit>) {
        let at = self.buffers.after_spaces(way.buffer, way.at);
        let here = choices.beginning(self.buffers.rest(way.buffer, at));
        found.extend(here.map(|(length, choice)| Fit {
            choice,
            buffer: way.buffer,
            at: at + length as u32,
        }));
        if self.buffers.has_break(way.buffer, at) {
            let buffer = self.buffers.broken(way.buffer);
            for (length, choice) in choices.beginning(self.buffers.rest(buffer, at)) {
                if found.iter().all(|fit| fit.choice != choice) {
                    found.push(Fit {
                        choice,
                        buffer,
                        at: at + length as u32,
                    });
                }
            }
        }
        self.fits_of(choices.unordered().iter().copied(), choices, way, found);
    }

    fn fits_of(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        choices: &'a Choices,
        way: Way,
        found: &mut Vec<Fit>,
    ) {
        let mut ends = self.spare.pop().unwrap_or_default();
        for number in numbers {
            let Some(choice) = choices.get(number) else {
                continue;
            };
            if self.may_fit(choice, way) {
                self.say_choice(choice, way, &mut ends);
            }
            found.extend(ends.drain(..).map(|end| Fit {
                choice: number,
                buffer: end.buffer,
                at: end.at,
            }));
        }
        self.spare.push(ends);
    }

    /// Whether the first letter of a plain value comes next, where no space may be left out and no hyphen counts as one.
    fn may_fit(&self, choice: &Choice, way: Way) -> bool {
        let Said::Plainly(phrase) = &choice.said else {
            return true;
        };
        let is_strict = !way.is_word_start || self.language.ignores_whitespace;
        if !is_strict || self.buffers.has_break(way.buffer, way.at) {
            return true;
        }
        let first = phrase.letters(self.language.ignores_whitespace).folded.first();
        first == self.buffers.rest(way.buffer, way.at).first()
    }
}
