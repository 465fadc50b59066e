//! What can stand in the gaps of questions about the world: a few words of which none points at the person, the device or
//! the present.
//!
//! Asks no service: whether there is such a thing shows when the tool is called.

use serde_json::Value;

use crate::intent::InLanguage;
use crate::locale::Locales;
use crate::spelling::folded;
use crate::wikipedia;

const MOST_WORDS: usize = 6;

/// In bytes.
const LONGEST: usize = 80;

/// A topic: somebody or something that a work may have an article on.
pub(crate) fn read_topic(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    is_topic(said, spoken.locales, spoken.lang).then(|| Value::from(said))
}

/// A name: a topic that neither begins nor ends with a word that joins others.
pub(crate) fn read_name(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = folded(said);
    let is_joining = |word: &str| is_listed(spoken.locales, spoken.lang, "joining", word);
    let mut ends = [words.split(' ').next(), words.split(' ').next_back()]
        .into_iter()
        .flatten();
    if ends.any(is_joining) {
        None
    } else {
        read_topic(said, spoken)
    }
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
pub(super) fn is_topic(said: &str, locales: &Locales, lang: &str) -> bool {
    let words = folded(said);
    let count = words.split(' ').count();
    let is_of_names = |letter: char| letter.is_alphabetic() || " -'\u{2019}.,&".contains(letter);
    (1..=MOST_WORDS).contains(&count)
        && said.len() <= LONGEST
        && said.chars().any(char::is_alphabetic)
        && said.chars().all(is_of_names)
        && words
            .split(' ')
            .all(|word| !is_listed(locales, lang, "pointing", word))
}

fn is_listed(locales: &Locales, lang: &str, name: &str, word: &str) -> bool {
    let mut lists = locales.values(wikipedia::FOLDER, lang, "no_topic.value");
    lists.any(|(known, words)| known == name && words.split('|').any(|listed| folded(listed) == word))
}
