//! Many sessions at once: each hears its own answer, remembers its own words, and ends by itself.

use loquat_tests::brain::Reply;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;

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
