//! Questions and their answers on a bus that knows neither.

use std::time::Duration;

use loquat_bus::{ClientOptions, MAX_READ_BYTES, RequestError, Topics};
use loquat_wire::{Message, topic};
use serde_json::json;

use crate::support::{Device, RawBus, Runner, free_port, next, numbered, within};

#[tokio::test]
async fn a_request_gets_its_own_answer_and_not_that_of_another() {
    let device = Device::start();
    let (alice, bob) = (device.client().await, device.client().await);
    let mut asked = bob.subscribe(Topics::of(["test.double"]));
    let answer = async {
        let mut waiting = Vec::new();
        for _ in 0..10 {
            waiting.push(next(&mut asked).await.message);
        }
        for request in waiting.iter().rev() {
            let number = request.data["number"].as_u64().unwrap();
            bob.emit(request.response(json!({ "number": 2 * number })))
                .await
                .unwrap();
        }
    };
    let ask = futures_util::future::join_all((0..10_u64).map(|number| {
        let alice = alice.clone();
        async move {
            let request = Message::new("test.double", json!({ "number": number }));
            let answer = alice
                .request(request, None, Duration::from_secs(10))
                .await
                .unwrap();
            assert_eq!(answer.data["number"], 2 * number);
            assert!(answer.context.get("_loquat_request").is_none());
        }
    }));
    within(futures_util::future::join(answer, ask)).await;
}

#[tokio::test]
async fn a_peer_that_drops_the_context_is_understood_by_topic_and_session() {
    let device = Device::start();
    let alice = device.client().await;
    let mut peer = device.raw().await;
    let ask = alice.request(Message::new("test.ask", ()), None, Duration::from_secs(10));
    let answer = async {
        peer.message().await;
        let other =
            r#"{"type":"test.ask.response","data":{"right":false},"context":{"session":{"session_id":"x"}}}"#;
        peer.send(other).await;
        peer.send(r#"{"type":"test.ask.response","data":{"right":true}}"#)
            .await;
    };
    let (answer, ()) = within(futures_util::future::join(ask, answer)).await;
    assert_eq!(answer.unwrap().data["right"], true);
}

#[tokio::test]
async fn an_answer_without_context_is_not_trusted_while_somebody_else_asks_the_same() {
    let device = Device::start();
    let alice = device.client().await;
    let mut peer = device.raw().await;
    let ask = alice.request(Message::new("test.ask", ()), None, Duration::from_secs(2));
    let answer = async {
        peer.message().await;
        peer.send(r#"{"type":"test.ask"}"#).await;
        peer.send(r#"{"type":"test.ask.response","data":{"for":"the other"}}"#)
            .await;
    };
    let (answer, ()) = within(futures_util::future::join(ask, answer)).await;
    assert!(matches!(answer, Err(RequestError::TimedOut { .. })));
}

#[tokio::test]
async fn without_a_bus_a_request_fails_and_is_not_sent_later() {
    let port = free_port();
    let (alice, _runner) = Runner::client(port, ClientOptions::default());
    let ask = alice.request(Message::new("test.ask", ()), None, Duration::from_millis(100));
    assert!(matches!(ask.await, Err(RequestError::NotConnected { .. })));
    alice.emit(numbered(1)).await.unwrap();
    let mut bus = RawBus::start_on(port).await;
    assert_eq!(bus.message().await, numbered(1));
}

#[tokio::test]
async fn collecting_gives_every_answer_of_the_window() {
    let device = Device::start();
    let alice = device.client().await;
    let peers = [
        device.client().await,
        device.client().await,
        device.client().await,
    ];
    let answers = peers.iter().enumerate().map(|(index, peer)| {
        let mut asked = peer.subscribe(Topics::of([topic::TOOLS_DISCOVER]));
        async move {
            let request = next(&mut asked).await.message;
            peer.emit(request.response(json!({ "box": index })))
                .await
                .unwrap();
        }
    });
    let answers: Vec<_> = answers.collect();
    let collect = alice.collect(
        Message::new(topic::TOOLS_DISCOVER, ()),
        None,
        Duration::from_millis(500),
    );
    let (collected, _) = within(futures_util::future::join(
        collect,
        futures_util::future::join_all(answers),
    ))
    .await;
    let mut boxes: Vec<_> = collected
        .iter()
        .map(|answer| answer.data["box"].as_u64().unwrap())
        .collect();
    boxes.sort_unstable();
    assert_eq!(boxes, [0, 1, 2]);
}

/// A call of a tool, whose answer names the toolbox.
fn call() -> Message {
    Message::new(
        "test.tool",
        json!({"toolbox_id": "bank", "name": "balance", "kwargs": {}}),
    )
}

#[tokio::test]
async fn an_answer_of_another_toolbox_or_tool_is_none() {
    let device = Device::start();
    let alice = device.client().await;
    let mut peer = device.raw().await;
    let ask = alice.request(call(), None, Duration::from_secs(10));
    let answer = async {
        let asked = peer.message().await;
        for data in [
            json!({"toolbox_id": "mallory", "result": {}}),
            json!({"toolbox_id": "bank", "name": "transfer", "result": {}}),
        ] {
            peer.send(&Message::new("test.tool.response", data.clone()).to_text())
                .await;
            peer.send(&asked.response(data).to_text()).await;
        }
        let data = json!({"toolbox_id": "bank", "result": {"right": true}});
        peer.send(&Message::new("test.tool.response", data).to_text())
            .await;
    };
    let (answer, ()) = within(futures_util::future::join(ask, answer)).await;
    assert_eq!(answer.unwrap().data["result"]["right"], true);
}

#[tokio::test]
async fn what_must_not_happen_twice_is_answered_with_the_key_only() {
    let device = Device::start();
    let alice = device.client().await;
    let mut peer = device.raw().await;
    let ask = alice.request_once(call(), None, Duration::from_secs(1));
    let answer = async {
        peer.message().await;
        let forged = json!({"toolbox_id": "bank", "result": {}});
        peer.send(&Message::new("test.tool.response", forged).to_text())
            .await;
    };
    let (answer, ()) = within(futures_util::future::join(ask, answer)).await;
    assert!(matches!(answer, Err(RequestError::TimedOut { .. })));
}

#[tokio::test]
async fn an_answer_that_is_too_large_ends_the_request_at_once() {
    let device = Device::start();
    let alice = device.client().await;
    let mut peer = device.raw().await;
    let ask = alice.request(Message::new("test.ask", ()), None, Duration::from_secs(3600));
    let answer = async {
        let asked = peer.message().await;
        let data = json!({"text": "x".repeat(MAX_READ_BYTES)});
        peer.send(&asked.response(data).to_text()).await;
    };
    let (answer, ()) = within(futures_util::future::join(ask, answer)).await;
    assert!(matches!(
        answer,
        Err(RequestError::TooLarge {
            limit: MAX_READ_BYTES,
            ..
        })
    ));
}

#[tokio::test]
async fn a_flood_of_frames_holds_up_no_time_limit() {
    let device = Device::start();
    let (alice, bob) = (device.client().await, device.client().await);
    let mut asked = bob.subscribe(Topics::of(["test.ask"]));
    let flood = async {
        next(&mut asked).await;
        loop {
            bob.emit(Message::new("test.ask.response", ()).with_context(elsewhere()))
                .await
                .unwrap();
        }
    };
    let limit = Duration::from_millis(300);
    let ask = async {
        let asked = alice.request(Message::new("test.ask", ()), None, limit).await;
        assert!(matches!(asked, Err(RequestError::TimedOut { .. })));
        alice.collect(Message::new("test.ask", ()), None, limit).await
    };
    within(async {
        tokio::select! {
            collected = ask => assert_eq!(collected, []),
            () = flood => {}
        }
    })
    .await;
}

fn elsewhere() -> loquat_wire::Context {
    let mut context = loquat_wire::Context::default();
    context.insert("session", json!({"session_id": "elsewhere"}));
    context
}

#[tokio::test]
async fn collecting_ends_with_the_answers_that_are_enough_or_too_many() {
    let device = Device::start();
    let (alice, bob) = (device.client().await, device.client().await);
    let mut asked = bob.subscribe(Topics::of(["test.ask"]));
    let answers = async {
        loop {
            let request = next(&mut asked).await.message;
            for number in 0..300 {
                bob.emit(request.response(json!({ "number": number })))
                    .await
                    .unwrap();
            }
        }
    };
    let long = Duration::from_secs(3600);
    let collect = async {
        let all = alice.collect(Message::new("test.ask", ()), None, long).await;
        assert_eq!(all.len(), 256);
        let mut shown = 0;
        let enough = |answer: &Message| {
            shown += 1;
            answer.data["number"] == 4
        };
        let some = alice
            .collect_until(Message::new("test.ask", ()), None, long, enough)
            .await;
        assert_eq!((some.len(), shown), (5, 5));
    };
    within(async {
        tokio::select! {
            () = collect => {}
            () = answers => {}
        }
    })
    .await;
}
