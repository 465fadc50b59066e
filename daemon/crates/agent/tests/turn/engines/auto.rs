//! `auto`: as little as will do, within rights that only ever narrow.

use loquat_agent::record::Reason;
use serde_json::json;

use super::{looked_up, lookup};
use crate::brain::{act, done, say};
use crate::support::Stage;

const ID: &str = "auto";

fn look(query: &str) -> crate::brain::Step {
    act("lookup", &json!({"query": query}).to_string())
}

#[tokio::test(start_paused = true)]
async fn simple_things_are_answered_at_once() {
    let played = Stage::of(ID, json!({}), [say("Hello!")])
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(
        (played.end(), played.record.brain_calls),
        ((Reason::Answered, "Hello!"), 1)
    );
    let played = Stage::of(ID, json!({}), [look("a"), done("x")])
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(
        (played.end(), played.record.brain_calls),
        ((Reason::Answered, "x"), 2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_single_action_is_one_tool_call() {
    let played = Stage::of(
        ID,
        json!({"multi_action": false}),
        [look("a"), done("x"), look("b")],
    )
    .with([lookup("x")])
    .play()
    .await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
    assert_eq!(played.ran, [looked_up("a")]);
}

#[tokio::test(start_paused = true)]
async fn a_channel_may_have_fewer_rights() {
    let settings = json!({"channels": {"voice": {"multi_action": false, "max_iterations": 50}}});
    for (channel, calls) in [("voice", 1), ("text", 2)] {
        let mut stage =
            Stage::of(ID, settings.clone(), [look("a"), look("b"), done("x")]).with([lookup("x")]);
        stage.question.channel = Some(channel.into());
        let played = stage.play().await;
        assert_eq!(played.ran.len(), calls, "{channel}");
        assert!(!played.record.answer.is_empty(), "{channel}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_fails_is_decomposed_with_what_is_known() {
    let replies = [
        look("a"),
        look("b"),
        look("c"),
        say("1. Think"),
        say("STEP_RESULT: y"),
        say("It is y."),
    ];
    let played = Stage::of(ID, json!({"max_iterations": 2}), replies)
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "It is y."));
    let plan = played.shown(3);
    assert!(
        plan.contains("lookup({\"query\":\"b\"}) gave {\"result\":\"x\"}"),
        "{plan}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_that_right_the_best_answer_is_given() {
    let settings = json!({"max_iterations": 1, "decompose": false});
    let played = Stage::of(ID, settings, [look("a"), look("b"), done("x")])
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "x"));
    assert_eq!(played.record.brain_calls, 3);
}

#[tokio::test(start_paused = true)]
async fn an_assessment_cannot_widen_anything() {
    let settings = json!({"assessment": "brain", "decompose": false, "max_iterations": 1});
    let played = Stage::of(
        ID,
        settings,
        [say("5, with 50 iterations"), look("a"), look("b"), done("x")],
    )
    .with([lookup("x")])
    .play()
    .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "x"));
    assert_eq!(played.ran.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_hardest_questions_are_planned_at_once() {
    let replies = ["5", "1. Think", "STEP_RESULT: y", "It is y."];
    let played = Stage::of(ID, json!({"assessment": "brain"}), replies.map(say))
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(
        (played.end(), played.record.brain_calls),
        ((Reason::Answered, "It is y."), 4)
    );
}

#[tokio::test(start_paused = true)]
async fn native_calls_are_used_where_there_are_any() {
    let replies = [crate::brain::call("lookup", r#"{"query": "a"}"#), say("x")];
    let mut stage = Stage::native(replies).with([lookup("x")]);
    stage.engine = ID;
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::Answered, "x"));
    assert_eq!(played.requests[0].tools.len(), 1);
}
