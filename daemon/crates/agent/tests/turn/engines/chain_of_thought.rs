//! Chain of thought: one chain, or several until two agree.

use loquat_agent::record::Reason;
use serde_json::json;

use crate::brain::{Step, say};
use crate::support::Stage;

const ID: &str = "ovos-chain-of-thought-loop";

#[tokio::test(start_paused = true)]
async fn samples_stop_as_soon_as_two_agree() {
    let settings = json!({"samples": 5, "concurrency": 1});
    let replies = [
        "FINAL ANSWER: 41",
        "FINAL ANSWER: It is 42.",
        "FINAL ANSWER: 42",
        "FINAL ANSWER: 43",
    ];
    let played = Stage::of(ID, settings, replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "42"));
    assert_eq!(played.record.brain_calls, 3);
    assert!(
        played
            .requests
            .iter()
            .all(|request| request.sampling.temperature > Some(0.0))
    );
}

#[tokio::test(start_paused = true)]
async fn without_agreement_the_first_chain_answers() {
    let settings = json!({"samples": 2});
    let played = Stage::of(ID, settings, ["FINAL ANSWER: 1", "FINAL ANSWER: 2"].map(say))
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "1"));
}

#[tokio::test(start_paused = true)]
async fn chains_run_at_once() {
    let slow = |text: &str| Step::Slow(std::time::Duration::from_secs(2), text.to_owned());
    let settings = json!({"samples": 2, "concurrency": 2});
    let played = Stage::of(ID, settings, [slow("FINAL ANSWER: 1"), slow("FINAL ANSWER: 1")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "1"));
    assert_eq!(played.record.elapsed.as_secs(), 2);
    assert_eq!((played.record.brain_calls, played.record.steps.len()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_constrained_chain_reasons_before_it_answers() {
    let reply = say(r#"{"reasoning": "ß is one letter.", "answer": "42"}"#);
    let played = Stage::of(ID, json!({}), [reply]).constrained().play().await;
    assert_eq!(played.end(), (Reason::Answered, "42"));
    let schema = played.requests[0].response_schema.as_ref().unwrap();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["reasoning", "answer"]);
}

#[tokio::test(start_paused = true)]
async fn an_empty_chain_is_asked_for_again() {
    let played = Stage::of(
        ID,
        json!({}),
        [say(""), say("FINAL ANSWER:"), say("FINAL ANSWER: 42")],
    )
    .play()
    .await;
    assert_eq!(played.end(), (Reason::Answered, "42"));
    assert_eq!(played.record.brain_calls, 3);
}
