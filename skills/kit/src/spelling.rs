//! Names that nearly are other names, so that a wrong one can be answered with those that were meant.
//!
//! Compares letters only, and knows no language.

/// In bytes; beyond this no near names are looked for.
const LONGEST_NAME: usize = 48;

/// The known names nearest to a wrong one, at most `count`, the nearest first.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    // Comparing takes time in proportion to the length, and nothing that people name is longer.
    if name.len() > LONGEST_NAME {
        return Vec::new();
    }
    // A wider miss than a third of the name is another name.
    let limit = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(count).map(|(_, known)| known).collect()
}
