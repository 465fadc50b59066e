//! Articles and the like: a sentence may be understood although it lacks one of them. The caller says which words they are.

use crate::letter::{fold, is_space};
use crate::phrase::Phrase;
use crate::sketch::{Sketch, of_letters};

/// The slight words of a language, as its templates have them.
#[derive(Debug, Default)]
pub(crate) struct Slight {
    /// They are found by the numbers of phrases.
    phrases: Vec<bool>,
    /// What a template may need of them.
    sketch: Sketch,
}

impl Slight {
    pub(crate) fn new<'w>(words: impl IntoIterator<Item = &'w str>, phrases: &[Phrase]) -> Self {
        let folded = |word: &str| word.trim().chars().map(fold).collect::<Vec<char>>();
        let words: Vec<Vec<char>> = words
            .into_iter()
            .map(folded)
            .filter(|word| !word.is_empty())
            .collect();
        let is_slight = |phrase: &Phrase| {
            phrase
                .as_word()
                .is_some_and(|word| words.iter().any(|slight| slight == word))
        };
        Self {
            phrases: phrases.iter().map(is_slight).collect(),
            sketch: words.iter().fold(0, |sketch, word| sketch | of_letters(word)),
        }
    }

    /// Whether a phrase is one of them and stands for itself.
    pub(crate) fn has(&self, phrase: u32) -> bool {
        self.phrases.get(phrase as usize).copied().unwrap_or_default()
    }

    /// What a template may need of them.
    pub(crate) fn sketch(&self) -> Sketch {
        self.sketch
    }
}

impl Phrase {
    /// Its letters if it is a word, with white space at one of its sides at least.
    fn as_word(&self) -> Option<&[char]> {
        let letters = self.letters(false).folded;
        let first = letters.iter().position(|letter| !is_space(*letter))?;
        let last = letters.iter().rposition(|letter| !is_space(*letter))?;
        let is_apart = first > 0 || last + 1 < letters.len();
        letters.get(first..=last).filter(|_| is_apart)
    }
}
