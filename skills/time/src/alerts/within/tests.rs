//! What is due on a day, in a part of one or between two times is told and cancelled apart from all else.

use serde_json::json;

use super::super::day::Day;

/// Tuesday morning, with alarms on Wednesday and Saturday, a daily one and a reminder on Wednesday evening.
async fn week() -> Day {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "7 am", "date": "tomorrow"}))
        .await;
    day.call("set_alarm", json!({"time": "9 am", "date": "Saturday"}))
        .await;
    day.call("set_alarm", json!({"time": "4:30 pm", "repeat": "daily"}))
        .await;
    day.call(
        "set_reminder",
        json!({"text": "call Ada", "time": "8 pm", "date": "tomorrow"}),
    )
    .await;
    day
}

#[tokio::test]
async fn what_is_due_then_is_listed() {
    let day = week().await;
    for (within, expected) in [
        ("tomorrow morning", "An alarm for 7:00 AM tomorrow."),
        (
            "tomorrow",
            "An alarm for 7:00 AM tomorrow; an alarm for 4:30 PM tomorrow; call Ada, 8:00 PM tomorrow.",
        ),
        ("tomorrow after 6 pm", "Call Ada, 8:00 PM tomorrow."),
        ("between 4 and 5 pm", "An alarm for 4:30 PM today."),
        ("between 5 and 6 pm", "Nothing is set for that time."),
        ("next month", "An alarm for 4:30 PM on Tuesday, December 1, 2026."),
    ] {
        let said = day.call("list_alerts", json!({"within": within})).await;
        let (said, expected) = (said.to_lowercase(), expected.to_lowercase());
        let parts: Vec<&str> = expected.trim_end_matches('.').split("; ").collect();
        let is_told = |part: &&str| {
            let time = part
                .split(' ')
                .find(|word| word.contains(':') || *word == "nothing");
            time.is_some_and(|time| said.contains(time))
        };
        assert!(parts.iter().all(is_told), "{within}: {said}");
        assert_eq!(said.matches(';').count() + 1, parts.len(), "{within}: {said}");
    }
    for (lang, within) in [
        ("de-DE", "am Samstag"),
        ("fr-FR", "samedi"),
        ("es-ES", "el sábado"),
        ("it-IT", "sabato"),
        ("pt-PT", "no sábado"),
    ] {
        let said = day
            .call_in(lang, "list_alerts", json!({"kind": "alarm", "within": within}))
            .await;
        assert_eq!(said.matches(';').count(), 1, "{said}");
    }
    let said = day
        .call(
            "list_alerts",
            json!({"kind": "alarm", "within": "every now and then"}),
        )
        .await;
    assert!(said.contains("within: cannot read"), "{said}");
}

#[tokio::test]
async fn what_is_due_then_is_cancelled_and_what_is_repeated_on_other_days_stays() {
    let day = week().await;
    let cancel = |within: &'static str| {
        day.call(
            "cancel_alert",
            json!({"kind": "alarm", "name": "all", "within": within}),
        )
    };
    let said = cancel("on Saturday").await;
    assert!(said.starts_with("Alarm for 9:00 AM cancelled. "), "{said}");
    assert!(
        said.contains("What is repeated on other days too stays: an alarm for 4:30 PM"),
        "{said}"
    );
    let said = cancel("on Sunday").await;
    assert!(
        said.starts_with("What is repeated on other days too stays: "),
        "{said}"
    );
    assert_eq!(cancel("between 5 and 6 pm").await, "There is no such alarm.");
    assert_eq!(cancel("tomorrow morning").await, "Alarm for 7:00 AM cancelled.");
    assert_eq!(cancel("this week").await, "Alarm for 4:30 PM cancelled.");
    assert_eq!(day.undo().await.matches("4:30").count(), 1);
    let said = day
        .call("cancel_alert", json!({"kind": "reminder", "within": "tomorrow"}))
        .await;
    assert_eq!(said, "Reminder cancelled: call Ada.");
}

#[tokio::test]
async fn a_weekly_alarm_is_due_on_its_day_alone() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "6 am", "repeat": "saturday"}))
        .await;
    let listed = |within: &'static str| day.call("list_alerts", json!({"kind": "alarm", "within": within}));
    assert_eq!(listed("on Friday").await, "No alarm is set for that time.");
    assert!(listed("at the weekend").await.contains("6:00 AM"));
    let cancelled = day.call("cancel_alert", json!({"kind": "alarm", "within": "on Saturday"}));
    assert_eq!(cancelled.await, "Alarm for 6:00 AM cancelled.");
}

#[tokio::test]
async fn what_is_repeated_is_listed_with_its_days() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "9 pm", "repeat": "daily"}))
        .await;
    day.call(
        "set_reminder",
        json!({"text": "water the plants", "time": "6 pm", "repeat": "every monday"}),
    )
    .await;
    for (lang, alarm, reminder) in [
        (
            "en-US",
            "an alarm for 9:00 PM every day",
            "6:00 PM every Monday: water the plants",
        ),
        (
            "de-DE",
            "ein Wecker jeden Tag um 21:00 Uhr",
            "jeden Montag um 18:00 Uhr: water the plants",
        ),
        (
            "fr-FR",
            "un réveil à 21 h 00, tous les jours",
            "tous les lundis : water the plants",
        ),
        ("es-ES", "una alarma, todos los días", "todos los lunes"),
        ("it-IT", "una sveglia, ogni giorno", "ogni lunedì"),
        ("pt-PT", "um alarme, todos os dias", "todas as segundas"),
    ] {
        let said = day.call_in(lang, "list_alerts", json!({})).await;
        let (said, alarm) = (said.to_lowercase(), alarm.to_lowercase());
        assert!(
            said.contains(&alarm) && said.contains(&reminder.to_lowercase()),
            "{lang}: {said}"
        );
    }
}
