//! A sentence that is kept is begun once, and told where it was not done.

use loquat_agent::Speaker;
use serde_json::{Value, json};

use super::super::day::Day;
use super::super::turn::Turn;
use crate::alerts::announcement;

const FAN: &str = "turn off the fan";

fn fan() -> Value {
    json!({"command": FAN, "minutes": 20})
}

/// The names of what is begun.
fn begun(turns: &[Turn]) -> Vec<&str> {
    let begun = turns.iter().filter_map(|turn| match turn {
        Turn::Begins(alert) => alert.name.as_deref(),
        _ => None,
    });
    begun.collect()
}

fn words(day: &Day, turns: &[Turn]) -> Vec<String> {
    let locales = &day.wording.locales;
    turns
        .iter()
        .filter_map(|turn| announcement(turn, locales))
        .collect()
}

#[tokio::test]
async fn it_is_listed_begun_once_and_gone() {
    let mut day = Day::new();
    let said = day.call("do_later", fan()).await;
    assert_eq!(said, "I will do that in 20 minutes: turn off the fan.");
    assert_eq!(day.left().await, "In 20 minutes: turn off the fan.");
    day.restart();
    day.pass(1199.0);
    assert_eq!(day.turns().await, []);
    day.pass(2.0);
    let turns = day.turns().await;
    assert_eq!(begun(&turns), [FAN]);
    assert!(!day.alerts.is_ringing(), "a deed does not ring");
    assert!(words(&day, &turns).is_empty(), "it is done and not told");
    assert!(day.alerts.cancel(turns[0].alert().id).await);
    day.restart();
    assert_eq!(day.turns().await, []);
    assert_eq!(day.left().await, "Nothing is set.");
}

#[tokio::test]
async fn what_was_begun_when_the_daemon_died_is_told_and_not_done_again() {
    let mut day = Day::new();
    day.call("do_later", fan()).await;
    day.pass(1200.0);
    assert_eq!(begun(&day.turns().await), [FAN]);
    day.restart();
    let turns = day.turns().await;
    assert_eq!(begun(&turns), [""; 0]);
    assert_eq!(
        words(&day, &turns),
        ["I was interrupted and cannot tell whether this was done: turn off the fan."]
    );
    assert_eq!(day.turns().await, []);
}

#[tokio::test]
async fn what_was_due_while_the_device_was_off_is_told_and_not_done() {
    let mut day = Day::new();
    day.call("do_later", fan()).await;
    day.call(
        "do_later",
        json!({"command": "turn on the fan", "duration": "45 minutes"}),
    )
    .await;
    day.pass(1300.0);
    day.restart();
    let turns = day.turns().await;
    let told = words(&day, &turns);
    assert!(
        matches!(told.as_slice(), [one] if one.starts_with("Not done, because I was off: turn off the fan, ")),
        "{told:?}"
    );
    assert_eq!(day.left().await, "In 23 minutes and 20 seconds: turn on the fan.");
    // A restart that took a moment hinders nothing.
    day.pass(1430.0);
    day.restart();
    assert_eq!(begun(&day.turns().await), ["turn on the fan"]);
}

#[tokio::test]
async fn what_is_not_understood_or_has_no_time_is_not_kept() {
    let mut day = Day::new();
    let said = day
        .call("do_later", json!({"command": "the lamp", "minutes": 5}))
        .await;
    assert_eq!(
        said,
        "I cannot do that later, because I do not understand it: the lamp."
    );
    assert_eq!(
        day.call("do_later", json!({"minutes": 5})).await,
        "What shall I do then?"
    );
    assert_eq!(day.call("do_later", json!({"command": FAN})).await, "When?");
    for wrong in [
        json!({"command": FAN, "minutes": 0}),
        json!({"command": FAN, "minutes": -3}),
        json!({"command": FAN, "hours": 1e300}),
        json!({"command": FAN, "duration": "soon"}),
        json!({"command": FAN, "duration": "5 minutes", "minutes": 6}),
        json!({"command": "fan ".repeat(100), "minutes": 5}),
    ] {
        let said = day.call("do_later", wrong.clone()).await;
        assert!(said.contains("ValueError"), "{wrong}: {said}");
    }
    day.neighbours.understands = None;
    let said = day.call("do_later", fan()).await;
    assert!(said.starts_with("I cannot do that later"), "{said}");
    assert_eq!(day.left().await, "Nothing is set.");
}

#[tokio::test]
async fn it_is_cancelled_changed_and_taken_back_and_no_timer() {
    let day = Day::new();
    day.call("do_later", fan()).await;
    assert!(day.undo().await.starts_with("I will not do that"));
    day.call("do_later", fan()).await;
    let said = day
        .call("cancel_alert", json!({"kind": "timer", "name": "all"}))
        .await;
    assert_eq!(said, "There is no such timer.");
    let said = day.call("pause_timer", json!({})).await;
    assert_eq!(said, "No timer is running.");
    let said = day.change(json!({"kind": "deed", "by": "5 minutes"})).await;
    assert_eq!(said, "I will do that in 25 minutes: turn off the fan.");
    let said = day
        .call("cancel_alert", json!({"kind": "deed", "name": "fan"}))
        .await;
    assert_eq!(said, "I will not do that: turn off the fan.");
    let said = day.call("list_alerts", json!({"kind": "deed"})).await;
    assert_eq!(said, "Nothing is planned.");
    let said = day.call("cancel_alert", json!({"kind": "deed"})).await;
    assert_eq!(said, "Nothing like that is planned.");
}

#[tokio::test]
async fn only_what_the_owner_has_set_is_the_owner_s_word() {
    for (speaker, is_owners) in [
        (Speaker::Owner, true),
        (Speaker::Program, false),
        (Speaker::guest("hive:kitchen"), false),
    ] {
        let day = Day::new();
        let set = day.outcome("en-US", speaker.clone(), "do_later", fan()).await;
        set.expect("it is kept");
        day.pass(1201.0);
        let turns = day.turns().await;
        let owners: Vec<bool> = turns.iter().map(|turn| turn.alert().is_of_owner()).collect();
        assert_eq!(owners, [is_owners], "{speaker:?}");
    }
    let day = Day::new();
    day.told(true, "do_later", fan()).await;
    day.change(json!({"kind": "deed", "by": "1 minute"})).await;
    let all = day.alerts.all().await;
    assert!(
        all.iter().all(super::super::Alert::is_of_owner),
        "it was not a program's to change"
    );
}

#[tokio::test]
async fn six_languages_have_words_for_it() {
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
        let day = Day::new();
        let mut said = Vec::new();
        for (tool, arguments) in [
            ("list_alerts", json!({"kind": "deed"})),
            ("cancel_alert", json!({"kind": "deed"})),
            ("do_later", json!({})),
            ("do_later", json!({"command": FAN})),
            ("do_later", json!({"command": "the lamp", "minutes": 1})),
            ("do_later", fan()),
            ("list_alerts", json!({"kind": "deed"})),
            ("cancel_alert", json!({"kind": "deed"})),
            ("do_later", fan()),
            ("change_alert", json!({"kind": "deed", "seconds": 30})),
        ] {
            said.push(day.call_in(lang, tool, arguments).await);
        }
        day.pass(1230.0);
        day.turns().await;
        said.extend(words(&day, &day.turns().await));
        assert_eq!(said.len(), 11, "{lang}: {said:?}");
        assert!(
            said.iter()
                .all(|words| !words.contains("Error") && !words.contains('{')),
            "{lang}: {said:?}"
        );
    }
}
