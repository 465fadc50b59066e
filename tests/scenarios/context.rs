//! What the brain is shown stays within bounds, and facts stay in it.

use loquat_tests::brain::{Reply, Request};
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::Act;
use serde_json::json;

use crate::stage::{numbered, requests, shown_last, trusting, with_peer};

/// With what the daemon asks for notes.
const NOTES: &str = "The notes:";

/// What the notes keep of the conversation.
const FACT: &str = "The person's dog is called Rex.";

/// Between a hundred and two hundred tokens.
fn rambling(number: usize) -> String {
    format!(
        "Story {number}: {}",
        "and then we walked on for a while ".repeat(20)
    )
}

/// A conversation that begins with a fact and goes on for long.
async fn long_conversation(change: impl FnOnce(Persona) -> Persona) -> Story {
    let scene = Scene::default();
    let tester = change(scene.tester().toolboxes(&[]));
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, NOTES, Reply::says(FACT));
    story.script([Reply::answers("What a good dog.")]);
    story.ask("My dog is called Rex.").await.answer();
    for number in 0..6 {
        story.script([Reply::answers("I see.")]);
        story.ask(&rambling(number)).await.answer();
    }
    story
}

fn asks_for_notes(request: &Request) -> bool {
    request.newest().contains(NOTES)
}

#[tokio::test]
async fn s18_notes_are_taken_before_the_window_is_full_and_keep_the_facts() {
    let story = long_conversation(|tester| tester.brain("context_tokens", json!(800))).await;
    let before = requests(&story).len();
    story.script([Reply::answers("Rex.")]);
    assert_eq!(story.ask("What is my dog called?").await.answer(), "Rex.");
    let asked = requests(&story).split_off(before);
    assert_eq!(asked.len(), 2, "the notes, then the answer");
    assert!(asks_for_notes(&asked[0]) && asked[0].text().contains("My dog is called Rex."));
    assert!(asked[1].text().contains(FACT), "{}", asked[1].text());
    // No text has fewer than three characters a token here.
    assert!(
        asked[1].chars() < 800 * 8 / 10 * 3,
        "{} characters",
        asked[1].chars()
    );
    for request in requests(&story) {
        assert!(
            request.chars() < 800 * 5,
            "the window is never overrun: {} characters",
            request.chars()
        );
    }
}

#[tokio::test]
async fn s18_a_server_that_finds_it_too_long_is_asked_once_more_with_notes() {
    let story = long_conversation(|tester| tester).await;
    let before = requests(&story).len();
    assert!(!requests(&story).iter().any(asks_for_notes));
    let too_long = Reply {
        content: Some("This model's maximum context length is 800 tokens.".into()),
        ..Reply::fails(400)
    };
    story.brain.script(TESTER, [too_long, Reply::answers("Rex.")]);
    assert_eq!(story.ask("What is my dog called?").await.answer(), "Rex.");
    let asked = requests(&story).split_off(before);
    assert_eq!(asked.len(), 3, "too long, the notes, the answer");
    assert!(asks_for_notes(&asked[1]));
    assert!(asked[2].text().contains(FACT) && asked[2].chars() < asked[0].chars());
}

#[tokio::test]
async fn s31_a_huge_result_is_shown_by_its_head_and_its_tail() {
    let log = format!("begins {} ends", "0123456789".repeat(5_000));
    let (story, _peer) = with_peer(
        trusting,
        vec![numbered("read", Act::Returns(json!({"log": log})))],
    )
    .await;
    story.script([
        Reply::acts("read", &json!({"n": 1})),
        Reply::answers("It is long."),
    ]);
    assert_eq!(story.ask("Read log 1").await.answer(), "It is long.");
    let shown = shown_last(&story);
    assert!(shown.len() < 10_000, "{} bytes", shown.len());
    for part in ["begins 0123", "6789 ends", "characters left out"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
