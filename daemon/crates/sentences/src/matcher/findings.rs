//! What was found for slots on all ways, each finding with the one before it, and what became known by values.

use crate::context::Context;
use crate::matcher::BufferId;
use crate::value::Value;

/// The findings of all ways: lists that share their beginnings.
#[derive(Debug, Default)]
pub(crate) struct Findings<'a> {
    found: Vec<(u32, Found<'a>)>,
    /// They are contexts of values, each with those before it.
    known: Vec<(u32, &'a Context)>,
}

/// What was found for a slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found<'a> {
    /// The slot has this number.
    pub(crate) slot: u32,
    pub(crate) what: What<'a>,
    pub(crate) buffer: BufferId,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What<'a> {
    /// Open text that goes on; `of_words` where the caller may refuse it.
    Open { ends_word: bool, of_words: bool },
    /// Open text.
    Closed,
    /// A value of a list.
    Value(&'a Value),
    /// A value that is what was said.
    Said,
    Number {
        number: f64,
        is_whole: bool,
        multiplier: Option<f64>,
    },
}

impl What<'_> {
    /// Whether it is open text.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Open { .. } | Self::Closed)
    }

    /// Whether it is open text that the caller may refuse.
    pub(crate) fn is_of_words(self) -> bool {
        matches!(self, Self::Open { of_words: true, .. })
    }
}

impl PartialEq for What<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Open { ends_word, of_words },
                Self::Open {
                    ends_word: other,
                    of_words: other_words,
                },
            ) => ends_word == other && of_words == other_words,
            (Self::Closed, Self::Closed) | (Self::Said, Self::Said) => true,
            (Self::Value(one), Self::Value(other)) => std::ptr::eq(*one, *other),
            (
                Self::Number {
                    number,
                    is_whole,
                    multiplier,
                },
                Self::Number {
                    number: other,
                    is_whole: other_whole,
                    multiplier: other_multiplier,
                },
            ) => number.total_cmp(other).is_eq() && is_whole == other_whole && multiplier == other_multiplier,
            _ => false,
        }
    }
}

/// How many of the last findings are looked through for one that is the same.
const RECENT: usize = 24;

impl<'a> Findings<'a> {
    /// Adds a finding to a list, and gives the number of the longer list.
    pub(crate) fn add(&mut self, before: u32, found: Found<'a>) -> u32 {
        let recent = self.found.len().saturating_sub(RECENT);
        let same = self
            .found
            .iter()
            .skip(recent)
            .position(|known| *known == (before, found));
        if let Some(at) = same {
            return (recent + at + 1) as u32;
        }
        self.found.push((before, found));
        self.found.len() as u32
    }

    /// The last finding of a list, and the list without it.
    pub(crate) fn last(&self, list: u32) -> Option<(u32, Found<'a>)> {
        self.found.get(list.checked_sub(1)? as usize).copied()
    }

    /// The findings of a list in their order.
    pub(crate) fn all(&self, list: u32) -> Vec<Found<'a>> {
        let mut all = Vec::new();
        let mut list = list;
        while let Some((before, found)) = self.last(list) {
            all.push(found);
            list = before;
        }
        all.reverse();
        all
    }

    /// Adds what a value makes known.
    pub(crate) fn learn(&mut self, before: u32, context: &'a Context) -> u32 {
        if context.is_empty() {
            return before;
        }
        let recent = self.known.len().saturating_sub(RECENT);
        let same = |(known, other): &(u32, &Context)| *known == before && std::ptr::eq(*other, context);
        if let Some(at) = self.known.iter().skip(recent).position(same) {
            return (recent + at + 1) as u32;
        }
        self.known.push((before, context));
        self.known.len() as u32
    }

    /// What is known on a way, by its name.
    pub(crate) fn known(&self, list: u32, key: &str) -> Option<&'a Value> {
        let (before, context) = *self.known.get(list.checked_sub(1)? as usize)?;
        context.get(key).or_else(|| self.known(before, key))
    }

    /// All that values made known on a way, the oldest first.
    pub(crate) fn contexts(&self, list: u32) -> Vec<&'a Context> {
        let mut all = Vec::new();
        let mut list = list;
        while let Some((before, context)) = list.checked_sub(1).and_then(|at| self.known.get(at as usize)) {
            all.push(*context);
            list = *before;
        }
        all.reverse();
        all
    }
}
