//! The words by which something remembered is found: all but the plain ones, of which every sentence is full.
//!
//! The plain words of all languages are left out of every text, since what is remembered in one may be asked for in
//! another.

use loquat_kit::folded;
use loquat_kit::locale::Locales;

use super::FOLDER;

/// The file of the plain words.
const FILE: &str = "plain.value";

/// The words of a text that tell what it is about, each once.
pub(super) fn telling(locales: &Locales, text: &str) -> Vec<String> {
    let folded = folded(text);
    let is_sign = |character: char| !character.is_alphanumeric();
    let mut words: Vec<String> = folded
        .split(is_sign)
        .filter(|word| !word.is_empty() && !is_plain(locales, word))
        .map(str::to_owned)
        .collect();
    words.sort();
    words.dedup();
    words
}

fn is_plain(locales: &Locales, word: &str) -> bool {
    locales.languages(FOLDER).any(|lang| {
        let mut lines = locales.values(FOLDER, lang, FILE);
        lines.any(|(_, plain)| plain.split('|').any(|plain| folded(plain) == word))
    })
}

/// Whether two words are forms of one: they begin alike, and the rest of each is an ending.
pub(super) fn is_form(one: &str, other: &str) -> bool {
    const ENDING: usize = 3;
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let longest = one.chars().count().max(other.chars().count());
    one == other || (alike > ENDING && longest - alike <= ENDING)
}

/// Whether all of these words are among those of a text, in any form.
pub(super) fn holds_all(held: &[String], wanted: &[String]) -> bool {
    let is_held = |word: &String| held.iter().any(|held| is_form(held, word));
    wanted.iter().all(is_held)
}
