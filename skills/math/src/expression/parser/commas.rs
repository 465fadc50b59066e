//! What a comma between digits means: `2,450` is a number, `max(2, 450)` has two arguments.
//!
//! Decides by the notation alone, so that the same text always means the same.

use super::Parser;
use crate::expression::token::{Kind, Token};

/// What a comma with digits on both sides and no space can do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commas {
    /// Group digits by threes, or mark decimals.
    GroupOrPoint,
    /// The commas group digits by threes.
    Group,
    /// The commas separate arguments.
    Separate,
}

impl Commas {
    /// The meaning within the arguments that `tokens` begin with, the opening parenthesis first.
    ///
    /// Commas group digits where they cannot separate (the function takes one argument), where other commas of the
    /// same list are followed by a space, and where a group begins with a zero, as no number does.
    pub(super) fn within(tokens: &[Token], one_argument: bool) -> Self {
        if one_argument {
            return Self::GroupOrPoint;
        }
        let mut depth = 0_usize;
        for pair in tokens.windows(2) {
            let [token, next] = pair else { continue };
            match token.kind {
                Kind::Sign("(") => depth += 1,
                Kind::Sign(")") if depth == 1 => return Self::Separate,
                Kind::Sign(")") => depth = depth.saturating_sub(1),
                Kind::Sign(";") if depth == 1 => return Self::GroupOrPoint,
                Kind::Sign(",") if depth == 1 && (next.spaced || is_zero_group(&next.kind)) => {
                    return Self::Group;
                }
                _ => {}
            }
        }
        Self::Separate
    }

    /// The meaning in a list without parentheses that `tokens` begin with: `3, 8 and 5`.
    pub(super) fn listed(tokens: &[Token]) -> Self {
        let joins = |token: &Token| matches!(&token.kind, Kind::Word(word) if word == "and" || word == "or");
        let groups = |pair: &[Token]| match pair {
            [comma, next] => comma.kind == Kind::Sign(",") && (next.spaced || is_zero_group(&next.kind)),
            _ => false,
        };
        if tokens.iter().any(joins) || tokens.windows(2).any(groups) {
            Self::Group
        } else {
            Self::Separate
        }
    }
}

impl Parser<'_> {
    /// The number that begins with `first`, with the groups after its commas, written with a decimal point.
    pub(super) fn with_comma_groups(&mut self, first: String) -> String {
        let mut groups = self.groups();
        if self.commas == Commas::Group {
            // Within arguments the first number that is no group of three is an argument of its own.
            let count = groups.iter().take_while(|group| is_group_of_three(group)).count();
            groups.truncate(count);
        }
        let number = match self.commas {
            Commas::GroupOrPoint => grouped(&first, &groups).or_else(|| with_decimals(&first, &groups)),
            Commas::Group => grouped(&first, &groups),
            Commas::Separate => None,
        };
        let Some(number) = number else { return first };
        self.next += 2 * groups.len();
        number
    }

    /// The numbers that follow, each right after a comma, neither with a space.
    fn groups(&self) -> Vec<String> {
        let rest = self.tokens.get(self.next..).unwrap_or_default();
        let pairs = rest.chunks_exact(2).map_while(|pair| match pair {
            [comma, group] if comma.kind == Kind::Sign(",") && !comma.spaced && !group.spaced => {
                match &group.kind {
                    Kind::Number(text) => Some(text.clone()),
                    _ => None,
                }
            }
            _ => None,
        });
        pairs.collect()
    }
}

/// `2,450` and `12,34,567`, the latter as in India; the last group may have decimals after a point.
fn grouped(first: &str, groups: &[String]) -> Option<String> {
    let (last, middle) = groups.split_last()?;
    let starts = only_digits(first) && first.len() <= 3 && !first.starts_with('0');
    let same_size = |size| {
        middle
            .iter()
            .all(|group| only_digits(group) && group.len() == size)
    };
    let fits = starts && is_group_of_three(last) && (same_size(3) || same_size(2));
    fits.then(|| format!("{first}{}", groups.concat()))
}

/// `2,5`, and `1.234,56` where the point groups.
fn with_decimals(first: &str, groups: &[String]) -> Option<String> {
    let [decimals] = groups else { return None };
    let whole = match first.split_once('.') {
        None => first.to_owned(),
        Some((_, group)) if group.len() == 3 => first.replace('.', ""),
        Some(_) => return None,
    };
    (only_digits(&whole) && only_digits(decimals)).then(|| format!("{whole}.{decimals}"))
}

/// Three digits that begin with a zero.
fn is_zero_group(kind: &Kind) -> bool {
    matches!(kind, Kind::Number(text) if text.starts_with('0') && is_group_of_three(text))
}

/// Three digits, perhaps with decimals.
fn is_group_of_three(text: &str) -> bool {
    let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
    digits.len() == 3 && only_digits(digits) && only_digits(decimals)
}

fn only_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
