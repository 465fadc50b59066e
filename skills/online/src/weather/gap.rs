//! What can stand in the gaps of the sentences: a place, a time, something to wear or to take along.
//!
//! Asks no service: whether there is such a place shows when the tool is called.

use serde_json::Value;

use super::FOLDER;
use super::when::Reader;
use loquat_kit::calendar::Calendar;
use loquat_kit::folded;
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

const MOST_WORDS: usize = 4;

/// In bytes.
const LONGEST: usize = 60;

/// A place: a few words that hold no time and none of those that make them something else.
pub(super) fn read_place(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_of_names = |letter: char| letter.is_alphabetic() || " -'\u{2019}.,".contains(letter);
    if words.is_empty() || words.len() > MOST_WORDS || said.len() > LONGEST || !said.chars().all(is_of_names)
    {
        return None;
    }
    let others: Vec<Option<&str>> = words
        .iter()
        .map(|word| names(spoken, "no_place.value", word))
        .collect();
    // Words of dates stand in names too, but make none alone.
    let is_other = others.iter().flatten().any(|name| *name != "date") || others.iter().all(Option::is_some);
    let calendar = Calendar::spoken(spoken.lang);
    let reader = Reader::new(spoken.locales, spoken.lang, &calendar);
    let is_time = |words: &[&str]| reader.read(&words.join(" ")).is_some();
    let holds_time = (0..words.len()).any(|at| {
        let (before, after) = words.split_at_checked(at).unwrap_or_default();
        is_time(before) || is_time(after)
    });
    (!is_other && !holds_time && !calendar.is_in(said) && !calendar.is_period(said))
        .then(|| Value::from(said))
}

/// A time that lies ahead.
pub(super) fn read_when(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let calendar = Calendar::spoken(spoken.lang);
    let reader = Reader::new(spoken.locales, spoken.lang, &calendar);
    let span = reader.read(said)?;
    (span.until > reader.now()).then(|| Value::from(said))
}

/// A single thing of the weather, by the name that the list has for it.
pub(super) fn read_detail(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split(' ').nth(MOST_WORDS).is_none();
    let name = names(spoken, "detail.value", said).filter(|_| is_short)?;
    Some(Value::from(name.trim()))
}

/// Something to wear or to take along.
pub(super) fn read_thing(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    names(spoken, "thing.value", said).map(|_| Value::from(said))
}

/// What a list calls a thing of this name, in the language or in English.
pub(super) fn thing<'a>(locales: &'a Locales, lang: &str, said: &str) -> Option<&'a str> {
    let langs = [lang, "en"];
    let said = folded(said);
    let bare = said.split_once(' ').map_or("", |(_, bare)| bare);
    // `a coat` is a coat.
    [said.as_str(), bare].into_iter().find_map(|said| {
        let mut found = langs
            .iter()
            .filter_map(|lang| named(locales, lang, "thing.value", said));
        found.next()
    })
}

fn names<'a>(spoken: &InLanguage<'a>, list: &str, said: &str) -> Option<&'a str> {
    named(spoken.locales, spoken.lang, list, &folded(said))
}

fn named<'a>(locales: &'a Locales, lang: &str, list: &str, said: &str) -> Option<&'a str> {
    let mut values = locales.values(FOLDER, lang, list);
    let holds = |words: &str| words.split('|').any(|word| folded(word) == said);
    values.find(|(_, words)| holds(words)).map(|(name, _)| name)
}
