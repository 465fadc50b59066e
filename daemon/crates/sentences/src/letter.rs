//! What a letter is: space, part of a word, punctuation; and letters that count as one. Knows no texts.

use unicode_general_category::GeneralCategory::{
    DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber, TitlecaseLetter,
    UppercaseLetter,
};
use unicode_general_category::get_general_category;

/// Signs that a text loses before and after its words.
const PUNCTUATION: &str = ".。,，?¿？؟!¡！;；:：’…—–―";

/// White space, with the four separators of information that Unicode does not count as such.
pub(crate) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// Letters, numbers and the underscore. Marks are no part of a word, as in most engines of regular expressions.
pub(crate) fn is_word(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric() || letter == '_';
    }
    matches!(
        get_general_category(letter),
        UppercaseLetter
            | LowercaseLetter
            | TitlecaseLetter
            | ModifierLetter
            | OtherLetter
            | DecimalNumber
            | LetterNumber
            | OtherNumber
    )
}

/// Signs that end sentences and clauses.
pub(crate) fn is_punctuation(letter: char) -> bool {
    PUNCTUATION.contains(letter)
}

/// Hyphen and underscore, which count as spaces where a word would not fit otherwise.
pub(crate) fn is_break(letter: char) -> bool {
    matches!(letter, '-' | '_')
}

/// Letters of scripts that put no spaces between words.
pub(crate) fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The small form of a letter, always one letter.
pub(crate) fn lower(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    letter.to_lowercase().next().unwrap_or(letter)
}

/// One letter for all that differ in case only. The pairs below share a capital letter without being its small form.
pub(crate) fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    match lower(letter) {
        'ı' => 'i',
        'ſ' => 's',
        'µ' => 'μ',
        '\u{345}' | '\u{1fbe}' => 'ι',
        '\u{1fd3}' => '\u{390}',
        '\u{1fe3}' => '\u{3b0}',
        'ϐ' => 'β',
        'ϵ' => 'ε',
        'ϑ' => 'θ',
        'ϰ' => 'κ',
        'ϖ' => 'π',
        'ϱ' => 'ρ',
        'ς' => 'σ',
        'ϕ' => 'φ',
        '\u{1c80}' => 'в',
        '\u{1c81}' => 'д',
        '\u{1c82}' => 'о',
        '\u{1c83}' => 'с',
        '\u{1c84}' | '\u{1c85}' => 'т',
        '\u{1c86}' => 'ъ',
        '\u{1c87}' => 'ѣ',
        '\u{1c88}' => '\u{a64b}',
        '\u{1e9b}' => '\u{1e61}',
        '\u{fb05}' => '\u{fb06}',
        small => small,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capital_and_small_letters_are_one() {
        assert_eq!(['A', 'Ä', 'Σ', 'İ', 'K'].map(fold), ['a', 'ä', 'σ', 'i', 'k']);
        assert_eq!(['ς', 'ſ', 'ı', 'ß'].map(fold), ['σ', 's', 'i', 'ß']);
    }

    #[test]
    fn marks_are_no_part_of_a_word() {
        assert!(
            ['a', 'ß', '灯', 'ก', '5', '½', '_']
                .iter()
                .all(|letter| is_word(*letter))
        );
        assert!(
            ['-', '\'', ' ', '\u{94d}', '%']
                .iter()
                .all(|letter| !is_word(*letter))
        );
    }
}
