//! Every answer of every language can be read, and filled with what it may be given.

use loquat_sentences::{Given, Responses, State};

use crate::environment::Environment;

/// Answers that are meant for other values than these.
fn given() -> Given {
    let state = |name: &str, state: &str| {
        State {
        entity_id: format!("light.{name}"),
        name: name.to_owned(),
        domain: "light".into(),
        state: state.to_owned(),
        state_with_unit: format!("{state} %"),
        attributes: serde_json::json!({
            "temperature": 20.5, "temperature_unit": "°C", "current_temperature": 21, "wind_speed": 12.5,
            "wind_speed_unit": "km/h", "wind_bearing": 90, "wind_gust_speed": 20, "humidity": 50, "pressure": 1010,
        })
        .as_object()
        .unwrap()
        .clone(),
    }
    };
    let timer = serde_json::json!({
        "name": "pizza", "area": "kitchen", "is_active": true, "total_seconds_left": 3_725, "start_hours": 1,
        "start_minutes": 5, "start_seconds": 0, "rounded_hours_left": 1, "rounded_minutes_left": 2, "rounded_seconds_left": 5,
    });
    let slots = serde_json::json!({
        "name": "lamp", "area": "kitchen", "floor": "first floor", "domain": "light", "device_class": "blind",
        "brightness": 50, "color": "red", "temperature": 20, "hours": 1, "minutes": 5, "seconds": 10, "position": 50,
        "state": "on", "item": "milk", "timers": [timer], "canceled": 2, "media": {"title": "song"}, "zone": "work",
        "percentage": 50, "volume_level": 30, "message": "hi", "fan_mode": "auto", "search_query": "song", "entity": "lamp",
    });
    let given = Given {
        slots: slots.as_object().unwrap().clone(),
        matched: vec![state("lamp", "21"), state("ceiling", "20.5")],
        unmatched: vec![state("desk", "0")],
    };
    given.with_date(2026, 11, 27, 4).with_time(8, 5)
}

#[test]
fn all_answers_of_all_languages_can_be_read_and_filled() {
    let Some(environment) = Environment::find() else {
        return;
    };
    let (mut answers, mut failures) = (0, Vec::new());
    for code in environment.languages() {
        let (responses, errors) = Responses::from_pack(&environment.pack(&code)).unwrap();
        let told = |error: &dyn std::error::Error| {
            format!(
                "{code}: {error}: {}",
                error.source().map(ToString::to_string).unwrap_or_default()
            )
        };
        failures.extend(errors.iter().map(|error| told(error)));
        for name in responses.names() {
            answers += 1;
            let (intent, key) = name.split_once('.').unwrap();
            let filled = match intent {
                "errors" => responses.failure(key, &given()),
                _ => responses.answer(intent, key, &given()),
            };
            failures.extend(filled.err().map(|error| told(&error)));
        }
    }
    println!("{answers} answers, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
