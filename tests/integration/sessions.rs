//! Many sessions at once: each hears its own answer, remembers its own words, and ends by itself. So does what is asked
//! out of band in one of them.

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// A house full of satellites.
const SESSIONS: usize = 50;

#[tokio::test]
async fn fifty_sessions_at_once_never_mix() {
    let story = Story::begin().await;
    for number in 0..SESSIONS {
        story.brain.whenever(
            TESTER,
            &format!("secret number {number}."),
            Reply::answers(&format!("You said {number}.")),
        );
    }
    for round in 0..2 {
        let asked: Vec<Utterance> = (0..SESSIONS)
            .map(|number| {
                Utterance::new(&format!("My secret number {number}."))
                    .in_session(&format!("session-{number}"))
                    .session("site_id", json!(format!("room-{number}")))
            })
            .collect();
        let mark = story.probe.mark();
        for utterance in &asked {
            utterance.enter(&story.probe).await;
        }
        for (number, utterance) in asked.iter().enumerate() {
            let turn = within("an answer", PATIENCE, utterance.end(&story.probe, mark)).await;
            assert_eq!(turn.answer(), format!("You said {number}."), "round {round}");
            for frame in &turn.frames {
                assert_eq!(frame.session_id(), format!("session-{number}"), "{}", frame.topic);
                assert_eq!(
                    frame.context["session"]["site_id"],
                    format!("room-{number}"),
                    "{}",
                    frame.topic
                );
            }
        }
    }
    for request in story.brain.requests(TESTER) {
        let text = request.text();
        let secrets: std::collections::BTreeSet<usize> = (0..SESSIONS)
            .filter(|number| text.contains(&format!("secret number {number}.")))
            .collect();
        assert_eq!(secrets.len(), 1, "a brain is shown one session only: {secrets:?}");
    }
}

/// A tool that speaks in the probe's session.
fn tool() -> Value {
    json!({"source": "tool", "session": {"session_id": "probe"}})
}

fn query(text: &str) -> Value {
    let data = json!({"persona_id": TESTER, "utterance": text});
    json!({"type": "ovos.persona.query", "data": data, "context": tool()})
}

fn is_answer(frame: &Frame) -> bool {
    frame.topic == "ovos.persona.answer"
}

/// A daemon whose brain answers at once, unless it is to ponder.
async fn beside_a_pondering_brain() -> Story {
    let story = Story::begin().await;
    let never = Reply::says("").delivered(Delivery::Never);
    story.brain.whenever(TESTER, "ponder", never);
    story.brain.whenever(TESTER, "", Reply::answers("At once."));
    story
}

#[tokio::test]
async fn queries_of_a_session_do_not_wait_for_each_other_and_are_bounded() {
    let story = beside_a_pondering_brain().await;

    // As when a persona asks a persona that asks a persona.
    for depth in 1..=7 {
        story.probe.send(&query("ponder this")).await;
        story.brain.asked(TESTER, depth, PATIENCE).await;
    }
    let mark = story.probe.mark();
    story.probe.send(&query("And now?")).await;
    let answer = story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    assert_eq!(answer.data["response"], "At once.");
    story.probe.send(&query("ponder this")).await;
    story.brain.asked(TESTER, 9, PATIENCE).await;
    let mark = story.probe.mark();
    story.probe.send(&query("One more")).await;
    let refused = story.probe.wait("the refusal", mark, PATIENCE, is_answer).await;
    let error = refused.data["error"].as_str().unwrap_or_default();
    assert!(error.starts_with("busy: "), "{}", refused.data);
    assert_eq!(refused.data["utterance"], "One more");
    assert_eq!(story.ask("And a person").await.answer(), "At once.");
}

#[tokio::test]
async fn a_query_and_a_turn_of_its_session_do_not_wait_for_each_other() {
    let story = beside_a_pondering_brain().await;

    let long = Utterance::new("ponder this");
    let mark = long.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    story.probe.send(&query("A tool asks")).await;
    let answer = story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    assert_eq!(answer.data["response"], "At once.");
    let stop = json!({"type": "ovos.stop", "data": {}, "context": tool()});
    story.probe.send(&stop).await;
    assert_eq!(long.end(&story.probe, mark).await.ends(), 1);

    let mark = story.probe.mark();
    story.probe.send(&query("ponder that")).await;
    story.brain.asked(TESTER, 3, PATIENCE).await;
    assert_eq!(story.ask("And a person").await.answer(), "At once.");
    story.probe.send(&stop).await;
    let answer = story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    assert_eq!(answer.data["error"], "stopped");
}

/// A persona whose server is far away.
const CLOUD: &str = "Cloudy";

/// The person types this at the device; gives what is answered there.
async fn typed(story: &Story, text: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(text).await;
    let is_said = |frame: &Frame| frame.is_speak() && frame.session_id() == "default";
    let said = story
        .probe
        .wait("what is said to the person", mark, PATIENCE, is_said)
        .await;
    let is_end = |frame: &Frame| frame.topic == HANDLED && frame.session_id() == "default";
    story
        .probe
        .wait("the end of what was typed", mark, PATIENCE, is_end)
        .await;
    said.utterance().to_owned()
}

#[tokio::test]
async fn no_frame_gives_the_person_s_own_voice_to_another_persona() {
    let scene = Scene::default();
    scene
        .home
        .persona(&Persona::react(CLOUD, &scene.brain.url(CLOUD)));
    let tester = scene.tester();
    let story = scene.play_attended(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("At home."));
    story.brain.whenever(CLOUD, "", Reply::answers("Far away."));
    assert_eq!(typed(&story, "What about my divorce?").await, "At home.");
    let tries = [
        ("", "persona_id", json!(CLOUD)),
        ("", "persona_id", json!("cloudy")),
        (" ", "persona_id", json!(CLOUD)),
        ("Hello", "persona_id", json!(CLOUD)),
        ("talk to Cloudy", "site_id", json!("hall")),
        ("activate Cloudy", "site_id", json!("hall")),
        ("talk to Cloudy", "persona_id", json!(CLOUD)),
        ("stop everything", "persona_id", json!(CLOUD)),
        (
            "",
            "converse_handlers",
            json!([{"skill_id": "cloud", "activated_at": 9e9}]),
        ),
        ("", "response_mode", json!({"skill_id": "cloud"})),
    ];
    for (text, field, value) in tries {
        let frame = Utterance::new(text)
            .in_session("default")
            .session(field, value.clone());
        frame.ask(&story.probe).await;
        let answered = typed(&story, "And about my salary?").await;
        assert_eq!(answered, "At home.", "after '{text}' with {field} {value}");
    }
    let german = Utterance::new("sprich mit Cloudy")
        .in_session("default")
        .session("lang", json!("de-DE"));
    german.ask(&story.probe).await;
    assert_eq!(typed(&story, "And now?").await, "At home.");
    // For its own utterance a frame may name whom it asks.
    let asked = Utterance::new("Hello")
        .in_session("default")
        .session("persona_id", json!(CLOUD));
    assert_eq!(asked.ask(&story.probe).await.answer(), "Far away.");
    // What the person says lasts, and is told.
    assert_eq!(typed(&story, "talk to Cloudy").await, "Cloudy here.");
    assert_eq!(typed(&story, "And now?").await, "Far away.");
    let other = Utterance::new("dismiss the persona").in_session("default");
    other.ask(&story.probe).await;
    assert_eq!(typed(&story, "Still there?").await, "Far away.");
}

#[tokio::test]
async fn where_nobody_sits_a_field_of_a_frame_lasts_no_longer_than_its_utterance() {
    let scene = Scene::default();
    scene
        .home
        .persona(&Persona::react(CLOUD, &scene.brain.url(CLOUD)));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("At home."));
    story.brain.whenever(CLOUD, "", Reply::answers("Far away."));
    let own = |text: &str| Utterance::new(text).in_session("default");
    for text in ["", "Hello"] {
        own(text)
            .session("persona_id", json!(CLOUD))
            .ask(&story.probe)
            .await;
        assert_eq!(
            own("And now?").ask(&story.probe).await.answer(),
            "At home.",
            "after '{text}'"
        );
    }
    assert_eq!(
        own("talk to Cloudy").ask(&story.probe).await.answer(),
        "Cloudy here."
    );
    assert_eq!(own("And now?").ask(&story.probe).await.answer(), "Far away.");
}
