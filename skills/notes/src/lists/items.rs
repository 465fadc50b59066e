//! Items of a list: several of them in one sentence, and two that mean the same.
//!
//! Never changes the words of an item; it is kept as the person said it.

use super::words::{Words, apart};
use loquat_kit::numbers;

/// The items that a sentence names: what stands between commas and the language's words for "and".
pub(super) fn split(text: &str, words: &Words<'_>) -> Vec<String> {
    let pieces = at_commas(text).into_iter();
    pieces.flat_map(|piece| at_joints(piece, words)).collect()
}

/// One item, without the marks around it.
pub(super) fn trimmed(text: &str) -> String {
    let bare = text
        .trim_matches(|mark: char| mark.is_whitespace() || ".,;:!?\"\u{201e}\u{201c}\u{201d}".contains(mark));
    let words: Vec<&str> = bare.split_whitespace().collect();
    words.join(" ")
}

/// A comma between two digits belongs to a number.
fn at_commas(text: &str) -> Vec<&str> {
    let is_digit = |mark: Option<char>| mark.is_some_and(|mark| mark.is_ascii_digit());
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices([',', ';', '\n']) {
        let (before, after) = (text.get(start..at), text.get(at + mark.len()..));
        let inside = |before: &str, after: &str| {
            is_digit(before.chars().next_back()) && is_digit(after.chars().next())
        };
        if before
            .zip(after)
            .is_some_and(|(before, after)| inside(before, after))
        {
            continue;
        }
        pieces.extend(before);
        start = at + mark.len();
    }
    pieces.extend(text.get(start..));
    pieces
}

/// An "and" after a number alone belongs to it: `treinta y cinco huevos`, `one and a half litres of milk`.
fn at_joints(piece: &str, words: &Words<'_>) -> Vec<String> {
    let mut items: Vec<Vec<&str>> = vec![Vec::new()];
    for word in piece.split_whitespace() {
        let Some(item) = items.last_mut() else { continue };
        if !words.is("and", word) || numbers::number(&item.join(" "), words.lang).is_some() {
            item.push(word);
        } else {
            items.push(Vec::new());
        }
    }
    let items = items.iter().map(|item| trimmed(&item.join(" ")));
    items.filter(|item| !item.is_empty()).collect()
}

/// Where an item stands that means this: in the same words, or in a plural.
pub(super) fn position(items: &[impl AsRef<str>], item: &str, words: &Words<'_>) -> Option<usize> {
    let wanted = bare(item, words);
    let known: Vec<Vec<String>> = items.iter().map(|known| bare(known.as_ref(), words)).collect();
    let exact = known.iter().position(|known| *known == wanted);
    exact.or_else(|| known.iter().position(|known| are_forms(known, &wanted, words)))
}

/// The item that is meant where something is looked for: the same, or else the first that has its words among others, as "brass
/// lamp" has "lamp".
pub(super) fn sought<'i, I: AsRef<str>>(items: &'i [I], item: &str, words: &Words<'_>) -> Option<&'i str> {
    let wanted = bare(item, words);
    let has_it = |known: &&I| {
        let known = bare(known.as_ref(), words);
        let is_there = |word: &String| {
            let mut known = known.iter();
            known.any(|known| known == word || are_numbers_of(known, word, words))
        };
        wanted.iter().all(is_there)
    };
    let same = position(items, item, words).and_then(|at| items.get(at));
    same.or_else(|| items.iter().find(has_it)).map(AsRef::as_ref)
}

/// The words that are compared: without case, accents and the articles in front.
pub(super) fn bare(item: &str, words: &Words<'_>) -> Vec<String> {
    let all: Vec<String> = apart(item).map(loquat_kit::folded).collect();
    let rest = all.iter().skip_while(|word| words.is("article", word));
    let rest: Vec<String> = rest.cloned().collect();
    if rest.is_empty() { all } else { rest }
}

/// Whether these are the same words, each perhaps in its plural.
pub(super) fn are_forms(one: &[String], other: &[String], words: &Words<'_>) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| one == other || are_numbers_of(one, other, words))
}

/// Whether one is the other's plural.
fn are_numbers_of(one: &str, other: &str, words: &Words<'_>) -> bool {
    words.lines("plural.value").any(|(single, plural)| {
        let single = single.trim_matches('-');
        let forms = |one: &str, other: &str| {
            let stem = one.strip_suffix(single).filter(|stem| !stem.is_empty());
            stem.is_some_and(|stem| other.strip_prefix(stem) == Some(plural))
        };
        forms(one, other) || forms(other, one)
    })
}

#[cfg(test)]
mod tests;
