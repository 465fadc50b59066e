//! All engines with brains and tools that are of no use: each ends in time, once, with a sentence.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, assert_sentence};
use loquat_tests::toolbox::{Act, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::within;
use serde_json::json;

use crate::stage::{PEER, numbered, text};

const ENGINES: [&str; 11] = [
    "ovos-react-loop",
    "ovos-native-toolcall-loop",
    "ovos-plan-execute-loop",
    "ovos-reflexion-loop",
    "ovos-self-ask-loop",
    "ovos-chain-of-thought-loop",
    "ovos-critic-loop",
    "ovos-tree-of-thoughts-loop",
    "rewoo",
    "llm-compiler",
    "auto",
];

/// The time of a turn, and when all of them must be over on a loaded machine.
const DEADLINE: u64 = 3;
const OVER: Duration = Duration::from_secs(2 * DEADLINE + 4);

/// Asks every engine at once, whose brains always reply the same, and gives what they say.
async fn all_asked(reply: Reply) -> Vec<(&'static str, String)> {
    let scene = Scene::default();
    for engine in ENGINES {
        let persona = Persona::new(engine, engine, &scene.brain.url(engine))
            .trusting(PEER)
            .unasked_when_tainted(PEER, &["look"]);
        let budget = json!({"deadline_seconds": DEADLINE, "max_tool_calls": 5});
        scene.home.persona(&persona.key("budget", budget));
        scene.brain.whenever(engine, "", reply.clone());
    }
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let look = numbered("look", Act::Returns(text("There is nothing.")));
    let peer = ScriptedToolbox::join(story.home.port(), PEER, vec![look]).await;
    let mark = story.probe.mark();
    let ask = |engine| Utterance::new("Look at 1 and 2").to(engine).in_session(engine);
    let asked = ENGINES.map(|engine| (engine, ask(engine)));
    for (_, utterance) in &asked {
        utterance.enter(&story.probe).await;
    }
    let mut answers = Vec::new();
    for (engine, utterance) in &asked {
        let end = utterance.end(&story.probe, mark);
        let turn = within(&format!("the end of {engine}"), OVER, end).await;
        answers.push((*engine, turn.answer().to_owned()));
    }
    assert!(
        peer.calls().len() <= 5 * ENGINES.len(),
        "{} calls",
        peer.calls().len()
    );
    story.assert_goes_on().await;
    answers
}

async fn assert_sentences(reply: Reply) {
    for (engine, answer) in all_asked(reply).await {
        assert!(!answer.is_empty(), "{engine}");
        assert_sentence(&answer);
    }
}

#[tokio::test]
async fn a_brain_that_fails() {
    assert_sentences(Reply::fails(500)).await;
}

#[tokio::test]
async fn a_brain_that_sends_garbage() {
    assert_sentences(Reply::garbage("<html>gateway</html>")).await;
}

#[tokio::test]
async fn a_brain_that_is_empty() {
    assert_sentences(Reply::says("")).await;
}

#[tokio::test]
async fn a_brain_that_never_answers() {
    assert_sentences(Reply::says("").delivered(Delivery::Never)).await;
}

#[tokio::test]
async fn a_brain_that_drips() {
    let slow = Delivery::Dripping(Duration::from_millis(500));
    assert_sentences(Reply::answers("Paris.").delivered(slow)).await;
}

#[tokio::test]
async fn a_brain_without_end() {
    assert_sentences(Reply::says("").delivered(Delivery::Flood(usize::MAX))).await;
}

#[tokio::test]
async fn a_brain_that_only_acts() {
    assert_sentences(Reply::acts("look", &json!({"n": 1}))).await;
}

#[tokio::test]
async fn a_brain_that_only_calls() {
    assert_sentences(Reply::calls("look", &json!({"n": 1}))).await;
}

#[tokio::test]
async fn a_brain_that_only_thinks() {
    assert_sentences(Reply::says("<think>I wonder.</think>")).await;
}
