//! Tree of thoughts: both orders of search, both ways to grow and to judge, and equal thoughts merged.

use std::time::Duration;

use loquat_agent::record::Reason;
use serde_json::{Value, json};

use crate::brain::{Step, say};
use crate::support::Stage;

const ID: &str = "ovos-tree-of-thoughts-loop";

fn settings(more: &Value) -> Value {
    let mut all = json!({"n_branches": 2, "beam_width": 1, "max_depth": 1, "concurrency": 1});
    let members = all.as_object_mut().unwrap();
    members.extend(more.as_object().cloned().unwrap());
    all
}

#[tokio::test(start_paused = true)]
async fn equal_thoughts_are_scored_once() {
    let replies = ["alpha", "3", "Alpha.", "ANSWER: x"];
    let played = Stage::of(ID, settings(&json!({})), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
    assert_eq!(played.record.brain_calls, 4);
}

#[tokio::test(start_paused = true)]
async fn a_level_grows_at_once() {
    let slow = |text: &str| Step::Slow(Duration::from_secs(1), text.to_owned());
    let names = ["a", "b", "c", "d"];
    let replies = names
        .into_iter()
        .chain(["1", "2", "3", "4"])
        .map(slow)
        .chain([say("ANSWER: x")]);
    let played = Stage::of(ID, settings(&json!({"n_branches": 4, "concurrency": 4})), replies)
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
    assert_eq!(played.record.elapsed.as_secs(), 2);
    assert_eq!((played.record.brain_calls, played.record.steps.len()), (9, 9));
}

#[tokio::test(start_paused = true)]
async fn thoughts_can_be_proposed_and_voted_on() {
    let replies = ["1. alpha\n2. beta", "The best is 2.", "ANSWER: x"];
    let played = Stage::of(
        ID,
        settings(&json!({"generate": "propose", "evaluate": "vote"})),
        replies.map(say),
    )
    .play()
    .await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
    let last = played.shown(2);
    assert!(last.contains("beta") && !last.contains("alpha"), "{last}");
}

#[tokio::test(start_paused = true)]
async fn depth_first_turns_back_from_a_dead_end() {
    let replies = [
        "alpha",
        "9",
        "beta",
        "7", // the first level
        "alpha one",
        "1",
        "alpha two",
        "0", // both hopeless
        "ANSWER: from beta",
    ];
    let more = json!({"search": "dfs", "beam_width": 2, "max_depth": 3});
    let played = Stage::of(ID, settings(&more), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "from beta"));
    let last = played.shown(8);
    assert!(last.contains("beta") && !last.contains("alpha"), "{last}");
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_drops_what_still_runs() {
    let first = Step::Slow(Duration::from_secs(1), "ANSWER: now".into());
    let replies = [first, Step::Hang, Step::Hang];
    let played = Stage::of(ID, settings(&json!({"n_branches": 3, "concurrency": 3})), replies)
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "now"));
    assert_eq!(played.record.brain_calls, 3);
}

#[tokio::test(start_paused = true)]
async fn an_empty_thought_is_asked_for_again() {
    let played = Stage::of(ID, settings(&json!({})), ["", "ANSWER: x"].map(say))
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
}
