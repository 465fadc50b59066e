//! The emergency stop: a person sets and clears it by words, a program by a frame, the owner at the command line.

use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER, assert_sentence};

/// Longer than any test: a reply that only a stop ends.
const NEVER: Duration = Duration::from_secs(600);

/// Sends the order and gives what Loquat says of it.
async fn order(story: &Story, data: Value) -> Value {
    let mark = story.probe.mark();
    story
        .probe
        .send(&json!({"type": "loquat.emergency_stop", "data": data, "context": {}}))
        .await;
    let answer = story
        .probe
        .wait("the answer to an order", mark, PATIENCE, |frame| {
            frame.topic == "loquat.emergency_stop.response"
        })
        .await;
    answer.data["active"].clone()
}

/// Nothing is asked of a brain, and the person is told how it ends.
async fn assert_refuses(story: &Story) {
    let asked = story.brain.requests(TESTER).len();
    let refused = story.ask("What is the time?").await;
    assert_sentence(refused.answer());
    assert!(
        refused.answer().contains("end the emergency stop"),
        "{}",
        refused.answer()
    );
    assert_eq!(story.brain.requests(TESTER).len(), asked);
}

#[tokio::test]
async fn anybody_sets_it_in_any_session_and_only_the_owner_clears_it() {
    let story = Story::begin().await;
    story
        .brain
        .whenever(TESTER, "long", Reply::answers("Late.").after(NEVER));
    let mark = story.probe.mark();
    Utterance::new("A long story")
        .in_session("kitchen")
        .enter(&story.probe)
        .await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let told = story.ask("Emergency stop!").await;
    assert!(told.answer().contains("is set"), "{}", told.answer());
    story.brain.abandoned(TESTER, 1, PATIENCE).await;
    story
        .probe
        .wait("the end of the turn in the kitchen", mark, PATIENCE, |frame| {
            frame.topic == "ovos.utterance.handled" && frame.session_id() == "kitchen"
        })
        .await;
    assert_refuses(&story).await;
    story.ask("stop").await;
    assert_refuses(&story).await;
    for (elsewhere, text) in [
        ("probe", "Please end the emergency stop"),
        ("probe", "beende den Notstopp"),
        ("wyoming:10.0.0.2:c", "end the emergency stop"),
        ("hive:kitchen:default", "lift the emergency stop"),
        ("mcp-1", "cancel the emergency stop"),
    ] {
        let stranger = Utterance::new(text).in_session(elsewhere);
        let lang = if text.starts_with("beende") {
            "de-DE"
        } else {
            "en-US"
        };
        let told = stranger.session("lang", json!(lang)).ask(&story.probe).await;
        assert!(
            !told.answer().contains("is over"),
            "{elsewhere}: {}",
            told.answer()
        );
        assert_refuses(&story).await;
    }
    let owner = Utterance::new("Please end the emergency stop").in_session("default");
    let told = owner.ask(&story.probe).await;
    assert!(told.answer().contains("is over"), "{}", told.answer());
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_program_sets_it_and_only_the_owner_clears_it() {
    let story = Story::begin().await;
    assert_eq!(order(&story, json!({})).await, false);
    assert_eq!(order(&story, json!({"active": true})).await, true);
    assert_refuses(&story).await;
    for _ in 0..3 {
        assert_eq!(order(&story, json!({"active": false})).await, true);
    }
    assert_refuses(&story).await;

    let command = async |arguments: &[&str]| {
        let ended = Launch::new(&story.home, arguments).run().await;
        assert!(ended.status.success(), "{}", ended.shown());
        ended.stdout
    };
    let set = command(&["emergency-stop", "set"]).await;
    assert!(set.contains("is set"), "{set}");
    assert_refuses(&story).await;
    let asked: Value = serde_json::from_str(&command(&["--json", "emergency-stop"]).await).unwrap();
    assert_eq!(asked, json!({"active": true}));
    command(&["emergency-stop", "clear"]).await;
    story.assert_goes_on().await;
    // The word of the owner counted once.
    assert_eq!(order(&story, json!({"active": true})).await, true);
    assert_eq!(order(&story, json!({"active": false})).await, true);
    command(&["emergency-stop", "clear"]).await;
    story.assert_goes_on().await;
}

#[tokio::test]
async fn clearing_it_also_lets_sessions_try_again_that_failures_have_stopped() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "Hello", Reply::fails(400));
    for _ in 0..5 {
        story.ask("Hello").await;
    }
    let refused = story.ask("Good day").await;
    assert!(refused.answer().contains("Say stop"), "{}", refused.answer());
    order(&story, json!({"active": false})).await;
    story.assert_goes_on().await;
}

/// A device whose model is missing still sets timers, however much was said that only the model could have answered.
#[tokio::test]
async fn what_needs_no_brain_is_done_in_a_session_that_a_brain_has_stopped() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "Hello", Reply::fails(400));
    for _ in 0..5 {
        story.ask("Hello").await;
    }
    for (said, answer) in [
        ("Good day to all frogs", "Say stop"),
        ("set a timer for 5 minutes", "Timer set for 5 minutes."),
        ("Good day to all frogs", "Say stop"),
    ] {
        let turn = story.ask(said).await;
        assert!(turn.answer().contains(answer), "{said}: {}", turn.answer());
    }
}

#[tokio::test]
async fn without_a_daemon_the_command_says_so() {
    let story = Story::begin().await;
    let home = loquat_tests::home::Home::without_bus();
    let ended = Launch::new(&home, &["emergency-stop", "set"]).run().await;
    assert!(!ended.status.success());
    assert!(ended.stderr.contains("loquat run"), "{}", ended.shown());
    story.assert_goes_on().await;
}
