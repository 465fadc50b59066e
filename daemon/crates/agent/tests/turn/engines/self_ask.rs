//! Self-Ask: with no tool, with one, and with a named one of several arguments.

use loquat_agent::record::Reason;
use serde_json::json;

use super::{looked_up, lookup};
use crate::brain::say;
use crate::support::Stage;
use crate::tools::add;

const ID: &str = "ovos-self-ask-loop";

#[tokio::test(start_paused = true)]
async fn a_bare_question_goes_to_the_tool_that_takes_one() {
    let replies = ["Follow up: capital of France", "So the final answer is: Paris"];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([add(), lookup("Paris")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Paris"));
    assert_eq!(played.ran, [looked_up("capital of France")]);
    assert_eq!(played.last_shown(), "Intermediate answer: {\"result\":\"Paris\"}");
    assert!(
        played.requests[0]
            .stop
            .contains(&"\nIntermediate answer:".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn a_named_tool_takes_several_arguments() {
    let replies = [
        "Follow up: sum?\nTool: add\nTool Input: {\"a\": 2, \"b\": 3}\nIntermediate answer: 6\nSo the final answer is: 6",
        "So the final answer is: 5",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([add(), lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "5"));
    assert_eq!(played.ran, [("add".to_owned(), json!({"a": 2, "b": 3}))]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_its_own_question_is_not_the_end() {
    let replies = [
        "Follow up: What is the capital?",
        "Intermediate answer: Paris.",
        "So the final answer is: It is Paris.",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "It is Paris."));
    assert!(played.last_shown().contains("So the final answer is:"));
    // At the limit it is the best there is, and its label is nothing to be heard.
    let replies = ["Follow up: What is the capital?", "Intermediate answer: Paris."];
    let played = Stage::of(ID, json!({"max_follow_ups": 1}), replies.map(say))
        .play()
        .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "Paris."));
}

#[tokio::test(start_paused = true)]
async fn at_its_limit_it_has_to_answer() {
    let replies = [
        "Follow up: a",
        "Follow up: b",
        "Follow up: c",
        "So the final answer is: d",
    ];
    let played = Stage::of(ID, json!({"max_follow_ups": 2}), replies.map(say))
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "d"));
    assert_eq!(played.ran, [looked_up("a"), looked_up("b")]);
}

#[tokio::test(start_paused = true)]
async fn its_own_questions_end_too() {
    let replies = [
        "Follow up: a",
        "Follow up: b",
        "Follow up: c",
        "So the final answer is: d",
    ];
    let played = Stage::of(ID, json!({"max_follow_ups": 2}), replies.map(say))
        .play()
        .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "d"));
}

#[tokio::test(start_paused = true)]
async fn a_constrained_follow_up_is_one_object() {
    let replies = [
        r#"{"thought": "Follow up: capital?", "tool": "lookup", "arguments": {"query": "capital"}}"#,
        r#"{"thought": "So the final answer is known.", "answer": "Paris"}"#,
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([lookup("Paris")])
        .constrained()
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Paris"));
    assert_eq!(played.ran, [looked_up("capital")]);
    assert!(played.requests[0].response_schema.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_constrained_brain_that_calls_the_same_again_can_only_answer() {
    let call = r#"{"thought": "x", "tool": "lookup", "arguments": {"query": "capital"}}"#;
    let replies = [
        call,
        call,
        r#"{"thought": "x", "tool": "none", "answer": "Paris"}"#,
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([lookup("Paris")])
        .constrained()
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Paris"));
    assert_eq!(played.ran, [looked_up("capital")]);
    let takes_calls = |index: usize| {
        let schema = played.requests[index].response_schema.as_ref();
        schema.is_some_and(|schema| schema.to_string().contains("lookup"))
    };
    assert_eq!([0, 1, 2].map(takes_calls), [true, true, false]);
    let last = played.shown(2);
    assert!(
        last.contains("You made this call before") && !last.contains("If no tool fits"),
        "{last}"
    );
}
