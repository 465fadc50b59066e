//! A timer is found by its name, by what it was set to, and by its room.

use loquat_agent::Speaker;
use loquat_kit::{Skill, Things};
use serde_json::json;

use super::super::day::Day;
use super::super::spoken::read_kind_of_all;
use loquat_kit::intent::InLanguage;

#[tokio::test]
async fn a_length_is_what_it_was_set_to_however_it_is_said() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "90 minutes"})).await;
    day.call("set_timer", json!({"hours": 1})).await;
    day.call("set_timer", json!({"hours": 1, "minutes": 30, "seconds": 5}))
        .await;
    day.pass(60.0);
    day.change(json!({"length": "1 hour", "by": "30 minutes"})).await;
    let said = day
        .call(
            "list_alerts",
            json!({"kind": "timer", "length": "1 hour and 30 minutes"}),
        )
        .await;
    assert_eq!(
        said,
        "The timer for 1 hour and 30 minutes has 1 hour and 29 minutes left."
    );
    let said = day
        .call(
            "cancel_alert",
            json!({"kind": "timer", "name": "the 90 minute timer"}),
        )
        .await;
    assert_eq!(said, "Timer for 1 hour and 30 minutes cancelled.");
    // The other one runs for ninety minutes now, and no other one was set to them.
    let said = day.call("cancel_alert", json!({"length": "90 minutes"})).await;
    assert_eq!(said, "Timer for 1 hour and 30 minutes cancelled.");
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "length": "2 hours"}))
        .await;
    assert_eq!(said, "There is no such timer.");
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "length": "long"}))
        .await;
    assert!(said.contains("length: cannot read 'long'"), "{said}");
}

#[tokio::test]
async fn a_room_is_that_of_the_device_at_which_it_was_set() {
    let mut day = Day::new();
    day.call("set_timer", json!({"minutes": 5})).await;
    day.stands_in("Kitchen");
    day.call("set_timer", json!({"minutes": 5})).await;
    day.stands_in("Bedroom");
    let guest = day.outcome(
        "en-US",
        Speaker::guest("hive:bath"),
        "set_timer",
        json!({"minutes": 5}),
    );
    assert!(
        guest.await.expect("it is set").result["timers"][0]
            .get("room")
            .is_none()
    );
    day.restart();
    let listed = day
        .outcome(
            "en-US",
            Speaker::Owner,
            "list_alerts",
            json!({"area": "the kitchen"}),
        )
        .await;
    let listed = listed.expect("a result");
    assert_eq!(listed.result["count"], 1);
    assert_eq!(listed.result["timers"][0]["room"], "Kitchen");
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "area": "Bedroom"}))
        .await;
    assert!(said.starts_with("There is no such timer."), "{said}");
    let said = day
        .call("pause_timer", json!({"area": "kitchen", "length": "5 minutes"}))
        .await;
    assert_eq!(said, "Timer paused with 5 minutes left.");
    day.call("set_timer", json!({"minutes": 9, "name": "garage"}))
        .await;
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "area": "garage"}))
        .await;
    assert_eq!(said, "Garage timer cancelled.", "it is called like a room");
}

#[tokio::test]
async fn words_that_are_no_name_mean_any_timer_and_nothing_without_a_kind() {
    let day = Day::new();
    let said = day
        .call("set_timer", json!({"name": "Set the", "duration": "5 seconds"}))
        .await;
    assert_eq!(said, "Timer set for 5 seconds.");
    day.call("cancel_alert", json!({"kind": "timer", "name": "the"}))
        .await;
    assert_eq!(day.left().await, "Nothing is set.");
    day.call("set_alarm", json!({"time": "7 am"})).await;
    let said = day.call("cancel_alert", json!({"name": "timer"})).await;
    assert_eq!(said, "Nothing is set.");
    assert_ne!(day.left().await, "Nothing is set.");
}

#[tokio::test]
async fn a_span_is_said_in_numbers_or_in_words() {
    let day = Day::new();
    let said = day
        .call("set_timer", json!({"minutes": 1.5, "duration": "90 seconds"}))
        .await;
    assert_eq!(said, "Timer set for 1 minute and 30 seconds.");
    assert_eq!(day.call("set_timer", json!({})).await, "For how long?");
    for wrong in [
        json!({"minutes": 1, "duration": "2 minutes"}),
        json!({"minutes": 0}),
        json!({"seconds": -1}),
        json!({"hours": 1e9}),
        json!({"hours": "many"}),
    ] {
        let said = day.call("set_timer", wrong.clone()).await;
        assert!(said.contains("ValueError"), "{wrong}: {said}");
    }
}

#[tokio::test]
async fn an_answer_counts_among_those_that_were_told_and_takes_no_other_for_one_that_has_gone() {
    let day = Day::new();
    for (minutes, name) in [(5, "pasta"), (10, "egg"), (15, "rice")] {
        day.call("set_timer", json!({"minutes": minutes, "name": name}))
            .await;
    }
    let cancel = async |choice: &str| {
        day.call("cancel_alert", json!({"kind": "timer", "choice": choice}))
            .await
    };
    assert!(cancel("").await.starts_with("Which one? The pasta timer"));
    day.call("cancel_alert", json!({"kind": "timer", "name": "pasta"}))
        .await;
    for gone in ["pasta", "the first"] {
        assert_eq!(cancel(gone).await, "There is no such timer.", "{gone}");
    }
    assert_eq!(cancel("the second").await, "Egg timer cancelled.");
    // One is left, and it is not the one that was meant.
    for gone in ["pasta", "the first", "egg", "soup", "10 minutes"] {
        assert_eq!(cancel(gone).await, "There is no such timer.", "{gone}");
    }
    assert_eq!(cancel("rice").await, "Rice timer cancelled.");
}

#[tokio::test]
async fn the_last_and_all_are_those_that_were_told() {
    for (choice, told, left) in [
        ("the last", "5-minute timer cancelled.", 6),
        ("all of them", "All 5 cancelled.", 2),
    ] {
        let day = Day::new();
        for minutes in 1..=7 {
            day.call("set_timer", json!({"minutes": minutes})).await;
        }
        day.call("cancel_alert", json!({"kind": "timer"})).await;
        let said = day
            .call("cancel_alert", json!({"kind": "timer", "choice": choice}))
            .await;
        assert_eq!(said, told);
        let listed = day.told(false, "list_alerts", json!({})).await;
        assert_eq!(listed.result["count"], left, "{choice}");
    }
}

#[tokio::test]
async fn without_a_question_an_answer_chooses_by_name_alone() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 5, "name": "egg"})).await;
    for choice in ["the first", "the last", "both", "pasta"] {
        let said = day
            .call("cancel_alert", json!({"kind": "timer", "choice": choice}))
            .await;
        assert!(!said.contains("cancelled"), "{choice}: {said}");
    }
}

#[test]
fn an_order_for_all_takes_no_events_for_timers_and_alarms() {
    let (locales, things) = (Skill::locales([&crate::alerts::SKILL]).into(), Things::default());
    for (lang, several, events) in [
        ("en-US", "timers", ["event", "events"]),
        ("de-DE", "Timer", ["Termin", "Termine"]),
        ("fr-FR", "minuteurs", ["événement", "événements"]),
        ("es-ES", "temporizadores", ["evento", "eventos"]),
        ("it-IT", "timer", ["evento", "eventi"]),
        ("pt-PT", "temporizadores", ["evento", "eventos"]),
    ] {
        let spoken = InLanguage {
            lang,
            locales: &locales,
            rooms: None,
            things: &things,
            said: "",
        };
        assert_eq!(read_kind_of_all(several, &spoken), Some(json!("timer")), "{lang}");
        for event in events {
            assert_eq!(read_kind_of_all(event, &spoken), None, "{event} ({lang})");
        }
    }
}

#[tokio::test]
async fn the_other_one_is_the_only_one_that_is_left_and_what_is_gone_is_none() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 5})).await;
    day.call("set_timer", json!({"minutes": 12})).await;
    let other = json!({"kind": "timer", "name": "other"});
    let said = day.call("cancel_alert", other.clone()).await;
    assert!(said.starts_with("Which one?"), "{said}");
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "length": "5 minutes"}))
        .await;
    assert_eq!(said, "5-minute timer cancelled.");
    let gone = json!({"kind": "timer", "name": "(gone)"});
    assert_eq!(day.call("cancel_alert", gone).await, "There is no such timer.");
    // A person may call a timer as they like.
    let named = json!({"kind": "timer", "name": "gone"});
    day.call("set_timer", json!({"minutes": 7, "name": "gone"})).await;
    assert_eq!(day.call("cancel_alert", named).await, "Gone timer cancelled.");
    assert_eq!(
        day.call("cancel_alert", other).await,
        "12-minute timer cancelled."
    );
}

#[tokio::test]
async fn a_word_of_one_reminder_alone_names_it() {
    let day = Day::new();
    for text in ["take the bins out", "call the dentist", "call the plumber"] {
        let said = json!({"text": text, "time": "8 pm", "date": "tomorrow"});
        day.call("set_reminder", said).await;
    }
    for (words, is_one) in [
        ("bins", true),
        ("the Bins", true),
        ("dentist", true),
        ("call", false),
        ("bin", false),
        ("", false),
    ] {
        assert_eq!(day.alerts.reminds_of(words), is_one, "{words}");
    }
}

#[tokio::test]
async fn both_are_cancelled_where_there_are_two_and_asked_about_where_there_are_not() {
    let day = Day::new();
    let both = json!({"kind": "timer", "name": "both"});
    let said = day.call("cancel_alert", both.clone()).await;
    assert_eq!(said, "There is no such timer.");
    day.call("set_alarm", json!({"time": "11 pm"})).await;
    day.call("set_timer", json!({"minutes": 5})).await;
    let said = day.call("cancel_alert", both.clone()).await;
    assert!(said.starts_with("Which one?"), "of one: {said}");
    for minutes in [12, 7] {
        day.call("set_timer", json!({"minutes": minutes})).await;
    }
    let said = day.call("cancel_alert", both.clone()).await;
    assert!(said.starts_with("Which one?"), "of three: {said}");
    let chosen = json!({"kind": "timer", "name": "both", "choice": "7 minutes"});
    assert_eq!(
        day.call("cancel_alert", chosen).await,
        "7-minute timer cancelled."
    );
    assert_eq!(day.call("cancel_alert", both).await, "All 2 cancelled.");
    assert_eq!(day.alerts.all().await.len(), 1, "the alarm stays");
}
