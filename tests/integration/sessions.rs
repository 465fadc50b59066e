//! Many sessions at once: each hears its own answer, remembers its own words, and ends by itself. So does what is asked
//! out of band in one of them.

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};

use crate::story::{Story, TESTER};

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
