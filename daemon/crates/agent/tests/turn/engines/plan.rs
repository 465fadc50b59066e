//! Plan and execute: steps in order or at once, plans anew, and no plan where none is needed.

use std::time::Duration;

use loquat_agent::brain::BrainError;
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Tool;
use serde_json::json;

use super::{asking, looked_up, lookup};
use crate::brain::{Step, act, say};
use crate::support::Stage;
use crate::tools::{Deed, add};

const ID: &str = "ovos-plan-execute-loop";

#[tokio::test(start_paused = true)]
async fn steps_see_persona_history_and_earlier_results() {
    let replies = [
        say("1. Find the capital\n2. Find its size"),
        act("lookup", r#"{"query": "capital"}"#),
        say("STEP_RESULT: Paris"),
        say("STEP_RESULT: 2.1 million"),
        say("It has 2.1 million people."),
    ];
    let mut stage = Stage::of(ID, json!({}), replies).with([lookup("Paris")]);
    stage.question.persona_prompt = "You are Ziggy.".into();
    stage.question.history = vec![loquat_agent::brain::ChatMessage::user("I like France.")];
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::Answered, "It has 2.1 million people."));
    assert_eq!(played.ran, [looked_up("capital")]);
    let steps = ["Find the capital".to_owned(), "Find its size".to_owned()];
    assert_eq!(played.record.plan, steps);
    assert!(played.happened(|event| matches!(event, Event::Planned { steps: told } if *told == steps)));
    for index in 0..5 {
        let shown = played.shown(index);
        assert_eq!(shown.matches("You are Ziggy.").count(), 1, "request {index}");
        assert!(
            shown.contains("I like France.") && shown.contains("What is 2 plus 3?"),
            "request {index}"
        );
    }
    assert!(
        played
            .shown(3)
            .contains("Result of step 1 (Find the capital): {\"result\":\"Paris\"}")
    );
    assert!(played.shown(4).contains("2.1 million"));
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_fails_in_a_later_step_takes_nothing_of_the_earlier_ones() {
    let replies = [
        say("1. Find the capital\n2. Find its size"),
        say("STEP_RESULT: The capital is Paris."),
        Step::Fail(BrainError::Unreachable {
            address: "http://127.0.0.1:1".into(),
            reason: "gone".into(),
        }),
    ];
    let played = Stage::of(ID, json!({}), replies).play().await;
    assert_eq!(played.end(), (Reason::LlmError, "The capital is Paris."));
}

#[tokio::test(start_paused = true)]
async fn steps_that_need_nothing_of_each_other_run_at_once() {
    let slow = |text: &str| Step::Slow(Duration::from_secs(2), text.to_owned());
    let replies = [
        say("1. One (needs: none)\n2. Two (needs: none)\n3. Three (needs: 1, 2)"),
        slow("STEP_RESULT: a"),
        slow("STEP_RESULT: b"),
        slow("STEP_RESULT: c"),
        say("abc"),
    ];
    let played = Stage::of(ID, json!({}), replies).play().await;
    assert_eq!(played.end(), (Reason::Answered, "abc"));
    assert_eq!(played.record.elapsed.as_secs(), 4);
    assert_eq!(played.record.brain_calls, 5);
    let last = played.shown(3);
    assert!(
        last.contains("Result of step 1 (One)") && last.contains("Result of step 2 (Two)"),
        "{last}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_step_can_show_that_the_plan_is_wrong() {
    let replies = [
        "1. Find it in the book\n2. Tell it",
        "STEP_RESULT: Page 7",
        "REPLAN: the page is torn out",
        "1. Ask somebody",
        "STEP_RESULT: 42",
        "It is 42.",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "It is 42."));
    let again = played.shown(3);
    assert!(
        again.contains("the page is torn out") && again.contains("Page 7"),
        "{again}"
    );
    assert!(played.shown(5).contains("42"));
}

#[tokio::test(start_paused = true)]
async fn it_replans_so_often_and_no_more() {
    let wrong = [
        "1. One",
        "REPLAN: no",
        "1. One",
        "REPLAN: no",
        "Sorry, I could not.",
    ];
    let played = Stage::of(ID, json!({"max_replans": 1}), wrong.map(say))
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Sorry, I could not."));
    assert_eq!(played.record.brain_calls, 5);
}

#[tokio::test(start_paused = true)]
async fn a_new_plan_may_be_the_answer() {
    let replies = ["1. One", "REPLAN: it is easy", "FINAL_ANSWER: 5"];
    let played = Stage::of(ID, json!({}), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "5"));
}

#[tokio::test(start_paused = true)]
async fn a_step_ends_at_its_own_limit() {
    let again = |n: u32| act("lookup", &format!("{{\"query\": \"{n}\"}}"));
    let replies = [
        say("1. One\n2. Two"),
        again(1),
        again(2),
        say("STEP_RESULT: b"),
        say("ab"),
    ];
    let settings = json!({"max_step_iterations": 2});
    let played = Stage::of(ID, settings, replies).with([lookup("x")]).play().await;
    assert_eq!(played.end(), (Reason::Answered, "ab"));
    assert_eq!(played.ran, [looked_up("1"), looked_up("2")]);
    // What it found is its result.
    assert!(played.shown(3).contains("Result of step 1 (One)") && played.shown(3).contains("gave"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_fails_is_told_to_its_step() {
    let replies = [
        say("1. Look it up"),
        act("lookup", r#"{"query": "x"}"#),
        say("STEP_RESULT: it cannot be looked up"),
        say("I could not find it."),
    ];
    let tools = [
        asking("lookup", Deed::Complain("ValueError", "no network")),
        add(),
    ];
    let played = Stage::of(ID, json!({}), replies).with(tools).play().await;
    assert_eq!(played.end(), (Reason::Answered, "I could not find it."));
    assert!(played.shown(2).contains("no network"));
}

#[tokio::test(start_paused = true)]
async fn a_constrained_plan_tells_what_steps_need() {
    let replies = [
        r#"{"steps": [{"step": "One", "needs": []}, {"step": "Two", "needs": [1]}]}"#,
        r#"{"thought": "x", "answer": "a"}"#,
        r#"{"thought": "x", "answer": "b"}"#,
        "ab",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([lookup("x")])
        .constrained()
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "ab"));
    assert!(played.shown(2).contains("Result of step 1 (One)"));
}

#[tokio::test(start_paused = true)]
async fn a_constrained_step_is_told_in_few_words_and_a_plan_of_one_is_the_question() {
    let replies = [
        r#"{"thought": "x", "steps": [{"step": "Add the numbers", "needs": []}]}"#,
        r#"{"thought": "x", "tool": "lookup", "arguments": {"query": "2 plus 3"}}"#,
        r#"{"thought": "x", "tool": "none", "answer": "It is 5."}"#,
    ];
    let stage = Stage::of(ID, json!({}), replies.map(say)).with([lookup("5")]);
    let played = stage.constrained().play().await;
    assert_eq!(played.end(), (Reason::Answered, "It is 5."));
    assert_eq!(played.record.brain_calls, 3);
    assert!(!played.shown(1).contains("Add the numbers"));
    assert!(played.shown(2).ends_with("The person asked: What is 2 plus 3?"));

    let replies = [
        r#"{"thought": "x", "steps": [{"step": "One", "needs": []}, {"step": "Two", "needs": [1]}]}"#,
        r#"{"thought": "x", "tool": "lookup", "arguments": {"query": "one"}}"#,
        r#"{"thought": "x", "tool": "none", "answer": "a"}"#,
        r#"{"thought": "x", "tool": "lookup", "arguments": {"query": "two"}}"#,
        r#"{"thought": "x", "tool": "none", "answer": "b"}"#,
        "ab",
    ];
    let stage = Stage::of(ID, json!({}), replies.map(say)).with([lookup("x")]);
    let played = stage.constrained().play().await;
    assert_eq!(played.end(), (Reason::Answered, "ab"));
    assert!(!played.shown(3).contains("2 plus 3"));
    assert!(
        played.shown(4).ends_with("The person asked: Two"),
        "{}",
        played.shown(4)
    );
}

fn switch() -> (Tool, Deed) {
    let (switch, deed) = asking("switch", Deed::Give(json!({"ok": true})));
    let argument_schema =
        json!({"type": "object", "properties": {"entity_id": {"type": "string"}}, "required": ["entity_id"]});
    (
        Tool {
            argument_schema,
            ..switch
        },
        deed,
    )
}

#[tokio::test(start_paused = true)]
async fn what_a_planner_names_is_named_by_nobody() {
    let replies = [
        say("1. Switch light.hall_2 on"),
        act("switch", r#"{"entity_id": "light.hall_2"}"#),
        say("STEP_RESULT: it could not be done"),
        say("I could not switch it on."),
    ];
    let played = Stage::of(ID, json!({}), replies).with([switch()]).play().await;
    assert_eq!(played.end(), (Reason::Answered, "I could not switch it on."));
    assert!(played.ran.is_empty(), "{:?}", played.ran);
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_is_no_plan_is_asked_for_again() {
    let replies = ["", "{\"foo\": 1}", "1. One", "STEP_RESULT: a", "a"];
    let played = Stage::of(ID, json!({}), replies.map(say)).play().await;
    assert_eq!(played.end(), (Reason::Answered, "a"));
    assert_eq!(played.record.brain_calls, 5);
}

#[tokio::test(start_paused = true)]
async fn what_one_step_has_found_another_may_name() {
    let replies = [
        say("1. Find the lamp\n2. Switch it on (needs: 1)"),
        act("lookup", r#"{"query": "lamp"}"#),
        say("STEP_RESULT: found"),
        act("switch", r#"{"entity_id": "light.hall_2"}"#),
        say("STEP_RESULT: it is on"),
        say("It is on."),
    ];
    let tools = [lookup("light.hall_2"), switch()];
    let played = Stage::of(ID, json!({}), replies).with(tools).play().await;
    assert_eq!(played.end(), (Reason::Answered, "It is on."));
    let switched = ("switch".to_owned(), json!({"entity_id": "light.hall_2"}));
    assert_eq!(played.ran, [looked_up("lamp"), switched]);
}
