//! What personas do of their own accord: their prompts at their times, said when the room is free, or with nothing to say.

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// A time of day that comes in a moment, whatever time it is: the next full minute would be too long to wait for.
const SOON: &str = "in 3 seconds";

async fn scheduled(schedule: serde_json::Value) -> Story {
    let scene = Scene::default();
    let tester = scene.tester().key("schedule", schedule);
    scene.play_attended(&tester).await
}

fn is_of_turn(frame: &Frame) -> bool {
    frame.topic == "recognizer_loop:utterance" && frame.context.get("loquat_later").is_some()
}

#[tokio::test]
async fn a_persona_is_given_its_prompt_and_what_it_says_is_heard() {
    let story = scheduled(json!([{"prompt": "Wish me luck in a few words.", "time": SOON}])).await;
    story
        .brain
        .whenever(TESTER, "Wish me luck", Reply::answers("Good luck to you."));
    let said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Good luck to you.";
    story.probe.wait("what it says", 0, PATIENCE, said).await;
    let turns = story
        .probe
        .since(0)
        .iter()
        .filter(|frame| is_of_turn(frame))
        .count();
    assert_eq!(turns, 1);
}

#[tokio::test]
async fn an_entry_that_cannot_be_read_is_named() {
    let story = scheduled(json!([{"prompt": "Sing.", "time": "when pigs fly"}])).await;
    story
        .daemon
        .wrote("an entry of a persona's schedule is passed over", PATIENCE)
        .await;
}
