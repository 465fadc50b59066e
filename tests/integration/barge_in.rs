//! The wake word in the middle of a turn: what was asked before is dropped, what programs ask goes on.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Gate, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// Who has said the wake word does not wait for the device to fall silent.
const PROMPTLY: Duration = Duration::from_secs(2);

/// A listener heard the wake word in this session.
async fn wake_word(story: &Story, topic: &str, session: &str) -> usize {
    let mark = story.probe.mark();
    let context = json!({"source": "audio", "session": {"session_id": session}});
    let data = json!({"wake_word": "hey_mycroft", "utterance": "hey_mycroft"});
    story
        .probe
        .send(&json!({"type": topic, "data": data, "context": context}))
        .await;
    mark
}

fn is_hush(frame: &Frame) -> bool {
    frame.topic == "ovos.audio.stop"
}

/// A person waits for a brain that never answers.
async fn thinking(story: &Story, session: &str) -> (Utterance, usize) {
    story
        .brain
        .whenever(TESTER, "ponder", Reply::says("").delivered(Delivery::Never));
    let utterance = Utterance::new("ponder this").in_session(session);
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    (utterance, mark)
}

#[tokio::test]
async fn it_ends_the_turn_and_what_waits_and_hushes_the_voice() {
    for topic in ["ovos.listener.wakeword", "recognizer_loop:wakeword"] {
        let story = Story::begin().await;
        let (asked, mark) = thinking(&story, "default").await;
        let waits = Utterance::new("and this").in_session("default");
        let waiting = waits.enter(&story.probe).await;
        let word = wake_word(&story, topic, "default").await;
        story
            .probe
            .wait("the voice to be hushed", word, PROMPTLY, is_hush)
            .await;
        let turn = within("the turn to end", PROMPTLY, asked.end(&story.probe, mark)).await;
        assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{:?}", turn.topics());
        story.brain.abandoned(TESTER, 1, PROMPTLY).await;
        let turn = within("what waits to end", PROMPTLY, waits.end(&story.probe, waiting)).await;
        assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{:?}", turn.topics());
        assert_eq!(story.brain.requests(TESTER).len(), 1, "what waited was not begun");
        story.assert_goes_on().await;
    }
}

#[tokio::test]
async fn it_ends_the_search_for_whose_an_utterance_is() {
    let story = Story::begin().await;
    let thinks = Manners {
        knows: Some(""),
        ..Manners::modern()
    };
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", thinks).await;
    skill.take_part().await;
    let asked = Utterance::new("Capital of Peru?").in_session("default");
    let mark = asked.enter(&story.probe).await;
    let is_question = |frame: &Frame| frame.topic == "question:query";
    story
        .probe
        .wait("the skill to be asked", mark, PATIENCE, is_question)
        .await;
    wake_word(&story, "ovos.listener.wakeword", "default").await;
    let next = Utterance::new("Who are you?").in_session("default");
    story.script([Reply::answers("A tester.")]);
    let behind = next.enter(&story.probe).await;
    let turn = asked.end(&story.probe, mark).await;
    assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{:?}", turn.topics());
    turn.frame("ovos.utterance.cancelled");
    assert_eq!(next.end(&story.probe, behind).await.answer(), "A tester.");
}

#[tokio::test]
async fn other_sessions_and_programs_go_on() {
    let story = Story::begin().await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "ponder", Reply::answers("Forty-two.").behind(&gate));
    let elsewhere = Utterance::new("ponder in the kitchen").in_session("kitchen");
    let mark = elsewhere.enter(&story.probe).await;
    let query = json!({"type": "ovos.persona.query", "data": {"utterance": "ponder for a program", "persona_id": TESTER},
                       "context": {"session": {"session_id": "default"}}});
    story.probe.send(&query).await;
    story.brain.asked(TESTER, 2, PATIENCE).await;
    let word = wake_word(&story, "ovos.listener.wakeword", "default").await;
    story
        .probe
        .wait("the voice to be hushed", word, PROMPTLY, is_hush)
        .await;
    gate.open();
    let turn = elsewhere.end(&story.probe, mark).await;
    assert_eq!(turn.answer(), "Forty-two.");
    let is_answer = |frame: &Frame| frame.topic == "ovos.persona.answer";
    let answer = story
        .probe
        .wait("the program's answer", word, PATIENCE, is_answer)
        .await;
    assert_eq!(answer.data["response"], "Forty-two.");
}

#[tokio::test]
async fn who_does_not_want_it_is_not_interrupted() {
    let scene = Scene::default();
    scene.home.setting("desk.barge_in", "false");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "ponder", Reply::answers("Forty-two.").behind(&gate));
    let utterance = Utterance::new("ponder this").in_session("default");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let word = wake_word(&story, "ovos.listener.wakeword", "default").await;
    // A question behind it is answered, so that the word has been heard by then.
    story.probe.request("ovos.persona.list", &json!({})).await;
    gate.open();
    assert_eq!(utterance.end(&story.probe, mark).await.answer(), "Forty-two.");
    assert!(!story.probe.since(word).iter().any(is_hush));
}
