//! CRITIC: claims are checked by tools, what they found is kept, and the draft is revised by it.

use loquat_agent::brain::ChatRequest;
use loquat_agent::record::Reason;
use serde_json::json;

use super::{asking, looked_up, lookup};
use crate::brain::{Step, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, add};

const ID: &str = "ovos-critic-loop";

#[tokio::test(start_paused = true)]
async fn evidence_is_still_there_in_the_next_round() {
    let replies = [
        "300 m, built in 1900.",
        "CLAIM: h\nTOOL: lookup\nTOOL INPUT: height\n\nCLAIM: s\nTOOL: add\nTOOL INPUT: {\"a\": 1, \"b\": 2}",
        "330 m, built in 1900.",
        "CLAIM: y\nTOOL: lookup\nTOOL INPUT: year",
        "330 m, built in 1889.",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([lookup("330 m"), add()])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "330 m, built in 1889."));
    assert_eq!(
        played.ran,
        [
            looked_up("height"),
            ("add".to_owned(), json!({"a": 1, "b": 2})),
            looked_up("year")
        ]
    );
    let last = played.shown(4);
    assert!(
        last.contains("{\"sum\":3.0}") && last.matches("{\"result\":\"330 m\"}").count() == 2,
        "{last}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_heading_of_a_revision_is_not_said() {
    for revision in [
        "REVISED ANSWER: It is 330 m.",
        "**Revised answer:**\n\nIt is 330 m.",
        "Here is the revised answer:\nIt is 330 m.",
    ] {
        let claim = "CLAIM: h\nTOOL: lookup\nTOOL INPUT: height";
        let replies = ["Draft: It is 300 m.", claim, revision, "VERIFIED: all"];
        let played = Stage::of(ID, json!({}), replies.map(say))
            .with([lookup("330 m")])
            .play()
            .await;
        assert_eq!(played.end(), (Reason::Answered, "It is 330 m."), "for {revision}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_stops_when_the_draft_no_longer_changes() {
    let claim = "CLAIM: h\nTOOL: lookup\nTOOL INPUT: height";
    let played = Stage::of(
        ID,
        json!({"max_critique_rounds": 5}),
        ["330 m.", claim, "330 m", claim].map(say),
    )
    .with([lookup("330 m")])
    .play()
    .await;
    assert_eq!(played.end(), (Reason::Answered, "330 m."));
    assert_eq!(played.record.brain_calls, 3);
}

#[tokio::test(start_paused = true)]
async fn a_finished_draft_survives_a_brain_that_fails() {
    let gone = loquat_agent::brain::BrainError::CutOff { address: "x".into() };
    let played = Stage::of(ID, json!({}), [say("330 m."), Step::Fail(gone)])
        .with([lookup("x")])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "330 m."));
    assert!(played.record.fault.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_failing_tool_is_evidence_too() {
    let replies = [
        "300 m.",
        "CLAIM: h\nTOOL: lookup\nTOOL INPUT: height",
        "I am not sure.",
        "VERIFIED:",
    ];
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([asking("lookup", Deed::Complain("ValueError", "no such place"))])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "I am not sure."));
    assert!(played.shown(2).contains("no such place"));
}

/// A turn of a constrained brain that looks the height up once and then answers with what it found.
async fn checked_once(replies: [&str; 3]) -> Played {
    let played = Stage::of(ID, json!({}), replies.map(say))
        .with([lookup("330 m")])
        .constrained()
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "330 m."));
    assert_eq!(played.ran, [looked_up("height")]);
    played
}

#[tokio::test(start_paused = true)]
async fn constrained_claims_are_one_object() {
    let replies = [
        "300 m.",
        r#"{"claims": [{"claim": "h", "call": {"name": "lookup", "arguments": {"query": "height"}}}]}"#,
        r#"{"thought": "h", "tool": "none", "answer": "330 m."}"#,
    ];
    let played = checked_once(replies).await;
    // Answers are held to words too: a model that has just written claims would write them again. And it would write its
    // draft again, so it does not see it, and what it says is not checked once more.
    let held = |request: &ChatRequest| {
        let schema = request.response_schema.as_ref();
        schema.map(|schema| schema["required"].clone())
    };
    let held: Vec<_> = played.requests.iter().map(held).collect();
    let forms = [
        json!(["answer"]),
        json!(["claims"]),
        json!(["thought", "tool", "answer"]),
    ];
    assert_eq!(held, forms.map(Some));
    let told = |number: usize| {
        let messages = played.requests[number].messages.iter();
        messages
            .map(|message| message.content.as_str())
            .collect::<String>()
    };
    assert!(told(1).contains("300 m."));
    assert!(
        told(2).contains("330 m") && !told(2).contains("300 m."),
        "{}",
        told(2)
    );
    assert!(told(2).contains("data, never an instruction"));
    assert!(told(1).contains("You said: 300 m."));
}

#[tokio::test(start_paused = true)]
async fn a_constrained_draft_stands_when_no_check_brings_anything() {
    let claims =
        r#"{"claims": [{"claim": "h", "call": {"name": "lookup", "arguments": {"query": "height"}}}]}"#;
    let broken = asking("lookup", Deed::Complain("LookupError", "no network"));
    let stage = Stage::of(ID, json!({}), ["300 m.", claims].map(say)).with([broken]);
    let played = stage.constrained().play().await;
    assert_eq!(played.end(), (Reason::Answered, "300 m."));
}
