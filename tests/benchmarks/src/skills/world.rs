//! The services on the internet that skills ask, as one server on this machine: it answers each question in the form in
//! which the service was recorded, and knows only what the questions of the benchmark need.

use jiff::civil::Date;
use jiff::{ToSpan, Zoned};
use loquat_tests::home::Home;
use loquat_tests::web_server::{Answer, Asked, WebServer};
use serde_json::{Value, json};

/// So many days the weather service tells ahead.
const DAYS: i64 = 16;

/// What a height, a population, a capital and a birth are on Wikidata.
const CLAIMS: [(&str, &str); 4] = [
    (
        "P2048",
        r#"{"amount": "+330", "unit": "http://www.wikidata.org/entity/Q11573"}"#,
    ),
    ("P1082", r#"{"amount": "+124000000", "unit": "1"}"#),
    ("P36", r#"{"id": "Q3114"}"#),
    ("P569", r#"{"time": "+1942-06-18T00:00:00Z", "precision": 11}"#),
];

/// An entry of a dictionary, as each Wiktionary writes it; `WORD` stands for the word.
const ENTRIES: [(&str, &str); 6] = [
    ("en", "==English==\n===Noun===\n# What [[WORD]] means."),
    (
        "de",
        "== WORD ({{Sprache|Deutsch}}) ==\n=== {{Wortart|Substantiv|Deutsch}} ===\n{{Bedeutungen}}\n:[1] was WORD bedeutet\n\n{{Synonyme}}",
    ),
    (
        "fr",
        "== {{langue|fr}} ==\n=== {{S|nom|fr}} ===\n# Ce que veut dire WORD.",
    ),
    (
        "es",
        "== {{lengua|es}} ==\n==== Sustantivo ====\n;1: Lo que significa WORD.",
    ),
    ("pt", "={{-pt-}}=\n==Substantivo==\n# O que significa WORD."),
    (
        "it",
        "== {{-it-}} ==\n===Sostantivo===\n# Ciò che significa WORD.",
    ),
];

/// The server.
#[derive(Debug)]
pub struct World(WebServer);

impl World {
    /// On a free port.
    pub async fn start() -> Self {
        Self(WebServer::start(answer).await)
    }

    /// Has a daemon ask this server instead of the internet.
    pub fn furnish(&self, home: &Home) {
        let url = self.0.url();
        for (key, path) in [
            ("weather.url", ""),
            ("weather.geocoding_url", ""),
            ("web.search_url", ""),
            ("web.wikipedia_url", "/wikipedia/{lang}"),
            ("web.wiktionary_url", "/wiktionary/{lang}"),
            ("web.wikidata_url", "/wikidata"),
        ] {
            home.setting(key, &format!("\"{url}{path}\""));
        }
    }
}

fn answer(asked: &Asked) -> Answer {
    let path = asked.path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        ["v1", "search"] => Answer::json(&place(&said(asked, "name"))),
        ["v1", "forecast"] => Answer::json(&forecast(Zoned::now().date())),
        ["search"] => Answer::json(&found(&said(asked, "q"))),
        ["wikipedia", ..] => Answer::json(&article(&said(asked, "gsrsearch"))),
        ["wiktionary", lang, ..] => Answer::json(&word(&said(asked, "titles"), lang)),
        ["wikidata", ..] => Answer::json(&known(asked)),
        _ => Answer::status(404),
    }
}

fn said(asked: &Asked, field: &str) -> String {
    asked.field(field).unwrap_or_default()
}

/// One town, whatever it is called.
fn place(name: &str) -> Value {
    let place = json!({
        "id": 1, "name": name, "latitude": 48.853_41, "longitude": 2.3488, "elevation": 42.0, "feature_code": "PPLC",
        "country_code": "FR", "country": "France", "timezone": "Europe/Paris", "admin1": "Île-de-France",
    });
    json!({"results": [place], "generationtime_ms": 0.5})
}

/// Rain at three in the afternoon of each day.
fn forecast(today: Date) -> Value {
    let days: Vec<Date> = (0..DAYS)
        .filter_map(|day| today.checked_add(day.days()).ok())
        .collect();
    let hours = days.iter().flat_map(|day| (0..24).map(move |hour| (day, hour)));
    let times: Vec<String> = hours
        .clone()
        .map(|(day, hour)| format!("{day}T{hour:02}:00"))
        .collect();
    let of_hours = |wet: f64, dry: f64| {
        let hours = hours.clone();
        hours
            .map(|(_, hour)| if hour == 15 { wet } else { dry })
            .collect::<Vec<f64>>()
    };
    let of_days = |value: f64| vec![value; days.len()];
    let codes = |wet: u8, dry: u8| {
        let hours = hours.clone();
        hours
            .map(|(_, hour)| if hour == 15 { wet } else { dry })
            .collect::<Vec<u8>>()
    };
    json!({
        "latitude": 38.72, "longitude": -9.14, "generationtime_ms": 0.2, "utc_offset_seconds": 0,
        "timezone": "Europe/Lisbon", "timezone_abbreviation": "GMT", "elevation": 38.0,
        "current_units": {"time": "iso8601", "temperature_2m": "°C", "weather_code": "wmo code"},
        "current": {"time": format!("{today}T10:00"), "interval": 900, "temperature_2m": 16.6,
                    "apparent_temperature": 14.1, "weather_code": 3, "wind_speed_10m": 11.2},
        "hourly": {
            "time": times, "temperature_2m": of_hours(14.0, 15.0), "apparent_temperature": of_hours(13.0, 14.0),
            "precipitation_probability": of_hours(80.0, 10.0), "weather_code": codes(63, 3),
            "wind_speed_10m": of_hours(12.0, 12.0),
        },
        "daily": {
            "time": days.iter().map(Date::to_string).collect::<Vec<_>>(),
            "temperature_2m_max": of_days(17.0), "temperature_2m_min": of_days(11.0),
            "precipitation_probability_max": of_days(80.0), "weather_code": vec![63; days.len()],
            "wind_speed_10m_max": of_days(14.0), "uv_index_max": of_days(2.5),
        },
    })
}

/// What a search server has found.
fn found(query: &str) -> Value {
    let hit = |number: u8| {
        json!({"url": format!("https://example.org/{number}"), "title": format!("{query}, part {number}"),
               "content": format!("A page about {query}."), "engine": "x", "score": 1.0})
    };
    json!({"query": query, "number_of_results": 0, "results": [hit(1), hit(2)], "answers": [], "unresponsive_engines": []})
}

/// An article of this name; where any is asked for, one about Porto.
fn article(topic: &str) -> Value {
    let topic = if topic.is_empty() { "Porto" } else { topic };
    let page = json!({"pageid": 1, "ns": 0, "title": topic, "index": 1,
                      "extract": format!("{topic} has an article in an encyclopedia. It is a long one.\nMore of it.")});
    json!({"batchcomplete": true, "query": {"pages": [page]}})
}

/// An entry for the first of these spellings.
fn word(titles: &str, lang: &str) -> Value {
    let pages = titles.split('|').enumerate().map(|(number, title)| {
        let text = ENTRIES.iter().find(|(known, _)| *known == lang);
        match text.filter(|_| number == 0) {
            Some((_, text)) => json!({"pageid": 1, "ns": 0, "title": title, "revisions": [
                {"slots": {"main": {"content": text.replace("WORD", title)}}}]}),
            None => json!({"ns": 0, "title": title, "missing": true}),
        }
    });
    json!({"query": {"pages": pages.collect::<Vec<_>>()}})
}

/// A thing of any name, and what is known of it.
fn known(asked: &Asked) -> Value {
    match said(asked, "action").as_str() {
        "wbsearchentities" => {
            let thing = json!({"id": "Q243", "label": said(asked, "search"), "description": "a thing"});
            json!({"search": [thing], "success": 1})
        }
        "wbgetclaims" => {
            let property = said(asked, "property");
            let claim = CLAIMS.iter().find(|(known, _)| *known == property);
            let value = claim.and_then(|(_, value)| serde_json::from_str::<Value>(value).ok());
            let statement = |value: Value| json!([{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}]);
            json!({"claims": value.map_or_else(|| json!({}), |value| json!({property: statement(value)}))})
        }
        _ => json!({"entities": {"Q3114": {"labels": {"en": {"language": "en", "value": "Canberra"}}}}}),
    }
}
