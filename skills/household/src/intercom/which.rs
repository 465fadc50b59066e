//! Which rooms are meant by what a person calls them. Says nothing there.

use loquat_kit::answers::without_leading;
use loquat_kit::stations::Station;
use loquat_kit::{Locales, folded};

use super::FOLDER;

/// The list of words that are no names.
const WORDS: &str = "words.value";

/// What is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// The stations with these ids.
    These(Vec<String>),
    /// The room in which it was said.
    Here,
    /// All of them.
    Everywhere,
    /// None that is known.
    Nowhere,
}

/// The words of one language that are no names of rooms.
#[derive(Debug)]
pub(super) struct Words {
    articles: Vec<String>,
    here: Vec<String>,
    everywhere: Vec<String>,
    own: Vec<String>,
    joins: Vec<String>,
}

impl Words {
    pub(super) fn of(locales: &Locales, lang: &str) -> Self {
        let list = |wanted: &str| -> Vec<String> {
            let lists = locales.values(FOLDER, lang, WORDS);
            let lists = lists.filter(|(name, _)| name.trim() == wanted);
            lists
                .flat_map(|(_, words)| words.split('|').map(|word| word.trim().to_owned()))
                .collect()
        };
        Self {
            articles: list("articles"),
            here: list("here"),
            everywhere: list("everywhere"),
            own: list("own"),
            joins: list("joins"),
        }
    }

    /// What the device itself is called where it has no name.
    pub(super) fn own_room(&self) -> String {
        self.own.first().cloned().unwrap_or_default()
    }

    /// A name without the words that join it and its article.
    pub(super) fn plain(&self, said: &str) -> String {
        let mut plain = folded(said);
        for leading in [&self.joins, &self.articles] {
            plain = without_leading(&plain, leading).to_owned();
        }
        plain
    }

    fn holds(list: &[String], plain: &str) -> bool {
        list.iter().any(|word| folded(word) == plain)
    }
}

/// The rooms of this name, or those nearly called so where only one room is; and those at whose doors a person of this name is.
pub(super) fn called(said: &str, all: &[&Station], doors: &[String], here: &str, words: &Words) -> Meant {
    let plain = words.plain(said);
    if Words::holds(&words.here, &plain) {
        return Meant::Here;
    }
    if Words::holds(&words.everywhere, &plain) {
        return Meant::Everywhere;
    }
    let is_own = |station: &Station| station.names.is_empty() && Words::holds(&words.own, &plain);
    let is_called = |station: &&&Station| {
        let names = station.names.iter().map(|name| words.plain(name));
        is_own(station) || doors.contains(&station.id) || names.into_iter().any(|name| name == plain)
    };
    let mut found: Vec<&str> = ids(all.iter().filter(is_called));
    if found.is_empty() {
        found = nearly(&plain, all, words);
    }
    let elsewhere: Vec<String> = found
        .iter()
        .filter(|id| **id != here)
        .map(|id| (*id).to_owned())
        .collect();
    match (found.is_empty(), elsewhere.is_empty()) {
        (true, _) => Meant::Nowhere,
        (false, true) => Meant::Here,
        (false, false) => Meant::These(elsewhere),
    }
}

/// Whether words are the name of one of these rooms, or stand for all of them.
pub(super) fn is_one(said: &str, all: &[&Station], words: &Words) -> bool {
    let plain = words.plain(said);
    let is_called = |station: &&&Station| {
        let is_own = station.names.is_empty() && Words::holds(&words.own, &plain);
        is_own || station.names.iter().any(|name| words.plain(name) == plain)
    };
    !plain.is_empty()
        && (Words::holds(&words.everywhere, &plain) || all.iter().any(|station| is_called(&station)))
}

/// A name is missed by one letter of five, and no other one is as near.
fn nearly<'a>(plain: &str, all: &'a [&Station], words: &Words) -> Vec<&'a str> {
    let is_near = |name: &String| {
        let name = words.plain(name);
        let length = name.chars().count();
        let is_as_long = plain.chars().count().abs_diff(length) <= length / 5 + 1;
        (4..=48).contains(&length)
            && is_as_long
            && strsim::damerau_levenshtein(plain, &name) <= (length / 5).max(1)
    };
    let near = all.iter().filter(|station| station.names.iter().any(is_near));
    let near: Vec<&&Station> = near.collect();
    let mut names: Vec<&String> = near.iter().filter_map(|station| station.names.first()).collect();
    names.dedup();
    if names.len() == 1 {
        ids(near.into_iter())
    } else {
        Vec::new()
    }
}

fn ids<'a>(stations: impl Iterator<Item = &'a &'a Station>) -> Vec<&'a str> {
    stations.map(|station| station.id.as_str()).collect()
}
