//! Questions to Wikidata, against a server of our own that answers in its form.

use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::{Value, json};

use super::fact::FACTS;
use super::{FOLDER, SKILL, toolbox};
use crate::knowledge::Knowledge;
use crate::web::WebSettings;
use loquat_kit::Skill;
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::wording::Wording;
use loquat_trial::heard;
use loquat_trial::{Answer, Replay};

const LANGS: [&str; 6] = ["en-us", "de-de", "fr-fr", "es-es", "pt-pt", "it-it"];

fn claim(property: &str, value: &Value) -> Value {
    json!({"claims": {property: [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}]}})
}

fn world(path: &str) -> Answer {
    let thing = |id: &str, label: &str| json!({"search": [{"id": id, "label": label, "description": "x"}], "success": 1});
    let holds = |words: &[&str]| words.iter().all(|word| path.contains(word));
    let answer = if holds(&["wbsearchentities", "search=Nothing"]) {
        json!({"search": [], "success": 1})
    } else if holds(&["wbsearchentities", "search=Eiffel"]) {
        thing("Q243", "Eiffel Tower")
    } else if holds(&["wbsearchentities", "search=Ada"]) {
        thing("Q7259", "Ada Lovelace")
    } else if holds(&["wbsearchentities"]) {
        thing("Q142", "France")
    } else if holds(&["entity=Q243", "P2048"]) {
        claim(
            "P2048",
            &json!({"amount": "+330", "unit": "http://www.wikidata.org/entity/Q11573"}),
        )
    } else if holds(&["entity=Q7259", "P569"]) {
        claim("P569", &json!({"time": "+1815-12-10T00:00:00Z", "precision": 11}))
    } else if holds(&["entity=Q7259", "P570"]) {
        claim("P570", &json!({"time": "+1852-11-27T00:00:00Z", "precision": 11}))
    } else if holds(&["entity=Q142", "P36"]) {
        claim("P36", &json!({"id": "Q90"}))
    } else if holds(&["entity=Q142", "P1082"]) {
        claim("P1082", &json!({"amount": "+68373433", "unit": "1"}))
    } else if holds(&["wbgetentities", "ids=Q90"]) {
        json!({"entities": {"Q90": {"labels": {"en": {"language": "en", "value": "Paris"}}}}})
    } else {
        json!({"claims": {}})
    };
    Answer::json(&answer.to_string())
}

/// The works at this server.
fn knowledge(url: &str) -> Arc<Knowledge> {
    let settings = WebSettings {
        wikidata_url: url.to_owned(),
        ..WebSettings::default()
    };
    let permissions = Arc::new(Permissions::new(Rules::everything()));
    let now = "2026-11-24T09:00:00Z".parse().expect("a moment");
    let locales = Skill::locales([&SKILL]).into();
    Arc::new(Knowledge::new(
        &settings,
        &permissions,
        locales,
        Arc::new(move || now),
    ))
}

async fn find(url: &str, subject: &str, fact: &str, lang: &str) -> Result<Outcome, ToolError> {
    let now = "2026-11-24T09:00:00Z".parse().expect("a moment");
    let wording = Wording::new(Skill::locales([&SKILL]).into());
    let toolbox = toolbox(&knowledge(url).wikidata, Arc::new(move || now), &wording);
    let arguments = serde_json::from_value(json!({"subject": subject, "fact": fact})).expect("an object");
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    toolbox.call("find_fact", arguments, &person).await
}

#[tokio::test]
async fn facts_are_told() {
    let server = Replay::start("127.0.0.1", world).await;
    for (subject, fact, lang, expected) in [
        (
            "the Eiffel Tower",
            "height",
            "en-US",
            "The height of Eiffel Tower is 330 metres.",
        ),
        (
            "Eiffel Tower",
            "tall",
            "en-US",
            "The height of Eiffel Tower is 330 metres.",
        ),
        (
            "den Eiffelturm",
            "Höhe",
            "de-DE",
            "Höhe von Eiffel Tower: 330 Meter.",
        ),
        ("France", "capital", "fr-FR", "Capitale de France : Paris."),
        (
            "France",
            "population",
            "en-US",
            "The population of France is 68373433.",
        ),
        (
            "Ada Lovelace",
            "birth",
            "en-US",
            "The date of birth of Ada Lovelace is Sunday, December 10, 1815.",
        ),
        (
            "Ada Lovelace",
            "age",
            "de-DE",
            "Alter beim Tod von Ada Lovelace: 36 Jahre.",
        ),
    ] {
        let told = find(&server.url, subject, fact, lang)
            .await
            .ok()
            .and_then(|outcome| outcome.spoken);
        assert_eq!(told.unwrap_or_default(), expected, "{subject} {fact}");
    }
}

#[tokio::test]
async fn what_is_unknown_is_passed_on() {
    let server = Replay::start("127.0.0.1", world).await;
    for (subject, fact, expected) in [
        (
            "Nothing",
            "height",
            "LookupError: subject: Wikidata has no height of 'Nothing'",
        ),
        (
            "France",
            "height",
            "LookupError: subject: Wikidata has no height of 'France'",
        ),
        (
            "France",
            "smell",
            "ValueError: fact: is not known; write one of height, length",
        ),
        ("the ", "height", "LookupError: "),
        (" ", "height", "ValueError: subject: is empty"),
    ] {
        let complaint = find(&server.url, subject, fact, "en")
            .await
            .expect_err("a complaint")
            .to_string();
        assert!(complaint.starts_with(expected), "{complaint}");
    }
    for (answer, expected) in [
        (
            Answer::busy(),
            "has had too many questions; ask again in 180 seconds",
        ),
        (Answer::status(500), "has a fault of its own (status 500)"),
        (Answer::html("<html>"), "gave an answer that makes no sense"),
        (Answer::json("{}"), "gave an answer that makes no sense"),
        (
            Answer::Cut(b"{\"search\": [".to_vec()),
            "broke off in the middle of its answer",
        ),
    ] {
        let server = Replay::start("127.0.0.1", move |_| answer.clone()).await;
        let complaint = find(&server.url, "France", "capital", "en")
            .await
            .expect_err("a complaint");
        assert_eq!(
            complaint.to_string(),
            format!("ConnectionError: Wikidata {expected}")
        );
    }
}

#[test]
fn every_language_has_words_for_every_fact() {
    let locales = Skill::locales([&SKILL]);
    let units = |lang| -> Vec<&str> {
        locales
            .values(FOLDER, lang, "unit.value")
            .map(|(id, _)| id)
            .collect()
    };
    for lang in LANGS {
        let named: Vec<&str> = locales
            .values(FOLDER, lang, "fact.value")
            .map(|(name, _)| name)
            .collect();
        let expected: Vec<&str> = FACTS
            .iter()
            .map(|fact| fact.name)
            .chain(["age at death"])
            .collect();
        assert_eq!(named, expected, "{lang}");
        assert_eq!(units(lang), units("en-us"), "{lang}");
    }
}

#[test]
fn people_are_understood() {
    for (lang, said, subject, fact) in [
        (
            "en-us",
            "How tall is the Eiffel Tower?",
            "the Eiffel Tower",
            "height",
        ),
        ("en-us", "how high is Mount Everest", "Mount Everest", "height"),
        ("en-us", "How old is Angela Merkel?", "Angela Merkel", "age"),
        ("en-us", "when was Ada Lovelace born", "Ada Lovelace", "birth"),
        (
            "en-us",
            "what is the population of France",
            "France",
            "population",
        ),
        (
            "en-us",
            "how many people live in New Zealand",
            "New Zealand",
            "population",
        ),
        ("en-us", "name the capital of France", "France", "capital"),
        (
            "de-de",
            "Wie hoch ist der Eiffelturm?",
            "der Eiffelturm",
            "height",
        ),
        (
            "de-de",
            "Wann wurde Otto von Bismarck geboren?",
            "Otto von Bismarck",
            "birth",
        ),
        ("de-de", "Wie viele Einwohner hat Wien?", "Wien", "population"),
        ("fr-fr", "Quel âge a Emmanuel Macron ?", "Emmanuel Macron", "age"),
        ("es-es", "¿Cuándo nació Pablo Picasso?", "Pablo Picasso", "birth"),
        ("pt-pt", "Quantos habitantes tem Lisboa?", "Lisboa", "population"),
        (
            "it-it",
            "Quanto è alta la torre di Pisa?",
            "la torre di Pisa",
            "height",
        ),
    ] {
        let call = heard(&[&SKILL, &crate::wikipedia::SKILL], said, lang)
            .unwrap_or_else(|| panic!("{said} ({lang})"));
        assert_eq!(call.tool, "find_fact", "{said}");
        assert_eq!(
            Value::Object(call.arguments),
            json!({"fact": fact, "subject": subject}),
            "{said}"
        );
    }
}
