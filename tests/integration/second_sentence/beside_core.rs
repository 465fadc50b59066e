//! Second sentences beside an ovos-core, which brings what no skill takes: they go on with what was said right before, and with
//! nothing before that.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use super::PERSONA;
use crate::story::{Scene, Story, TESTER};

const FALLBACK: &str = "ovos.skills.fallback.loquat.request";

/// Has a core bring words to this topic, and waits for what is said.
async fn brought(story: &Story, topic: &str, text: &str) -> String {
    let mark = story.probe.mark();
    let session = json!({"session_id": "kitchen"});
    let data = json!({"lang": "en-US", "utterance": text, "utterances": [text], "skill_id": "loquat"});
    let context = json!({"source": "skills", "utterance_id": format!("u-{mark}"), "session": session});
    story
        .probe
        .send(&json!({"type": topic, "data": data, "context": context}))
        .await;
    let speak = story
        .probe
        .wait("what is said", mark, PATIENCE, Frame::is_speak)
        .await;
    speak.utterance().to_owned()
}

#[tokio::test]
async fn what_a_core_brings_goes_on_with_what_was_said_right_before() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("skills.intents", "\"always\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    story.brain.whenever(TESTER, "", Reply::answers(PERSONA));
    let question = "What is 15 percent of 60?";
    for (topic, text, answer) in [
        ("loquat:math.calculate", question, "That is 9."),
        (FALLBACK, "and of 90?", "That is 13.5."),
        (FALLBACK, "no thank you very much indeed", PERSONA),
        (FALLBACK, "and of 80?", PERSONA),
        ("loquat:math.calculate", question, "That is 9."),
    ] {
        assert_eq!(brought(&story, topic, text).await, answer, "{text}");
    }
}
