//! The reader of numbers and times: what begins at a place, what a whole text is, and what a sentence holds.

use std::ops::Range;

use jiff::Zoned;

use crate::reading::language::{Table, language};
use crate::reading::length::Length;
use crate::reading::repetition::Until;
use crate::reading::text::{Found, Text};
use crate::reading::token;
use crate::reading::when::When;

/// In words.
const LONGEST_PHRASE: usize = 4;

/// What a person is used to, where a language leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Customs {
    /// Whether `3/4` is the fourth of March.
    pub month_first: bool,
    /// Whether the day has two halves of twelve hours.
    pub has_halves: bool,
}

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number has its sign.
    Number,
    /// A length of time is meant.
    Length,
    /// A time of day is meant, which may be a bare number.
    Time,
    /// A day is meant.
    Day,
    /// Days on which something is repeated.
    Repeat,
    /// Any moment is meant: the three before, together too, and lengths from now.
    Moment,
    /// A week, a month or another stretch of days, which is no moment.
    Period,
    /// Minutes from an hour that was not said: `ten past`.
    OfHour,
    /// A length of time that is no one length: `5 to 10 minutes`.
    Span,
    /// The end of a repetition: `until Friday`, `for the next two weeks`.
    Until,
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// A number; a sign for percent or degrees behind it is read with it.
    Number(f64),
    /// It is a length of time.
    Length(Length),
    /// It is a moment.
    When(When),
    /// A stretch of days, which is known as one and not told.
    Period,
    /// It is so many minutes past the hour, or before it.
    OfHour(i32),
    /// Lengths of which one is meant, which are known as such and not told.
    Span,
    /// The last day of a repetition, or how long it lasts.
    Until(Until),
}

/// A text, or its rest, is none of what was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to read '{left}'")]
pub struct Unread {
    /// What was not read, from there to the end.
    pub left: String,
}

/// Reads in one language, for one person, seen from one moment.
#[derive(Debug, Clone)]
pub struct Reader {
    lang: String,
    customs: Customs,
    now: Zoned,
}

impl Reader {
    /// A language is named by its BCP-47 tag; one that is not known is read as English.
    pub fn new(lang: &str, customs: Customs, now: Zoned) -> Self {
        Self {
            lang: lang.to_owned(),
            customs,
            now,
        }
    }

    /// All readings of one kind that begin at this byte of a text, the longest first, with the bytes at which they end.
    pub fn read_at(&self, text: &str, position: usize, kind: Kind) -> Vec<(Reading, usize)> {
        let Some(read) = self.text(text) else {
            return Vec::new();
        };
        let at = read.tokens.partition_point(|token| token.range.start < position);
        let found = read.readings(at, kind).into_iter();
        found
            .filter_map(|(reading, end)| Some((reading, read.end(end)?)))
            .collect()
    }

    /// The longest reading of one kind that begins at this byte, with the byte at which it ends.
    pub fn longest(&self, text: &str, position: usize, kind: Kind) -> Option<(Reading, usize)> {
        self.read_at(text, position, kind).into_iter().next()
    }

    /// What a whole text is.
    pub fn whole(&self, text: &str, kind: Kind) -> Result<Reading, Unread> {
        let unread = |from: usize| Unread {
            left: text.get(from..).unwrap_or(text).trim().to_owned(),
        };
        let read = self.text(text).ok_or_else(|| unread(0))?;
        let start = read
            .tokens
            .iter()
            .take_while(|token| is_mark(&token.text))
            .count();
        let (reading, end) = read
            .readings(start, kind)
            .into_iter()
            .next()
            .ok_or_else(|| unread(0))?;
        let rest = read.tokens.get(end..).unwrap_or_default();
        match rest.iter().find(|token| !is_mark(&token.text)) {
            None if read
                .tokens
                .last()
                .is_some_and(|last| last.range.end >= text.trim_end().len()) =>
            {
                Ok(reading)
            }
            None => Err(unread(read.end(end).unwrap_or_default())),
            Some(token) => Err(unread(token.range.start)),
        }
    }

    /// The moment that a whole text is.
    pub fn moment(&self, text: &str) -> Result<When, Unread> {
        match self.whole(text, Kind::Moment)? {
            Reading::When(when) => Ok(when),
            _ => Err(Unread {
                left: text.to_owned(),
            }),
        }
    }

    /// The length of time that a whole text is.
    pub fn length(&self, text: &str) -> Result<Length, Unread> {
        match self.whole(text, Kind::Length)? {
            Reading::Length(length) => Ok(length),
            _ => Err(Unread {
                left: text.to_owned(),
            }),
        }
    }

    /// The number that a whole text is.
    pub fn number(&self, text: &str) -> Result<f64, Unread> {
        match self.whole(text, Kind::Number)? {
            Reading::Number(number) => Ok(number),
            _ => Err(Unread {
                left: text.to_owned(),
            }),
        }
    }

    /// Every time and number of a sentence with its bytes, in order: of what overlaps the first, and of that the longest. A
    /// number that may be a time of day is a number, and an article is none.
    pub fn find_in(&self, text: &str) -> Vec<(Reading, Range<usize>)> {
        let Some(read) = self.text(text) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(token) = read.tokens.get(at) {
            let Some((reading, end)) = read.clearest(at) else {
                at += 1;
                continue;
            };
            found.push((
                reading,
                token.range.start..read.end(end).unwrap_or(token.range.end),
            ));
            at = end;
        }
        found
    }

    /// A text with each of its numbers in figures, as a program writes them: without marks between the thousands and with a
    /// point before the decimals.
    pub fn with_figures(&self, text: &str) -> String {
        let mut figures = String::new();
        let (mut at, mut copied) = (0, 0);
        let read = self.text(text);
        while let Some((read, token)) = read.as_ref().and_then(|read| Some((read, read.token(at)?))) {
            let Some((number, end)) = read.written_number(at) else {
                at += 1;
                continue;
            };
            figures.push_str(text.get(copied..token.range.start).unwrap_or_default());
            figures.push_str(&number);
            copied = read.end(end).unwrap_or(copied);
            at = end;
        }
        figures.push_str(text.get(copied..).unwrap_or_default());
        figures
    }

    /// Whether a text ends in a word that calls for what is not there: `work until`, `bread and`.
    pub fn is_unfinished(&self, text: &str) -> bool {
        self.text(text).is_some_and(|read| read.is_unfinished())
    }

    /// Whether a text has the word between a number and what is counted by which that comes on top: `six more minutes`.
    pub fn is_further(&self, text: &str) -> bool {
        self.text(text).is_some_and(|read| read.is_further())
    }

    fn text(&self, text: &str) -> Option<Text<'_>> {
        let language = language(&self.lang).or_else(|| language("en"))?;
        Some(Text::new(text, language, self.customs, &self.now))
    }
}

impl Text<'_> {
    /// All readings of a kind that begin here, the longest first.
    fn readings(&self, at: usize, kind: Kind) -> Found<Reading> {
        let moments = |is_meant: fn(&When) -> bool| {
            let whens = self.whens(at).into_iter().filter(move |(when, _)| is_meant(when));
            whens.map(|(when, end)| (Reading::When(when), end)).collect()
        };
        match kind {
            Kind::Number => self.measured(at),
            Kind::Length => {
                let lengths = self.lengths(at);
                lengths
                    .iter()
                    .map(|(length, end)| (Reading::Length(*length), *end))
                    .collect()
            }
            Kind::Time => moments(When::is_time),
            Kind::Day => moments(When::is_day),
            Kind::Repeat => moments(When::is_repeat),
            Kind::Moment => moments(|_| true),
            Kind::Period => self.longest_first(&self.language.periods, at, &Reading::Period),
            Kind::Span => self.longest_first(&self.language.spans, at, &Reading::Span),
            Kind::OfHour => self.of_hour(at),
            Kind::Until => {
                let untils = self.untils(at).into_iter();
                let mut untils: Found<Reading> =
                    untils.map(|(until, end)| (Reading::Until(until), end)).collect();
                untils.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
                untils
            }
        }
    }

    /// What has no value of its own, where it begins here.
    fn longest_first(&self, table: &Table<()>, at: usize, reading: &Reading) -> Found<Reading> {
        let named = self.named(table, at).into_iter();
        let mut found: Found<Reading> = named.map(|((), end)| (reading.clone(), end)).collect();
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    /// Minutes from an hour that is not said, with the words in front of a time and without.
    fn of_hour(&self, at: usize) -> Found<Reading> {
        let behind = self.named(&self.language.before_time, at).into_iter();
        let starts = behind.map(|(_, start)| start).chain([at]);
        let told = starts.flat_map(|start| self.fitting(&self.language.of_hour, start, |_| true));
        let mut found: Found<Reading> = told
            .map(|(offset, bound, end)| {
                let minutes = offset.minutes + offset.sign * bound.minute.unwrap_or_default();
                (Reading::OfHour(minutes), end)
            })
            .collect();
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    /// The numbers that begin here, with the sign for percent or degrees and without.
    fn measured(&self, at: usize) -> Found<Reading> {
        let Some((number, end)) = self.signed(at) else {
            return Vec::new();
        };
        let mut found = vec![(Reading::Number(number), end)];
        let sign = self
            .token(end)
            .filter(|token| token.is("%") || token.is("\u{b0}"));
        let ends = sign.map(|_| end + 1).into_iter();
        let words = [&self.language.percent, &self.language.degrees];
        let words = words.into_iter().flat_map(|table| self.named(table, end));
        found.extend(
            ends.chain(words.map(|((), end)| end))
                .map(|end| (Reading::Number(number), end)),
        );
        let of_one = self.fractions_of_one(at).into_iter();
        found.extend(of_one.map(|(part, end)| (Reading::Number(part), end)));
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    /// What begins here and is nothing else, the longest.
    fn clearest(&self, at: usize) -> Option<(Reading, usize)> {
        let is_clear = |reading: &Reading, end: usize| match reading {
            Reading::When(when) => when.is_clear(),
            // The name of a month may be any word.
            Reading::Period => end > at + 1,
            Reading::Number(_)
            | Reading::Length(_)
            | Reading::OfHour(_)
            | Reading::Span
            | Reading::Until(_) => true,
        };
        let is_article = self
            .language
            .articles
            .iter()
            .chain(&self.language.ones)
            .any(|one| one == self.word(at));
        if self.names_a_feast_of_something(at) {
            return None;
        }
        let kinds = [Kind::Moment, Kind::Period, Kind::Length, Kind::Number];
        let found = kinds.into_iter().filter_map(|kind| {
            let mut readings = self.readings(at, kind).into_iter();
            readings.find(|(reading, end)| is_clear(reading, *end) && !(is_article && *end == at + 1))
        });
        found.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// Whether a feast stands here that only tells what kind of thing is meant: `Christmas presents`, `regali di Natale`.
    fn names_a_feast_of_something(&self, at: usize) -> bool {
        let is_of = |at: usize| self.language.of.iter().any(|of| of == self.word(at));
        // The word may be read as one in front of the day.
        let at = if is_of(at) { at + 1 } else { at };
        let is_behind_of = at.checked_sub(1).is_some_and(is_of);
        let goes_on = |end: usize| {
            self.token(end)
                .is_some_and(|token| token.kind == token::Kind::Word)
        };
        let feasts = self.named(&self.language.feasts, at);
        let longest = feasts.into_iter().map(|(_, end)| end).max();
        longest.is_some_and(|end| {
            let is_dated =
                !self.years(end).is_empty() || self.whens(at).iter().any(|(_, other)| *other > end);
            (is_behind_of || goes_on(end)) && !is_dated
        })
    }

    fn is_further(&self) -> bool {
        let mut starts = 0..self.tokens.len();
        starts.any(|at| self.behind_one_of(&self.language.further, at).is_some())
    }

    fn is_unfinished(&self) -> bool {
        let count = self.tokens.len();
        let starts = (0..count).rev().take(LONGEST_PHRASE);
        let mut ends = starts.filter_map(|at| self.behind_one_of(&self.language.unfinished, at));
        ends.any(|end| end == count)
    }

    /// The byte behind the token in front of this one.
    fn end(&self, at: usize) -> Option<usize> {
        Some(self.token(at.checked_sub(1)?)?.range.end)
    }
}

/// Whether it stands around a text and says nothing.
fn is_mark(text: &str) -> bool {
    [".", ",", ";", ":", "!", "?", "\u{a1}", "\u{bf}"].contains(&text)
}
