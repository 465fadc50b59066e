//! Patterns with what they mean, looked up by the words that they begin with.
//!
//! Compares nothing.

use std::collections::HashMap;

use crate::reading::pattern::{Piece, first_words, pieces};

/// Patterns with what each means, and where those are that begin with a word; those that begin with a gap stand at none.
#[derive(Debug)]
pub(crate) struct Table<T> {
    patterns: Vec<(Vec<Piece>, T)>,
    beginning: HashMap<String, Vec<usize>>,
}

impl<T> Table<T> {
    /// Those of a list; nothing where one cannot be read.
    pub(super) fn of<'a>(entries: impl Iterator<Item = (&'a String, T)>) -> Option<Self> {
        let mut patterns = Vec::new();
        let mut beginning: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, (pattern, meaning)) in entries.enumerate() {
            let pieces = pieces(pattern)?;
            for word in first_words(&pieces) {
                let places = beginning.entry(word.to_owned()).or_default();
                places.push(place);
                places.dedup();
            }
            patterns.push((pieces, meaning));
        }
        Some(Self { patterns, beginning })
    }

    /// Those that may begin with this word.
    pub(crate) fn beginning(&self, word: &str) -> impl Iterator<Item = &(Vec<Piece>, T)> {
        let with_word = self.beginning.get(word).filter(|_| !word.is_empty());
        let with_gap = self.beginning.get("").into_iter().flatten();
        let with_gap = with_gap.filter(move |place| with_word.is_none_or(|places| !places.contains(place)));
        let places = with_word.into_iter().flatten().chain(with_gap);
        places.filter_map(|place| self.patterns.get(*place))
    }
}
