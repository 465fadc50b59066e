//! What is changed is due when it was said, and nothing else is changed.

use loquat_agent::toolbox::Circumstances;
use serde_json::{Value, json};

use super::super::alert::Alert;
use super::super::day::Day;
use super::super::turn::Turn;

#[tokio::test]
async fn minutes_are_added_to_the_timer_that_is_meant() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "10 minutes", "name": "pasta"}))
        .await;
    day.call("set_timer", json!({"duration": "3 minutes"})).await;
    day.pass(60.0);
    let said = day
        .change(json!({"kind": "timer", "name": "pasta", "by": "five minutes"}))
        .await;
    assert_eq!(said, "The pasta timer now has 14 minutes left.");
    let said = day.change(json!({"name": "3 minutes", "by": "-a minute"})).await;
    assert_eq!(said, "The timer now has 1 minute left.");
    let said = day.change(json!({"kind": "timer", "by": "a minute"})).await;
    assert!(said.starts_with("Which one?"), "{said}");
    let said = day.change(json!({"name": "pasta", "by": "-an hour"})).await;
    assert_eq!(said, "There is not that much time left.");
    let left = day
        .call("list_alerts", json!({"kind": "timer", "name": "pasta"}))
        .await;
    assert_eq!(left, "The pasta timer has 14 minutes left.");
    day.pass(60.0);
    let turns = day.alerts.turn().await;
    assert!(
        matches!(turns.as_slice(), [Turn::Rings(alert)] if alert.name.is_none()),
        "{turns:?}"
    );
}

#[tokio::test]
async fn the_last_one_is_made_ten_minutes() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "1 hour"})).await;
    day.call("set_timer", json!({"duration": "5 minutes"})).await;
    let said = day.change(json!({"name": "last", "to": "ten minutes"})).await;
    assert_eq!(said, "The timer now has 10 minutes left.");
    let said = day
        .change(json!({"name": "pizza", "kind": "timer", "by": "1 minute"}))
        .await;
    assert_eq!(said, "There is no such timer.");
}

#[tokio::test]
async fn what_rings_rings_again_after_what_is_added() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "1 minute"})).await;
    day.pass(70.0);
    assert_eq!(day.alerts.turn().await.len(), 1);
    let said = day.change(json!({"kind": "timer", "by": "5 minutes"})).await;
    assert_eq!(said, "The timer now has 5 minutes left.");
    assert!(!day.alerts.is_ringing());
    day.pass(300.0);
    assert_eq!(day.alerts.turn().await.len(), 1);
}

#[tokio::test]
async fn an_alarm_is_moved_to_the_nearer_hour() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "8 am", "date": "tomorrow"}))
        .await;
    let said = day.change(json!({"kind": "alarm", "to": "seven"})).await;
    assert_eq!(said, "Alarm set for 7:00 AM tomorrow.");
    let said = day
        .change(json!({"kind": "alarm", "name": "seven", "by": "half an hour"}))
        .await;
    assert_eq!(said, "Alarm set for 7:30 AM tomorrow.");
    let said = day.change(json!({"kind": "alarm", "date": "friday"})).await;
    assert!(said.contains("7:30 AM"), "{said}");
    let said = day
        .change(json!({"kind": "alarm", "date": "24 November 2026"}))
        .await;
    assert_eq!(said, "There is not that much time left.");
    let said = day.change(json!({"kind": "alarm", "to": "dinner"})).await;
    assert!(said.contains("is no time of day"), "{said}");
}

#[tokio::test]
async fn what_is_repeated_stays_so() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "7 am", "repeat": "weekdays"}))
        .await;
    let said = day.change(json!({"kind": "alarm", "to": "6:30"})).await;
    assert_eq!(said, "Alarm set for 6:30 AM every weekday.");
    let said = day.change(json!({"kind": "alarm", "by": "15 minutes"})).await;
    assert_eq!(said, "Alarm set for 6:45 AM every weekday.");
}

#[tokio::test]
async fn what_was_set_changed_or_cancelled_is_taken_back() {
    let day = Day::new();
    let nothing = day.left().await;
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    assert!(day.undo().await.contains("cancelled"));
    assert_eq!(day.left().await, nothing);
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    let before = day.left().await;
    day.change(json!({"kind": "timer", "by": "5 minutes"})).await;
    assert_ne!(day.left().await, before);
    let said = day.change(json!({"kind": "timer", "by": "5 minutes"})).await;
    assert_ne!(day.undo().await, said);
    day.call("cancel_alert", json!({"kind": "timer"})).await;
    assert_eq!(day.left().await, nothing);
    let back = day.undo().await;
    assert!(back.contains("15 minutes"), "{back}");
    day.call("cancel_alert", json!({"kind": "timer"})).await;
    day.pass(3600.0);
    let late = day.undo().await;
    assert!(
        late.contains("LookupError"),
        "it would have rung long ago: {late}"
    );
    day.call("cancel_alert", json!({"kind": "timer"})).await;
    assert_eq!(*day.undo.lock(), json!({}), "nothing was cancelled");
}

#[tokio::test]
async fn what_says_in_two_ways_when_is_not_guessed_at() {
    let day = Day::new();
    let reminder = json!({"text": "call Ada", "duration": "20 minutes", "repeat": "daily"});
    let said = day.call("set_reminder", reminder).await;
    assert!(said.contains("leave out time, date and repeat"), "{said}");
    let reminder = json!({"text": "call Ada", "duration": "20 minutes", "repeat": ""});
    let said = day.call("set_reminder", reminder).await;
    assert!(said.contains("10:20 AM"), "{said}");
}

#[tokio::test]
async fn words_of_others_are_marked_when_they_are_told_again_and_an_undo_brings_the_old_mark_back() {
    let day = Day::new();
    let set = json!({"text": "call Ada", "duration": "2 hours"});
    day.told(true, "set_reminder", set.clone()).await;
    let is_marked = async || day.told(true, "list_alerts", json!({})).await.is_foreign;
    assert!(!is_marked().await, "the owner's own words");
    let later = json!({"name": "Ada", "by": "5 minutes"});
    let own = day.told(true, "change_alert", later.clone()).await;
    assert!(!own.is_foreign && !is_marked().await);
    let back = day.told(true, "restore_alerts", Value::Object(own.undo)).await;
    assert!(!back.is_foreign && !is_marked().await);
    let gone = day.told(true, "cancel_alert", json!({"name": "Ada"})).await;
    assert!(!gone.is_foreign);
    day.told(false, "set_reminder", set).await;
    let changed = day.told(true, "change_alert", later).await;
    assert!(
        changed.is_foreign && is_marked().await,
        "the words are still the program's"
    );
    let back = day
        .told(true, "restore_alerts", Value::Object(changed.undo))
        .await;
    assert!(back.is_foreign && is_marked().await);
    day.told(true, "cancel_alert", json!({"name": "Ada"})).await;

    day.told(false, "set_timer", json!({"duration": "1 hour"})).await;
    assert!(!is_marked().await, "without a name there are no words");
    let planted = day
        .told(
            false,
            "set_timer",
            json!({"duration": "1 hour", "name": "send it"}),
        )
        .await;
    assert!(!planted.is_foreign, "whoever sets it is told their own words");
    assert!(is_marked().await);
    let unclear = day
        .told(true, "cancel_alert", json!({"kind": "timer", "name": ""}))
        .await;
    assert!(unclear.is_foreign && unclear.result["count"] == 0);
    let gone = day.told(true, "cancel_alert", json!({"name": "send it"})).await;
    assert!(gone.is_foreign && !is_marked().await);
    let back = day.told(true, "restore_alerts", Value::Object(gone.undo)).await;
    assert!(back.is_foreign && is_marked().await);
}

#[tokio::test]
async fn of_what_was_kept_before_nobody_knows_whose_words_it_is() {
    let day = Day::new();
    day.told(
        true,
        "set_reminder",
        json!({"text": "call Ada", "duration": "2 hours"}),
    )
    .await;
    day.told(true, "set_alarm", json!({"time": "7 am"})).await;
    let kept = serde_json::to_value(day.alerts.all().await).expect("they are kept");
    let before: Vec<Alert> = kept
        .as_array()
        .into_iter()
        .flatten()
        .map(|alert| {
            let mut alert = alert.clone();
            assert_eq!(
                alert.as_object_mut().and_then(|alert| alert.remove("by")),
                Some(json!("own"))
            );
            serde_json::from_value(alert).expect("it is understood")
        })
        .collect();
    let marked: Vec<bool> = before
        .iter()
        .map(|alert| alert.is_foreign_to(&Circumstances::default()))
        .collect();
    assert_eq!(marked, [true, false], "an alarm has no words");
}

#[tokio::test]
async fn hours_of_an_alarm_are_a_time_of_day_and_those_of_a_timer_a_length() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "8 am", "date": "tomorrow"}))
        .await;
    let said = day.call_in(
        "fr-FR",
        "change_alert",
        json!({"kind": "alarm", "to": "sept heures et demie"}),
    );
    assert_eq!(said.await, "Réveil programmé : demain à 7 h 30.");
    let said = day.call_in(
        "fr-FR",
        "change_alert",
        json!({"name": "last", "to": "neuf heures"}),
    );
    assert_eq!(said.await, "Réveil programmé : demain à 9 h 00.");
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    let said = day.call_in(
        "fr-FR",
        "change_alert",
        json!({"kind": "timer", "to": "deux heures"}),
    );
    assert!(said.await.contains("2 heures"));
}
