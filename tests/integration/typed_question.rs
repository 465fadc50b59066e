//! A question that needs a tool, from its entry to its end.

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use serde_json::json;

use crate::story::{Scene, Story, TESTER, assert_well_formed};

/// The frames of an answered utterance without a core (PIPELINE-1).
const LIFECYCLE: [&str; 7] = [
    "ovos.intent.matched",
    "ovos.intent.handler.start",
    "loquat:chat",
    "ovos.utterance.speak",
    "loquat.turn.result",
    "ovos.intent.handler.complete",
    HANDLED,
];

fn percent() -> [Reply; 2] {
    [
        Reply::acts("evaluate_expression", &json!({"expression": "17 / 100 * 2450"})),
        Reply::answers("It is 416.5."),
    ]
}

/// The topics in order, under the names of the specification.
fn lifecycle(turn: &Turn) -> Vec<&str> {
    let canonical = |topic| {
        if topic == "speak" {
            "ovos.utterance.speak"
        } else {
            topic
        }
    };
    turn.topics().into_iter().map(canonical).collect()
}

#[tokio::test]
async fn a_question_that_needs_a_tool_gets_one_answer_and_one_end() {
    let story = Story::begin().await;
    story.script(percent());
    let turn = story.ask("What is 17 percent of 2,450?").await;
    assert_eq!(turn.answer(), "It is 416.5.");
    assert_eq!(lifecycle(&turn), LIFECYCLE);

    let requests = story.brain.requests(TESTER);
    assert_eq!(requests.len(), 2);
    assert!(
        requests[0].text().contains("evaluate_expression"),
        "the tools are described"
    );
    assert!(
        requests[1].newest().contains("416.5"),
        "the brain is shown what the tool gave: {}",
        requests[1].newest()
    );
    assert_eq!(requests[0].authorization.as_deref(), Some("Bearer sk-scripted"));
}

#[tokio::test]
async fn the_frames_of_a_turn_hang_together() {
    let story = Story::begin().await;
    story.script([Reply::answers("Voltage is current times resistance.")]);
    let utterance = Utterance::new("What is Ohm's law?").session("zzz", json!({"kept": [1]}));
    let turn = utterance.ask(&story.probe).await;
    turn.answer();
    let own: Vec<_> = turn
        .frames
        .iter()
        .filter(|frame| !frame.is_entry())
        .cloned()
        .collect();
    assert_well_formed(&own);
    let id = own[0].utterance_id().expect("an utterance has an id");
    for frame in &own {
        assert_eq!(frame.utterance_id(), Some(id), "{}", frame.topic);
        assert_eq!(
            frame.context["session"]["zzz"],
            json!({"kept": [1]}),
            "{}",
            frame.topic
        );
        assert_eq!(frame.session_id(), "probe", "{}", frame.topic);
    }
    let dispatch = turn.frame("loquat:chat");
    assert_eq!(dispatch.data["utterance"], "What is Ohm's law?");
    assert_eq!(dispatch.context["skill_id"], "loquat");
    let matched = turn.frame("ovos.intent.matched");
    assert_eq!(
        (&matched.data["skill_id"], &matched.data["intent_name"]),
        (&json!("loquat"), &json!("chat"))
    );
    let spoken = turn.spoken()[0];
    assert_eq!(
        (&spoken.data["expect_response"], &spoken.data["listen"]),
        (&json!(false), &json!(false))
    );
}

#[tokio::test]
async fn an_utterance_may_come_under_either_name_and_twice_is_once() {
    let story = Story::begin().await;
    story.script([
        Reply::answers("One."),
        Reply::answers("Two."),
        Reply::answers("Three."),
    ]);
    assert_eq!(
        Utterance::new("first")
            .canonical()
            .ask(&story.probe)
            .await
            .answer(),
        "One."
    );

    // As the clients of the pre-release send it: the canonical frame, then its marked twin.
    let utterance = Utterance::new("second").canonical();
    let mark = utterance.enter(&story.probe).await;
    let mut twin = utterance.frame();
    twin["type"] = json!("recognizer_loop:utterance");
    twin["context"]["_namespace_compat_twin"] = json!(true);
    story.probe.send(&twin).await;
    assert_eq!(utterance.end(&story.probe, mark).await.answer(), "Two.");

    // A marked frame without its twin is real: older peers copy the marker into what they derive.
    let utterance = Utterance::new("third");
    let mut alone = utterance.frame();
    alone["context"]["_namespace_compat_twin"] = json!(true);
    let mark = story.probe.mark();
    story.probe.send(&alone).await;
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!(turn.ends(), 1);
    assert_eq!(story.brain.requests(TESTER).len(), 3);
}

#[tokio::test]
async fn an_utterance_without_words_is_unmatched_and_ended() {
    let story = Story::begin().await;
    let utterance = Utterance::new("");
    let mut empty = utterance.frame();
    empty["data"]["utterances"] = json!([]);
    let mark = story.probe.mark();
    story.probe.send(&empty).await;
    let turn = utterance.end(&story.probe, mark).await;
    turn.assert_ended_once();
    assert!(turn.spoken().is_empty());
    assert_eq!(turn.topics(), ["ovos.intent.unmatched", HANDLED]);
    assert!(story.brain.requests(TESTER).is_empty());
}

#[tokio::test]
async fn a_native_brain_streams_calls_and_answers() {
    let scene = Scene::default();
    let native = Persona::native(TESTER, &scene.brain.url(TESTER)).toolboxes(&["ovos-math-tools"]);
    let story = scene.play(&native).await;
    story.script([
        Reply::calls("evaluate_expression", &json!({"expression": "6*7"})).delivered(Delivery::Pieces),
        Reply::says("It is forty two.").delivered(Delivery::Pieces),
    ]);
    assert_eq!(
        story.ask("What is six times seven?").await.answer(),
        "It is forty two."
    );
    let requests = story.brain.requests(TESTER);
    assert!(
        requests[0].tools().contains(&"evaluate_expression".to_owned()),
        "{:?}",
        requests[0].tools()
    );
    assert_eq!(requests[1].messages().last().unwrap()["role"], "tool");
    assert!(requests[1].newest().contains("42"));
}

#[tokio::test]
async fn an_answer_is_made_fit_for_speech() {
    let story = Story::begin().await;
    story.script([Reply::says(
        "<think>Action: nothing</think>Thought: easy.\nFINAL_ANSWER: **Paris** is the capital of `France`.",
    )]);
    assert_eq!(
        story.ask("What is the capital of France?").await.answer(),
        "Paris is the capital of France."
    );
}

#[tokio::test]
async fn the_conversation_s_language_and_units_reach_the_brain() {
    let story = Story::begin().await;
    story.script([Reply::answers("Cinco milhas.")]);
    let utterance = Utterance::new("A que distância fica?")
        .session("lang", json!("pt-PT"))
        .session("system_unit", json!("imperial"));
    let turn = utterance.ask(&story.probe).await;
    assert_eq!(turn.answer(), "Cinco milhas.");
    assert_eq!(turn.spoken()[0].data["lang"], "pt-PT");
    let shown = story.brain.requests(TESTER)[0].text().to_lowercase();
    assert!(shown.contains("pt-pt") || shown.contains("portug"), "{shown}");
    assert!(shown.contains("imperial"), "{shown}");
}
