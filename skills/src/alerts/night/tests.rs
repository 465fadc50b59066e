//! After midnight "tomorrow" is asked about, and only then.

use serde_json::json;

use super::super::day::Day;

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
        ("today", "Wednesday, November 25"),
        ("tomorrow", "Thursday, November 26"),
        ("Thursday", "Thursday, November 26"),
        ("the first", "Wednesday, November 25"),
        ("the second one", "Thursday, November 26"),
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
    assert!(said.contains("Wednesday"), "{said}");
}
