//! What may be the name of a person in sentences.

use loquat_kit::intent::InLanguage;
use serde_json::Value;

use super::residents::Residents;

/// Words of a name.
const MOST_WORDS: usize = 3;

/// Characters of a name.
pub(super) const LONGEST: usize = 40;

/// Words that are no name, in a language.
const NO_NAME: &str = "no_name.value";

/// A few words of letters, none of which is a pronoun or an article.
pub(super) fn given(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_no_name = |word: &str| {
        let mut listed = spoken.locales.values(super::FOLDER, spoken.lang, NO_NAME);
        listed.any(|(_, words)| {
            words
                .split('|')
                .any(|listed| loquat_kit::folded(listed) == loquat_kit::folded(word))
        })
    };
    let is_one = (1..=MOST_WORDS).contains(&words.len())
        && is_name(said)
        && !words.iter().any(|word| is_no_name(word));
    is_one.then(|| Value::from(capitalised(&words)))
}

/// Such words, where each is written with a capital.
pub(super) fn spelled(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_spelled = said
        .split_whitespace()
        .all(|word| word.starts_with(char::is_uppercase));
    given(said, spoken).filter(|_| is_spelled)
}

/// The name of a person who has been named at some door.
pub(super) fn known(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let residents = spoken.things.get::<Residents>()?;
    let is_known = !residents.doors_of(said).is_empty();
    given(said, spoken).filter(|_| is_known)
}

/// Letters with the signs that names have, and not too many.
pub(super) fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() || " -'’.".contains(letter);
    text.chars().count() <= LONGEST && text.chars().all(is_letter) && text.contains(char::is_alphabetic)
}

/// With a capital at the beginning of each word: what was heard or typed may have none.
fn capitalised(words: &[&str]) -> String {
    let capital = |word: &&str| loquat_agent::capitalised(word);
    words.iter().map(capital).collect::<Vec<_>>().join(" ")
}
