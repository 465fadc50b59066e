//! "Stop" beside an ovos-core that does not know, or not yet, that it is meant for us. The test plays the core, since what
//! matters is the order of frames.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::turn::HANDLED;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const REQUEST: &str = "ovos.skills.fallback.loquat.request";
const RESPONSE: &str = "ovos.skills.fallback.loquat.response";

/// What is stopped ends at once.
const AT_ONCE: Duration = Duration::from_millis(300);

/// With a brain that ponders for ever and answers everything else.
async fn guest() -> (FakeBus, Story) {
    let (bus, story) = speechless_guest().await;
    let never = Reply::says("").delivered(Delivery::Never);
    story.brain.whenever(TESTER, "ponder", never);
    story.brain.whenever(TESTER, "", Reply::answers("Here it is."));
    (bus, story)
}

async fn speechless_guest() -> (FakeBus, Story) {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("desk.mode", "\"guest\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    (bus, story)
}

async fn send(story: &Story, topic: &str, words: &str, context: Value) {
    let data = json!({"utterances": [words], "utterance": words, "lang": "en-US"});
    let frame = json!({"type": topic, "data": data, "context": context});
    story.probe.send(&frame).await;
}

fn stamped(utterance_id: &str) -> Value {
    json!({"utterance_id": utterance_id})
}

/// Waits for the end of what we were brought; gives what was said until then.
async fn spoken_until_the_end(story: &Story, mark: usize) -> Vec<String> {
    let is_end = |frame: &Frame| frame.topic == RESPONSE;
    story.probe.wait("our end", mark, PATIENCE, is_end).await;
    let frames = story.probe.since(mark).into_iter();
    let spoken = frames.filter(|frame| frame.is_speak() && !frame.is_twin());
    spoken.map(|frame| frame.utterance().to_owned()).collect()
}

#[tokio::test]
async fn what_was_stopped_before_the_core_brought_it_is_not_answered() {
    for by_word in [true, false] {
        let (_bus, story) = guest().await;
        send(&story, "recognizer_loop:utterance", "Tell me", json!({})).await;
        if by_word {
            send(&story, "recognizer_loop:utterance", "Stop", json!({})).await;
        } else {
            send(&story, "mycroft.stop", "", json!({})).await;
        }
        let mark = story.probe.mark();
        send(&story, REQUEST, "tell me", stamped("u1")).await;
        assert!(spoken_until_the_end(&story, mark).await.is_empty());
        assert!(story.brain.requests(TESTER).is_empty());

        // Said again, it is meant; and a core that is slow to pass on the word does not mean what came after it.
        send(&story, "recognizer_loop:utterance", "Tell me", json!({})).await;
        if by_word {
            send(&story, "mycroft.stop", "", json!({})).await;
        }
        let mark = story.probe.mark();
        send(&story, REQUEST, "tell me", stamped("u2")).await;
        assert_eq!(spoken_until_the_end(&story, mark).await, ["Here it is."]);
    }
}

#[tokio::test]
async fn what_the_wake_word_overtook_is_not_answered() {
    let (_bus, story) = guest().await;
    send(&story, "recognizer_loop:utterance", "Tell me", json!({})).await;
    send(&story, "recognizer_loop:wakeword", "hey_mycroft", json!({})).await;
    send(&story, "recognizer_loop:utterance", "And now?", json!({})).await;
    let mark = story.probe.mark();
    send(&story, REQUEST, "tell me", stamped("u1")).await;
    assert!(spoken_until_the_end(&story, mark).await.is_empty());
    let mark = story.probe.mark();
    send(&story, REQUEST, "and now?", stamped("u2")).await;
    assert_eq!(spoken_until_the_end(&story, mark).await, ["Here it is."]);
}

#[tokio::test]
async fn a_stop_elsewhere_is_none() {
    let (_bus, story) = guest().await;
    send(&story, "recognizer_loop:utterance", "Tell me", json!({})).await;
    let elsewhere = json!({"session": {"session_id": "garage"}});
    send(&story, "recognizer_loop:utterance", "Stop", elsewhere).await;
    let mark = story.probe.mark();
    send(&story, REQUEST, "Tell me", stamped("u1")).await;
    assert_eq!(spoken_until_the_end(&story, mark).await, ["Here it is."]);
}

/// Has the brain think for ever, about what a core has brought with this context.
async fn pondering(story: &Story, context: Value) -> usize {
    let asked = story.brain.requests(TESTER).len();
    send(story, REQUEST, "ponder this", context).await;
    story.brain.asked(TESTER, asked + 1, PATIENCE).await;
    story.probe.mark()
}

async fn is_stopped_at_once(story: &Story, mark: usize) {
    let silent = within("the end", AT_ONCE, spoken_until_the_end(story, mark)).await;
    assert!(silent.is_empty(), "{silent:?}");
}

#[tokio::test]
async fn the_word_stops_what_the_core_does_not_know_of() {
    // An older core stamps nothing; a client that keeps a session itself does not have us in it yet.
    let kitchen =
        json!({"session_id": "kitchen", "active_handlers": [{"skill_id": "music", "activated_at": 4e9}]});
    let satellite = json!({"utterance_id": "u1", "session": kitchen});
    for context in [json!({}), satellite] {
        let (_bus, story) = guest().await;
        let mark = pondering(&story, context.clone()).await;
        let entry = json!({"session": context["session"]});
        send(&story, "recognizer_loop:utterance", "Stop", entry).await;
        is_stopped_at_once(&story, mark).await;
    }
}

#[tokio::test]
async fn the_word_leaves_it_to_a_core_that_knows_of_us() {
    let (_bus, story) = guest().await;
    let mark = pondering(&story, stamped("u1")).await;
    send(&story, "recognizer_loop:utterance", "Stop", json!({})).await;
    let listed =
        json!([{"skill_id": "music", "activated_at": 4e9}, {"skill_id": "loquat", "activated_at": 1}]);
    let session = json!({"session_id": "default", "active_handlers": listed});
    choose(&story, "music", json!({"utterance_id": "u2", "session": session})).await;
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let over = story
        .probe
        .since(mark)
        .iter()
        .any(|frame| frame.topic == RESPONSE);
    assert!(!over, "the newest was music");
    choose(&story, "music", stamped("u3")).await;
    is_stopped_at_once(&story, mark).await;
}

#[tokio::test]
async fn a_question_what_could_be_stopped_stops_nothing() {
    let (_bus, story) = guest().await;
    let mark = pondering(&story, stamped("u1")).await;
    let listed = json!([{"skill_id": "loquat", "activated_at": 4e9}]);
    let session = json!({"session_id": "default", "active_handlers": listed});
    let context = json!({"utterance_id": "u2", "session": session});
    send(&story, "ovos.stop.ping", "", context.clone()).await;
    let is_pong = |frame: &Frame| frame.topic == "ovos.stop.pong";
    let pong = story.probe.wait("the pong", mark, PATIENCE, is_pong).await;
    assert_eq!(pong.data["can_handle"], true);
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let frames = story.probe.since(mark);
    assert!(
        frames.iter().all(|frame| frame.topic != RESPONSE),
        "nobody said stop"
    );
    send(
        &story,
        "recognizer_loop:utterance",
        "Stop",
        json!({"session": session}),
    )
    .await;
    send(&story, "ovos.stop.ping", "", context).await;
    is_stopped_at_once(&story, mark).await;
}

#[tokio::test]
async fn a_stop_of_somebody_else_leaves_a_program_its_answer() {
    let (_bus, story) = speechless_guest().await;
    let gate = Gate::default();
    story.script([Reply::answers("Forty-two.").behind(&gate)]);
    let query = json!({"type": "ovos.persona.query", "data": {"utterance": "compute this", "persona_id": TESTER},
                       "context": {"session": {"session_id": "default"}}});
    story.probe.send(&query).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let mark = story.probe.mark();
    choose(&story, "music", stamped("u1")).await;
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    gate.open();
    let is_answer = |frame: &Frame| frame.topic == "ovos.persona.answer";
    let answer = story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    assert_eq!(answer.data["response"], "Forty-two.");
}

/// Tells whom the core has chosen to stop.
async fn choose(story: &Story, skill_id: &str, context: Value) {
    let frame = json!({"type": "stop:skill", "data": {"skill_id": skill_id}, "context": context});
    story.probe.send(&frame).await;
}

#[tokio::test]
async fn an_older_core_leaves_the_end_of_the_word_to_us() {
    let (_bus, story) = guest().await;
    let mark = story.probe.mark();
    choose(&story, "loquat", json!({"probe": 1})).await;
    send(&story, "loquat.stop", "", json!({"probe": 1})).await;
    choose(&story, "loquat", stamped("u1")).await;
    let is_end = |frame: &Frame| frame.topic == HANDLED;
    story.probe.wait("the end", mark, PATIENCE, is_end).await;
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let frames = story.probe.since(mark);
    let ends: Vec<&Frame> = frames.iter().filter(|frame| frame.topic == HANDLED).collect();
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert_eq!(ends[0].context["probe"], 1);
}
