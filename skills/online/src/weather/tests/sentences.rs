//! What people say in six languages, and what they say that is not about the weather.

use serde_json::{Value, json};

use loquat_trial::heard;

fn sentences() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let lines = include_str!("sentences.txt")
        .lines()
        .filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.split(" | ");
            let mut part = || parts.next().unwrap_or_else(|| panic!("{line}"));
            let (lang, said, tool) = (part(), part(), part());
            (lang, said, tool, part().parse().expect(line))
        })
        .collect()
}

#[test]
fn people_are_understood() {
    let mut wrong = Vec::new();
    for (lang, said, tool, arguments) in sentences() {
        let found = heard(&[&crate::weather::SKILL], said, lang)
            .map(|call| (call.tool, Value::Object(call.arguments)));
        if found != Some((tool.to_owned(), arguments)) {
            wrong.push(format!("{said} ({lang}): {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_talk_is_not_about_the_weather() {
    for (lang, said) in [
        ("en-us", "how warm is 30 degrees celsius in fahrenheit"),
        ("en-us", "what's the time in Paris"),
        ("en-us", "how warm is it in fahrenheit"),
        ("en-us", "what's the temperature in the oven"),
        ("en-us", "how cold is it in my fridge"),
        ("en-us", "do I need a visa"),
        ("en-us", "do I need a coat for my dog"),
        ("en-us", "will it rain frogs"),
        ("en-us", "what's the weather in Paris and turn on the light"),
        ("en-us", "what was the weather yesterday"),
        ("en-us", "what's the weather like in July"),
        ("en-us", "whether it rains"),
        ("de-de", "wie warm sind 30 Grad Celsius in Fahrenheit"),
        ("de-de", "wie spät ist es in Paris"),
        ("de-de", "wie warm ist es in der Küche"),
        ("de-de", "brauche ich einen Termin"),
        ("fr-fr", "quelle heure est-il à Paris"),
        ("fr-fr", "quelle est la température à la maison"),
        ("es-es", "qué hora es en París"),
        ("es-es", "qué temperatura hace en la cocina"),
        ("it-it", "che ore sono a Parigi"),
        ("it-it", "quanti gradi ci sono a casa"),
        ("pt-pt", "que horas são em Paris"),
        ("pt-pt", "preciso de ajuda"),
    ] {
        let found = heard(&[&crate::weather::SKILL], said, lang);
        assert_eq!(found, None, "{said} ({lang})");
    }
}

#[test]
fn a_place_is_only_heard_where_it_is_one() {
    let found = heard(
        &[&crate::weather::SKILL],
        "what's the weather in San Miguel de Tucumán tomorrow",
        "en-us",
    )
    .expect("a call");
    let expected = json!({"place": "San Miguel de Tucumán", "when": "tomorrow"});
    assert_eq!(Value::Object(found.arguments), expected);
}
