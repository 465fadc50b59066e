//! What other parts of a device ask of the orchestrator: are you ready, and say this for my loudspeaker.

use std::time::Duration;

use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story};

/// How soon a satellite asks again.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// RIFF, the beginning of a WAV file, in base64.
const WAV_IN_BASE64: &str = "UklGR";

const QUESTIONS: [&str; 3] = [
    "mycroft.skills.is_alive",
    "mycroft.skills.is_ready",
    "mycroft.skills.all_loaded",
];

#[tokio::test]
async fn skills_in_a_process_of_their_own_are_told_that_we_are_ready() {
    let story = Story::begin().await;
    for question in QUESTIONS {
        let answer = story.probe.request(question, &json!({})).await;
        assert_eq!(answer.data, json!({"status": true}), "{question}");
    }
}

#[tokio::test]
async fn beside_a_core_that_is_for_the_core_to_say() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    let mark = story.probe.mark();
    for question in QUESTIONS {
        story
            .probe
            .send(&json!({"type": question, "context": {"source": "probe"}}))
            .await;
    }
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let ours =
        |frame: &&Frame| frame.topic.starts_with("mycroft.skills.") && frame.context["skill_id"] == "loquat";
    assert_eq!(story.probe.since(mark).iter().filter(ours).count(), 0);
}

#[tokio::test]
async fn a_satellite_gets_the_sound_of_a_sentence() {
    let scene = Scene::default();
    scene.home.setting("voice.espeak", "\"auto\"");
    let tester = scene.tester();
    scene.home.persona(&tester);
    let (_daemon, probe) = Launch::new(&scene.home, &["run"]).ready().await;
    let request = json!({"type": "speak:b64_audio", "data": {"utterance": "Good morning.", "listen": true},
                         "context": {"source": "satellite", "session": {"session_id": "kitchen", "lang": "en-GB"}}});
    let mark = probe.mark();
    let is_sound = |frame: &Frame| frame.topic == "ovos.audio.speech";
    let sound = loop {
        // In its first second the daemon looks whether an audio service is there that does this.
        probe.send(&request).await;
        if let Some(sound) = probe.try_wait(mark, ASK_AGAIN, is_sound).await {
            break sound;
        }
    };
    let audio = sound.data["audio"].as_str().unwrap_or_default();
    assert!(
        audio.starts_with(WAV_IN_BASE64) && audio.len() > 10_000,
        "{} characters",
        audio.len()
    );
    assert_eq!(sound.data["listen"], true);
    assert_eq!(sound.data["utterance"], "Good morning.");
    assert_eq!(sound.context["session"]["session_id"], "kitchen");
    assert_eq!(sound.context["destination"], "satellite");
    let twin = |frame: &Frame| frame.topic == "speak:b64_audio.response" && frame.is_twin();
    probe
        .wait("the answer that older clients hear", mark, PATIENCE, twin)
        .await;
}
