//! Sentences drawn from the community's templates, and slips of them, are read as the real hassil reads them: the best
//! reading, all readings, and what was said for each slot.

use std::collections::BTreeSet;

use loquat_sentences::{Home, Language, Name, Reading, Slot, best};
use serde_json::{Map, Value as Json};

use crate::environment::Environment;

const LANGUAGES: [&str; 10] = ["en", "de", "fr", "es", "it", "pt", "ru", "fi", "zh-CN", "ar"];

/// Drawn and broken sentences of each language.
const DRAWN: usize = 500;
const BROKEN: usize = 200;

fn home(told: &Json) -> Home {
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let names = told["names"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| Name::new(&text(&name[0])).with("domain", text(&name[1])));
    let places = |key: &str| {
        told[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| Name::new(&text(name)))
            .collect::<Vec<_>>()
    };
    Home::new()
        .with_names("name", names)
        .with_names("area", places("areas"))
        .with_names("floor", places("floors"))
}

/// A value in a form that is the same for all numbers of one worth.
fn plain(value: &Json) -> Json {
    value.as_f64().map_or_else(|| value.clone(), Json::from)
}

fn intent_and_slots<'a>(intent: &str, slots: impl Iterator<Item = (&'a str, Json)>) -> Json {
    let slots: Map<String, Json> = slots
        .map(|(name, value)| (name.to_owned(), plain(&value)))
        .collect();
    serde_json::json!({"intent": intent, "slots": slots})
}

fn ours(reading: &Reading) -> Json {
    intent_and_slots(
        &reading.intent,
        reading
            .slots
            .iter()
            .map(|slot| (slot.name.as_str(), slot.value.to_json())),
    )
}

fn theirs(result: &Json) -> Json {
    let slots = result["slots"].as_object().unwrap();
    intent_and_slots(
        result["intent"].as_str().unwrap(),
        slots.iter().map(|(name, value)| (name.as_str(), value.clone())),
    )
}

fn sorted(readings: impl Iterator<Item = Json>) -> BTreeSet<String> {
    // Keys keep their order in this workspace's JSON, so they are brought into one.
    readings
        .map(|reading| {
            let slots: BTreeSet<String> = reading["slots"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            format!("{} {slots:?}", reading["intent"])
        })
        .collect()
}

/// How our readings differ from theirs.
fn difference(language: &Language, home: &Home, line: &Json) -> Option<String> {
    let text = line["text"].as_str().unwrap();
    let understood = language.read(text, home);
    let our_best = best(&understood.readings);
    let (got, wanted) = (
        our_best.map(ours),
        line["best"].as_object().map(|_| theirs(&line["best"])),
    );
    if sorted(got.iter().cloned()) != sorted(wanted.iter().cloned()) {
        return Some(format!(
            "`{text}` {}: best {got:?}, hassil {wanted:?}",
            line["context"]
        ));
    }
    let all = sorted(understood.readings.iter().map(ours));
    let their_all = sorted(line["all"].as_array().unwrap().iter().map(theirs));
    if all != their_all {
        let (more, less) = (all.difference(&their_all), their_all.difference(&all));
        return Some(format!(
            "`{text}`: more {:?}, less {:?}",
            more.collect::<Vec<_>>(),
            less.collect::<Vec<_>>()
        ));
    }
    // hassil tells numbers as CLDR spells them, whatever their capitals.
    let is_said = |slot: &Slot| {
        line["said"][&slot.name]
            .as_str()
            .is_some_and(|said| said.to_lowercase() == slot.said.to_lowercase())
    };
    let other = our_best.and_then(|reading| reading.slots.iter().find(|slot| !is_said(slot)));
    other.map(|slot| format!("`{text}`: said {slot:?}, hassil {}", line["said"]))
}

#[test]
fn drawn_sentences_and_slips_are_read_as_hassil_reads_them() {
    let Some(environment) = Environment::find() else {
        return;
    };
    let setting = |name: &str| std::env::var_os(name).map(|value| value.into_string().unwrap());
    let or = |name: &str, usual: usize| setting(name).unwrap_or_else(|| usual.to_string());
    let counts = [or("SEED", 1), or("DRAWN", DRAWN), or("BROKEN", BROKEN)];
    let only = setting("LANGUAGES");
    let languages: Vec<&str> = only
        .as_ref()
        .map_or(LANGUAGES.to_vec(), |only| only.split(',').collect());
    let (mut read, mut sentences, mut differences) = (0, 0, Vec::new());
    for code in languages {
        let (language, complaints) = Language::from_pack(&environment.pack(code)).unwrap();
        assert!(complaints.is_empty(), "{complaints:?}");
        let told = environment.lines("peer.py", &[&counts[0], &counts[1], &counts[2], code]);
        let home_lines = &told[0];
        for line in &told[1..] {
            let mut home = home(home_lines);
            for (key, value) in line["context"].as_object().unwrap() {
                home.set_context(key, value.as_str().unwrap());
            }
            sentences += 1;
            read += usize::from(!line["best"].is_null());
            differences
                .extend(difference(&language, &home, line).map(|difference| format!("{code}: {difference}")));
        }
    }
    println!(
        "{sentences} sentences, of which hassil reads {read}, {} differences",
        differences.len()
    );
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n")
    );
}
