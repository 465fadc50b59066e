//! Beside an ovos-core: before a tool that may do harm the person is asked, and the answer counts whichever way the core
//! brings it.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story};

const DOORS: &str = "door-tools";

fn front() -> Value {
    json!({"text": "front"})
}

/// A daemon that may unlock a door when it is told so, beside whatever is on the bus.
async fn beside_a_door(bus: &FakeBus, mode: &str) -> (Story, ScriptedToolbox) {
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("desk.mode", mode);
    // The probe is a client of the bus.
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = scene.tester().toolboxes(&[DOORS]);
    let story = scene.play(&tester).await;
    let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(front()))];
    let doors = ScriptedToolbox::join(bus.port(), DOORS, doors).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("That was the door."),
        Reply::answers("Something else."),
    ]);
    (story, doors)
}

async fn question(story: &Story, mark: usize) -> Frame {
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await
}

/// What was said after the question, and one end.
fn said_after_it(turn: &Turn) -> Vec<&str> {
    turn.assert_ended_once();
    turn.spoken().into_iter().skip(1).map(Frame::utterance).collect()
}

#[tokio::test]
async fn what_a_core_brings_next_is_the_answer() {
    for generation in [Generation::Stable, Generation::PreRelease] {
        for (words, calls) in [("Yes, please.", 1), ("No", 0)] {
            let bus = FakeBus::start().await;
            let core = ScriptedCore::join(bus.port(), generation).await;
            let (story, doors) = beside_a_door(&bus, "\"auto\"").await;
            core.registered("loquat", PATIENCE).await;
            let unlock = Utterance::new("Unlock the front door");
            let mark = unlock.enter(&story.probe).await;
            let asked = question(&story, mark).await;
            assert_eq!(
                asked.utterance(),
                "Shall I do this: unlock door, text: front, unlock door?"
            );
            let waits = &asked.context["session"]["response_mode"]["skill_id"];
            assert_eq!(waits, "loquat", "{generation:?}");
            // Only the older core has to be told that we are to be asked about what is said next.
            let seen = unlock.seen(&story.probe.recording(), mark);
            let told = seen.topics().contains(&"intent.service.skills.activate");
            assert_eq!(told, generation == Generation::Stable);

            let answer = story.ask(words).await;
            assert_eq!((answer.spoken().len(), answer.ends()), (0, 1), "{generation:?}");
            let turn = unlock.end(&story.probe, mark).await;
            assert_eq!(said_after_it(&turn), ["That was the door."], "{generation:?}");
            assert_eq!(doors.calls().len(), calls, "{generation:?} {words}");
        }
    }
}

#[tokio::test]
async fn other_words_end_the_question_and_are_answered_themselves() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let (story, doors) = beside_a_door(&bus, "\"auto\"").await;
    core.registered("loquat", PATIENCE).await;
    let unlock = Utterance::new("Unlock the front door");
    let mark = unlock.enter(&story.probe).await;
    question(&story, mark).await;
    assert_eq!(story.ask("What else?").await.answer(), "Something else.");
    let turn = unlock.end(&story.probe, mark).await;
    assert_eq!(said_after_it(&turn), ["That was the door."]);
    assert!(doors.calls().is_empty());
}

/// A daemon that is told it has a core; the test plays that core. It has asked the person, in the session `probe`.
async fn asked_by_hand() -> (FakeBus, Story, ScriptedToolbox, usize) {
    let bus = FakeBus::start().await;
    let (story, doors) = beside_a_door(&bus, "\"guest\"").await;
    let mark = story.probe.mark();
    // Whose words the core brings is known from what was heard.
    send(&story, "recognizer_loop:utterance", "Unlock the front door", "").await;
    let unlock = "ovos.skills.fallback.loquat.request";
    send(&story, unlock, "Unlock the front door", "u-unlock").await;
    question(&story, mark).await;
    (bus, story, doors, mark)
}

async fn send(story: &Story, topic: &str, words: &str, utterance_id: &str) {
    let handlers = json!([{"skill_id": "loquat", "activated_at": 4e9}]);
    let session = json!({"session_id": "probe", "converse_handlers": handlers});
    let data = json!({"utterances": [words], "utterance": words, "lang": "en-US", "skill_id": "loquat"});
    let context = json!({"source": "skills", "utterance_id": utterance_id, "session": session});
    let frame = json!({"type": topic, "data": data, "context": context});
    story.probe.send(&frame).await;
}

/// Waits for the answer of the turn, and gives how often the door was unlocked.
async fn outcome(story: &Story, doors: &ScriptedToolbox, mark: usize) -> usize {
    let is_over = |frame: &Frame| {
        frame.topic == "ovos.skills.fallback.loquat.response" && frame.utterance_id() == Some("u-unlock")
    };
    story.probe.wait("the end", mark, PATIENCE, is_over).await;
    doors.calls().len()
}

#[tokio::test]
async fn a_yes_may_come_as_part_of_a_conversation_as_a_response_or_as_an_intent() {
    for (topic, done) in [
        ("loquat.converse.request", "skill.converse.response"),
        ("loquat:converse", "mycroft.skill.handler.complete"),
        ("loquat.converse.get_response", "mycroft.skill.handler.complete"),
        ("loquat:response", "mycroft.skill.handler.complete"),
        ("loquat:chat", "mycroft.skill.handler.complete"),
    ] {
        let (_bus, story, doors, mark) = asked_by_hand().await;
        send(&story, "recognizer_loop:utterance", "Yes", "").await;
        send(&story, topic, "Yes", "u-yes").await;
        assert_eq!(outcome(&story, &doors, mark).await, 1, "{topic}");
        let frames = story.probe.since(mark);
        let of_the_yes = |frame: &&Frame| frame.utterance_id() == Some("u-yes");
        let dones = frames
            .iter()
            .filter(of_the_yes)
            .filter(|frame| frame.topic == done);
        assert_eq!(dones.count(), 1, "{topic}");
        let spoken = frames.iter().filter(of_the_yes).any(Frame::is_speak);
        assert!(!spoken, "{topic}");
        // A newer core ends the newest utterance in our hands for each of these.
        let ends = frames.iter().filter(of_the_yes).filter(|frame| {
            frame.topic == "mycroft.skill.handler.complete" && topic == "loquat.converse.request"
        });
        assert_eq!(ends.count(), 0, "the core tells that itself");
    }
}

#[tokio::test]
async fn asked_whether_we_go_on_we_want_the_answer_and_nothing_else() {
    let (_bus, story, _doors, _mark) = asked_by_hand().await;
    let wants = async |words: &str| {
        let mark = story.probe.mark();
        send(&story, "ovos.converse.ping", words, "u-ping").await;
        let is_pong = |frame: &Frame| frame.topic == "ovos.converse.pong";
        let pong = story.probe.wait("the pong", mark, PATIENCE, is_pong).await;
        pong.data["result"].clone()
    };
    assert_eq!(wants("What time is it?").await, false);
    assert_eq!(wants("stop").await, false);
    assert_eq!(wants("No, thanks").await, true);
    assert_eq!(wants("Yes").await, true);
}

#[tokio::test]
async fn a_frame_is_no_yes_where_nobody_said_so() {
    let (_bus, story, doors, mark) = asked_by_hand().await;
    for topic in ["loquat.converse.request", "loquat.converse.get_response"] {
        send(&story, topic, "Yes", "u-yes").await;
    }
    // Spoken in another session.
    Utterance::new("Yes")
        .in_session("garage")
        .enter(&story.probe)
        .await;
    send(&story, "loquat:response", "Yes", "u-yes").await;
    send(&story, "recognizer_loop:utterance", "No", "").await;
    send(&story, "loquat:converse", "Yes", "u-yes").await;
    send(&story, "loquat:converse", "No", "u-no").await;
    assert_eq!(outcome(&story, &doors, mark).await, 0);
}
