//! Patterns of words with gaps, as the language files write them: `[a] quarter (past|after) {hour}`.
//!
//! Compares nothing; a pattern is taken apart into the lines of words that it stands for.

use crate::token::tokens;

/// A pattern stands for no more lines than these.
const MOST_LINES: usize = 400;

/// A word, or the name of what fills a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Word(String),
    Gap(Gap),
}

/// What can fill a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gap {
    /// An hour by its number or name.
    Hour,
    Minute,
    /// Minutes in two figures, or from ten on.
    Minutes,
    /// A day of a month.
    Nth,
    Year,
    Month,
    Weekday,
    /// Several days of the week, each by its own name or by the one of all such days.
    Weekdays,
    /// Several by the name of all such days: `mondays`.
    Plurals,
    /// From one day of the week to another.
    Range,
    /// So many days, hours, minutes and so on.
    Length,
    /// A day that counts from no other.
    Day,
    Part,
}

const GAPS: [(&str, Gap); 13] = [
    ("hour", Gap::Hour),
    ("minute", Gap::Minute),
    ("minutes", Gap::Minutes),
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

/// The lines that a pattern stands for; nothing where it cannot be read.
pub(crate) fn lines(pattern: &str) -> Option<Vec<Vec<Piece>>> {
    let mut rest = pattern;
    let lines = branches(&mut rest, None)?;
    let lines: Option<Vec<Vec<Piece>>> = lines.iter().map(|line| pieces(line)).collect();
    lines.filter(|lines| lines.iter().all(|line| !line.is_empty()))
}

/// The texts of all ways up to the closing bracket, or to the end where none is expected.
fn branches(rest: &mut &str, until: Option<char>) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut ways = vec![String::new()];
    loop {
        let end = rest.find(['(', ')', '[', ']', '|']).unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(end)?;
        ways.iter_mut().for_each(|way| way.push_str(text));
        let Some(sign) = after.chars().next() else {
            done.append(&mut ways);
            return until.is_none().then_some(done);
        };
        *rest = after.get(1..)?;
        match sign {
            '|' => done.append(&mut std::mem::replace(&mut ways, vec![String::new()])),
            '(' => ways = joined(&ways, &branches(rest, Some(')'))?),
            '[' => {
                let mut more = branches(rest, Some(']'))?;
                more.push(String::new());
                ways = joined(&ways, &more);
            }
            closing => {
                done.append(&mut ways);
                return (until == Some(closing)).then_some(done);
            }
        }
    }
}

fn joined(ways: &[String], more: &[String]) -> Vec<String> {
    let all = ways
        .iter()
        .flat_map(|way| more.iter().map(move |more| format!("{way}{more}")));
    all.take(MOST_LINES).collect()
}

/// The words and gaps of one line.
fn pieces(line: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut parts = line.split('{');
    pieces.extend(parts.next().map(words)?);
    for part in parts {
        let (name, after) = part.split_once('}')?;
        let (_, gap) = GAPS.iter().find(|(known, _)| *known == name)?;
        pieces.push(Piece::Gap(*gap));
        pieces.extend(words(after));
    }
    Some(pieces)
}

fn words(text: &str) -> Vec<Piece> {
    tokens(text).into_iter().map(|token| Piece::Word(token.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Gap, Piece, lines};

    #[test]
    fn a_pattern_stands_for_lines() {
        let found = lines("[a] quarter (past|after) {hour}").unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!(found[0].last(), Some(&Piece::Gap(Gap::Hour)));
        assert_eq!(lines("new year's (eve|day)").unwrap().len(), 2);
        for broken in ["(a", "a)", "{who}", "[a]", "a]b"] {
            assert_eq!(lines(broken), None, "{broken}");
        }
    }
}
