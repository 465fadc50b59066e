//! Patterns of words with gaps, as the language files write them: `[a] quarter (past|after) {hour}`.
//!
//! Compares nothing.

use crate::reading::token::tokens;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Word(String),
    Gap(Gap),
    /// One of these; an empty one makes it optional.
    OneOf(Vec<Vec<Self>>),
}

/// What can fill a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// An hour by its number or name.
    Hour,
    Minute,
    /// Minutes have two figures, or are ten or more.
    Minutes,
    /// A time of day is said in all its forms, with the words in front of it.
    Time,
    /// A day of a month is named by its number.
    Nth,
    Year,
    Month,
    Weekday,
    /// Several days of the week, each by its own name.
    Weekdays,
    /// Several by the name of all such days: `mondays`.
    Plurals,
    /// It goes from one day of the week to another.
    Range,
    /// It is so many days, hours, minutes and so on.
    Length,
    /// A day that counts from no other.
    Day,
    Part,
}

const GAPS: [(&str, Gap); 14] = [
    ("hour", Gap::Hour),
    ("minute", Gap::Minute),
    ("minutes", Gap::Minutes),
    ("time", Gap::Time),
    ("nth", Gap::Nth),
    ("year", Gap::Year),
    ("month", Gap::Month),
    ("weekday", Gap::Weekday),
    ("weekdays", Gap::Weekdays),
    ("plurals", Gap::Plurals),
    ("range", Gap::Range),
    ("length", Gap::Length),
    ("day", Gap::Day),
    ("part", Gap::Part),
];

/// The parts of a pattern; nothing where it cannot be read.
pub(crate) fn pieces(pattern: &str) -> Option<Vec<Piece>> {
    let mut rest = pattern;
    let mut branches = branches(&mut rest, None)?;
    match branches.len() {
        1 => branches.pop(),
        _ => Some(vec![Piece::OneOf(branches)]),
    }
}

/// The words that a pattern may begin with; an empty one stands for a gap.
pub(crate) fn first_words(pieces: &[Piece]) -> Vec<&str> {
    let mut words = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Word(word) => words.push(word.as_str()),
            Piece::Gap(_) => words.push(""),
            Piece::OneOf(branches) => {
                words.extend(branches.iter().flat_map(|branch| first_words(branch)));
                if branches.iter().any(Vec::is_empty) {
                    continue;
                }
            }
        }
        return words;
    }
    words
}

/// The alternatives up to the closing bracket, or to the end where none is expected.
fn branches(rest: &mut &str, until: Option<char>) -> Option<Vec<Vec<Piece>>> {
    let mut branches = vec![Vec::new()];
    loop {
        let end = rest.find(['(', ')', '[', ']', '{', '|']).unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(end)?;
        branches.last_mut()?.extend(words(text));
        let Some(sign) = after.chars().next() else {
            return until.is_none().then_some(branches);
        };
        *rest = after.get(1..)?;
        let piece = match sign {
            '|' => {
                branches.push(Vec::new());
                continue;
            }
            '(' => Piece::OneOf(self::branches(rest, Some(')'))?),
            '[' => {
                let mut branches = self::branches(rest, Some(']'))?;
                branches.push(Vec::new());
                Piece::OneOf(branches)
            }
            '{' => gap(rest)?,
            closing => return (until == Some(closing)).then_some(branches),
        };
        branches.last_mut()?.push(piece);
    }
}

fn gap(rest: &mut &str) -> Option<Piece> {
    let (name, after) = rest.split_once('}')?;
    *rest = after;
    let (_, gap) = GAPS.iter().find(|(known, _)| *known == name)?;
    Some(Piece::Gap(*gap))
}

fn words(text: &str) -> impl Iterator<Item = Piece> {
    tokens(text).into_iter().map(|token| Piece::Word(token.text))
}

#[cfg(test)]
mod tests {
    use super::{Gap, Piece, first_words, pieces};

    #[test]
    fn a_pattern_has_words_gaps_and_alternatives() {
        let found = pieces("[a] quarter (past|after) {hour}").unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!(found[3], Piece::Gap(Gap::Hour));
        assert_eq!(first_words(&found), ["a", "quarter"]);
        assert_eq!(first_words(&pieces("[the] {day}").unwrap()), ["the", ""]);
        for broken in ["(a", "a)", "{who}", "a]b", "{"] {
            assert_eq!(pieces(broken), None, "{broken}");
        }
    }
}
