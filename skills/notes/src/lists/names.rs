//! Names of lists: the shopping list, the to-do list and the notes, which each language calls by several names, and lists
//! that a person names.
//!
//! Knows no list that there is.

use std::sync::LazyLock;

use loquat_kit::Skill;
use loquat_kit::locale::Locales;

use super::SKILL;
use super::words::{Words, apart};

/// The list that is meant when none is named.
pub(super) const SHOPPING: &str = "shopping";
/// The list of what is to be done.
pub(super) const TO_DO: &str = "to-do";
/// The list of notes.
pub(super) const NOTES: &str = "notes";

/// In characters.
const LONGEST_NAME: usize = 60;

/// A person who names a list in passing uses no more words for it, beside articles.
const MOST_NAME_WORDS: usize = 2;

/// A list as it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListName {
    /// It is equal in all languages and spellings.
    pub(super) id: String,
    /// As a person says it.
    pub(super) name: String,
}

/// A list in the phrases of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrases {
    /// `to your shopping list`
    pub(super) to: String,
    /// `on your shopping list`
    pub(super) on: String,
    /// `from your shopping list`
    pub(super) from: String,
    /// `your shopping list`
    pub(super) plain: String,
}

/// A name taken apart.
struct Parts<'a> {
    /// They stand without the articles in front.
    all: Vec<&'a str>,
    /// Without the word for list, where there is one.
    own: Option<Vec<&'a str>>,
}

impl ListName {
    /// The list that an argument names; `None` for one that can be no name.
    pub(super) fn of(said: Option<&str>, words: &Words<'_>) -> Option<Self> {
        let said = said.map(str::trim).unwrap_or_default();
        if said.is_empty() {
            return Some(Self::standard(SHOPPING, words));
        }
        let parts = Parts::of(said, words);
        let standard = parts
            .standard(words)
            .or_else(|| parts.standard(&words.fallback()));
        if let Some(id) = standard {
            return Some(Self::standard(id, words));
        }
        let own = parts.own.clone().unwrap_or_else(|| parts.all.clone());
        let id = loquat_kit::folded(&own.join(" "));
        let name = match parts.own {
            Some(_) => said_name(said, words),
            None => called(&behind_articles(said, words).replace('_', " "), words),
        };
        let is_name = !id.is_empty() && name.chars().count() <= LONGEST_NAME;
        is_name.then_some(Self { id, name })
    }

    /// The list that a part of a sentence names: a standard list, or one or two words with the word for list.
    pub(super) fn spoken(said: &str, words: &Words<'_>) -> Option<Self> {
        let parts = Parts::of(said, words);
        let is_own = |own: &Vec<&str>| {
            let named = own.iter().filter(|word| !words.is("article", word));
            let named: Vec<&&str> = named.collect();
            let is_elsewhere = named
                .iter()
                .any(|word| words.is("elsewhere", word) || words.is("and", word));
            // "The last item of the list" names no list.
            let has = |kind: &str| named.iter().any(|word| words.is(kind, word));
            let is_place = has("position") && has("one");
            (1..=MOST_NAME_WORDS).contains(&named.len()) && !is_elsewhere && !is_place
        };
        let is_ours = parts.standard(words).is_some() || parts.own.as_ref().is_some_and(is_own);
        if is_ours {
            Self::of(Some(said), words)
        } else {
            None
        }
    }

    fn standard(id: &'static str, words: &Words<'_>) -> Self {
        let name = words.forms("standard.value", id).next().unwrap_or(id);
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
        }
    }

    /// Whether what is put on it is taken as it stands.
    pub(super) fn takes_notes(&self) -> bool {
        self.id == NOTES
    }

    /// What it is called in sentences.
    pub(super) fn phrases(&self, words: &Words<'_>) -> Phrases {
        let known = words.lines("phrase.value").any(|(name, _)| name == self.id);
        let name = if known { self.id.as_str() } else { "other" };
        let mut forms = words.forms("phrase.value", name);
        let mut next = || forms.next().unwrap_or("{name}").replace("{name}", &self.name);
        Phrases {
            to: next(),
            on: next(),
            from: next(),
            plain: next(),
        }
    }
}

pub(super) fn kept(id: String, name: String, words: &Words<'_>) -> ListName {
    match [SHOPPING, TO_DO, NOTES].into_iter().find(|known| *known == id) {
        Some(id) => ListName::standard(id, words),
        None => ListName { id, name },
    }
}

/// Whether a list is one that each language has a name for, no matter who put something on it first.
pub(super) fn is_standard(id: &str) -> bool {
    [SHOPPING, TO_DO, NOTES].contains(&id)
}

/// Whether this names the shopping list in every language, as its id and its English names do.
pub(super) fn is_shopping(said: &str) -> bool {
    static LOCALES: LazyLock<Locales> = LazyLock::new(|| Skill::locales([&SKILL]));
    let name = ListName::of(Some(said), &Words::of(&LOCALES, None));
    name.is_some_and(|name| name.id == SHOPPING)
}

/// Whether a list is named anywhere in a text.
pub(super) fn mentions_list(text: &str, words: &Words<'_>) -> bool {
    apart(text).any(|word| words.is("list", word) || stem(word, words).is_some())
}

/// Whether a text goes on with the name of a list that was begun in front of it: `des courses` behind `liste`. Where such a
/// word may as well stand in front of things, only the name of a standard list tells.
pub(super) fn continues_name(text: &str, words: &Words<'_>) -> bool {
    let said: Vec<&str> = apart(text).collect();
    let Some((first, rest)) = said.split_first() else {
        return false;
    };
    let is_standard = |count: usize| {
        let begun = rest.get(..count).unwrap_or_default();
        !begun.is_empty() && Parts::of(&begun.join(" "), words).standard(words).is_some()
    };
    words.is("of", first) || words.is("of_or_some", first) && (1..rest.len()).any(is_standard)
}

impl<'a> Parts<'a> {
    fn of(said: &'a str, words: &Words<'_>) -> Self {
        let all = after_articles(apart(said).collect(), words);
        let own = match (all.first(), all.last()) {
            (Some(first), _) if words.is("list", first) => all.get(1..).map(<[&str]>::to_vec),
            (_, Some(last)) if words.is("list", last) => all.get(..all.len() - 1).map(<[&str]>::to_vec),
            (_, Some(last)) => stem(last, words).map(|stem| {
                let others = all.get(..all.len() - 1).unwrap_or_default();
                [others, &[stem]].concat()
            }),
            _ => None,
        };
        let own = own.map(|own| after_articles(own, words));
        Self { all, own }
    }

    /// The standard list that it names.
    fn standard(&self, words: &Words<'_>) -> Option<&'static str> {
        let said = loquat_kit::folded(&self.all.join(" "));
        [SHOPPING, TO_DO, NOTES].into_iter().find(|id| {
            let mut names = words.forms("standard.value", id);
            said == loquat_kit::folded(id) || names.any(|name| loquat_kit::folded(name) == said)
        })
    }
}

/// A text without the articles in front, and otherwise as it was written.
fn behind_articles<'a>(said: &'a str, words: &Words<'_>) -> &'a str {
    let is_mark = |sign: char| !sign.is_alphanumeric();
    let mut rest = said.trim();
    while let Some(article) = apart(rest).next().filter(|first| words.is("article", first)) {
        let Some((_, behind)) = rest.split_once(article) else {
            break;
        };
        rest = behind.trim_start_matches(is_mark);
    }
    rest
}

fn after_articles<'a>(names: Vec<&'a str>, words: &Words<'_>) -> Vec<&'a str> {
    let names = names.into_iter();
    names.skip_while(|word| words.is("article", word)).collect()
}

/// `Party` of `Partyliste`.
fn stem<'a>(word: &'a str, words: &Words<'_>) -> Option<&'a str> {
    let mut endings = words.forms("words.value", "ending");
    endings.find_map(|ending| {
        let at = word.len().checked_sub(ending.len())?;
        let (stem, found) = (word.get(..at)?, word.get(at..)?);
        (stem.len() > 2 && found.eq_ignore_ascii_case(ending)).then_some(stem)
    })
}

/// As it was said, without the articles in front.
fn said_name(said: &str, words: &Words<'_>) -> String {
    let names = after_articles(said.split_whitespace().collect(), words);
    names.join(" ")
}

/// `party list` for `party`.
fn called(name: &str, words: &Words<'_>) -> String {
    let pattern = words.forms("words.value", "called").next();
    pattern.unwrap_or("{name}").replace("{name}", name)
}

#[cfg(test)]
mod tests;
