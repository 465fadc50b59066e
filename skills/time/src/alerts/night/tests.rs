//! After midnight "tomorrow" is asked about, and only then.

use loquat_agent::Speaker;
use loquat_kit::{Skill, Things};
use serde_json::json;

use super::super::day::Day;
use super::answers;
use loquat_kit::intent::InLanguage;

/// Wednesday, 25 November 2026, half past midnight.
fn after_midnight() -> Day {
    let day = Day::new();
    day.pass(14.5 * 3_600.0);
    day
}

#[tokio::test]
async fn tomorrow_is_asked_about_after_midnight_and_the_answer_is_taken() {
    let question = "Do you mean today, Wednesday, or tomorrow, Thursday?";
    let wish = json!({"time": "7 am", "date": "tomorrow"});
    for (choice, told) in [
        ("today", "today"),
        ("tomorrow", "tomorrow"),
        ("Thursday", "tomorrow"),
        ("the first", "today"),
        ("the second one", "tomorrow"),
    ] {
        let day = after_midnight();
        assert_eq!(day.call("set_alarm", wish.clone()).await, question);
        let said = day
            .call(
                "set_alarm",
                json!({"time": "7 am", "date": "tomorrow", "choice": choice}),
            )
            .await;
        assert!(said.contains(told), "{choice}: {said}");
    }
    let day = after_midnight();
    let reminder = json!({"text": "call Ada", "time": "tomorrow at 9 am"});
    assert_eq!(day.call("set_reminder", reminder).await, question);
}

#[tokio::test]
async fn what_is_clear_is_not_asked_about() {
    for (time, date) in [
        ("7 am", "today"),
        ("7 am", "Thursday"),
        ("7 am", "26 November"),
        // Of today that is past.
        ("12:15 am", "tomorrow"),
        ("7 am", ""),
    ] {
        let said = after_midnight()
            .call("set_alarm", json!({"time": time, "date": date}))
            .await;
        assert!(said.starts_with("Alarm set for"), "{time}, {date}: {said}");
    }
    // In the morning tomorrow is tomorrow.
    let said = Day::new()
        .call("set_alarm", json!({"time": "7 am", "date": "tomorrow"}))
        .await;
    assert!(said.contains("tomorrow"), "{said}");
}

#[tokio::test]
async fn an_answer_that_comes_when_the_night_is_over_is_taken() {
    let day = after_midnight();
    day.pass(3.5 * 3_600.0 - 60.0);
    let mut wish = json!({"time": "7 am", "date": "tomorrow"});
    let asked = day.call("set_alarm", wish.clone()).await;
    assert!(asked.starts_with("Do you mean today"), "{asked}");
    day.pass(120.0);
    wish["choice"] = json!("today");
    let said = day.call("set_alarm", wish).await;
    assert!(said.contains("today"), "{said}");
}

#[tokio::test]
async fn a_brain_is_told_both_dates_and_is_not_asked_once_more() {
    let day = after_midnight();
    let wish = json!({"time": "7 am", "date": "tomorrow"});
    let asked = day.outcome("en-US", Speaker::Program, "set_alarm", wish).await;
    let asked = asked.expect("an outcome").result;
    let dates = "date 2026-11-25 or 2026-11-26";
    assert!(
        asked["spoken"].as_str().is_some_and(|text| text.ends_with(dates)),
        "{asked:?}"
    );
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
        let wish = json!({"time": "07:00", "date": "2026-11-26"});
        let set = day.outcome(lang, Speaker::Program, "set_alarm", wish).await;
        let set = set.expect("an outcome").result;
        assert!(set["id"].is_u64(), "{lang}: {set:?}");
    }
}

#[tokio::test]
async fn it_is_asked_at_the_beginning_of_a_day_of_25_hours() {
    let day = Day::new();
    day.now.lock().wall = "2026-10-24T22:30:00Z".parse().expect("a moment");
    let said = day
        .call("set_alarm", json!({"time": "7 am", "date": "tomorrow"}))
        .await;
    assert_eq!(said, "Do you mean today, Sunday, or tomorrow, Monday?");
}

#[test]
fn only_a_day_answers_the_question_which_day_is_meant() {
    let (locales, things) = (Skill::locales([&crate::alerts::SKILL]).into(), Things::default());
    let spoken = InLanguage {
        lang: "en-US",
        locales: &locales,
        rooms: None,
        things: &things,
        said: "",
    };
    let days = ["Wednesday", "Thursday"].map(str::to_owned);
    for said in ["today", "tomorrow", "Thursday", "the first", "the second one"] {
        assert_eq!(answers(&days, said, &spoken), Some(true), "{said}");
    }
    for said in ["both", "2", "seven", "7 am", "two minutes", "Friday", "pasta"] {
        assert_eq!(answers(&days, said, &spoken), Some(false), "{said}");
    }
    let timers = ["the egg timer", "the pasta timer"].map(str::to_owned);
    assert_eq!(answers(&timers, "today", &spoken), None);
}
