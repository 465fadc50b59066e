//! The book's table of how many of the pack's intents call a tool in each language is true.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use loquat_models::Pack;
use loquat_sentences::Source;
use loquat_skills::home::{FetchToken, HomeAssistant, HomeSettings};
use loquat_skills::pack::{self, Filled, Means, Understanding};
use serde_json::{Value, json};

const CHAPTER: &str = include_str!("../../../../../book/src/sentences.md");

fn the_pack() -> Pack {
    let models = std::env::var_os("LOQUAT_TEST_MODELS")
        .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
    let catalogue = loquat_models::Catalogue::embedded();
    let known = catalogue
        .first_of(loquat_models::Kind::Sentences)
        .expect("a pack");
    Pack::open(&PathBuf::from(models).join(&known.file)).expect("the pack")
}

/// Something for each slot that a sentence may fill.
fn filled_in() -> Vec<(String, Filled)> {
    let values = json!({
        "name": "lamp", "area": "kitchen", "item": "milk", "message": "dinner is ready", "search_query": "jazz",
        "state": "on", "volume_step": "up", "fan_mode": "auto", "color": "red", "brightness": 50, "temperature": 20,
        "position": 50, "percentage": 50, "volume_level": 50, "minutes": 5, "start_minutes": 5,
    });
    let values = values.as_object().cloned().unwrap_or_default();
    let filled = values.into_iter().map(|(slot, value): (String, Value)| {
        let said = Some(value.to_string());
        (slot, Filled { value, said })
    });
    filled.collect()
}

/// Whether anything at all that is understood so does something here.
fn does_something(intent: &str, home: Option<&HomeAssistant>) -> bool {
    let means = Means {
        home,
        understands: &|_| true,
    };
    let understood = |slots: Vec<(String, Filled)>| Understanding {
        intent: intent.to_owned(),
        response: "default".to_owned(),
        slots,
    };
    let is_called = |slots| pack::call(&understood(slots), means).is_some();
    let nameless = filled_in()
        .into_iter()
        .filter(|(slot, _)| !["name", "area"].contains(&slot.as_str()));
    let ways = [filled_in(), nameless.collect(), Vec::new()];
    ways.into_iter().any(is_called) || pack::is_never_mind(&understood(Vec::new()))
}

/// The languages of the pack, and how many of the intents that do something each has sentences for.
fn counted() -> BTreeMap<String, usize> {
    let pack = the_pack();
    let token: FetchToken = Arc::new(|| Err("there is none".to_owned()));
    let home = HomeAssistant::new(HomeSettings::new("http://127.0.0.1:1", token));
    let count = |code: &String| {
        let (source, _) = Source::from_pack(&pack.read(code).expect("a file")).expect("sentences");
        let spoken = source.intents.iter().filter(|intent| {
            let mut blocks = intent.blocks.iter();
            blocks.any(|block| !block.sentences.is_empty()) && does_something(&intent.name, Some(&home))
        });
        (code.clone(), spoken.count())
    };
    pack.languages().iter().map(count).collect()
}

/// The rows of the table: from how many to how many, and the languages.
fn rows() -> Vec<(RangeInclusive<usize>, Vec<String>)> {
    let (_, table) = CHAPTER.split_once("| Intents | Languages |").expect("the table");
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let (numbers, languages) = (cells.next()?, cells.next()?);
        let all: Vec<usize> = numbers
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        let first = if numbers.starts_with("up to") {
            0
        } else {
            *all.first()?
        };
        let languages = languages.split(", ").map(str::to_owned).collect();
        Some((first..=*all.last()?, languages))
    };
    lines.filter_map(row).collect()
}

#[test]
fn the_table_of_the_book_is_true() {
    let counted = counted();
    let mut wrong: Vec<String> = Vec::new();
    let mut told = BTreeSet::new();
    for (range, languages) in rows() {
        for language in languages {
            match counted.get(&language) {
                Some(count) if range.contains(count) => {}
                count => wrong.push(format!("{language}: {count:?} in the row of {range:?}")),
            }
            assert!(told.insert(language.clone()), "{language} stands twice");
        }
    }
    let untold = counted.keys().filter(|language| !told.contains(*language));
    wrong.extend(untold.map(|language| format!("{language}: {} in no row", counted[language])));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let most = counted.values().max().copied().unwrap_or_default();
    let (before, _) = CHAPTER
        .split_once(" call a tool; ")
        .expect("the sentence before the table");
    assert!(before.ends_with(&format!(" {most}")), "the most is {most}");
}

#[test]
fn what_is_listed_for_a_device_with_and_without_a_home_does_something_there() {
    let pack = the_pack();
    let token: FetchToken = Arc::new(|| Err("there is none".to_owned()));
    let home = HomeAssistant::new(HomeSettings::new("http://127.0.0.1:1", token));
    let (source, _) = Source::from_pack(&pack.read("en").expect("a file")).expect("sentences");
    assert_eq!(source.intents.len(), 42);
    for intent in &source.intents {
        for home in [None, Some(&home)] {
            let (listed, done) = (
                pack::is_answered(&intent.name, home.is_some()),
                does_something(&intent.name, home),
            );
            assert_eq!(listed, done, "{}, with a home: {}", intent.name, home.is_some());
        }
    }
}
