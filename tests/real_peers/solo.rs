//! Beside the real bus, without a core.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::peers::Peers;
use serde_json::json;

use crate::{GENERATIONS, TESTER, assert_answered_once, daemon};

#[tokio::test]
async fn a_stock_client_gets_one_answer_and_one_end() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start().await;
        let (_daemon, probe) = daemon(&peers, &brain).await;
        for session in [
            json!({"session_id": "default"}),
            json!({"session_id": "kitchen", "lang": "en-US"}),
        ] {
            brain.script(
                TESTER,
                [
                    Reply::acts("evaluate_expression", &json!({"expression": "6*7"})),
                    Reply::answers("Forty two."),
                ],
            );
            let mark = probe.mark();
            let session = session.to_string();
            let heard = peers
                .stock_client(&["ask", "Six times seven?", "--session", &session])
                .await;
            assert_answered_once(&heard, &probe.since(mark), "Forty two.", generation);
        }
    }
}

#[tokio::test]
async fn a_failure_is_one_answer_and_one_end_too() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start().await;
        let (_daemon, probe) = daemon(&peers, &brain).await;
        brain.script(TESTER, [Reply::fails(401)]);
        let mark = probe.mark();
        let heard = peers.stock_client(&["ask", "Hello"]).await;
        let sentence = heard["speak"][0].as_str().unwrap_or_default().to_owned();
        assert!(sentence.contains("language model"), "{heard}");
        assert_answered_once(&heard, &probe.since(mark), &sentence, generation);
    }
}
