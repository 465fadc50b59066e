//! Whether a sentence in which a brain says again what was wanted holds nothing of its own: each word is one of the device's or was
//! said, and each number was said. Understands no sentence.

use loquat_conversation::dialect::restated::{common_words, own_words, words};
use loquat_decoder::language::spoken;

use crate::figure::{Figure, Known, figures};

/// Words with the same beginning of so many letters are forms of one word.
const STEM: usize = 3;

/// Forms of one word differ in so many letters at most at their ends.
const ENDING: usize = 3;

/// The minutes that people say as a part of an hour.
const PARTS_OF_HOUR: [f64; 3] = [15.0, 30.0, 45.0];

/// Tells whether all of a sentence comes of what was said, perhaps one sentence after the other.
pub(crate) fn is_said(sentence: &str, said: &[&str], lang: &str) -> bool {
    has_said_words(sentence, said, lang) && has_said_numbers(sentence, said, lang)
}

/// Tells whether a sentence has any word of what was said that says what is meant.
pub(crate) fn shares_a_word(sentence: &str, said: &str, lang: &str) -> bool {
    let heard = words(said);
    let (Some(own), Some(common)) = (own_words(lang), common_words(lang)) else {
        return false;
    };
    let says_little =
        |word: &String| common.contains(word) || word.chars().count() <= STEM && own.contains(word);
    let telling = words(sentence).into_iter().filter(|word| !says_little(word));
    let mut telling = telling.filter(|word| word.chars().count() >= STEM);
    telling.any(|word| heard.iter().any(|heard| is_form_of(&word, heard)))
}

fn has_said_words(sentence: &str, said: &[&str], lang: &str) -> bool {
    let Some(own) = own_words(lang) else {
        return false;
    };
    let heard: Vec<String> = said.iter().flat_map(|text| words(text)).collect();
    words(sentence)
        .into_iter()
        .filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()))
        .all(|word| own.contains(&word) || heard.iter().any(|heard| is_form_of(&word, heard)))
}

/// Numbers in words that the sentence has are compared as words as well.
fn has_said_numbers(sentence: &str, said: &[&str], lang: &str) -> bool {
    let language = spoken(Some(lang));
    let known = Known::of(said.iter().copied(), language);
    figures(sentence, language)
        .iter()
        .all(|figure| figure.is_trivial() || known.hold(figure) || is_part_of_hour(figure))
}

/// Tells whether it may be the half or the quarter of a time of day, which is said in other words.
fn is_part_of_hour(figure: &Figure) -> bool {
    let is_part = |value: f64| {
        PARTS_OF_HOUR
            .iter()
            .any(|part| (part - value).abs() < f64::EPSILON)
    };
    figure.is_time() && figure.values().any(is_part)
}

fn is_form_of(word: &str, heard: &str) -> bool {
    let shared = word
        .chars()
        .zip(heard.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let longest = word.chars().count().max(heard.chars().count());
    word == heard || shared >= STEM && longest - shared <= ENDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_many_sentences_are_no_word_of_what_was_said() {
        for (sentence, said, expected) in [
            ("cancel the bread timer", "the bread is done", true),
            ("cancel the tea timer", "my tea is ready", true),
            ("make it warmer", "it is the cold in here", false),
            ("turn the volume up", "now it is my turn", false),
            ("what timers are there", "what are these noises", false),
            ("next song", "that song again", true),
        ] {
            assert_eq!(shares_a_word(sentence, said, "en-US"), expected, "{said}");
        }
    }

    #[test]
    fn each_word_and_each_number_has_to_come_of_what_was_said() {
        for (said, sentence, expected) in [
            (
                "the eggs want six minutes",
                "set an eggs timer for 6 minutes",
                true,
            ),
            (
                "the eggs want six minutes",
                "set an eggs timer for 10 minutes",
                false,
            ),
            ("the eggs want a while", "set an eggs timer for 30 minutes", false),
            ("we're nearly out of tea", "add tea to the shopping list", true),
            ("we're nearly out of tea", "add milk to the shopping list", false),
            ("up at half past six", "wake me at 6:30", true),
            ("up at half past six", "wake me at 7:30", false),
            ("the potato pan", "set a potatoes timer for 5 minutes", false),
        ] {
            assert_eq!(is_said(sentence, &[said], "en"), expected, "{said}: {sentence}");
        }
        assert!(is_said(
            "set a rice timer for 12 minutes",
            &["set a timer for 3 minutes", "and rice, twelve"],
            "en-GB"
        ));
    }
}
