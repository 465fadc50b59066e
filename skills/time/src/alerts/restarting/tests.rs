//! A timer begins anew, whether it runs, is paused, rings, or is gone.

use loquat_agent::turn::IntendedCall;
use serde_json::{Value, json};

use super::super::day::Day;
use super::super::spoken::object;

const LAST: &str = "last";

#[tokio::test]
async fn a_timer_that_was_cancelled_is_set_again_from_its_beginning() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 9, "name": "pasta"}))
        .await;
    day.pass(120.0);
    day.call("cancel_alert", json!({"name": "pasta"})).await;
    let gone = json!({"kind": "timer", "name": "(gone)"});
    let said = day.call("restart_timer", gone.clone()).await;
    assert_eq!(said, "Pasta timer set for 9 minutes.");
    day.undo().await;
    assert_eq!(day.alerts.all().await.len(), 0);
    day.pass(1_200.0);
    let said = day.call("restart_timer", gone).await;
    assert_eq!(said, "There is no such timer.", "that is too long ago");
}

#[tokio::test]
async fn a_timer_that_runs_or_is_paused_begins_anew() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 9})).await;
    day.pass(120.0);
    let last = json!({"kind": "timer", "name": LAST});
    let said = day.call("restart_timer", last.clone()).await;
    assert_eq!(said, "Timer set for 9 minutes.");
    assert_eq!(day.alerts.all().await.len(), 1);
    day.pass(60.0);
    day.call("pause_timer", json!({})).await;
    let said = day.call("restart_timer", last).await;
    assert_eq!(said, "Timer resumed with 8 minutes left.");
    day.call("pause_timer", json!({})).await;
    let over = json!({"kind": "timer", "name": LAST, "over": true});
    assert_eq!(day.call("restart_timer", over).await, "Timer set for 9 minutes.");
}

#[tokio::test]
async fn a_timer_that_has_rung_is_set_again_and_no_earlier_one_in_its_place() {
    let day = Day::new();
    day.call("set_timer", json!({"hours": 1})).await;
    day.call("set_timer", json!({"minutes": 1, "name": "tea"})).await;
    day.pass(61.0);
    assert_eq!(day.turns().await.len(), 1);
    let last = json!({"kind": "timer", "name": LAST});
    let said = day.call("restart_timer", last.clone()).await;
    assert_eq!(said, "Tea timer set for 1 minute.", "it rings");
    day.pass(61.0);
    assert_eq!(day.turns().await.len(), 1);
    day.alerts.silence_where(|_| true).await;
    let said = day.call("restart_timer", last).await;
    assert_eq!(said, "Tea timer set for 1 minute.");
    assert_eq!(day.alerts.all().await.len(), 2);
}

#[tokio::test]
async fn an_alarm_that_was_cancelled_is_there_again_at_its_time() {
    let day = Day::new();
    let said = day.call("set_alarm", json!({"time": "11 pm"})).await;
    day.call("cancel_alert", json!({"kind": "alarm"})).await;
    let gone = json!({"kind": "alarm", "name": "(gone)"});
    assert_eq!(day.call("restart_timer", gone).await, said);
    let last = json!({"kind": "alarm", "name": LAST});
    assert_eq!(day.call("restart_timer", last).await, said, "it is there");
    assert_eq!(day.alerts.all().await.len(), 1);
}

#[tokio::test]
async fn a_timer_that_was_set_again_is_spoken_of_and_is_not_set_twice() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 20, "name": "rice"}))
        .await;
    day.call("set_timer", json!({"minutes": 9})).await;
    day.call("cancel_alert", json!({"kind": "timer", "name": LAST}))
        .await;
    let named = |name: &str| json!({"kind": "timer", "name": name});
    let said = day.call("restart_timer", named("(gone)")).await;
    assert_eq!(said, "Timer set for 9 minutes.");
    // Another one is set meanwhile, which is the last one then.
    day.call("set_timer", json!({"minutes": 3, "name": "tea"})).await;
    let said = day.call("pause_timer", json!({"name": "(back)"})).await;
    assert_eq!(said, "Timer paused with 9 minutes left.");
    let said = day.call("restart_timer", named("(back)")).await;
    assert_eq!(said, "Timer resumed with 9 minutes left.");
    assert_eq!(day.alerts.all().await.len(), 3);
    let said = day.call("cancel_alert", named("(back)")).await;
    assert_eq!(said, "9-minute timer cancelled.");
    let said = day.call("cancel_alert", named("(back)")).await;
    assert_eq!(said, "There is no such timer.");
    assert_eq!(day.alerts.all().await.len(), 2);
}

#[tokio::test]
async fn what_was_set_again_is_gone_no_more() {
    let day = Day::new();
    day.call("set_timer", json!({"minutes": 9})).await;
    day.call("cancel_alert", json!({"kind": "timer"})).await;
    let named = |name: &str| json!({"kind": "timer", "name": name});
    day.call("restart_timer", named("(gone)")).await;
    let said = day.call("restart_timer", named("(gone)")).await;
    assert_eq!(said, "There is no such timer.");
    assert_eq!(day.alerts.all().await.len(), 1);
    let said = day.call("cancel_alert", named("(back)")).await;
    assert_eq!(said, "There is no such timer.", "nothing was set again");
}

#[tokio::test]
async fn an_alarm_that_is_there_again_is_told_from_one_that_was_set_after_it() {
    let day = Day::new();
    day.call("set_alarm", json!({"time": "11 pm"})).await;
    day.call("set_alarm", json!({"time": "10 pm"})).await;
    let cancelled = day
        .call("cancel_alert", json!({"kind": "alarm", "time": "11 pm"}))
        .await;
    day.call("restart_timer", json!({"kind": "alarm", "name": "(gone)"}))
        .await;
    let said = day
        .call("cancel_alert", json!({"kind": "alarm", "name": "(back)"}))
        .await;
    assert_eq!(said, cancelled);
    assert_eq!(day.alerts.all().await.len(), 1);
}

#[test]
fn behind_the_order_to_set_it_again_a_pronoun_means_what_is_there_again() {
    let object_of = |tool: &str, name: &str| {
        let arguments = json!({"kind": "timer", "name": name, "over": true});
        let call = IntendedCall {
            tool: tool.to_owned(),
            arguments: serde_json::from_value(arguments).expect("an object"),
            ..IntendedCall::default()
        };
        object(&call).map(Value::Object)
    };
    let named = |name: &str| Some(json!({"kind": "timer", "name": name}));
    assert_eq!(object_of("restart_timer", "(gone)"), named("(back)"));
    assert_eq!(object_of("restart_timer", "(back)"), named("(back)"));
    assert_eq!(object_of("restart_timer", LAST), named(LAST));
    assert_eq!(object_of("pause_timer", "(back)"), named("(back)"));
    assert_eq!(object_of("cancel_alert", "(back)"), named("(gone)"));
}
