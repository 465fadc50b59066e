//! What holds for every engine: it ends, once, with words, whatever is spent, stopped, broken or nonsense.

use std::time::Duration;

use loquat_agent::brain::BrainError;
use loquat_agent::engine::ENGINES;
use loquat_agent::record::Reason;
use loquat_agent::turn::Budget;
use serde_json::json;

use super::{asking, lookup};
use crate::brain::{Step, say};
use crate::support::{Played, Stage};
use crate::tools::Deed;

/// A reply that every engine can go on with, whatever it asked for; its parts are made for one or two of them each.
const ANYTHING: &str = "Thought: hm\nFollow up: what?\nCLAIM: c\nTOOL: lookup\nTOOL INPUT: x\nREPLAN: no";

async fn each(stage: impl Fn(&'static str) -> Stage, check: impl Fn(&'static str, &Played)) {
    for engine in ENGINES {
        check(engine.id, &stage(engine.id).play().await);
    }
}

#[tokio::test(start_paused = true)]
async fn the_table_has_all_engines() {
    let ids: Vec<_> = ENGINES.iter().map(|engine| engine.id).collect();
    for id in [
        "ovos-react-loop",
        "ovos-native-toolcall-loop",
        "ovos-plan-execute-loop",
        "ovos-reflexion-loop",
        "ovos-self-ask-loop",
        "ovos-chain-of-thought-loop",
        "ovos-critic-loop",
        "ovos-tree-of-thoughts-loop",
        "rewoo",
        "llm-compiler",
        "auto",
    ] {
        assert!(ids.contains(&id), "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_token_is_left_after_the_first_reply() {
    each(
        |id| {
            let replies = (0..60).map(|_| Step::Costly("Two plus three makes 5.".into(), 1_000));
            Stage {
                budget: Budget {
                    max_tokens: Some(500),
                    ..Budget::default()
                },
                ..Stage::of(id, json!({}), replies).with([lookup("x")])
            }
        },
        |id, played| {
            assert!(!played.record.answer.is_empty(), "{id}: {:?}", played.record);
            assert!(
                played.record.brain_calls <= 3,
                "{id}: {} calls",
                played.record.brain_calls
            );
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_brain_is_asked_to_close_before_the_deadline() {
    each(
        |id| {
            let replies =
                (0..60).map(|_| Step::Slow(Duration::from_secs(9), "Two plus three makes 5.".into()));
            Stage {
                budget: Budget {
                    deadline_seconds: 20,
                    ..Budget::default()
                },
                ..Stage::of(id, json!({"samples": 3}), replies).with([lookup("x")])
            }
        },
        |id, played| {
            assert!(!played.record.answer.is_empty(), "{id}: {:?}", played.record);
            assert!(played.record.elapsed <= Duration::from_secs(20), "{id}");
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_the_middle_ends_it_at_once() {
    each(
        |id| {
            Stage::of(
                id,
                json!({"samples": 3}),
                [
                    say("1. One\n2. Two"),
                    Step::StopMeanwhile(Reason::BargeIn),
                    Step::Hang,
                    Step::Hang,
                    Step::Hang,
                    Step::Hang,
                ],
            )
            .with([lookup("x")])
        },
        |id, played| {
            // What answers with the first reply is over before anybody can stop it.
            let expected = [Reason::BargeIn, Reason::Answered];
            assert!(
                expected.contains(&played.record.reason),
                "{id}: {:?}",
                played.record.reason
            );
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_a_tool_closes_its_call() {
    let replies = [
        (
            "ovos-plan-execute-loop",
            vec![say("1. One"), crate::brain::act("lookup", r#"{"query": "x"}"#)],
        ),
        (
            "ovos-reflexion-loop",
            vec![crate::brain::act("lookup", r#"{"query": "x"}"#)],
        ),
        ("ovos-self-ask-loop", vec![say("Follow up: x")]),
        (
            "ovos-critic-loop",
            vec![say("5"), say("CLAIM: c\nTOOL: lookup\nTOOL INPUT: x")],
        ),
        ("rewoo", vec![say("#E1 = lookup[x]")]),
        ("llm-compiler", vec![say("#E1 = lookup[x]")]),
        ("auto", vec![crate::brain::act("lookup", r#"{"query": "x"}"#)]),
    ];
    for (id, replies) in replies {
        let tools = [asking("lookup", Deed::StopMeanwhile(Reason::Stopped))];
        let played = Stage::of(id, json!({}), replies).with(tools).play().await;
        assert_eq!(played.record.reason, Reason::Stopped, "{id}");
        assert_eq!(played.calls().len(), 1, "{id}");
        assert!(
            played.seen(0).contains("stopped before"),
            "{id}: {}",
            played.seen(0)
        );
        assert_eq!(
            played.record.brain_calls as usize,
            played.record.steps.len(),
            "{id}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_is_gone_ends_it_without_words() {
    let gone = || {
        Step::Fail(BrainError::Unreachable {
            address: "x".into(),
            reason: "refused".into(),
        })
    };
    each(
        |id| Stage::of(id, json!({"samples": 3}), (0..50).map(|_| gone())).with([lookup("x")]),
        |id, played| assert_eq!(played.end(), (Reason::LlmError, ""), "{id}"),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn nonsense_without_end_comes_to_an_end() {
    for nonsense in ["", "{\"a\": ", "<think>hm", ANYTHING, "#E1 = ", "1. ", "]]]{{{"] {
        each(
            |id| Stage::of(id, json!({"samples": 3}), (0..2_000).map(|_| say(nonsense))).with([lookup("x")]),
            |id, played| {
                assert!(
                    played.record.brain_calls < 120,
                    "{id} on {nonsense:?}: {} calls",
                    played.record.brain_calls
                );
                let spoken = loquat_agent::speakable(&played.record.answer);
                // An engine knows the marks of its own protocol; to another they are prose.
                let graph = ["rewoo", "llm-compiler"].contains(&id);
                let marks = ["CLAIM", "TOOL", "REPLAN", "<think>", "{"].into_iter();
                for mark in marks.chain(graph.then_some("#E1")) {
                    let prose = nonsense.starts_with(']');
                    assert!(prose || !spoken.contains(mark), "{id} on {nonsense:?}: {spoken}");
                }
            },
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_tool_calls_of_all_phases_are_counted_together() {
    let claims = "CLAIM: a\nTOOL: lookup\nTOOL INPUT: a\nCLAIM: b\nTOOL: lookup\nTOOL INPUT: b";
    let stage = Stage {
        budget: Budget {
            max_tool_calls: 1,
            ..Budget::default()
        },
        ..Stage::of(
            "ovos-critic-loop",
            json!({}),
            ["300 m.", claims, "330 m."].map(say),
        )
        .with([lookup("330 m")])
    };
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::MaxToolCalls, "330 m."));
    assert_eq!(played.ran.len(), 1);
}
