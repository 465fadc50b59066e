//! Beside the real bus, without a core.

use futures_util::SinkExt;
use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::{GENERATIONS, TESTER, assert_answered_once, daemon};

#[tokio::test]
async fn a_stock_client_gets_one_answer_and_one_end() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
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
        let brain = ScriptedBrain::start();
        let (_daemon, probe) = daemon(&peers, &brain).await;
        brain.script(TESTER, [Reply::fails(401)]);
        let mark = probe.mark();
        let heard = peers.stock_client(&["ask", "Hello"]).await;
        let sentence = heard["speak"][0].as_str().unwrap_or_default().to_owned();
        assert!(sentence.contains("language model"), "{heard}");
        assert_answered_once(&heard, &probe.since(mark), &sentence, generation);
    }
}

/// A client that says hello and is gone without a word, as a process that is killed.
async fn vanishes(port: u16) {
    let tcp = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    tcp.set_zero_linger().unwrap();
    let url = format!("ws://127.0.0.1:{port}/core");
    let (socket, _) = client_async(url, tcp).await.unwrap();
    drop(socket);
}

#[tokio::test]
async fn clients_that_vanish_cost_no_utterance_its_end() {
    // ovos-messagebus closes the connection of the client that speaks in that moment, which may be ours.
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (daemon, _early) = daemon(&peers, &brain).await;
        for round in 0..15 {
            // A probe of its own, since the bus may close that of the round before.
            let utterance = Utterance::new(&format!("Round {round}"));
            let (probe, mark) = loop {
                let probe = daemon.joined(peers.home().port()).await;
                let mark = probe.mark();
                if probe.try_send(&utterance.frame().to_string()).await {
                    break (probe, mark);
                }
            };
            let vanishing = async {
                for _ in 0..3 {
                    vanishes(peers.home().port()).await;
                }
            };
            let is_end = |frame: &Frame| frame.topic == HANDLED && utterance.owns(frame);
            let (end, ()) = tokio::join!(probe.try_wait(mark, PATIENCE, is_end), vanishing);
            assert!(end.is_some(), "{generation:?}, round {round}");
            let turn = utterance.seen(&probe.recording(), mark);
            assert_eq!(turn.answer(), "Yes.", "{generation:?}, round {round}");
        }
    }
}

#[tokio::test]
async fn a_frame_that_is_no_text_does_not_cost_us_the_connection() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (daemon, early) = daemon(&peers, &brain).await;
        // Strict clients, such as the probes, would lose their connection, and the bus closes that of the client that
        // speaks in the moment when one is lost.
        watch.leave().await;
        early.leave().await;
        let port = peers.home().port();
        let tcp = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let (mut rogue, _) = client_async(format!("ws://127.0.0.1:{port}/core"), tcp)
            .await
            .unwrap();
        let last = b"{\"type\": \"\xff\"}";
        for bytes in [&[0xff, 0xfe][..], &[0xc3, 0x28], last] {
            rogue.send(Message::binary(bytes.to_vec())).await.unwrap();
        }
        // The next probe must not come so early that it is given one of them.
        let mut passed_on = Vec::new();
        within("the bus to pass the last frame on", PATIENCE, async {
            while !passed_on.windows(last.len()).any(|part| part == last) {
                let read = rogue.get_mut().read_buf(&mut passed_on).await.unwrap();
                assert_ne!(read, 0, "the bus keeps the connection");
            }
        })
        .await;
        let probe = daemon.joined(peers.home().port()).await;
        assert_eq!(Utterance::new("Still there?").ask(&probe).await.answer(), "Yes.");
        assert!(
            !daemon.output().contains("number=2"),
            "{generation:?}: {}",
            daemon.output()
        );
    }
}
