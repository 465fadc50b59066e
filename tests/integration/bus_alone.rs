//! `loquat bus` in the place of ovos-messagebus: it relays, and one bad client hurts no other.

use std::time::Duration;

use futures_util::SinkExt;
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use rustix::process::Signal;
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

async fn bus() -> (Home, Daemon, BusProbe) {
    let home = Home::without_bus();
    let bus = Launch::new(&home, &["bus"]).spawn();
    let probe = within("the bus to open", PATIENCE, BusProbe::connect(home.port())).await;
    (home, bus, probe)
}

#[tokio::test]
async fn it_relays_to_everybody_and_to_the_sender_and_ends_when_told() {
    let (home, mut bus, one) = bus().await;
    let other = BusProbe::connect(home.port()).await;
    for number in 0..200 {
        one.send(&json!({"type": "count", "data": {"n": number}, "context": {}}))
            .await;
    }
    for probe in [&one, &other] {
        let is_count = |frame: &loquat_tests::frame::Frame| frame.topic == "count";
        let seen = probe
            .recording()
            .wait_for_several("all frames", 0, 200, is_count)
            .await;
        let numbers: Vec<_> = seen.iter().filter_map(|frame| frame.data["n"].as_u64()).collect();
        assert!(
            numbers.is_sorted() && numbers.len() == 200,
            "in the order of sending"
        );
    }
    bus.signal(Signal::TERM);
    assert!(bus.ended(PATIENCE).await.success());
}

#[tokio::test]
async fn a_malformed_session_is_rejected_once_for_all_and_the_client_stays() {
    let (home, _bus, one) = bus().await;
    let others = [
        BusProbe::connect(home.port()).await,
        BusProbe::connect(home.port()).await,
    ];
    one.send(&json!({"type": "a.b", "context": {"session": "x", "utterance_id": "u"}}))
        .await;
    one.send(&json!({"type": "after.it"})).await;
    for probe in [&one, &others[0], &others[1]] {
        probe
            .wait("the next frame", 0, PATIENCE, |frame| frame.topic == "after.it")
            .await;
        let seen = probe.since(0);
        assert!(!seen.iter().any(|frame| frame.topic == "a.b"));
        let rejected: Vec<_> = seen
            .iter()
            .filter(|frame| frame.topic == "ovos.session.rejected")
            .collect();
        assert_eq!(rejected.len(), 1);
        assert_eq!(
            rejected[0].data,
            json!({"msg_type": "a.b", "reason": "malformed_carrier"})
        );
        assert_eq!(rejected[0].context, json!({"utterance_id": "u"}));
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off_and_hurts_nobody() {
    let (home, bus, probe) = bus().await;
    let url = format!("ws://127.0.0.1:{}/core", home.port());
    let (mut lazy, _) = connect_async(&url).await.unwrap();
    // It says one thing and reads nothing from then on.
    lazy.send(Message::text(r#"{"type":"lazy"}"#)).await.unwrap();
    let padding = "x".repeat(1 << 20);
    for number in 0..120 {
        let frame = json!({"type": "big", "data": {"n": number, "padding": padding}});
        probe.send(&frame).await;
        let this = |frame: &loquat_tests::frame::Frame| frame.topic == "big" && frame.data["n"] == number;
        probe.wait("the echo of a big frame", 0, PATIENCE, this).await;
    }
    within(
        "the log to say so",
        PATIENCE,
        bus.wrote("cut off a client", PATIENCE),
    )
    .await;
}

#[tokio::test]
async fn a_daemon_joins_it_like_any_other() {
    let (home, _bus, probe) = bus().await;
    let (_daemon, _) = Launch::new(&home, &["run"]).ready().await;
    let turn = Utterance::new("")
        .in_session("x")
        .patience(Duration::from_secs(20))
        .ask(&probe)
        .await;
    turn.frame(HANDLED);
}
