//! Letters that a template cannot do without: what lacks one in the text is not tried. Never loses a reading.

use std::collections::HashMap;

use crate::letter::{fold, is_punctuation, is_space};
use crate::lexicon::Lexicon;

/// The number of a fragment.
pub(crate) type Fragment = u32;

/// What a template needs: of each clause one fragment.
pub(crate) type Clauses = Vec<Vec<Fragment>>;

/// All fragments of a language while it is compiled.
#[derive(Debug, Default)]
pub(crate) struct FragmentTable {
    numbers: HashMap<Box<[char]>, Fragment>,
}

/// All fragments of a language.
#[derive(Debug, Default)]
pub(crate) struct Fragments {
    lexicon: Lexicon,
    count: usize,
}

/// The fragments that a text has.
#[derive(Debug)]
pub(crate) struct Present(Vec<u64>);

impl FragmentTable {
    /// What words need: each of them that has no sign which a text might lose.
    pub(crate) fn of_words(&mut self, words: &str) -> Clauses {
        let kept = words
            .split(is_space)
            .filter(|word| !word.is_empty() && !word.contains(is_punctuation));
        kept.map(|word| vec![self.number(word)]).collect()
    }

    fn number(&mut self, word: &str) -> Fragment {
        let next = self.numbers.len() as u32;
        *self
            .numbers
            .entry(word.chars().map(fold).collect())
            .or_insert(next)
    }

    pub(crate) fn finished(self) -> Fragments {
        let count = self.numbers.len();
        Fragments {
            lexicon: Lexicon::new(self.numbers.into_iter().collect()),
            count,
        }
    }
}

/// What a choice needs: of each of its parts the shortest clause, unless a part needs nothing.
pub(crate) fn of_either(parts: &[Clauses]) -> Clauses {
    let shortest: Option<Vec<&Vec<Fragment>>> = parts
        .iter()
        .map(|part| part.iter().min_by_key(|clause| clause.len()))
        .collect();
    let mut merged: Vec<Fragment> = shortest
        .unwrap_or_default()
        .into_iter()
        .flatten()
        .copied()
        .collect();
    merged.sort_unstable();
    merged.dedup();
    if merged.is_empty() {
        Vec::new()
    } else {
        vec![merged]
    }
}

/// What a sequence needs: all that its parts need.
pub(crate) fn of_all(parts: &[Clauses]) -> Clauses {
    let mut clauses = parts.concat();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

impl Fragments {
    /// The fragments that any of these folded texts has.
    pub(crate) fn in_texts<'a>(&self, texts: impl Iterator<Item = &'a [char]>) -> Present {
        let mut present = vec![0_u64; self.count / 64 + 1];
        for text in texts {
            for start in 0..text.len() {
                for (_, fragment) in self.lexicon.beginning(text.get(start..).unwrap_or_default()) {
                    if let Some(bits) = present.get_mut(fragment as usize / 64) {
                        *bits |= 1 << (fragment % 64);
                    }
                }
            }
        }
        Present(present)
    }
}

impl Present {
    /// Whether of each clause a fragment is there.
    pub(crate) fn satisfies(&self, clauses: &[Vec<Fragment>]) -> bool {
        clauses
            .iter()
            .all(|clause| clause.iter().any(|fragment| self.has(*fragment)))
    }

    fn has(&self, fragment: Fragment) -> bool {
        self.0
            .get(fragment as usize / 64)
            .is_some_and(|bits| bits & (1 << (fragment % 64)) != 0)
    }
}
