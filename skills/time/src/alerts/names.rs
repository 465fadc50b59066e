//! What is no part of a name: the articles before it, the word for what it names, and the words of an order. "The pasta timer"
//! is called pasta, and a timer that is called "set the" is a sentence that was misread.
//!
//! Knows no alert. The words are in `no_name.value`.

use loquat_kit::folded;
use loquat_kit::intent::InLanguage;

/// The list of such words.
const WORDS: &str = "no_name.value";

/// Words before a name.
const ARTICLES: &str = "articles";

/// Words for what is named.
const KINDS: &str = "kinds";

/// Words of orders and questions.
const ORDERS: &str = "orders";

/// What begins so asks for something known: question words, and what belongs to who is spoken to.
const ASKS: &str = "asks";

/// Which begins as a question does and is none.
const SOMETHING: &str = "something";

/// Whether words ask for something known: "wie der Film heißt", "ton nom".
pub(super) fn asks(said: &str, spoken: &InLanguage<'_>) -> bool {
    begins_as(said, ASKS, spoken) && !begins_as(said, SOMETHING, spoken)
}

/// Whether words begin as the name of a thing does, and not as what is to be done.
pub(super) fn begins_with_article(said: &str, spoken: &InLanguage<'_>) -> bool {
    begins_as(said, ARTICLES, spoken)
}

/// Accents count: they tell a question word from others.
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
    let folded = folded(said);
    let mut words = folded.split_whitespace();
    words.any(|word| {
        ![ARTICLES, KINDS, ORDERS]
            .iter()
            .any(|list| is_of(word, list, spoken))
    })
}

/// The name without articles before it and words for its kind around it; `None` where nothing else was said.
pub(super) fn plain(said: &str, spoken: &InLanguage<'_>) -> Option<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_aside = |word: &str| {
        [ARTICLES, KINDS]
            .iter()
            .any(|list| is_of(&folded(word), list, spoken))
    };
    let first = words.iter().position(|word| !is_aside(word))?;
    let is_kind = |word: &str| is_of(&folded(word), KINDS, spoken);
    let last = words.iter().rposition(|word| !is_kind(word))?;
    words.get(first..=last).map(|name| name.join(" "))
}

fn is_of(word: &str, list: &str, spoken: &InLanguage<'_>) -> bool {
    let mut lists = spoken.locales.values(super::FOLDER, spoken.lang, WORDS);
    let words = lists.find(|(name, _)| name.trim() == list);
    words.is_some_and(|(_, words)| words.split('|').any(|known| folded(known) == word))
}

#[cfg(test)]
mod tests;
