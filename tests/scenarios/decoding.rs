//! What a brain writes, however it is written: calls are understood, answers are spoken, and nothing else is.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::story::{Story, TESTER, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedTool};
use serde_json::{Value, json};

use crate::stage::{calls, native_with_peer, requests, shown_last, text, tool, trusting, with_peer};

/// Arguments with everything in them that is hard to read.
fn hard() -> Value {
    json!({"place": {"city": "Lyon", "note": "wow, } ok ```"}, "days": [1, 2], "loud": true})
}

fn forecast() -> ScriptedTool {
    let properties =
        json!({"place": {"type": "object"}, "days": {"type": "array"}, "loud": {"type": "boolean"}});
    tool("forecast", &properties, |_, _| Act::Returns(text("rain")))
}

/// Has each of these replies read as the one call.
async fn assert_read_as_the_call(replies: impl IntoIterator<Item = String>) {
    let (story, peer) = with_peer(trusting, vec![forecast()]).await;
    for (number, reply) in replies.into_iter().enumerate() {
        story.script([Reply::says(&reply), Reply::answers("It will rain.")]);
        let turn = story.ask(&format!("Will it rain? {number}")).await;
        assert_eq!(turn.answer(), "It will rain.", "{reply}");
        assert_eq!(peer.calls().len(), number + 1, "{reply}");
        let call = calls(&story).pop().unwrap();
        assert_eq!(
            (&call.data["name"], &call.data["kwargs"]),
            (&json!("forecast"), &hard()),
            "{reply}"
        );
    }
}

#[tokio::test]
async fn s01_a_fenced_action_is_understood() {
    let arguments = hard();
    let action = json!({"tool": "forecast", "inputs": arguments, "final_answer": false});
    let indented = serde_json::to_string_pretty(&arguments).unwrap();
    assert_read_as_the_call([
        format!("Thought: look.\n```json\nAction: {action}\n```"),
        format!("Thought: look.\nAction:\n```json\n{action}\n```"),
        format!("Thought: look.\nAction: ```{action}```"),
        format!("Thought: look.\nAction: forecast\nAction Input:\n```json\n{indented}\n```"),
        format!("```\nThought: look.\nAction: forecast\nAction Input: {arguments}\n```\nThat is all."),
        format!("thought: look.\n**action:** forecast\n**action input:** {arguments}"),
    ])
    .await;
}

#[tokio::test]
async fn s02_trailing_commas_are_taken_off_and_texts_keep_theirs() {
    let arguments = hard().to_string();
    let trailing = arguments.replace("},", ",},").replace(']', ",]");
    let trailing = format!("{},}}", trailing.strip_suffix('}').unwrap());
    assert_read_as_the_call([
        format!("Thought: look.\nAction: forecast\nAction Input: {trailing}"),
        format!("Action: {{\"tool\": \"forecast\", \"inputs\": {trailing},}}"),
    ])
    .await;
}

#[tokio::test]
async fn s03_an_action_that_is_cut_off_anywhere_is_closed_or_asked_for_again() {
    let arguments = r#"{"place": {"city": "Lyon"}, "days": [1, 2]}"#;
    assert_cuts(
        &format!("Thought: Look it up.\nAction: forecast\nAction Input: {arguments}"),
        "Input",
    )
    .await;
    assert_cuts(
        &format!("Thought: Look it up.\nAction: {{\"tool\": \"forecast\", \"inputs\": {arguments}}}"),
        "{",
    )
    .await;
}

/// Has a reply cut at every byte, and from `beginning` on also by a server that does not say so.
async fn assert_cuts(whole: &str, beginning: &str) {
    let arguments = json!({"place": {"city": "Lyon"}, "days": [1, 2]});
    let complete = whole.rfind("2]").unwrap() + 1;
    let (story, _peer) = with_peer(trusting, vec![forecast()]).await;
    story
        .brain
        .whenever(TESTER, "cannot be used", Reply::answers("I was cut off."));
    story
        .brain
        .whenever(TESTER, "Observation:", Reply::answers("It will rain."));
    let silent = whole.find(beginning).unwrap();
    let ends = (1..=whole.len()).map(|end| (end, "length"));
    for (end, finish) in ends.chain((silent..=whole.len()).map(|end| (end, "stop"))) {
        let question = format!("cut at {end:03} with {finish}");
        let cut = Reply {
            finish_reason: Some(finish.into()),
            ..Reply::says(&whole[..end])
        };
        let before = calls(&story).len();
        story.brain.whenever(TESTER, &question, cut);
        assert_sentence(story.ask(&question).await.answer());
        let made = calls(&story).split_off(before);
        let whole_call = |call: &Frame| call.data["name"] == "forecast" && call.data["kwargs"] == arguments;
        if finish == "length" && end < whole.len() {
            // Known to be cut off: what is not there may matter.
            assert!(made.iter().all(whole_call), "{question}: {made:?}");
        } else if end >= complete {
            // Only closers are missing.
            assert!(
                made.len() == 1 && made.iter().all(whole_call),
                "{question}: {made:?}"
            );
        }
    }
}

#[tokio::test]
async fn s11_markers_that_are_split_over_pieces_are_never_spoken() {
    let story = Story::begin().await;
    let answers = [
        "Lasers fire at 42 files.",
        "final.",
        "S",
        "Thoughts are free; actions cost: 5 < 7.",
    ];
    let deliveries = [
        Delivery::Whole,
        Delivery::Pieces,
        Delivery::Dripping(Duration::from_micros(50)),
    ];
    for answer in answers {
        for delivery in deliveries {
            let reply =
                format!("<think>FINAL_ANSWER: no</think>Thought: easy.\nFINAL_ANSWER: {answer}<|im_end|>");
            story.script([Reply::says(reply).delivered(delivery)]);
            assert_eq!(story.ask("Say it").await.answer(), answer, "{delivery:?}");
        }
    }
}

#[tokio::test]
async fn s28_four_marks_of_completion_are_not_spoken() {
    let story = Story::begin().await;
    for mark in [
        "✅ Completed",
        "## Summary",
        "## Reflection",
        "Task completed",
        "✅ COMPLETED",
        "## summary",
        "TASK COMPLETED.",
    ] {
        for reply in [
            format!("{mark}\n\nThe light is on."),
            format!("FINAL_ANSWER: The light is on.\n\n{mark}"),
            format!("<thinking>Is it on?</thinking>The light is on.\n{mark}\n"),
        ] {
            story.script([Reply::says(&reply)]);
            assert_eq!(
                story.ask("Switch it on").await.answer(),
                "The light is on.",
                "{reply}"
            );
        }
    }
}

#[tokio::test]
async fn s28_a_mark_beside_a_call_takes_nothing_from_it() {
    let switch = ScriptedTool::named("switch", Act::Returns(text("on")));
    let (story, peer) = native_with_peer(trusting, vec![switch]).await;
    let call = Reply {
        content: Some("✅ Completed".into()),
        ..Reply::calls("switch", &text("lamp"))
    };
    story.script([call, Reply::says("The lamp is on.\n✅ Completed")]);
    assert_eq!(story.ask("Switch the lamp on").await.answer(), "The lamp is on.");
    assert_eq!(peer.calls().len(), 1);
}

#[tokio::test]
async fn s29_thinking_alone_is_no_answer_and_asked_for_more() {
    let reasoning = Reply {
        reasoning_content: Some("It is Paris, surely.".into()),
        content: Some(String::new()),
        ..Reply::default()
    };
    for thinking in [
        Reply::says("<think>The answer is Paris. FINAL_ANSWER: Rome</think>"),
        Reply::says("<thinking>The answer is Paris."),
        reasoning,
    ] {
        let story = Story::begin().await;
        story.script([thinking, Reply::answers("Paris.")]);
        assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
        assert_eq!(requests(&story).len(), 2, "one nudge");
        assert!(
            shown_last(&story).contains("cannot be used"),
            "{}",
            shown_last(&story)
        );
        assert_eq!(story.reasons(1).await, ["Answered"]);
    }
}
