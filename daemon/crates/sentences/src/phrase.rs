//! Literal letters of a template or of a value, ready to be compared.

use crate::letter::{fold, is_space};
use crate::spoken::unspaced_gaps;

/// Literal letters, and what is to be known about them.
#[derive(Debug)]
pub(crate) struct Phrase {
    letters: Box<[char]>,
    /// The letters without white space between letters of scripts without it, where there is any.
    unspaced: Option<Box<[char]>>,
    /// A word ends with it, so that white space before the next one counts for nothing.
    ends_word: bool,
}

/// Letters to be compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letters<'a> {
    pub(crate) folded: &'a [char],
    pub(crate) ends_word: bool,
}

impl Phrase {
    /// A phrase of an even text.
    pub(crate) fn new(text: &str) -> Self {
        let letters: Box<[char]> = text.chars().map(fold).collect();
        let gaps = unspaced_gaps(&letters);
        let kept = |at: &usize| !gaps.iter().any(|gap| gap.contains(at));
        let unspaced = (!gaps.is_empty()).then(|| {
            let letters = letters.iter().enumerate().filter(|(at, _)| kept(at));
            letters.map(|(_, letter)| *letter).collect()
        });
        Self {
            ends_word: text.ends_with([' ', '\'']),
            unspaced,
            letters,
        }
    }

    /// Its letters, in a language that ignores white space or in another.
    pub(crate) fn letters(&self, ignores_whitespace: bool) -> Letters<'_> {
        let unspaced = self.unspaced.as_ref().filter(|_| ignores_whitespace);
        Letters {
            folded: unspaced.unwrap_or(&self.letters),
            ends_word: self.ends_word,
        }
    }

    /// Roughly the bytes that it takes.
    pub(crate) fn weight_in_bytes(&self) -> usize {
        let unspaced = self.unspaced.as_ref().map_or(0, |letters| letters.len());
        size_of::<Self>() + size_of::<char>() * (self.letters.len() + unspaced)
    }

    /// Whether it has nothing but white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.letters.iter().all(|letter| is_space(*letter))
    }
}

impl<'a> Letters<'a> {
    /// The letters without white space before them.
    pub(crate) fn trimmed_start(self) -> &'a [char] {
        let spaces = self.folded.iter().take_while(|letter| is_space(**letter)).count();
        self.folded.get(spaces..).unwrap_or_default()
    }
}

/// How many letters there are without white space around them.
pub(crate) fn weight(letters: &[char]) -> u32 {
    let is_said = |letter: &char| !is_space(*letter);
    let first = letters.iter().position(is_said);
    let last = letters.iter().rposition(is_said);
    first
        .zip(last)
        .map_or(0, |(first, last)| (last + 1 - first) as u32)
}
