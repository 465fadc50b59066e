//! The client against the embedded bus and against buses that misbehave.

use std::time::Duration;

use crate::support::{Device, RawBus, Runner, connected, free_port, next, nothing_more, within};
use loquat_bus::{BusServerOptions, ClientOptions, ConnectionState, EmitError, RequestError, Topics};
use loquat_wire::{Message, Session, topic};
use serde_json::json;

fn numbered(number: usize) -> Message {
    Message::new("test.number", json!({ "number": number }))
}

#[tokio::test]
async fn a_message_reaches_other_clients_and_not_its_sender() {
    let device = Device::start().await;
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard_by_alice = alice.subscribe(Topics::all());
    let mut heard_by_bob = bob.subscribe(Topics::of(["test.number"]));

    alice.emit(numbered(1)).await.unwrap();

    let received = next(&mut heard_by_bob).await;
    assert_eq!(received.message, numbered(1));
    assert!(!received.own);
    nothing_more(&alice, &mut heard_by_alice).await;
}

#[tokio::test]
async fn own_messages_are_heard_on_request_and_marked_as_own() {
    let device = Device::start().await;
    let alice = device.client().await;
    let mut own = alice.subscribe(Topics::of(["test.number"]).including_own());
    alice.emit(numbered(1)).await.unwrap();
    assert!(next(&mut own).await.own);
}

#[tokio::test]
async fn the_same_frame_from_somebody_else_is_not_taken_for_an_echo() {
    let device = Device::start().await;
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard_by_alice = alice.subscribe(Topics::of(["test.number"]));
    alice.emit(numbered(1)).await.unwrap();
    bob.emit(numbered(1)).await.unwrap();
    assert_eq!(next(&mut heard_by_alice).await.message, numbered(1));
    nothing_more(&alice, &mut heard_by_alice).await;
}

#[tokio::test]
async fn a_canonical_message_goes_out_with_its_marked_twin_and_is_heard_once() {
    let device = Device::start().await;
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard_by_bob = bob.subscribe(Topics::of([topic::SPEAK]));
    let mut wire = device.raw().await;

    let mut speech = Message::new(topic::SPEAK, json!({"utterance": "hello"}));
    speech.context.set_session(&Session::named("kitchen"));
    alice.emit(speech.clone()).await.unwrap();

    assert_eq!(wire.message().await, speech);
    let twin = wire.message().await;
    assert_eq!(twin.topic, "speak");
    assert_eq!(twin.data, speech.data);
    assert!(twin.context.is_twin());
    assert_eq!(next(&mut heard_by_bob).await.message, speech);
    nothing_more(&bob, &mut heard_by_bob).await;
}

#[tokio::test]
async fn a_legacy_frame_is_heard_under_its_canonical_name() {
    let device = Device::start().await;
    let bob = device.client().await;
    let mut heard = bob.subscribe(Topics::of([topic::UTTERANCE_HANDLE]));
    let mut old_peer = device.raw().await;
    old_peer
        .send(r#"{"type":"recognizer_loop:utterance","data":{"utterances":["hi"]}}"#)
        .await;
    let received = next(&mut heard).await;
    assert_eq!(received.canonical, topic::UTTERANCE_HANDLE);
    assert_eq!(received.message.topic, "recognizer_loop:utterance");
}

#[tokio::test]
async fn what_is_emitted_before_the_bus_is_there_arrives_in_order_once_it_is() {
    let port = free_port();
    let (alice, _runner) = Runner::client(port, ClientOptions::default());
    for number in 0..100 {
        alice.emit(numbered(number)).await.unwrap();
    }
    let device = Device::start_on(port).await;
    let mut wire = device.raw().await;
    for number in 0..100 {
        assert_eq!(wire.message().await, numbered(number));
    }
}

#[tokio::test]
async fn a_killed_bus_is_met_again_with_announcements_first_and_nothing_lost() {
    let device = Device::start().await;
    let port = device.port();
    let alice = device.client().await;
    alice.announce(
        "skill",
        vec![Message::new("test.register", json!({"skill": "a"}))],
    );
    alice.announce("gone", vec![Message::new("test.register", json!({"skill": "b"}))]);
    alice.withdraw("gone");

    let _clients = device.kill().await;
    within(async {
        let mut state = alice.state();
        state.wait_for(|state| !state.is_connected()).await.unwrap();
    })
    .await;
    for number in 0..10 {
        alice.emit(numbered(number)).await.unwrap();
    }
    // The test listens for the reconnection on the socket itself, so that it sees the very first frames.
    let mut bus = RawBus::start_on(port).await;
    assert_eq!(
        bus.message().await,
        Message::new("test.register", json!({"skill": "a"}))
    );
    for number in 0..10 {
        assert_eq!(bus.message().await, numbered(number));
    }
    assert_eq!(alice.counts().connections, 2);
}

#[tokio::test]
async fn frames_that_the_bus_did_not_send_back_are_sent_again_and_others_are_not() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    alice.emit(numbered(1)).await.unwrap();
    alice.emit(numbered(2)).await.unwrap();
    assert_eq!(bus.message().await, numbered(1));
    bus.echo_last().await;
    // The echo has to be heard before the connection breaks: the greeting of a peer is heard after it.
    let mut heard = alice.subscribe(Topics::of(["test.sign"]));
    bus.send(r#"{"type":"test.sign"}"#).await;
    next(&mut heard).await;

    bus.drop_client();

    assert_eq!(bus.message().await, numbered(2));
}

#[tokio::test]
async fn a_frame_that_the_bus_finds_too_large_is_given_up_and_others_go_through() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    let large = Message::new("test.large", json!({"text": "x".repeat(100_000)}));
    alice.emit(large.clone()).await.unwrap();
    alice.emit(numbered(1)).await.unwrap();
    assert_eq!(bus.message().await, large);
    bus.close_client(1009).await;
    assert_eq!(bus.message().await, numbered(1));
    assert_eq!(alice.counts().undeliverable, 1);
}

#[tokio::test]
async fn bad_frames_are_dropped_and_counted_and_the_connection_stays() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    let mut heard = alice.subscribe(Topics::prefix("test."));
    bus.accept().await;
    for garbage in [
        "",
        "not json",
        "[1]",
        "42",
        r#"{"type":5}"#,
        r#"{"type":""}"#,
        r#"{"data":{}}"#,
    ] {
        bus.send(garbage).await;
    }
    bus.send(r#"{"type":"test.session","context":{"session":"kitchen"}}"#)
        .await;
    bus.send_bytes(&[0xff, 0xfe]).await;
    bus.send_invalid_text().await;
    bus.send(r#"{"type":"test.good"}"#).await;

    assert_eq!(next(&mut heard).await.message.topic, "test.good");
    let counts = alice.counts();
    assert_eq!((counts.bad_frames, counts.connections), (10, 1));
}

#[tokio::test]
async fn a_protocol_error_is_answered_with_a_new_connection_at_once() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    bus.accept().await;
    bus.send_raw(&[0xff, 0x00]).await;
    let begun = tokio::time::Instant::now();
    bus.accept().await;
    assert!(begun.elapsed() < Duration::from_secs(2));
    connected(&alice).await;
}

#[tokio::test]
async fn a_bus_that_holds_the_connection_and_is_silent_is_noticed() {
    let mut bus = RawBus::start().await;
    let mut options = ClientOptions::default();
    options.ping_after = Duration::from_millis(50);
    options.ping_timeout = Duration::from_millis(100);
    let (alice, _runner) = Runner::client(bus.port(), options);
    let mut state = alice.state();
    bus.accept().await;
    // The raw bus answers pings only while it reads, and it does not.
    let lost = within(state.wait_for(|state| matches!(state, ConnectionState::Disconnected { .. }))).await;
    let ConnectionState::Disconnected { error, .. } = lost.unwrap().clone() else {
        panic!("not disconnected");
    };
    assert!(matches!(*error, loquat_bus::ConnectError::Dead { .. }), "{error}");
}

#[tokio::test]
async fn an_answered_ping_keeps_a_silent_connection() {
    let mut bus = RawBus::start().await;
    let mut options = ClientOptions::default();
    options.ping_after = Duration::from_millis(10);
    options.ping_timeout = Duration::from_secs(10);
    let (alice, _runner) = Runner::client(bus.port(), options);
    for _ in 0..10 {
        bus.pinged().await;
    }
    connected(&alice).await;
    assert_eq!(alice.counts().connections, 1);
}

#[tokio::test(start_paused = true)]
async fn attempts_to_connect_are_made_ever_less_often() {
    let (alice, _runner) = Runner::client(free_port(), ClientOptions::default());
    let mut state = alice.state();
    let mut failed_at = tokio::time::Instant::now();
    let mut announced = Duration::ZERO;
    let waits = [
        (0.05, 0.25),
        (0.75, 1.25),
        (1.5, 2.5),
        (3.0, 5.0),
        (6.0, 10.0),
        (12.0, 20.0),
    ];
    for (number, (least, most)) in (1..).zip(waits) {
        let failed = state.wait_for(
            |state| matches!(state, ConnectionState::Disconnected { attempt, .. } if *attempt == number),
        );
        let ConnectionState::Disconnected { retry_in, .. } = failed.await.unwrap().clone() else {
            panic!("not disconnected");
        };
        let waited = failed_at.elapsed();
        assert!(
            waited >= announced && waited < announced + Duration::from_millis(100),
            "{waited:?}"
        );
        assert!((least..=most).contains(&retry_in.as_secs_f64()), "{retry_in:?}");
        (failed_at, announced) = (tokio::time::Instant::now(), retry_in);
    }
}

#[tokio::test]
async fn a_bus_with_tls_is_refused_with_the_mend() {
    let mut address = loquat_bus::BusAddress::local(free_port());
    address.ssl = true;
    let (alice, actor) = loquat_bus::client(address, ClientOptions::default());
    let _runner = Runner::start(|token| actor.run(token));
    let mut state = alice.state();
    let lost = within(state.wait_for(|state| matches!(state, ConnectionState::Disconnected { .. }))).await;
    let ConnectionState::Disconnected { error, .. } = lost.unwrap().clone() else {
        panic!("not disconnected");
    };
    assert!(error.to_string().contains("`ssl`"), "{error}");
}

#[tokio::test]
async fn cancelling_sends_what_waits_and_a_close_frame() {
    let mut bus = RawBus::start().await;
    let (alice, runner) = Runner::client(bus.port(), ClientOptions::default());
    connected_to(&mut bus, &alice).await;
    for number in 0..50 {
        alice.emit(numbered(number)).await.unwrap();
    }
    let ended = runner.stop();
    for number in 0..50 {
        assert_eq!(bus.message().await, numbered(number));
    }
    assert_eq!(bus.goodbye().await, Some(1000));
    within(ended).await;
    let refused = alice.emit(numbered(0)).await.unwrap_err();
    assert!(matches!(refused, EmitError::Closed { .. }));
    assert!(alice.subscribe(Topics::all()).recv().await.is_none());
}

async fn connected_to(bus: &mut RawBus, client: &loquat_bus::Bus) {
    bus.accept().await;
    connected(client).await;
}

#[tokio::test]
async fn a_request_gets_its_own_answer_and_not_that_of_another() {
    let device = Device::start().await;
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
    let device = Device::start().await;
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
    let device = Device::start().await;
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
    let device = Device::start().await;
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

#[tokio::test]
async fn reannouncing_says_everything_again_on_the_same_connection() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    alice.announce("one", vec![numbered(1)]);
    alice.announce("two", vec![numbered(2)]);
    assert_eq!(bus.message().await, numbered(1));
    assert_eq!(bus.message().await, numbered(2));
    alice.reannounce();
    assert_eq!(bus.message().await, numbered(1));
    assert_eq!(bus.message().await, numbered(2));
    alice.announce("one", vec![numbered(3)]);
    assert_eq!(bus.message().await, numbered(3));
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_with_the_reason() {
    let (alice, _runner) = Runner::client(free_port(), ClientOptions::default());
    let refused = alice.emit(Message::new("two words", ())).await.unwrap_err();
    assert!(matches!(refused, EmitError::InvalidTopic { .. }));
    let large = Message::new("test.large", json!({"text": "x".repeat(26 << 20)}));
    let refused = alice.emit(large).await.unwrap_err();
    assert!(matches!(refused, EmitError::TooLarge { .. }));
}

#[tokio::test]
async fn a_full_queue_makes_the_sender_wait_and_then_refuses() {
    let mut options = ClientOptions::default();
    options.emit_patience = Duration::from_millis(50);
    let (alice, _runner) = Runner::client(free_port(), options);
    for number in 0..1024 {
        alice.emit(numbered(number)).await.unwrap();
    }
    let refused = alice.emit(numbered(1024)).await.unwrap_err();
    assert!(matches!(refused, EmitError::Full { .. }));
}

#[tokio::test]
async fn a_wrong_path_is_reported_as_such() {
    let device = Device::with(|options: &mut BusServerOptions| options.route = "/elsewhere".to_owned()).await;
    let (alice, _runner) = Runner::client(device.port(), ClientOptions::default());
    let mut state = alice.state();
    let lost = within(state.wait_for(|state| matches!(state, ConnectionState::Disconnected { .. }))).await;
    let ConnectionState::Disconnected { error, .. } = lost.unwrap().clone() else {
        panic!("not disconnected");
    };
    assert!(
        matches!(*error, loquat_bus::ConnectError::Refused { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("route"), "{error}");
}

#[tokio::test]
async fn whenever_the_bus_is_killed_each_message_comes_back_once_and_in_order() {
    let mut device = Device::start().await;
    let port = device.port();
    let (alice, _runner) = Runner::client(port, ClientOptions::default());
    let mut own = alice.subscribe(Topics::of(["test.number"]).including_own());
    connected(&alice).await;
    let mut clients = Vec::new();
    for round in 0..5 {
        for number in 0..40 {
            alice.emit(numbered(40 * round + number)).await.unwrap();
            if number == 7 * round {
                // Frames are in the queue, on the socket and on their way back.
                clients.extend(device.kill().await);
                device = Device::start_on(port).await;
            }
        }
        for number in 0..40 {
            assert_eq!(next(&mut own).await.message, numbered(40 * round + number));
        }
    }
    nothing_more(&alice, &mut own).await;
}
