//! An utterance laid out in letters as templates are compared with it, each letter with its word. Compares nothing.

use std::ops::Range;

use crate::letter::fold;
use crate::sketch::{Sketch, of_letters};
use crate::spoken::Spoken;
use crate::words::{Word, is_elided, words};

/// The words of an utterance, ready to be compared with many languages.
#[derive(Debug, Clone)]
pub struct Utterance {
    words: Vec<Word>,
    /// They are the letters of the words, each word with a space behind it.
    pub(crate) spoken: Spoken,
    /// Where the letters of each word are.
    places: Vec<Range<u32>>,
    pub(crate) sketch: Sketch,
}

impl Utterance {
    /// These words. One that is compared as nothing stands as it was said, so that only a slot can hold it.
    pub fn new(words: &[Word]) -> Self {
        let (mut letters, mut places) = (Vec::new(), Vec::with_capacity(words.len()));
        for word in words {
            let from = letters.len() as u32;
            letters.extend(compared(word));
            places.push(from..letters.len() as u32);
            letters.push(' ');
        }
        let folded: Vec<char> = letters.iter().copied().map(fold).collect();
        Self {
            words: words.to_vec(),
            sketch: of_letters(&folded),
            spoken: Spoken::new(letters),
            places,
        }
    }

    /// The words of a text.
    pub fn of(text: &str) -> Self {
        Self::new(&words(text))
    }

    /// Its words.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Where the letters of each word begin.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u32> {
        self.places.iter().map(|place| place.start)
    }

    /// The words of which these letters have a part.
    pub(crate) fn touched(&self, letters: &Range<u32>) -> Range<usize> {
        let first = self.places.partition_point(|place| place.end <= letters.start);
        let end = self.places.partition_point(|place| place.start < letters.end);
        first..end.max(first)
    }

    /// Whether a word has ended before this letter, and none goes on with it.
    pub(crate) fn is_word_end(&self, at: u32) -> bool {
        let next = self.places.partition_point(|place| place.end < at);
        self.places
            .get(next)
            .is_none_or(|place| place.end == at || place.start >= at)
    }

    /// What was said in these letters: whole words with the commas between them, or the letters themselves.
    pub(crate) fn said(&self, letters: &Range<u32>) -> String {
        let touched = self.touched(letters);
        let (Some(first), Some(last)) = (
            self.places.get(touched.start),
            touched.end.checked_sub(1).and_then(|last| self.places.get(last)),
        ) else {
            return String::new();
        };
        if first.start >= letters.start && last.end <= letters.end {
            return joined(self.words.get(touched).unwrap_or_default());
        }
        let letters = self
            .spoken
            .letters
            .get(letters.start as usize..letters.end as usize);
        letters
            .unwrap_or_default()
            .iter()
            .collect::<String>()
            .trim()
            .to_owned()
    }
}

/// The letters of a word as they are compared, which is without case, in the case in which they were said.
fn compared(word: &Word) -> Vec<char> {
    let (said, plain): (Vec<char>, Vec<char>) = (word.said.chars().collect(), word.plain.chars().collect());
    match plain.len() {
        0 => said,
        length if length != said.len() => plain,
        _ => {
            let letters = said.into_iter().zip(plain);
            letters
                .map(|(said, plain)| if fold(said) == fold(plain) { said } else { plain })
                .collect()
        }
    }
}

/// Commas stand between words, never at the end; a word that was taken apart is whole again.
fn joined(words: &[Word]) -> String {
    let mut text = String::new();
    for Word { said, .. } in words {
        text.push_str(said);
        text.push_str(if is_elided(said) { "" } else { " " });
    }
    text.trim_end_matches([',', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words_and_figures;

    #[test]
    fn letters_are_said_as_the_words_they_are_of() {
        let utterance = Utterance::new(&words_and_figures("Add milk, eggs + 2 Bobs!"));
        let letters: String = utterance.spoken.letters.iter().collect();
        assert_eq!(letters, "Add milk eggs + 2 Bobs ");
        assert_eq!(utterance.said(&(4..13)), "milk, eggs");
        assert_eq!(utterance.said(&(4..9)), "milk");
        assert_eq!(utterance.said(&(18..21)), "Bob", "a part of a word");
        assert_eq!(utterance.touched(&(4..14)), 1..3);
        assert_eq!(utterance.said(&(30..40)), "");
        let ends: Vec<u32> = (0..=23).filter(|at| utterance.is_word_end(*at)).collect();
        assert_eq!(ends, [0, 3, 4, 8, 9, 13, 14, 15, 16, 17, 18, 22, 23]);
    }
}
