//! What can stand in the gaps of questions about the world: a few words of which none points at the person, the device or
//! the present.
//!
//! Asks no service: whether there is such a thing shows when the tool is called.

use serde_json::Value;

use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

const MOST_WORDS: usize = 6;

/// In bytes.
const LONGEST: usize = 80;

/// A topic: a person or a thing that a work may have an article on.
pub(crate) fn read_topic(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    is_topic(said, spoken.locales, spoken.lang).then(|| Value::from(said))
}

/// A name: a topic that neither begins nor ends with a word that joins others.
pub(crate) fn read_name(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_joining = |word: &String| is_listed(spoken.locales, spoken.lang, "joining", word);
    let words = words(said);
    let mut ends = words.first().into_iter().chain(words.last());
    if ends.any(is_joining) {
        None
    } else {
        read_topic(said, spoken)
    }
}

/// A name of at least two words: of one word there are too many people.
pub(crate) fn read_full_name(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_full = said.split_whitespace().count() > 1;
    if is_full { read_name(said, spoken) } else { None }
}

/// A single word.
pub(crate) fn read_word(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_word =
        said.split_whitespace().count() == 1 && said.chars().filter(|l| l.is_alphabetic()).count() > 1;
    if is_word { read_topic(said, spoken) } else { None }
}

/// What is searched for: any few words, since the sentence itself says that they are to be searched.
pub(crate) fn read_query(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().count() <= 2 * MOST_WORDS && said.len() <= 2 * LONGEST;
    is_short.then(|| Value::from(said))
}

/// Whether words can be a topic.
pub(crate) fn is_topic(said: &str, locales: &Locales, lang: &str) -> bool {
    let words = words(said);
    // An article that also points at what is there points at nothing in front of a name.
    let named = match words.split_first() {
        Some((first, rest)) if !rest.is_empty() && is_listed(locales, lang, "leading", first) => rest,
        _ => words.as_slice(),
    };
    let is_of_names = |letter: char| letter.is_alphabetic() || " -'\u{2019}.,&".contains(letter);
    (1..=MOST_WORDS).contains(&words.len())
        && said.len() <= LONGEST
        && said.chars().all(is_of_names)
        && !named
            .iter()
            .any(|word| is_listed(locales, lang, "pointing", word))
}

/// In lower case; an accent tells an article from a place: `la` and `là`.
fn words(said: &str) -> Vec<String> {
    let words = said.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether a word points at the person, the device or the present.
pub(crate) fn points(word: &str, locales: &Locales, lang: &str) -> bool {
    is_listed(locales, lang, "pointing", &word.to_lowercase())
}

fn is_listed(locales: &Locales, lang: &str, name: &str, word: &str) -> bool {
    let mut lists = locales.values(super::FOLDER, lang, "no_topic.value");
    lists.any(|(known, words)| known == name && words.split('|').any(|listed| listed == word))
}
