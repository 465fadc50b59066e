//! Whether what was heard is what was said, as far as an answer depends on it.

use super::figures::in_digits;

/// At most so many of a hundred words may be other ones.
const OTHER_WORDS: usize = 25;

/// Whether the numbers are those that were said and nearly all of the words.
pub fn is_right(said: &str, heard: &str, lang: &str) -> bool {
    let [said, heard] = [said, heard].map(|text| in_digits(text, lang, 0.0).to_lowercase());
    let (said_words, heard_words) = (words(&said), words(&heard));
    let wrong = strsim::generic_levenshtein(&said_words, &heard_words);
    digits(&said) == digits(&heard) && wrong * 100 <= said_words.len() * OTHER_WORDS
}

/// Digits alone: "18 50" and "18.50" sound alike, and so do "9th" and "9".
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Words without marks and digits, signs written out as they are spoken in English.
fn words(text: &str) -> Vec<String> {
    let spelled = text.replace('%', " percent ").replace('°', " degrees ");
    let words = spelled.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty());
    let spoken = |word: &str| if word == "x" { "times" } else { word }.to_owned();
    words.map(spoken).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slips_are_forgiven_and_wrong_numbers_are_not() {
        let check = |said, heard, expected| {
            assert_eq!(is_right(said, heard, "en-US"), expected, "{said}: {heard}");
        };
        check("What is 86 times 14?", "What is eighty-six times fourteen", true);
        check("What is 86 times 14?", "What is 86 x 14?", true);
        check("What is 86 times 14?", "What is 86 times 40?", false);
        check("What is 15 percent of 60?", "what is 15% of 60", true);
        check(
            "Order me a pizza with mushrooms.",
            "Order me a pizza with mush rooms.",
            false,
        );
        check(
            "Add milk to the shopping list.",
            "At milk to the shopping list.",
            true,
        );
        check("Lock the front door.", "Look the friend door.", false);
    }
}
