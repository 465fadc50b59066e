//! Home Assistant's own test sentences, which lie outside this repository: they are read where `LOQUAT_SUITE` is their folder.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use loquat_sentences::{Home, Language, Name, Value, best};
use serde_json::Value as Json;

use crate::environment::Environment;

fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn lines(path: &Path) -> Vec<Json> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn array(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

fn home(fixture: &Json, context: &Json) -> Home {
    let mut names = Vec::new();
    for entity in array(&fixture["entities"]) {
        for name in array(&entity["names"]) {
            let mut name = Name::new(text(name)).with("domain", text(&entity["domain"]));
            if let Some(class) = entity["attributes"]["device_class"].as_str() {
                name = name.with("device_class", class);
            }
            names.push(name);
        }
    }
    let mut home = Home::new().with_names("name", names);
    for (list, key) in [("area", "areas"), ("floor", "floors")] {
        let named = array(&fixture[key]).flat_map(|place| {
            let first = Value::from(text(&place["names"][0]));
            array(&place["names"]).map(move |name| Name {
                value: first.clone(),
                ..Name::new(text(name))
            })
        });
        home.set_names(list, named);
    }
    for (key, value) in context.as_object().into_iter().flatten() {
        home.set_context(key, text(value));
    }
    home
}

/// The best reading, as intent and slots.
fn read(language: &Language, sentence: &str, home: &Home) -> Json {
    let understood = language.read(sentence, home);
    match best(&understood.readings) {
        None => Json::Null,
        Some(reading) => {
            let slots: serde_json::Map<String, Json> = reading
                .slots
                .iter()
                .map(|slot| (slot.name.clone(), slot.value.to_json()))
                .collect();
            serde_json::json!({"intent": reading.intent, "slots": slots})
        }
    }
}

/// Whether a slot holds what it should; of several things in the suite any will do.
fn holds(wanted: &Json, got: &Json) -> bool {
    match (wanted, got) {
        (Json::Number(wanted), Json::Number(got)) => {
            (wanted.as_f64().unwrap() - got.as_f64().unwrap()).abs() < 1e-9
        }
        (Json::Array(any), got) => wanted == got || any.iter().any(|one| holds(one, got)),
        (wanted, got) => wanted == got,
    }
}

fn fits(wanted: &Json, got: &Json) -> bool {
    let (Some(slots), Some(said)) = (wanted["slots"].as_object(), got["slots"].as_object()) else {
        return false;
    };
    let all = slots
        .iter()
        .all(|(name, value)| said.get(name).is_some_and(|got| holds(value, got)));
    wanted["intent"] == got["intent"] && slots.len() == said.len() && all
}

#[test]
fn home_assistants_sentences_are_read_as_home_assistant_reads_them() {
    let (Some(suite), Some(environment)) = (folder("LOQUAT_SUITE"), Environment::find()) else {
        return;
    };
    let mut codes: Vec<String> = fs::read_dir(&suite)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_prefix("fixtures-")?
                .strip_suffix(".json")
                .map(str::to_owned)
        })
        .collect();
    codes.sort();
    let only = std::env::var_os("LOQUAT_SUITE_ONLY").map(|only| only.into_string().unwrap());
    let (mut sentences, mut exact, mut failures) = (0, 0, Vec::new());
    for code in codes.iter().filter(|code| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == *code))
    }) {
        let (language, complaints) = Language::from_pack(&environment.pack(code)).unwrap();
        failures.extend(complaints.iter().map(|complaint| format!("{code}: {complaint}")));
        let fixtures = json(&suite.join(format!("fixtures-{code}.json")));
        let differing: HashMap<u64, Json> = lines(&suite.join(format!("differs-{code}.jsonl")))
            .into_iter()
            .map(|line| (line["line"].as_u64().unwrap(), line["got"].clone()))
            .collect();
        let before = exact;
        let all = lines(&suite.join(format!("{code}.jsonl")));
        for (number, line) in (1..).zip(&all) {
            let home = home(&fixtures["homes"][text(&line["home"])], &line["context"]);
            let got = read(&language, text(&line["sentence"]), &home);
            let is_exact = fits(line, &got);
            exact += usize::from(is_exact);
            sentences += 1;
            let is_listed = differing
                .get(&number)
                .is_some_and(|listed| *listed == got || fits(listed, &got));
            if !is_exact && !is_listed {
                failures.push(format!(
                    "{code}:{number}: {} {} got {got}",
                    line["sentence"], line["slots"]
                ));
            }
        }
        println!("{code}: {} of {}", exact - before, all.len());
    }
    println!("exact: {exact} of {sentences}");
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
