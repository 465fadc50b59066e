//! What is paused keeps what is left of it, does not ring, and rings once when it is resumed.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use loquat_agent::Speaker;
use serde_json::json;

use super::super::day::Day;
use super::super::turn::Turn;
use loquat_trial::Slow;

const LANGS: [&str; 6] = ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"];

#[tokio::test]
async fn the_one_timer_that_runs_is_paused_and_rings_once_after_it_was_resumed() {
    let mut day = Day::new();
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    day.pass(120.0);
    let said = day.call("pause_timer", json!({})).await;
    assert_eq!(said, "Timer paused with 8 minutes left.");
    day.pass(86_400.0);
    assert_eq!(day.turns().await, []);
    assert_eq!(day.alerts.wait_seconds().await, None);
    day.restart();
    day.pass(86_400.0);
    assert_eq!(day.turns().await, []);
    assert_eq!(
        day.left().await,
        "The 10-minute timer is paused with 8 minutes left."
    );
    let again = day.call("pause_timer", json!({})).await;
    assert_eq!(again, "It is paused already, with 8 minutes left.");
    let said = day.call("resume_timer", json!({})).await;
    assert_eq!(said, "Timer resumed with 8 minutes left.");
    day.restart();
    day.pass(479.0);
    assert_eq!(day.turns().await, []);
    day.pass(2.0);
    assert!(matches!(day.turns().await.as_slice(), [Turn::Rings(_)]));
    assert_eq!(day.turns().await, []);
    let said = day.call("pause_timer", json!({})).await;
    assert_eq!(said, "No timer is running.", "what rings cannot be paused");
}

#[tokio::test]
async fn of_several_timers_the_one_that_was_named_is_paused_or_it_is_asked_for() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 10, "name": "pasta"}))
        .await;
    day.call("set_timer", json!({"hours": 1})).await;
    let said = day.call("pause_timer", json!({})).await;
    assert!(said.starts_with("Which one? The pasta timer"), "{said}");
    let said = day.call("pause_timer", json!({"name": "the pasta timer"})).await;
    assert_eq!(said, "Pasta timer paused with 10 minutes left.");
    // One runs, and one is paused.
    let said = day.call("pause_timer", json!({})).await;
    assert_eq!(said, "Timer paused with 1 hour left.");
    let said = day.call("resume_timer", json!({"length": "60 minutes"})).await;
    assert_eq!(said, "Timer resumed with 1 hour left.");
    let said = day.call("resume_timer", json!({"length": "1 hour"})).await;
    assert_eq!(said, "It is not paused, and has 1 hour left.");
    let said = day.call("pause_timer", json!({"name": "all"})).await;
    assert_eq!(said, "Timer paused with 1 hour left.");
    let said = day.call("resume_timer", json!({"name": "all"})).await;
    assert_eq!(said, "2 timers are running again.");
    let said = day.call("pause_timer", json!({"name": "eggs"})).await;
    assert_eq!(said, "There is no such timer.");
    let said = day.call("resume_timer", json!({})).await;
    assert_eq!(said, "No timer is paused.");
}

#[tokio::test]
async fn a_paused_timer_is_changed_cancelled_and_taken_back() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    day.call("pause_timer", json!({})).await;
    day.pass(3600.0);
    let said = day.change(json!({"kind": "timer", "by": "5 minutes"})).await;
    assert_eq!(said, "The timer now has 15 minutes left.");
    let said = day
        .change(json!({"kind": "timer", "minutes": 1, "earlier": true}))
        .await;
    assert_eq!(said, "The timer now has 14 minutes left.");
    day.pass(3600.0);
    let paused = "The 14-minute timer is paused with 14 minutes left.";
    assert_eq!(day.left().await, paused);
    let said = day.call("cancel_alert", json!({"length": "10 minutes"})).await;
    assert_eq!(said, "14-minute timer cancelled.");
    day.undo().await;
    assert_eq!(day.left().await, paused);
    day.call("resume_timer", json!({})).await;
    day.undo().await;
    assert_eq!(day.left().await, paused);
    let said = day.change(json!({"kind": "timer", "to": "2 minutes"})).await;
    assert_eq!(said, "The timer now has 2 minutes left.");
    day.pass(3600.0);
    assert_eq!(day.turns().await, []);
    let said = day.change(json!({"kind": "timer", "by": "-5 minutes"})).await;
    assert_eq!(said, "There is not that much time left.");
}

#[tokio::test]
async fn a_pause_is_taken_back_as_long_as_the_timer_would_not_have_rung() {
    let day = Day::new();
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    day.call("pause_timer", json!({})).await;
    day.pass(60.0);
    day.undo().await;
    assert_eq!(day.left().await, "The 10-minute timer has 9 minutes left.");
    day.call("pause_timer", json!({})).await;
    day.pass(3600.0);
    let late = day.undo().await;
    assert!(late.contains("LookupError"), "{late}");
    assert!(day.left().await.contains("is paused"));
}

#[tokio::test]
async fn a_pause_that_could_not_be_written_is_told_as_such() {
    let records = Arc::new(Slow::default());
    let day = Day::with(Arc::<Slow>::clone(&records));
    day.call("set_timer", json!({"duration": "10 minutes"})).await;
    records.fails.store(true, Ordering::SeqCst);
    let outcome = day.outcome("en-US", Speaker::Program, "pause_timer", json!({}));
    let outcome = outcome.await.expect("a result");
    assert!(outcome.result["warning"].is_string(), "{:?}", outcome.result);
    assert_eq!(outcome.result["count"], 1);
}

#[tokio::test]
async fn a_guest_pauses_no_timer_of_the_owner() {
    let day = Day::new();
    day.told(true, "set_timer", json!({"duration": "10 minutes"}))
        .await;
    let guest = Speaker::guest("hive:kitchen");
    let outcome = day.outcome("en-US", guest, "pause_timer", json!({"name": "all"}));
    let outcome = outcome.await.expect("a result");
    assert_eq!(outcome.result["count"], 0);
    let spoken = outcome.spoken.expect("a sentence");
    assert!(spoken.contains("only know of what was set here"), "{spoken}");
}

#[tokio::test]
async fn results_bring_figures() {
    let mut day = Day::new();
    day.stands_in("Kitchen");
    let set = json!({"hours": 1, "minutes": 30, "name": "roast"});
    day.told(true, "set_timer", set).await;
    day.pass(1800.0);
    let outcome = day.told(true, "pause_timer", json!({})).await;
    let figures = json!([{"name": "roast", "room": "Kitchen", "is_active": false, "seconds_left": 3600,
                          "seconds_at_start": 5400}]);
    assert_eq!(outcome.result["timers"], figures);
    for tool in ["list_alerts", "resume_timer", "cancel_alert"] {
        let outcome = day.told(true, tool, json!({})).await;
        let timer = &outcome.result["timers"][0];
        assert_eq!(timer["seconds_at_start"], 5400, "{tool}");
        assert_eq!(timer["is_active"], tool != "list_alerts", "{tool}");
    }
}

#[tokio::test]
async fn six_languages_have_words_for_it() {
    for lang in LANGS {
        let day = Day::new();
        let mut said = Vec::new();
        let mut say = async |tool: &str, arguments| said.push(day.call_in(lang, tool, arguments).await);
        say("resume_timer", json!({})).await;
        say("pause_timer", json!({})).await;
        day.call("set_timer", json!({"minutes": 5})).await;
        say("pause_timer", json!({})).await;
        say("pause_timer", json!({})).await;
        say("list_alerts", json!({})).await;
        say("resume_timer", json!({})).await;
        say("resume_timer", json!({})).await;
        day.call("set_timer", json!({"minutes": 7, "name": "tea"})).await;
        say("pause_timer", json!({})).await;
        say("pause_timer", json!({"name": "all"})).await;
        say("resume_timer", json!({"name": "all"})).await;
        said.sort();
        let count = said.len();
        said.dedup();
        assert_eq!(said.len(), count, "{lang}: {said:?}");
        assert!(said.iter().all(|words| !words.contains('{')), "{lang}: {said:?}");
    }
}

#[tokio::test]
async fn an_answer_chooses_of_those_that_can_be_paused() {
    let day = Day::new();
    for (minutes, name) in [(5, "pasta"), (10, "egg"), (15, "rice")] {
        day.call("set_timer", json!({"minutes": minutes, "name": name}))
            .await;
    }
    day.call("pause_timer", json!({"name": "pasta"})).await;
    let asked = day.call("pause_timer", json!({})).await;
    assert!(asked.starts_with("Which one? The egg timer"), "{asked}");
    let said = day.call("pause_timer", json!({"choice": "the first"})).await;
    assert_eq!(said, "Egg timer paused with 10 minutes left.");
    let again = day.call("pause_timer", json!({"choice": "the first"})).await;
    assert!(again.starts_with("It is paused already"), "{again}");
}
