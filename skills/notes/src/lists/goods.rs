//! What a sentence may put on the shopping list or take off it without naming a list: things that every household buys, and
//! what stands on the list already.
//!
//! Never takes other words, so that ordinary talk ("we are out of time") fills no such gap.

use serde_json::Value;

use super::elsewhere::names_of;
use super::items;
use super::store::Lists;
use super::words::{Words, apart};
use loquat_kit::intent::InLanguage;
use loquat_kit::numbers;

/// Of one thing, without the articles in front: "two bottles of oat milk".
const MOST_WORDS: usize = 5;

/// In letters, of a word that ends others: "Milch" in "Hafermilch".
const SHORTEST_ENDING: usize = 4;

/// Things that every household buys, one or several of them.
pub(super) fn goods(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let things = items::split(said, &words);
    let are_goods = !things.is_empty() && things.iter().all(|thing| is_good(thing, &words));
    let as_said = items::split(spoken.said, &words);
    let named: Vec<String> = as_said
        .iter()
        .map(|thing| without_articles(thing, &words))
        .collect();
    are_goods.then(|| Value::from(named.join(", ")))
}

/// What stands on the shopping list now, one thing or several.
pub(super) fn listed(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words = Words::of(spoken.locales, Some(spoken.lang));
    let names = || names_of(None, spoken.locales, spoken.lang);
    // What is on a list of the home is not known here.
    if spoken
        .rooms
        .is_some_and(|rooms| rooms.list_called(&names()).is_some())
    {
        return goods(said, spoken);
    }
    let known = spoken.things.get::<Lists>()?.to_buy();
    let things = items::split(said, &words);
    let is_listed = |thing: &String| items::position(&known, thing, &words).is_some();
    let are_listed = !things.is_empty() && things.iter().all(is_listed);
    are_listed.then(|| Value::from(spoken.said))
}

/// Whether words name a thing to buy: one that the language lists, perhaps with what says how much of it or which.
fn is_good(thing: &str, words: &Words<'_>) -> bool {
    let all = items::bare(thing, words);
    let is_short = (1..=MOST_WORDS).contains(&all.len());
    is_short && (begins_with_one(&all, words) || (!has_other(&all, words) && ends_with_one(&all, words)))
}

/// Whether a word is among these that is no part of a thing to buy.
fn has_other(all: &[String], words: &Words<'_>) -> bool {
    all.iter()
        .any(|word| forms("never", words).any(|other| loquat_kit::folded(other) == *word))
}

/// Whether a listed thing stands first, behind what says how much of it. Words of another kind in front of it make another
/// thing of it, or none: `hablar de la leche`.
fn begins_with_one(all: &[String], words: &Words<'_>) -> bool {
    let is_before = |word: &String| {
        let is_listed = || forms("before", words).any(|known| loquat_kit::folded(known) == *word);
        words.is("article", word) || is_listed() || numbers::number(word, words.lang).is_some()
    };
    let most = all.iter().take_while(|word| is_before(word)).count();
    forms("first", words).map(folded_words).any(|one| {
        (0..=most).any(|start| {
            let rest = all.get(start..).unwrap_or_default();
            let Some((named, behind)) = rest.split_at_checked(one.len()) else {
                return false;
            };
            items::are_forms(named, &one, words) && !has_other(behind, words)
        })
    })
}

/// Whether a listed thing stands at the end of these words, or is the end of the last.
fn ends_with_one(all: &[String], words: &Words<'_>) -> bool {
    let stands = |place: &'static str| forms(place, words).map(folded_words);
    let ends =
        |one: Vec<String>| all.len() >= one.len() && items::are_forms(end(all, one.len()), &one, words);
    let closes = |one: Vec<String>| {
        let (Some(last), Some(ending)) = (all.last(), one.first()) else {
            return false;
        };
        ending.chars().count() >= SHORTEST_ENDING && last.ends_with(ending.as_str())
    };
    stands("last").any(ends) || stands("ending").any(closes)
}

/// "The milk" of which none is left is milk on the list.
pub(super) fn without_articles(thing: &str, words: &Words<'_>) -> String {
    let rest = thing
        .split_whitespace()
        .skip_while(|word| words.is("article", word));
    let rest = rest.collect::<Vec<&str>>().join(" ");
    match rest.split_once(['\'', '\u{2019}']) {
        Some((short, thing)) if words.is("article", short) => thing.to_owned(),
        _ => rest,
    }
}

/// All that the language lists under this name, which may have several lines.
fn forms<'a>(name: &'static str, words: &Words<'a>) -> impl Iterator<Item = &'a str> {
    let lines = words
        .lines("goods.value")
        .filter(move |(known, _)| *known == name);
    lines.flat_map(|(_, forms)| forms.split('|').map(str::trim))
}

/// The last words.
fn end(all: &[String], count: usize) -> &[String] {
    all.split_at(all.len().saturating_sub(count)).1
}

fn folded_words(form: &str) -> Vec<String> {
    apart(form).map(loquat_kit::folded).collect()
}
