//! A bus that is not there yet, dies in the middle, or carries garbage.

use loquat_tests::brain::{Gate, Reply, ScriptedBrain};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::{Home, free_port};
use loquat_tests::mortal_bus::{self, MortalBus};
use loquat_tests::notify::NotifySocket;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

#[tokio::test]
async fn without_a_bus_we_bring_one_that_others_can_use() {
    let story = Story::begin().await;
    let (one, other) = (
        BusProbe::connect(story.home.port()).await,
        BusProbe::connect(story.home.port()).await,
    );
    let frame = json!({"type": "a.topic", "data": {"n": 1.5}, "context": {"x": null}, "more": 1});
    one.send(&frame).await;
    for probe in [&one, &other] {
        let seen = probe
            .wait("a frame of another", 0, PATIENCE, |frame| {
                frame.topic == "a.topic"
            })
            .await;
        assert_eq!(seen.data["n"], 1.5);
        assert!(seen.context["x"].is_null());
    }
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_bus_that_appears_later_is_joined() {
    let port = free_port();
    let home = Home::with_bus(port);
    home.setting("bus.embed", "\"never\"");
    let scene = Scene::at(home);
    scene.home.persona(&scene.tester());
    scene.brain.script(TESTER, [Reply::answers("Here I am.")]);
    let socket = NotifySocket::open(scene.home.path());
    let daemon = Launch::new(&scene.home, &["run"]).notifying(&socket).spawn();
    socket.heard("READY=1", 1, PATIENCE).await;

    let _bus = FakeBus::start_on(port).await;
    let probe = daemon.joined(port).await;
    assert_eq!(Utterance::new("Hello").ask(&probe).await.answer(), "Here I am.");
}

/// A daemon on a bus that the test can kill.
async fn on_a_mortal_bus() -> (FakeBus, Story) {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    let tester = scene.tester();
    (bus, scene.play(&tester).await)
}

#[tokio::test]
async fn an_answer_that_is_found_while_the_bus_is_gone_is_given_when_it_is_back() {
    let (mut bus, story) = on_a_mortal_bus().await;
    let gate = Gate::default();
    story.script([Reply::acts("evaluate_expression", &json!({"expression": "6*7"})).behind(&gate)]);
    story.script([Reply::answers("Forty two.")]);
    let utterance = Utterance::new("Six times seven?");
    let mark = bus.recording().mark();
    utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;

    bus.kill().await;
    gate.open();
    story.brain.asked(TESTER, 2, PATIENCE).await;
    bus.revive().await;

    let is_end = |frame: &Frame| frame.topic == HANDLED && utterance.owns(frame);
    bus.recording().wait("the end", mark, PATIENCE, is_end).await;
    let probe = story.daemon.joined(bus.port()).await;
    assert_eq!(utterance.seen(bus.recording(), mark).answer(), "Forty two.");
    story.script([Reply::answers("Again.")]);
    assert_eq!(Utterance::new("And again?").ask(&probe).await.answer(), "Again.");
}

#[tokio::test]
async fn after_many_losses_of_the_bus_every_utterance_has_one_end() {
    let (mut bus, story) = on_a_mortal_bus().await;
    story.brain.whenever(TESTER, "", Reply::answers("Yes."));
    let start = bus.recording().mark();
    let mut asked = Vec::new();
    for round in 0..5 {
        let probe = story.daemon.joined(bus.port()).await;
        let utterance = Utterance::new(&format!("round {round}"));
        let turn = utterance.clone().ask(&probe).await;
        assert_eq!(turn.answer(), "Yes.");
        asked.push(utterance);
        bus.kill().await;
        bus.revive().await;
    }
    let probe = story.daemon.joined(bus.port()).await;
    Utterance::new("the last").ask(&probe).await.answer();
    for utterance in asked {
        assert_eq!(utterance.seen(bus.recording(), start).answer(), "Yes.");
    }
}

#[tokio::test]
async fn a_bus_of_ours_killed_twenty_times_in_the_middle_of_a_turn_loses_and_doubles_nothing() {
    let (home, brain) = (Home::without_bus(), ScriptedBrain::start());
    mortal_bus::furnish(&home, &brain);
    let bus = MortalBus::begin(home.port(), || Launch::new(&home, &["bus"]).process());
    let mut bus = bus.dying_anywhere();
    let (daemon, _probe) = Launch::new(&home, &["run"]).ready().await;
    bus.is_survived(&daemon, &brain, 4, 20).await;
}

/// So many that a bus takes a while to write to all of them.
const LISTENERS: usize = 150;

#[tokio::test]
async fn what_a_bus_of_ours_has_sent_back_reaches_everybody_though_it_is_killed_at_once() {
    let home = Home::without_bus();
    for round in 0..5 {
        let mut bus = Launch::new(&home, &["bus"]).process();
        let mut listeners = Vec::new();
        for _ in 0..LISTENERS {
            listeners.push(BusProbe::connect(home.port()).await);
        }
        let sender = BusProbe::connect(home.port()).await;
        sender
            .send(&json!({"type": "test.last", "data": {"round": round}}))
            .await;
        let is_last = |frame: &Frame| frame.topic == "test.last";
        sender.wait("the echo", 0, PATIENCE, is_last).await;
        bus.signal(Signal::KILL);
        bus.ended(PATIENCE).await;
        for (number, listener) in listeners.iter().enumerate() {
            let what = format!("the frame that the sender has back, at listener {number} in round {round}");
            listener.wait(&what, 0, PATIENCE, is_last).await;
        }
    }
}

#[tokio::test]
async fn bad_frames_are_dropped_and_the_connection_lives() {
    let (_bus, story) = on_a_mortal_bus().await;
    for garbage in [
        "",
        "not json",
        "[1]",
        "42",
        "{}",
        r#"{"type":5}"#,
        r#"{"type":"","data":[]}"#,
        "\u{feff}{}",
    ] {
        story.probe.send_raw(garbage).await;
    }
    let entry = "recognizer_loop:utterance";
    for frame in [
        json!({"type": entry}),
        json!({"type": entry, "data": 7}),
        json!({"type": entry, "data": {"utterances": "no list"}}),
        json!({"type": entry, "data": {"utterances": [null, 5]}}),
        json!({"type": entry, "data": {"utterances": ["x"]}, "context": {"session": "x"}}),
        json!({"type": entry, "data": {"utterances": ["x"]}, "context": 5}),
    ] {
        story.probe.send(&frame).await;
    }
    story.assert_goes_on().await;
}

#[tokio::test]
async fn fields_of_the_wrong_type_count_as_absent() {
    let story = Story::begin().await;
    story.script([Reply::answers("Hello.")]);
    let utterance = Utterance::new("Hello")
        .session("lang", json!(7))
        .session("persona_id", json!(null))
        .session("system_unit", json!(["x"]))
        .session("location", json!("x"));
    assert_eq!(utterance.ask(&story.probe).await.answer(), "Hello.");
}
