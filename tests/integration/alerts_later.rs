//! What stands still and what is kept for later, over crashes of the daemon: a paused timer rings once after it was resumed,
//! and a sentence is said once.

use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::crash::crash;
use crate::story::{Scene, Story};

/// A daemon that understands sentences, on a bus that outlives it.
async fn understanding() -> (FakeBus, Story) {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    (bus, story)
}

/// What a tool of the alerts gives for these arguments.
async fn call(story: &Story, name: &str, kwargs: Value) -> Value {
    let call = json!({"toolbox_id": "loquat-alert-tools", "name": name, "kwargs": kwargs});
    let answer = story.probe.request("ovos.persona.tools.call", &call).await;
    answer.data["result"].clone()
}

/// Whether a frame tells that an alert has come to this.
fn is_told(frame: &Frame, id: &Value, state: &str) -> bool {
    frame.topic == "loquat.alert" && frame.data["id"] == *id && frame.data["state"] == state
}

#[tokio::test]
async fn a_paused_timer_rings_once_after_a_crash_and_a_resumption() {
    let (_bus, mut story) = understanding().await;
    let mark = story.probe.mark();
    let id = call(
        &story,
        "set_timer",
        json!({"duration": "2 seconds", "name": "tea"}),
    )
    .await["id"]
        .clone();
    let paused = call(&story, "pause_timer", json!({})).await;
    assert_eq!(paused["timers"][0]["is_active"], false, "{paused}");
    crash(&mut story).await;
    let listed = call(&story, "list_alerts", json!({"kind": "timer"})).await;
    assert_eq!(listed["timers"][0]["is_active"], false, "{listed}");
    let resumed = call(&story, "resume_timer", json!({"name": "tea"})).await;
    assert_eq!(resumed["count"], 1, "{resumed}");
    let rings = |frame: &Frame| is_told(frame, &id, "ringing");
    story.probe.wait("the timer", mark, PATIENCE, rings).await;
    story
        .probe
        .send(&json!({"type": "mycroft.stop", "data": {}, "context": {}}))
        .await;
    let stopped = |frame: &Frame| is_told(frame, &id, "stopped");
    story.probe.wait("its end", mark, PATIENCE, stopped).await;
    crash(&mut story).await;
    let listed = call(&story, "list_alerts", json!({})).await;
    assert_eq!(listed["count"], 0, "{listed}");
    let frames = story.probe.since(mark);
    assert_eq!(frames.iter().filter(|frame| rings(frame)).count(), 1);
}

#[tokio::test]
async fn a_sentence_that_is_kept_is_said_once_though_the_daemon_dies_before_and_after() {
    let (_bus, mut story) = understanding().await;
    let mark = story.probe.mark();
    let unclear = call(
        &story,
        "do_later",
        json!({"command": "set an alarm", "duration": "1 second"}),
    )
    .await;
    assert!(unclear.get("id").is_none(), "{unclear}");
    let command = "set a pasta timer for one hour";
    let set = call(
        &story,
        "do_later",
        json!({"command": command, "duration": "3 seconds"}),
    )
    .await;
    let id = set["id"].clone();
    assert!(id.is_u64(), "{set}");
    crash(&mut story).await;
    let begun = |frame: &Frame| is_told(frame, &id, "begun");
    story.probe.wait("the sentence", mark, PATIENCE, begun).await;
    let answered = |frame: &Frame| frame.is_speak() && frame.utterance() == "Pasta timer set for 1 hour.";
    story.probe.wait("the answer", mark, PATIENCE, answered).await;
    crash(&mut story).await;
    let listed = call(&story, "list_alerts", json!({"kind": "deed"})).await;
    assert_eq!(listed["count"], 0, "{listed}");
    let said = |frame: &&Frame| {
        frame.topic == "recognizer_loop:utterance" && frame.data["utterances"] == json!([command])
    };
    assert_eq!(story.probe.since(mark).iter().filter(said).count(), 1);
}
