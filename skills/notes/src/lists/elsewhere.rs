//! What a call says of a list that another keeps, such as a home: what it may be called, and what is put on it.

use loquat_kit::locale::Locales;

use super::goods::without_articles;
use super::items;
use super::names::ListName;
use super::words::{Words, apart};

/// So many things are put on such a list at once.
const MOST_ITEMS: usize = 8;

/// The names of the list that an argument names, or of the shopping list where it names none.
pub fn names_of(list: Option<&str>, locales: &Locales, lang: &str) -> Vec<String> {
    let words = Words::of(locales, Some(lang));
    let Some(name) = ListName::of(list, &words) else {
        return Vec::new();
    };
    let standard = words.forms("standard.value", &name.id).map(str::to_owned);
    standard.chain([name.name.clone(), name.id.clone()]).collect()
}

/// Whether words are only the word for a list, as in "the list": which one is not said.
pub fn is_unnamed(said: &str, locales: &Locales, lang: &str) -> bool {
    let words = Words::of(locales, Some(lang));
    let (mut said, mut has_noun) = (apart(said), false);
    let is_bare = said.all(|word| {
        has_noun |= words.is("list", word);
        words.is("list", word) || words.is("article", word)
    });
    is_bare && has_noun
}

/// The things that an argument names, without the articles in front of them; nothing where they are too many.
pub fn items_of(text: &str, locales: &Locales, lang: &str) -> Option<Vec<String>> {
    let words = Words::of(locales, Some(lang));
    let items = items::split(text, &words);
    let items: Vec<String> = items.iter().map(|item| without_articles(item, &words)).collect();
    (1..=MOST_ITEMS).contains(&items.len()).then_some(items)
}
