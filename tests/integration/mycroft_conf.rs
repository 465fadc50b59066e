//! What `mycroft.conf` says beside bus and persona: which languages are understood, where the device is, and whether the
//! persona answers what no skill does.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// A daemon with these settings, alone on a bus.
async fn with(settings: Value) -> Story {
    let scene = Scene::default();
    scene.home.mycroft_conf(&settings);
    let tester = scene.tester();
    scene.play(&tester).await
}

#[tokio::test]
async fn languages_beside_the_listed_ones_are_not_understood() {
    let story = with(json!({"secondary_langs": ["de-DE"]})).await;
    for (lang, expected) in [("de-DE", "de-DE"), ("fr-FR", "en-US"), ("en-US", "en-US")] {
        story.script([Reply::answers("Hello.")]);
        let turn = Utterance::new("Who am I?")
            .session("lang", json!(lang))
            .ask(&story.probe)
            .await;
        assert_eq!(turn.answer(), "Hello.");
        assert_eq!(turn.spoken()[0].data["lang"], expected, "asked in {lang}");
    }
}

#[tokio::test]
async fn without_a_list_every_language_is_understood() {
    let story = with(json!({})).await;
    story.script([Reply::answers("Bonjour.")]);
    let turn = Utterance::new("Qui suis-je ?")
        .session("lang", json!("fr-FR"))
        .ask(&story.probe)
        .await;
    assert_eq!(turn.spoken()[0].data["lang"], "fr-FR");
}

#[tokio::test]
async fn the_brain_is_told_where_the_device_is() {
    let location = json!({
        "city": {"name": "Porto", "state": {"name": "Norte", "country": {"name": "Portugal"}}},
        "coordinate": {"latitude": 41.15, "longitude": -8.61},
        "timezone": {"code": "Europe/Lisbon"},
    });
    let story = with(json!({"location": location})).await;
    let told = "You are in Porto, Norte, Portugal (latitude 41.15, longitude -8.61).";
    story.script([Reply::answers("In Porto."), Reply::answers("In Tokyo.")]);
    story.ask("Where are we?").await;
    Utterance::new("Where are we?")
        .session("location", json!({"tz": "Asia/Tokyo"}))
        .ask(&story.probe)
        .await;
    let shown = story.brain.requests(TESTER);
    assert!(shown[0].text().contains(told), "{}", shown[0].text());
    assert!(!shown[1].text().contains("Porto, Norte"), "somebody elsewhere");
}

#[tokio::test]
async fn a_persona_that_is_to_leave_what_no_skill_does_is_no_fallback_handler() {
    for (settings, expected) in [
        (json!({"handle_fallback": false}), false),
        (json!({"handle_fallback": true}), true),
        (json!({}), true),
    ] {
        let bus = FakeBus::start().await;
        let scene = Scene::at(Home::with_bus(bus.port()));
        scene
            .home
            .mycroft_conf(&json!({"intents": {"persona": settings}}));
        scene.home.persona(&scene.tester());
        scene.home.setting("desk.mode", "\"guest\"");
        let (_daemon, probe) = Launch::new(&scene.home, &["run"]).ready().await;
        let mark = probe.mark();
        let ping = json!({"utterances": ["Who am I?"], "lang": "en-US"});
        probe
            .send(&json!({"type": "ovos.fallback.ping", "data": ping, "context": {}}))
            .await;
        let pong = probe
            .wait("the answer to a ping", mark, PATIENCE, |frame| {
                frame.topic == "ovos.fallback.pong"
            })
            .await;
        assert_eq!(pong.data["can_handle"], expected, "{settings}");
    }
}
