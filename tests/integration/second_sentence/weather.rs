//! Second sentences about the weather, of which a server elsewhere is asked: each answer tells of the place and time that are meant.

use loquat_tests::brain::Reply;
use loquat_tests::web_server::{Answer, Asked, WebServer};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::PERSONA;
use crate::story::{Scene, TESTER};

/// Days that are forecast.
const DAYS: i64 = 16;

fn answer(asked: &Asked) -> Answer {
    if asked.path.starts_with("/v1/search") {
        let name = asked.field("name").unwrap_or_default();
        let place = json!({"name": name, "latitude": 50.0, "longitude": 0.0, "timezone": "Etc/UTC"});
        return Answer::json(&json!({"results": [place]}));
    }
    Answer::json(&forecast())
}

/// Dry weather on each day from today.
fn forecast() -> Value {
    let calendar = Connection::open_in_memory().expect("a calendar");
    let day = |ahead: i64| -> String {
        let sentence = "select date('now', ?1)";
        let read = calendar.query_row(sentence, [format!("+{ahead} days")], |row| row.get(0));
        read.expect("a day")
    };
    let days: Vec<String> = (0..DAYS).map(day).collect();
    let hours: Vec<String> = days
        .iter()
        .flat_map(|day| (0..24).map(move |hour| format!("{day}T{hour:02}:00")))
        .collect();
    let each_hour = |value: f64| vec![value; hours.len()];
    let each_day = |value: f64| vec![value; days.len()];
    json!({
        "timezone": "Etc/UTC", "utc_offset_seconds": 0,
        "current": {"time": hours[0], "temperature_2m": 6.0, "apparent_temperature": 4.0, "weather_code": 3,
            "wind_speed_10m": 11.0},
        "hourly": {"time": hours, "temperature_2m": each_hour(9.0), "apparent_temperature": each_hour(8.0),
            "precipitation_probability": each_hour(10.0), "weather_code": vec![3; hours.len()],
            "wind_speed_10m": each_hour(12.0)},
        "daily": {"time": days, "temperature_2m_max": each_day(11.0), "temperature_2m_min": each_day(3.0),
            "precipitation_probability_max": each_day(10.0), "weather_code": vec![3; days.len()],
            "wind_speed_10m_max": each_day(14.0), "uv_index_max": each_day(1.0)},
    })
}

/// What is said, and what the answer holds.
const TALK: &[(&str, &[&str])] = &[
    ("What's the weather in Paris?", &["Paris"]),
    ("what about tomorrow?", &["Paris", "omorrow"]),
    ("and in London?", &["London", "omorrow"]),
    ("I meant London, Ontario", &["London", "Ontario", "omorrow"]),
    ("and what is love", &[PERSONA]),
    ("and in Rome?", &[PERSONA]),
];

#[tokio::test]
async fn a_question_about_the_weather_goes_on() {
    let services = WebServer::start(answer).await;
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    scene
        .home
        .setting("weather.url", &format!("\"{}\"", services.url()));
    scene
        .home
        .setting("weather.geocoding_url", &format!("\"{}\"", services.url()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers(PERSONA));
    let mut faults = Vec::new();
    for (said, holds) in TALK {
        let answer = story.ask(said).await.answer().to_owned();
        if !holds.iter().all(|part| answer.contains(part)) {
            faults.push((said, answer));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
