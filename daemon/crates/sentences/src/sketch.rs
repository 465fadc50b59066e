//! Letters that a template cannot do without: what lacks them in the text is not tried. Never loses a reading.

use crate::letter::{fold, is_punctuation, is_space};

/// Which letters a text has, and which stand side by side: one bit for many of each, so that what is there is always seen,
/// and what is not there nearly always.
pub(crate) type Sketch = u128;

/// What a template needs: of each clause one word.
pub(crate) type Clauses = Vec<Vec<Sketch>>;

/// The sketch of folded letters. Those with white space between them do not stand side by side.
pub(crate) fn of_letters(letters: &[char]) -> Sketch {
    let mut sketch = 0;
    let mut before = None;
    for letter in letters.iter().copied() {
        if is_space(letter) {
            before = None;
            continue;
        }
        sketch |= bit(u32::from(letter));
        if let Some(before) = before.replace(letter) {
            sketch |= bit(u32::from(before).rotate_left(11) ^ u32::from(letter));
        }
    }
    sketch
}

/// One of the bits, the same for the same number.
fn bit(number: u32) -> Sketch {
    1 << (number.wrapping_mul(0x9e37_79b1) >> 25)
}

/// What words need: each of them that has no sign which a text might lose.
pub(crate) fn of_words(words: &str) -> Clauses {
    let kept = words
        .split(is_space)
        .filter(|word| !word.is_empty() && !word.contains(is_punctuation));
    let folded = kept.map(|word| word.chars().map(fold).collect::<Vec<_>>());
    folded.map(|word| vec![of_letters(&word)]).collect()
}

/// What a choice needs: of each of its parts the shortest clause, unless a part needs nothing.
pub(crate) fn of_either(parts: &[Clauses]) -> Clauses {
    let shortest: Option<Vec<&Vec<Sketch>>> = parts
        .iter()
        .map(|part| part.iter().min_by_key(|clause| clause.len()))
        .collect();
    let mut merged: Vec<Sketch> = shortest
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

/// Whether a text with this sketch may have a word of each clause.
pub(crate) fn may_have(text: Sketch, clauses: &[Vec<Sketch>]) -> bool {
    clauses
        .iter()
        .all(|clause| clause.iter().any(|word| word & !text == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_has_is_always_seen() {
        let text: Vec<char> = "turn on the kitchen lights".chars().collect();
        let text = of_letters(&text);
        let needs = of_all(&[
            of_either(&[of_words("switch"), of_words(" turn ")]),
            of_words("light"),
            of_words("a.c. on"),
        ]);
        assert_eq!(needs.len(), 3);
        assert!(may_have(text, &needs));
        assert!(!may_have(text, &of_words("garage")) && !may_have(0, &needs));
        assert!(may_have(0, &of_either(&[of_words("turn"), Vec::new()])));
    }
}
