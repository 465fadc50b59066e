//! Reflexion: over any engine, judged by the brain that sees the trajectory, by a rule or by a tool.

use loquat_agent::record::Reason;
use serde_json::json;

use super::{asking, lookup};
use crate::brain::{Step, act, done, say};
use crate::support::Stage;
use crate::tools::{Deed, add, writing};

const ID: &str = "ovos-reflexion-loop";

#[tokio::test(start_paused = true)]
async fn the_evaluator_sees_the_trajectory() {
    let replies = [
        act("add", r#"{"a": 2, "b": 3}"#),
        done("6"),
        say("UNSATISFACTORY\nThe sum is 5."),
        say("Reflection: Read the sum."),
        done("5"),
        say("SATISFACTORY"),
    ];
    let played = Stage::of(ID, json!({}), replies).with([add()]).play().await;
    assert_eq!(played.end(), (Reason::Answered, "5"));
    let judged = played.shown(2);
    assert!(
        judged.contains("add({\"a\":2,\"b\":3}) gave {\"sum\":5.0}"),
        "{judged}"
    );
    assert!(played.shown(4).contains("- Read the sum."));
    assert_eq!((played.record.brain_calls, played.record.steps.len()), (6, 6));
}

#[tokio::test(start_paused = true)]
async fn a_rule_judges_without_a_brain_call() {
    let settings = json!({"evaluator": {"contains": "metres"}});
    let replies = [done("5 feet"), say("Reflection: Use metres."), done("2 metres")];
    let played = Stage::of(ID, settings, replies).play().await;
    assert_eq!(played.end(), (Reason::Answered, "2 metres"));
    assert_eq!(played.record.brain_calls, 3);
}

#[tokio::test(start_paused = true)]
async fn a_constrained_answer_that_tells_what_a_tool_brought_is_not_judged() {
    let step = |text: &str| say(format!("{{\"thought\": \"x\", {text}}}"));
    let call = r#""tool": "add", "arguments": {"a": 2, "b": 3}"#;
    for (settings, brain_calls) in [(json!({}), 2), (json!({"evaluator": "brain"}), 3)] {
        let replies = [
            step(call),
            step(r#""tool": "none", "answer": "It is 5.""#),
            say(r#"{"reason": "x", "verdict": "SATISFACTORY"}"#),
        ];
        let stage = Stage::of(ID, settings, replies).with([add()]);
        let played = stage.constrained().play().await;
        assert_eq!(played.end(), (Reason::Answered, "It is 5."));
        assert_eq!(played.record.brain_calls, brain_calls);
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_judges() {
    let settings = json!({"evaluator": {"tool": "check"}});
    let check = asking(
        "check",
        Deed::FailFirst(0, json!({"ok": false, "message": "too short"})),
    );
    let replies = [done("a"), say("Reflection: Longer."), done("b")];
    let played = Stage::of(
        ID,
        json!({"evaluator": settings["evaluator"], "max_reflections": 2}),
        replies,
    )
    .with([check])
    .play()
    .await;
    assert_eq!(played.end(), (Reason::MaxIterations, "b"));
    assert_eq!(played.ran[0], ("check".to_owned(), json!({"query": "a"})));
    assert!(played.shown(1).contains("too short"), "{}", played.shown(1));
}

#[tokio::test(start_paused = true)]
async fn another_engine_can_be_inside() {
    let settings = json!({"inner_engine": "ovos-self-ask-loop"});
    let replies = ["Follow up: x", "So the final answer is: Paris", "SATISFACTORY"];
    let played = Stage::of(ID, settings, replies.map(say))
        .with([lookup("Paris")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "Paris"));
    assert!(
        played
            .shown(1)
            .contains("Intermediate answer: {\"result\":\"Paris\"}")
    );
}

#[tokio::test(start_paused = true)]
async fn an_engine_within_itself_ends() {
    let settings = json!({"inner_engine": ID, "max_reflections": 1});
    let replies = [
        done("a"),
        say("SATISFACTORY"),
        say("SATISFACTORY"),
        say("SATISFACTORY"),
        say("SATISFACTORY"),
    ];
    let played = Stage::of(ID, settings, replies).play().await;
    assert_eq!(played.end(), (Reason::Answered, "a"));
}

#[tokio::test(start_paused = true)]
async fn a_change_is_not_made_a_third_time() {
    let again = || act("louder", "{}");
    let replies = [
        again(),
        done("a"),
        say("UNSATISFACTORY"),
        say("Reflection: x"),
        again(),
        done("b"),
        say("UNSATISFACTORY"),
        say("Reflection: y"),
        again(),
        done("c"),
        say("SATISFACTORY"),
    ];
    let played = Stage::of(ID, json!({}), replies)
        .with([writing("louder", Deed::Give(json!({"volume": 5})))])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "c"));
    assert_eq!(played.ran.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_answer_survives_an_evaluator_that_fails() {
    let gone = loquat_agent::brain::BrainError::CutOff { address: "x".into() };
    let played = Stage::of(ID, json!({}), [done("a"), Step::Fail(gone)])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "a"));
    assert!(played.record.fault.is_some());
    let empty = Stage::of(ID, json!({}), [done("a"), say(""), say(""), say("")])
        .play()
        .await;
    assert_eq!(empty.end(), (Reason::Answered, "a"));
}
