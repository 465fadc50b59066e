//! All words that any reader takes for a label, so that what comes from tools can be kept from looking like one.
//!
//! The tables of the readers are the only list there is: a label that is added to one is in here. Nothing here reads.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::labels::{LABELS, Label};
use super::{plain, question_labels, react};

/// Further words at the beginning of a line: labels of phases, and roles that only a template writes.
const FURTHER: &[&str] = &[
    "claim",
    "verified",
    "unverified",
    "evidence",
    "reflection",
    "replan",
    "planfailed",
    "system",
];

static ALL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut all: HashSet<String> = FURTHER.iter().map(|word| (*word).to_owned()).collect();
    all.extend(squashed(&LABELS));
    all.extend(squashed(&question_labels::LABELS));
    all.extend(squashed(plain::SPEAKERS));
    all.extend(squashed(react::RESULTS));
    all
});

/// The characters of the longest of them, with as many separators as anybody writes between them.
static LONGEST: LazyLock<usize> = LazyLock::new(|| {
    let longest = ALL.iter().map(|label| label.chars().count()).max();
    longest.unwrap_or_default() + 12
});

fn squashed<K>(table: &[Label<K>]) -> impl Iterator<Item = String> {
    let letters = |words: &str| words.chars().filter(|c| c.is_alphanumeric()).collect();
    table.iter().map(move |(_, words)| letters(words))
}

/// Tells whether a reader takes these letters, in lower case and without anything between them, for a label.
pub fn is_label(letters: &str) -> bool {
    ALL.contains(letters)
}

/// A label can reach back from a colon by this many characters.
fn longest_label() -> usize {
    *LONGEST
}

/// Tells whether the text ends with one of the labels, whatever stands between its words.
pub fn ends_with_label(text: &str) -> bool {
    // Most colons stand behind the quotation mark of a name.
    if text.ends_with('"') {
        return false;
    }
    let tail: Vec<char> = text.chars().rev().take(longest_label()).collect();
    let mut word = String::new();
    for (index, c) in tail.iter().enumerate() {
        match c {
            c if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            ' ' | '_' | '-' | '*' | '`' | '\'' => {}
            _ => return false,
        }
        let begins = tail
            .get(index + 1)
            .is_none_or(|before| !before.is_alphanumeric() || escape_letter(&tail, index));
        // The escape `\n` before a label leaves its letter; the label itself decides.
        if begins && is_label(&word.chars().rev().collect::<String>()) {
            return true;
        }
    }
    false
}

/// Tells whether the next character back is the letter of an escape such as `\n`.
fn escape_letter(tail: &[char], index: usize) -> bool {
    tail.get(index + 1).is_some_and(|c| matches!(c, 'n' | 't' | 'r')) && tail.get(index + 2) == Some(&'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_every_table_are_in_it() {
        for label in [
            "мысль",
            "思考",
            "gedachte",
            "finalanswer",
            "végsőválasz",
            "zwischenantwort",
            "toolresponse",
            "human",
        ] {
            assert!(is_label(label), "{label}");
        }
        assert!(!is_label("weather"));
    }
}
