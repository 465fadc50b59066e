//! Words of courtesy and filling that a sentence may have anywhere. Reads no templates.

use std::ops::Range;

use crate::letter::{fold, is_space, is_word};
use crate::spoken::Spoken;

/// Where skip words are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    Anywhere,
    Start,
    End,
}

/// The skip words of a language, the longest first.
#[derive(Debug, Default)]
pub(crate) struct SkipWords {
    words: Vec<Vec<char>>,
    /// Words are not separated by spaces.
    unspaced: bool,
}

impl SkipWords {
    pub(crate) fn new(words: &[String], unspaced: bool) -> Self {
        let trimmed = words.iter().map(|word| word.trim_matches(is_space));
        let mut words: Vec<Vec<char>> = trimmed
            .filter(|word| !word.is_empty())
            .map(|word| word.chars().map(fold).collect())
            .collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words.dedup();
        Self { words, unspaced }
    }

    /// Drops them from a text.
    pub(crate) fn drop_from(&self, spoken: &mut Spoken, from: Where) {
        match (from, self.unspaced) {
            (Where::Anywhere, _) => self.drop_anywhere(spoken),
            (_, true) => while self.drop_at(spoken, from) {},
            (_, false) => {
                while self.drop_at(spoken, from) {
                    spoken.even_spaces();
                    spoken.trim();
                }
                spoken.even_spaces();
                spoken.trim();
            }
        }
    }

    fn drop_anywhere(&self, spoken: &mut Spoken) {
        let found = self.everywhere(spoken);
        if self.unspaced {
            spoken.replace(&found, None);
            return;
        }
        spoken.replace(&found, Some(' '));
        spoken.even_spaces();
        spoken.trim();
    }

    fn everywhere(&self, spoken: &Spoken) -> Vec<Range<usize>> {
        let folded = folded(spoken);
        let mut found = Vec::new();
        let mut at = 0;
        while at < folded.len() {
            match self.words.iter().find(|word| self.stands(&folded, at, word)) {
                Some(word) => {
                    found.push(at..at + word.len());
                    at += word.len();
                }
                None => at += 1,
            }
        }
        found
    }

    /// Whether the word stands there, as a whole one where words are separated.
    fn stands(&self, text: &[char], at: usize, word: &[char]) -> bool {
        let fits = text.get(at..).is_some_and(|rest| rest.starts_with(word));
        fits && (self.unspaced || (!is_word_before(text, at) && !is_word_at(text, at + word.len())))
    }

    fn drop_at(&self, spoken: &mut Spoken, from: Where) -> bool {
        let folded = folded(spoken);
        let found = match from {
            Where::End => self.at_end(&folded),
            Where::Start | Where::Anywhere => self.at_start(&folded),
        };
        spoken.replace(&found.clone().into_iter().collect::<Vec<_>>(), None);
        found.is_some()
    }

    fn at_start(&self, text: &[char]) -> Option<Range<usize>> {
        let start = if self.unspaced { 0 } else { spaces(text.iter()) };
        let word = self.words.iter().find(|word| self.stands(text, start, word))?;
        let end = start + word.len();
        let after = if self.unspaced {
            0
        } else {
            spaces(text.iter().skip(end))
        };
        Some(0..end + after)
    }

    fn at_end(&self, text: &[char]) -> Option<Range<usize>> {
        let end = if self.unspaced {
            text.len()
        } else {
            text.len() - spaces(text.iter().rev())
        };
        let starts = self
            .words
            .iter()
            .filter_map(|word| Some((end.checked_sub(word.len())?, word)));
        let (start, _) = starts
            .into_iter()
            .find(|(start, word)| self.stands(text, *start, word))?;
        let before = if self.unspaced {
            0
        } else {
            spaces(text.iter().take(start).rev())
        };
        Some(start - before..text.len())
    }
}

fn folded(spoken: &Spoken) -> Vec<char> {
    spoken.letters.iter().copied().map(fold).collect()
}

fn spaces<'a>(letters: impl Iterator<Item = &'a char>) -> usize {
    letters.take_while(|letter| is_space(**letter)).count()
}

fn is_word_at(text: &[char], at: usize) -> bool {
    text.get(at).is_some_and(|letter| is_word(*letter))
}

fn is_word_before(text: &[char], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| is_word_at(text, before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, words: &[&str], from: Where, unspaced: bool) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut spoken = Spoken::new(text.chars().collect());
        SkipWords::new(&words, unspaced).drop_from(&mut spoken, from);
        spoken.letters.iter().collect()
    }

    #[test]
    fn whole_words_are_dropped_anywhere() {
        let words = ["please", "can you", "can you please"];
        assert_eq!(
            without("Can you please turn it on please", &words, Where::Anywhere, false),
            "turn it on"
        );
        assert_eq!(
            without("pleased to meet you", &words, Where::Anywhere, false),
            "pleased to meet you"
        );
    }

    #[test]
    fn only_one_end_is_cleared_where_the_other_is_open() {
        let words = ["please", "now"];
        assert_eq!(
            without("please now say please now", &words, Where::Start, false),
            "say please now"
        );
        assert_eq!(
            without("please now say please now", &words, Where::End, false),
            "please now say"
        );
    }

    #[test]
    fn words_without_spaces_are_dropped_anywhere() {
        assert_eq!(
            without("请把灯请打开", &["请", "把"], Where::Anywhere, true),
            "灯打开"
        );
        assert_eq!(without("请把灯请", &["请", "把"], Where::Start, true), "灯请");
        assert_eq!(without("请把灯请", &["请", "把"], Where::End, true), "请把灯");
    }
}
