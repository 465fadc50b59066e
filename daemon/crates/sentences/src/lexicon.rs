//! Phrases in alphabetical order: which of them begin a text is found in a few steps. Holds no values.

/// Phrases in alphabetical order, each with the number of what it stands for.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    entries: Vec<(Box<[char]>, u32)>,
}

impl Lexicon {
    /// Orders the phrases; those that are equal keep their order.
    pub(crate) fn new(mut entries: Vec<(Box<[char]>, u32)>) -> Self {
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self { entries }
    }

    /// All phrases that begin the text, the shortest first: their letters, and what each stands for.
    pub(crate) fn beginning<'a>(&'a self, text: &'a [char]) -> impl Iterator<Item = (&'a [char], u32)> {
        let mut left: &[(Box<[char]>, u32)] = &self.entries;
        let mut depth = 0;
        std::iter::from_fn(move || {
            loop {
                let (first, rest) = left.split_first()?;
                if first.0.len() == depth && depth > 0 {
                    left = rest;
                    return Some((&*first.0, first.1));
                }
                left = narrowed(left, depth, *text.get(depth)?);
                depth += 1;
            }
        })
    }
}

/// The entries whose letter at this depth is this one. All of them agree in the letters before.
fn narrowed(entries: &[(Box<[char]>, u32)], depth: usize, letter: char) -> &[(Box<[char]>, u32)] {
    let at = |entry: &(Box<[char]>, u32)| entry.0.get(depth).copied();
    let start = entries.partition_point(|entry| at(entry) < Some(letter));
    let rest = entries.get(start..).unwrap_or_default();
    let end = rest.partition_point(|entry| at(entry) == Some(letter));
    rest.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrases_that_begin_a_text_are_found_shortest_first() {
        let words = ["living room", "living", "light", "liv", "living", ""];
        let entries = words
            .iter()
            .zip(0..)
            .map(|(word, number)| (word.chars().collect(), number));
        let lexicon = Lexicon::new(entries.collect());
        let found = |text: &str| -> Vec<u32> {
            let text: Vec<char> = text.chars().collect();
            lexicon.beginning(&text).map(|(_, number)| number).collect()
        };
        assert_eq!(found("living room lamp"), [3, 1, 4, 0]);
        assert_eq!(found("lights"), [2]);
        assert!(found("").is_empty() && found("x").is_empty());
    }
}
