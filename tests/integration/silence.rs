//! A person who has asked aloud and hears nothing for a while is told that the device is still at it. Here a scripted core brings
//! what was said aloud.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// The words for it, in their order.
const WORDS: [&str; 3] = ["One moment.", "Let me see.", "Just a second."];

async fn beside_a_core(seconds: &str) -> (FakeBus, ScriptedCore, Story) {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("desk.silence_seconds", seconds);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    (bus, core, story)
}

fn aloud(text: &str) -> Utterance {
    let spoken = Utterance::new(text).in_session("default");
    spoken.context("stt_lang", json!("en-US"))
}

fn is_aside(frame: &Frame) -> bool {
    frame.data["meta"]["aside"] == Value::Bool(true)
}

#[tokio::test]
async fn a_long_silence_is_broken_once_a_turn_and_each_time_in_other_words() {
    let (_bus, _core, story) = beside_a_core("0.05").await;
    for (turn, word) in WORDS.iter().enumerate() {
        let gate = Gate::default();
        story.script([Reply::answers("Paris.").behind(&gate)]);
        let asked = aloud("Capital of France?");
        let mark = asked.enter(&story.probe).await;
        let is_said = |frame: &Frame| frame.topic == "speak" && asked.owns(frame);
        let said = story.probe.wait("a word", mark, PATIENCE, is_said).await;
        assert_eq!((said.utterance(), is_aside(&said)), (*word, true));
        assert_eq!(said.data["expect_response"], false, "nobody speaks on behind it");
        gate.open();
        let ended = asked.end(&story.probe, mark).await;
        ended.assert_ended_once();
        let [_, answer] = ended.spoken()[..] else {
            panic!("turn {turn}: {:#?}", ended.frames);
        };
        assert_eq!((answer.utterance(), is_aside(answer)), ("Paris.", false));
    }
    let requests = story.brain.requests(TESTER);
    let told = requests.last().expect("a request").text();
    assert!(told.contains("Paris.") && !told.contains(WORDS[0]), "{told}");
}

#[tokio::test]
async fn in_the_session_of_another_device_it_is_waited_for_in_silence() {
    let (_bus, _core, story) = beside_a_core("0.05").await;
    let gates = [Gate::default(), Gate::default()];
    for (place, gate) in ["Rome", "Oslo"].into_iter().zip(&gates) {
        story
            .brain
            .whenever(TESTER, place, Reply::answers("Here.").behind(gate));
    }
    let elsewhere = aloud("Where is Rome?").in_session("kitchen");
    let mark = elsewhere.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    // A word in the device's own session shows that the time for one is over in the other, too.
    let here = aloud("Where is Oslo?");
    let at = here.enter(&story.probe).await;
    let is_word = |frame: &Frame| here.owns(frame) && is_aside(frame);
    story.probe.wait("a word", at, PATIENCE, is_word).await;
    gates.iter().for_each(Gate::open);
    assert_eq!(elsewhere.end(&story.probe, mark).await.answer(), "Here.");
    here.end(&story.probe, at).await.assert_ended_once();
}
