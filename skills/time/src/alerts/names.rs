//! What is no part of a name: the articles before it, the word for what it names, and the words of an order. "The pasta timer"
//! is called pasta, and a timer that is called "set the" is a sentence that was misread.
//!
//! Knows no alert. The words are in `no_name.value`.

use loquat_kit::folded;
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

/// The list of such words.
const WORDS: &str = "no_name.value";

/// Words before a name.
const ARTICLES: &str = "articles";

/// Words for what is named.
const KINDS: &str = "kinds";

/// Words of orders and questions.
const ORDERS: &str = "orders";

/// The lists of what an alert is called, and several.
const KIND: &str = "kind.value";
const KIND_OF_SEVERAL: &str = "kinds.value";

/// What begins so asks for something known: question words, and what belongs to who is spoken to.
const ASKS: &str = "asks";

/// What begins as a question does and asks for nothing known: "was zu trinken".
const SOMETHING: &str = "something";

/// Whether words ask for something known: "wie der Film heißt", "ton nom".
pub(super) fn asks(said: &str, spoken: &InLanguage<'_>) -> bool {
    begins_as(said, ASKS, spoken) && !begins_as(said, SOMETHING, spoken)
}

/// Whether words begin as the name of a thing does, and not as what is to be done.
pub(super) fn begins_with_article(said: &str, spoken: &InLanguage<'_>) -> bool {
    begins_as(said, ARTICLES, spoken)
}

/// Whether words begin with one of a list. Accents count, since they tell a question word from others.
fn begins_as(said: &str, list: &str, spoken: &InLanguage<'_>) -> bool {
    let said = said.to_lowercase().replace('\u{2019}', "'");
    let begins = |form: &str| {
        let rest = said.strip_prefix(&form.to_lowercase());
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-'))
    };
    let mut lists = spoken.locales.values(super::FOLDER, spoken.lang, WORDS);
    lists.any(|(name, forms)| name.trim() == list && forms.split('|').map(str::trim).any(begins))
}

/// Whether something of these words is a name, where they were cut out of an order.
pub(super) fn is_name(said: &str, spoken: &InLanguage<'_>) -> bool {
    !names_nothing(said, spoken.lang, spoken.locales)
}

/// Whether this is a word of orders and questions.
pub(super) fn is_of_order(word: &str, spoken: &InLanguage<'_>) -> bool {
    is_of(&folded(word), ORDERS, spoken.lang, spoken.locales)
}

/// Whether words that were cut out of an order are no name. "The alarm and the", cut out of "cancel the alarm and the timer", is
/// none: beside a word of orders the word for another kind names nothing.
pub fn names_nothing(said: &str, lang: &str, locales: &Locales) -> bool {
    let folded = folded(said);
    let words = folded
        .split_whitespace()
        .flat_map(|word| word.split_inclusive('\''));
    let words: Vec<&str> = words.collect();
    let is_of_order = words.iter().any(|word| is_of(word, ORDERS, lang, locales));
    words.iter().all(|word| {
        let lists = [ARTICLES, KINDS, ORDERS];
        lists.iter().any(|list| is_of(word, list, lang, locales))
            || is_of_order && is_any_kind(word, lang, locales)
    })
}

/// The name without articles before it and words for its kind around it; `None` where nothing else was said.
pub(super) fn plain(said: &str, spoken: &InLanguage<'_>) -> Option<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_aside = |word: &str| {
        [ARTICLES, KINDS]
            .iter()
            .any(|list| is_of(&folded(word), list, spoken.lang, spoken.locales))
    };
    let first = words.iter().position(|word| !is_aside(word))?;
    let is_kind = |word: &str| is_of(&folded(word), KINDS, spoken.lang, spoken.locales);
    let last = words.iter().rposition(|word| !is_kind(word))?;
    words.get(first..=last).map(|name| name.join(" "))
}

fn is_of(word: &str, list: &str, lang: &str, locales: &Locales) -> bool {
    let mut lists = locales.values(super::FOLDER, lang, WORDS);
    let words = lists.find(|(name, _)| name.trim() == list);
    words.is_some_and(|(_, words)| words.split('|').any(|known| folded(known) == word))
}

/// Whether a word names one or several of any kind of alerts.
fn is_any_kind(word: &str, lang: &str, locales: &Locales) -> bool {
    let lists = [KIND, KIND_OF_SEVERAL].into_iter();
    let mut kinds = lists.flat_map(|list| locales.values(super::FOLDER, lang, list));
    kinds.any(|(_, words)| words.split('|').any(|known| folded(known.trim()) == word))
}

#[cfg(test)]
mod tests;
