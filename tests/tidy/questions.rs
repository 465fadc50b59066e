//! The sentences among the texts of a Rust file, by their words, so that two files can be compared. Understands none of them.

use std::collections::BTreeSet;

/// Shorter ones, such as "what time is it", are said in every test.
const FEWEST_WORDS: usize = 6;

/// An apology of the program, which is no question.
const APOLOGY: &str = "i'm sorry";

/// The sentences between quotation marks, as words in small letters.
pub(crate) fn sentences(source: &str) -> BTreeSet<Vec<String>> {
    // A quotation mark that is a character begins no text.
    texts(&source.replace("'\"'", ""))
        .filter(|text| !text.to_lowercase().starts_with(APOLOGY))
        .map(|text| words(&text))
        .filter(|words| words.len() >= FEWEST_WORDS)
        .collect()
}

fn words(text: &str) -> Vec<String> {
    let separate = text.split(|c: char| !c.is_alphanumeric());
    separate
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// What stands between two quotation marks; a mark behind a backslash is a part of the text.
fn texts(source: &str) -> impl Iterator<Item = String> {
    let mut letters = source.chars();
    std::iter::from_fn(move || {
        letters.find(|letter| *letter == '"')?;
        let mut text = String::new();
        loop {
            match letters.next()? {
                '"' => return Some(text),
                '\\' => text.extend(letters.next()),
                letter => text.push(letter),
            }
        }
    })
}

#[test]
fn a_sentence_is_found_whatever_its_signs_and_capitals() {
    let source =
        r#"let a = ask("What is 5 percent of 1,200?"); say("short"); b("It is \"so\" and not so, is it?")"#;
    let found: Vec<String> = sentences(source).iter().map(|words| words.join(" ")).collect();
    assert_eq!(found, ["it is so and not so is it", "what is 5 percent of 1 200"]);
}
