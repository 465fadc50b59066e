//! `rewoo` and `llm-compiler`: calls planned in one go, run as their inputs come.

use std::time::Duration;

use loquat_agent::record::Reason;
use serde_json::json;

use super::{asking, looked_up, lookup};
use crate::brain::say;
use crate::support::Stage;
use crate::tools::{Deed, add, tool, writing};

const HOPS: &str =
    "Plan: the capital. #E1 = lookup[capital of France]\nPlan: its size. #E2 = lookup[population of #E1]";

#[tokio::test(start_paused = true)]
async fn two_brain_calls_answer_two_hops() {
    let played = Stage::of("rewoo", json!({}), [HOPS, "Many live there."].map(say))
        .with([lookup("Paris")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Many live there."));
    assert_eq!(
        played.ran,
        [looked_up("capital of France"), looked_up("population of Paris")]
    );
    assert!(
        played
            .last_shown()
            .contains("Observation 2 of lookup: {\"result\":\"Paris\"}")
    );
    assert_eq!(played.record.brain_calls, 2);
    assert_eq!(
        played.record.plan,
        [
            "#E1 = lookup \"capital of France\"",
            "#E2 = lookup \"population of #E1\""
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn calls_start_as_soon_as_their_inputs_are_there() {
    let slow = |name, seconds| {
        asking(
            name,
            Deed::Slow(Duration::from_secs(seconds), json!({"result": name})),
        )
    };
    let plan = "#E1 = quick(\"a\")\n#E2 = slow(\"b\")\n#E3 = quick(\"of #E1\")\n#E4 = slow(\"of #E3\")";
    let played = Stage::of("llm-compiler", json!({}), [plan, "done"].map(say))
        .with([slow("quick", 1), slow("slow", 4)])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "done"));
    // 1 + 1 + 4 on the longest way; level by level it would be 4 + 1 + 4.
    assert_eq!(played.record.elapsed.as_secs(), 6);
    assert_eq!(played.ran.last().unwrap().1, json!({"query": "of quick"}));
}

#[tokio::test(start_paused = true)]
async fn changes_keep_their_place_in_the_order() {
    let plan = "#E1 = read()\n#E2 = write()\n#E3 = read_again()";
    let slow = |name| tool(name, Deed::Slow(Duration::from_secs(2), json!({"result": name})));
    let played = Stage::of("rewoo", json!({}), [plan, "done"].map(say))
        .with([
            slow("read"),
            writing("write", Deed::Give(json!({"ok": true}))),
            slow("read_again"),
        ])
        .play()
        .await;
    let order: Vec<_> = played.ran.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(order, ["read", "write", "read_again"]);
}

#[tokio::test(start_paused = true)]
async fn what_needs_a_failed_call_is_not_run() {
    let played = Stage::of("rewoo", json!({}), [HOPS, "I could not find it."].map(say))
        .with([asking("lookup", Deed::Complain("ValueError", "no network"))])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "I could not find it."));
    assert_eq!(played.ran.len(), 1);
    assert!(
        played.seen(1).contains("#E1, which it needs"),
        "{}",
        played.seen(1)
    );
}

#[tokio::test(start_paused = true)]
async fn numbers_find_their_way_into_arguments() {
    let plan = "#E1 = add({\"a\": 1, \"b\": 2})\n#E2 = add({\"a\": \"#E1\", \"b\": 4})";
    let played = Stage::of("rewoo", json!({}), [plan, "7"].map(say))
        .with([add()])
        .play()
        .await;
    assert_eq!(played.ran.last().unwrap().1, json!({"a": 3, "b": 4}));
}

#[tokio::test(start_paused = true)]
async fn more_calls_are_planned_when_the_first_do_not_do() {
    let replies = [
        "#E1 = lookup[capital of France]",
        "REPLAN: its size is missing",
        "#E1 = lookup[population of Paris]",
        "Many live there.",
    ];
    let played = Stage::of("llm-compiler", json!({}), replies.map(say))
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Many live there."));
    assert_eq!(
        played.ran,
        [looked_up("capital of France"), looked_up("population of Paris")]
    );
}

#[tokio::test(start_paused = true)]
async fn no_more_plans_than_allowed() {
    let replies = ["#E1 = lookup[a]", "REPLAN: b", "#E1 = lookup[b]", "So be it."];
    let played = Stage::of("llm-compiler", json!({"max_replans": 1}), replies.map(say))
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "So be it."));
    assert_eq!(played.record.brain_calls, 4);
}

#[tokio::test(start_paused = true)]
async fn what_needs_no_tool_is_answered_at_once() {
    for engine in ["rewoo", "llm-compiler"] {
        let played = Stage::of(engine, json!({}), [say("FINAL_ANSWER: Hello!")])
            .with([lookup("x")])
            .play()
            .await;
        assert_eq!(played.end(), (Reason::Answered, "Hello!"));
        let bare = Stage::of(engine, json!({}), [say("Hello!")]).play().await;
        assert_eq!(
            (bare.end(), bare.record.brain_calls),
            ((Reason::Answered, "Hello!"), 1)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_cannot_be_read_is_mended() {
    let replies = ["#E1 = the capital, please", HOPS, "Many live there."];
    let played = Stage::of("rewoo", json!({}), replies.map(say))
        .with([lookup("Paris")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Many live there."));
    assert_eq!(played.record.brain_calls, 3);
}

#[tokio::test(start_paused = true)]
async fn constrained_calls_may_name_results() {
    let plan = r##"{"calls": [{"name": "add", "arguments": {"a": 1, "b": 2}}, {"name": "add", "arguments": {"a": "#E1", "b": 4}}]}"##;
    let played = Stage::of("llm-compiler", json!({}), [say(plan), say(r#"{"answer": "7"}"#)])
        .with([add()])
        .constrained()
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "7"));
    assert_eq!(played.ran.last().unwrap().1, json!({"a": 3, "b": 4}));
}

#[tokio::test(start_paused = true)]
async fn a_small_brain_is_asked_whether_calls_suffice_only_where_one_failed() {
    let plan = r#"{"calls": [{"name": "weather", "arguments": {}}]}"#;
    let good = Deed::Give(json!({"sky": "blue"}));
    let bad = Deed::Complain("ValueError", "no such place");
    for (deed, is_asked) in [(good, false), (bad, true)] {
        let played = Stage::of(
            "llm-compiler",
            json!({}),
            [plan, r#"{"answer": "Blue."}"#].map(say),
        )
        .with([tool("weather", deed)])
        .constrained()
        .play()
        .await;
        assert_eq!(played.end(), (Reason::Answered, "Blue."));
        let schema = played.requests[1].response_schema.as_ref().expect("a schema");
        assert_eq!(schema.to_string().contains("replan"), is_asked, "{schema}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_number_that_no_call_gave_is_asked_for_again() {
    let replies = ["#E1 = lookup[height]", "It is 999 m.", "It is 330 m."];
    let played = Stage::of("llm-compiler", json!({}), replies.map(say))
        .with([lookup("330 m")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "It is 330 m."));
    assert_eq!(played.record.brain_calls, 3);
}
