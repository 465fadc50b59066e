//! Results of tools, told in answers as the pack has them.

use serde_json::json;

use super::*;

/// The answers of a language that has no words of ours.
fn dutch() -> Responses {
    let pack = json!({
        "lists": {
            "on_off_states": {"values": [{"in": "aan", "out": "on"}, {"in": "uit", "out": "off"}]},
        },
        "responses": {
            "intents": {
                "HassTurnOn": {"default": "{{ slots.name }} aangezet"},
                "HassGetState": {
                    "one": "{{ slots.name | capitalize }} is {{ state.state_with_unit }}",
                    "which": "{{ query.matched | map(attribute='name') | join(', ') }}",
                },
                "HassTimerStatus": {"default": "{{ slots.timers | length }}: {{ slots.timers[0].rounded_minutes_left }}"},
                "HassGetCurrentTime": {"default": "{{ slots.time.hour }}:{{ slots.time.minute }}"},
                "HassGetWeather": {"default": "{{ state.attributes.get('temperature') }} {{ {'rainy': 'regen'}.get(state.state) }}"},
                "HassCancelAllTimers": {"default": "{{ slots.canceled }} weg"},
            },
            "errors": {
                "duplicate_targets": "Er is meer dan één",
                "timer_not_found": "Geen timer",
                "multiple_timers_matched": "Welke timer?",
            },
        },
    });
    let (answers, errors) = Responses::from_pack(&pack.to_string()).expect("a pack");
    assert!(errors.is_empty(), "{errors:?}");
    answers
}

/// What a toolbox has brought, told as the answer to a sentence with a name in it.
fn told((intent, response): (&str, &str), toolbox_id: &str, result: &Value) -> Option<String> {
    let slots = json!({"name": "bureaulamp"});
    let phrasing = Phrasing {
        intent: intent.to_owned(),
        response: response.to_owned(),
        slots: slots.as_object().cloned().expect("an object"),
    };
    let result = result.as_object().expect("an object");
    in_their_words(&phrasing, toolbox_id, result, &dutch())
}

fn seen(name: &str, state: &str) -> Value {
    json!({"name": name, "state": state, "domain": "light"})
}

#[test]
fn what_was_done_and_found_in_a_home_is_told() {
    let home = |intent, result: Value| told(intent, loquat_home::ID, &result);
    let on = ("HassTurnOn", "default");
    let moved = json!({"done": true, "matched": [seen("Bureaulamp", "on")]});
    assert_eq!(home(on, moved).as_deref(), Some("bureaulamp aangezet"));
    let several = json!({"done": false, "choices": ["a", "b"], "problem": "several"});
    assert_eq!(home(on, several).as_deref(), Some("Er is meer dan één"));
    let one = json!({"states": [seen("Bureaulamp", "on")]});
    let asked = home(("HassGetState", "one"), one);
    assert_eq!(asked.as_deref(), Some("Bureaulamp is aan"));
    let which = json!({"count": 2, "matched": [seen("a", "on"), seen("b", "on")]});
    assert_eq!(home(("HassGetState", "which"), which).as_deref(), Some("a, b"));
}

#[test]
fn what_went_otherwise_or_is_not_known_is_not_told() {
    let home = |intent, result: Value| told(intent, loquat_home::ID, &result);
    let on = ("HassTurnOn", "default");
    assert_eq!(
        home(on, json!({"done": false, "problem": "it cannot do that"})),
        None
    );
    let partly = json!({"done": true, "matched": [seen("a", "on")], "left_out": ["door"]});
    assert_eq!(home(on, partly), None);
    let unknown_word = json!({"states": [seen("Bureaulamp", "jammed")]});
    assert_eq!(home(("HassGetState", "one"), unknown_word), None);
    let two = json!({"states": [seen("a", "on"), seen("b", "off")]});
    assert_eq!(home(("HassGetState", "one"), two), None);
}

#[test]
fn timers_are_told_in_round_figures_and_missing_ones_by_name() {
    let timers = |intent: &str, result: Value| told((intent, "default"), loquat_time::alerts::ID, &result);
    let figures = json!({"is_active": true, "seconds_left": 299, "seconds_at_start": 300});
    let listed = json!({"count": 1, "timers": [figures]});
    assert_eq!(timers("HassTimerStatus", listed).as_deref(), Some("1: 5"));
    let none = json!({"count": 0});
    assert_eq!(
        timers("HassTimerStatus", none.clone()).as_deref(),
        Some("Geen timer")
    );
    assert_eq!(timers("HassCancelAllTimers", none).as_deref(), Some("0 weg"));
    let which = json!({"count": 0, "which": ["a", "b"]});
    assert_eq!(timers("HassCancelTimer", which).as_deref(), Some("Welke timer?"));
}

#[test]
fn time_and_weather_are_told_from_figures() {
    let moment = json!({"date": "2026-11-27", "time": "20:05:33"});
    let time = told(("HassGetCurrentTime", "default"), loquat_time::clock::ID, &moment);
    assert_eq!(time.as_deref(), Some("20:5"));
    let weather = |high: f64| {
        let result = json!({"condition": "rain", "low": 7, "high": high, "unit": "celsius"});
        told(("HassGetWeather", "default"), loquat_online::weather::ID, &result)
    };
    assert_eq!(weather(7.0).as_deref(), Some("7 regen"));
    // A whole day has no one temperature.
    assert_eq!(weather(15.0), None);
}
