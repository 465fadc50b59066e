//! What a bad bus and bad clients may do to us: nothing is lost, nothing is doubled, and we disconnect no client.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::story::{Scene, Story, TESTER};

/// Frames that are no messages, each in its own way.
const GARBAGE: [&str; 14] = [
    "",
    "not json",
    "[1,2,3]",
    "42",
    "null",
    "{}",
    r#"{"type":5}"#,
    r#"{"type":""}"#,
    r#"{"type":"ovos.utterance.handle","data":[]}"#,
    r#"{"type":"ovos.utterance.handle","context":7}"#,
    r#"{"type":"ovos.utterance.handle","data":{"utterances":["x"]},"context":{"session":"x"}}"#,
    r#"{"type":"ovos.utterance.handle","data":{"utterances":["x"]},"context":{"session":[1]}}"#,
    r#"{"type":"ovos.persona.query","data":"x"}"#,
    r#"{"type":"ovos.utterance.handle","data":{"utterances":["x"]"#,
];

async fn on_a_mortal_bus() -> (FakeBus, Story) {
    let bus = FakeBus::pausing().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    let tester = scene.tester();
    (bus, scene.play(&tester).await)
}

#[tokio::test]
async fn a_bus_that_is_killed_twenty_times_in_the_middle_of_turns_loses_and_doubles_nothing() {
    let (mut bus, story) = on_a_mortal_bus().await;
    let mut dice = Dice::new(0x5eed_cafe_f00d_1234);
    for round in 0..20 {
        let probe = story.daemon.joined(bus.port()).await;
        let (gate, last_gate) = (Gate::default(), Gate::default());
        let expression = json!({"expression": format!("{round}+1")});
        story.script([
            Reply::acts("evaluate_expression", &expression).behind(&gate),
            Reply::answers(&format!("Round {round}.")).behind(&last_gate),
        ]);
        let asked = story.brain.requests(TESTER).len();
        let utterance = Utterance::new(&format!("What comes after {round}?"));
        let mark = bus.recording().mark();
        utterance.enter(&probe).await;
        story.brain.asked(TESTER, asked + 1, PATIENCE).await;
        let is_end = |frame: &Frame| frame.topic == HANDLED && utterance.owns(frame);
        // Killed while the brain thinks for the first time, for the second, while the answer is on its way, or between
        // the relay of the last frame and its echo.
        let moment = dice.below(4);
        if moment == 0 {
            bus.kill().await;
        }
        gate.open();
        story.brain.asked(TESTER, asked + 2, PATIENCE).await;
        if moment == 1 {
            bus.kill().await;
        }
        last_gate.open();
        if moment == 2 {
            bus.kill().await;
        }
        if moment == 3 {
            let recording = bus.recording();
            recording
                .wait("the relay of the end", mark, PATIENCE, is_end)
                .await;
            bus.kill().await;
        }
        bus.revive().await;
        bus.recording()
            .wait("the end of the utterance", mark, PATIENCE, is_end)
            .await;
        let again = story.daemon.joined(bus.port()).await;
        again.request("mycroft.loquat.all_loaded", &json!({})).await;
        let turn = utterance.seen(bus.recording(), mark);
        assert_eq!(
            turn.answer(),
            format!("Round {round}."),
            "killed at moment {moment}"
        );
    }
}

#[tokio::test]
async fn a_hundred_thousand_malformed_frames_change_nothing() {
    let (_bus, story) = on_a_mortal_bus().await;
    // In bundles, so that the relay of the test is not what is being tested.
    for bundle in 0..100 {
        for number in 0..1000 {
            let frame = GARBAGE[(bundle + number) % GARBAGE.len()];
            story.probe.send_raw(frame).await;
        }
        let alive = story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
        assert_eq!(alive.data["status"], true, "bundle {bundle}");
    }
    assert!(story.brain.requests(TESTER).is_empty());
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_rogue_on_our_own_bus_is_dropped_by_the_frame_and_costs_nobody_else_a_connection() {
    let story = Story::begin().await;
    let url = format!("ws://127.0.0.1:{}/core", story.home.port());
    let (mut rogue, _) = connect_async(&url).await.unwrap();
    for number in 0..100_000 {
        let frame = Message::text(GARBAGE[number % GARBAGE.len()]);
        rogue.send(frame).await.unwrap();
    }
    for _ in 0..1000 {
        rogue.send(Message::binary(vec![0xff, 0xfe, 0x00])).await.unwrap();
    }
    story.assert_goes_on().await;
    // More than the 25 MiB that a frame may have: that one is told so and closed, as ovos-messagebus does.
    let padding = "x".repeat(26 << 20);
    let frame = json!({"type": "some.topic", "data": {"padding": padding}});
    let farewell = async {
        // The bus may close before it has been sent to the end.
        drop(rogue.send(Message::text(frame.to_string())).await);
        while let Some(Ok(message)) = rogue.next().await {
            if let Message::Close(Some(close)) = message {
                return u16::from(close.code);
            }
        }
        0
    };
    assert_eq!(within("the goodbye", PATIENCE, farewell).await, 1009);
    story.assert_goes_on().await;
    assert!(
        !story.daemon.output().contains("number=2"),
        "we lost our connection"
    );
}

#[tokio::test]
async fn a_frame_of_24_mib_and_a_session_full_of_nonsense_are_borne() {
    let story = Story::begin().await;
    story.script([Reply::answers("Fine.")]);
    let padding = "x".repeat(24 << 20);
    let frame = json!({"type": "some.topic", "data": {"padding": padding}, "context": {"source": "x"}});
    story.probe.send(&frame).await;
    let odd = json!({"a": [null, {"b": 1e300}], "active_handlers": "no list", "converse_handlers": [7, {}, null],
                     "response_mode": [], "pipeline": {"x": 1}, "blacklisted_skills": 7});
    let mut utterance = Utterance::new("Hello").in_session("odd");
    for (key, value) in odd.as_object().unwrap() {
        utterance = utterance.session(key, value.clone());
    }
    assert_eq!(utterance.ask(&story.probe).await.answer(), "Fine.");
}

#[tokio::test]
async fn a_skill_that_registers_without_end_does_not_slow_an_answer() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "", Reply::answers("Fine."));
    for number in 0..3000 {
        let samples = json!([
            "[a] {x} ".repeat(40),
            format!("sentence {number} (a|b|c|d) [e] {{x}}")
        ]);
        let data = json!({"skill_id": "flood", "intent_name": format!("i{number}"), "lang": "en-US",
                          "samples": samples});
        let frame =
            json!({"type": "ovos.intent.register.template", "data": data, "context": {"skill_id": "flood"}});
        story.probe.send(&frame).await;
    }
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let began = tokio::time::Instant::now();
    assert_eq!(story.ask("a a a a a a a a a a a a b").await.answer(), "Fine.");
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "it took {:?}",
        began.elapsed()
    );
}
