//! The tools as a brain calls them, at a stopped clock.

use super::SKILL;
use loquat_kit::wording::Wording;
use loquat_kit::{Intents, Skill};
use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError, Toolbox};
use serde_json::{Map, Value, json};

async fn call(tool: &str, arguments: Value, person: &Circumstances) -> Result<Value, ToolError> {
    let now: Timestamp = "2026-11-21T16:11:12Z".parse().expect("a timestamp");
    let toolbox = super::toolbox(
        Arc::new(move || now),
        &Wording::new(Skill::locales([&SKILL]).into()),
    );
    let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
    toolbox
        .call(tool, arguments, person)
        .await
        .map(|outcome| Value::Object(outcome.result))
}

fn person(lang: &str, zone: &str) -> Circumstances {
    Circumstances {
        lang: Some(lang.to_owned()),
        time_zone: Some(zone.to_owned()),
        ..Circumstances::default()
    }
}

#[tokio::test]
async fn the_time_here_is_the_person_s() {
    let found = call(
        "get_current_datetime",
        json!({}),
        &person("de-DE", "Europe/Berlin"),
    )
    .await;
    let expected = json!({
        "iso": "2026-11-21T17:11:12+01:00",
        "date": "2026-11-21",
        "time": "17:11:12",
        "weekday": "Samstag",
        "timezone": "Europe/Berlin",
        "spoken": "17:11 Uhr am Samstag, 21. November 2026",
    });
    assert_eq!(found, Ok(expected));
}

#[tokio::test]
async fn the_time_elsewhere_is_told_in_the_person_s_formats() {
    let person = Circumstances {
        time_format: Some("half".to_owned()),
        date_format: Some("DMY".to_owned()),
        ..person("en-US", "America/Chicago")
    };
    let found = call("get_current_datetime", json!({"timezone": "Tokyo"}), &person)
        .await
        .expect("a time");
    assert_eq!(found["time"], "01:11:12");
    assert_eq!(found["date"], "2026-11-22");
    assert_eq!(found["timezone"], "Asia/Tokyo");
    assert_eq!(found["spoken"], "1:11 AM on Sunday, 22 November 2026");
}

#[tokio::test]
async fn null_and_empty_arguments_mean_here() {
    for arguments in [
        json!({"timezone": null}),
        json!({"timezone": ""}),
        json!({"timezone": "local"}),
    ] {
        let found = call("get_current_datetime", arguments, &person("en", "Asia/Kathmandu")).await;
        assert_eq!(found.expect("a time")["iso"], "2026-11-21T21:56:12+05:45");
    }
}

#[tokio::test]
async fn a_language_without_words_is_told_in_english() {
    let found = call("get_current_datetime", json!({}), &person("tlh", "UTC"))
        .await
        .expect("a time");
    assert_eq!(found["spoken"], "4:11 PM on Saturday, November 21, 2026");
}

#[tokio::test]
async fn unknown_places_are_complaints_for_the_brain() {
    let found = call(
        "get_current_datetime",
        json!({"timezone": "Atlantis"}),
        &person("en", "UTC"),
    )
    .await;
    let Err(ToolError::Reply { class, message, .. }) = found else {
        panic!("{found:?} is no complaint")
    };
    assert_eq!(class, "LookupError");
    assert!(
        message.starts_with("timezone: no place or time zone 'Atlantis'"),
        "{message}"
    );
}

#[tokio::test]
async fn times_are_converted_between_places() {
    let arguments = json!({"time": "9 pm", "from": "New York", "to": "Sydney"});
    let found = call("convert_time", arguments, &person("en", "UTC")).await;
    let expected = json!({
        "time": "13:00",
        "day_shift": 1,
        "from": "America/New_York",
        "to": "Australia/Sydney",
        "spoken": "1:00 PM",
    });
    assert_eq!(found, Ok(expected));
    let here = call(
        "convert_time",
        json!({"time": "15:00", "from": "London"}),
        &person("fr", "Europe/Paris"),
    )
    .await;
    assert_eq!(here.expect("a time")["spoken"], "16 h 00");
    let arguments = json!({"time": "Now", "from": "here", "to": "Karachi"});
    let found = call("convert_time", arguments, &person("en", "UTC")).await;
    assert_eq!(found.expect("a time")["time"], "21:11");
}

#[tokio::test]
async fn the_time_between_places_is_told_both_ways() {
    for (place, other, hours) in [
        ("Bangkok", "Nairobi", 4.0),
        ("Nairobi", "Bangkok", -4.0),
        ("Kathmandu", "London", 5.75),
        ("Berlin", "Paris", 0.0),
        ("Tokyo", "here", 8.0),
    ] {
        let arguments = json!({"place": place, "other": other});
        let found = call("time_difference", arguments, &person("en", "Europe/Paris")).await;
        assert_eq!(found.expect("a difference")["hours"], json!(hours), "{place}");
    }
    let found = call(
        "time_difference",
        json!({"place": "Atlantis"}),
        &person("en", "UTC"),
    )
    .await;
    let complaint = found.expect_err("a complaint").to_string();
    assert!(
        complaint.starts_with("LookupError: place: no place or time zone 'Atlantis'"),
        "{complaint}"
    );
}

#[tokio::test]
async fn nothing_is_converted_from_here_to_here() {
    for arguments in [
        json!({"time": "7 am"}),
        json!({"time": "7 am", "from": "here", "to": "none"}),
    ] {
        let found = call("convert_time", arguments, &person("en", "UTC")).await;
        let complaint = found.expect_err("a complaint").to_string();
        assert!(
            complaint.starts_with("ValueError: from and to are both here"),
            "{complaint}"
        );
    }
}

#[tokio::test]
async fn days_are_counted() {
    let span = call("days_until", json!({"date": "3 weeks"}), &person("en", "UTC")).await;
    assert_eq!(span.expect("a span without \"in\"")["days"], 21);
    let christmas = call("days_until", json!({"date": "Christmas"}), &person("en", "UTC")).await;
    let expected = json!({
        "days": 34,
        "weeks": 4,
        "and_days": 6,
        "date": "2026-12-25",
        "weekday": "Friday",
        "from": "2026-11-21",
        "spoken": "Friday, December 25, 2026",
    });
    assert_eq!(christmas, Ok(expected));
    let past = json!({"date": "2026-01-01", "from": "2026-03-01"});
    assert_eq!(
        call("days_until", past, &person("en", "UTC"))
            .await
            .expect("a count")["days"],
        -59
    );
}

#[tokio::test]
async fn today_is_where_the_person_is() {
    let found = call(
        "days_until",
        json!({"date": "today"}),
        &person("en", "Pacific/Kiritimati"),
    )
    .await;
    assert_eq!(found.expect("a count")["date"], "2026-11-22");
}

#[tokio::test]
async fn unreadable_times_and_dates_show_how_to_write_them() {
    let complaint = |found: Result<Value, ToolError>| found.expect_err("a complaint").to_string();
    let found = call(
        "convert_time",
        json!({"time": "tea", "to": "Rome"}),
        &person("en", "UTC"),
    )
    .await;
    assert_eq!(
        complaint(found),
        "ValueError: time: 'tea' is no time of day, such as 15:30 or 3:30 pm; quantities are for unit_convert"
    );
    let found = call("days_until", json!({"date": "someday"}), &person("en", "UTC")).await;
    assert_eq!(
        complaint(found),
        "ValueError: date: cannot read 'someday'; write it as YYYY-MM-DD, or as in 'in 2 weeks'"
    );
    let from = json!({"date": "tomorrow", "from": "Brisbane"});
    assert_eq!(
        complaint(call("days_until", from, &person("en", "UTC")).await),
        "ValueError: from: 'Brisbane' is a place; get_current_datetime tells what time it is there"
    );
}

#[test]
fn a_place_is_read_past_commas() {
    let intents = Intents::new([&SKILL], Skill::locales([&SKILL]).into());
    assert!(intents.takes("clock.time_in", "en", "place", "New, York"));
}
