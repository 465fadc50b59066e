//! Beside the real core, as its fallback handler.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::{GENERATIONS, TESTER, assert_answered_once, daemon};

fn is_our_registration(frame: &Frame) -> bool {
    frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat"
}

#[tokio::test]
async fn as_a_fallback_we_answer_once_and_the_utterance_ends_once() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        for (session, answer) in [("default", "Forty two."), ("kitchen", "Still forty two.")] {
            brain.script(
                TESTER,
                [
                    Reply::acts("evaluate_expression", &json!({"expression": "6*7"})),
                    Reply::answers(answer),
                ],
            );
            let mark = probe.mark();
            let session = json!({"session_id": session, "lang": "en-US"}).to_string();
            let heard = peers
                .stock_client(&["ask", "Six times seven?", "--session", &session])
                .await;
            let wire = probe.since(mark);
            assert_answered_once(&heard, &wire, answer, generation);
            assert!(
                wire.iter()
                    .any(|frame| frame.topic == "ovos.skills.fallback.loquat.request"),
                "{generation:?}"
            );
            assert!(
                !wire.iter().any(|frame| frame.topic == "loquat:chat"),
                "{generation:?}: the core orchestrates"
            );
        }
    }
}

#[tokio::test]
async fn a_core_that_comes_later_takes_over() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        let mark = probe.mark();
        let heard = peers.stock_client(&["ask", "Are you there?"]).await;
        assert_answered_once(&heard, &probe.since(mark), "Yes.", generation);

        let mark = probe.mark();
        let _core = peers.core(&watch).await;
        probe
            .wait(
                "our registration with the core",
                mark,
                PATIENCE,
                is_our_registration,
            )
            .await;
        let mark = probe.mark();
        let heard = peers.stock_client(&["ask", "And now?"]).await;
        let wire = probe.since(mark);
        assert_answered_once(&heard, &wire, "Yes.", generation);
        assert!(
            wire.iter()
                .any(|frame| frame.topic == "ovos.skills.fallback.loquat.response"),
            "{generation:?}"
        );
    }
}
