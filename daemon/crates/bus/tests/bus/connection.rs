//! Finding, losing and leaving the bus.

use std::time::Duration;

use loquat_bus::{BusServerOptions, ClientOptions, ConnectionState, EmitError, RequestError, Topics};
use loquat_wire::Message;
use loquat_wire::context::REPEATED;
use loquat_wire::repeat::repeated;
use serde_json::json;

use crate::support::{Device, RawBus, Runner, connected, free_port, next, nothing_more, numbered, within};

#[tokio::test]
async fn what_is_emitted_before_the_bus_is_there_arrives_in_order_once_it_is() {
    let port = free_port();
    let (alice, _runner) = Runner::client(port, ClientOptions::default());
    for number in 0..100 {
        alice.emit(numbered(number)).await.unwrap();
    }
    let device = Device::start_on(port);
    let mut wire = device.raw().await;
    for number in 0..100 {
        assert_eq!(wire.message().await, numbered(number));
    }
}

#[tokio::test]
async fn a_killed_bus_is_met_again_with_announcements_first_and_nothing_lost() {
    let device = Device::start();
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

    assert_eq!(first_of(bus.message().await), numbered(2));
}

/// Takes off a message the sign that it is sent again.
fn first_of(mut message: Message) -> Message {
    let age = message.context.remove(REPEATED);
    assert!(age.is_some_and(|age| age.is_u64()), "{message:?}");
    message
}

#[tokio::test]
async fn what_is_sent_again_is_news_only_to_those_who_have_not_heard_it() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    let mut heard = alice.subscribe(Topics::of(["test.number"]));
    bus.accept().await;
    let first = numbered(1).to_text();
    // The same words twice are two events.
    bus.send(&first).await;
    bus.send(&first).await;
    for _ in 0..2 {
        assert_eq!(next(&mut heard).await.message, numbered(1));
    }
    bus.drop_client();
    bus.accept().await;
    let age = Duration::from_secs(3);
    bus.send(&repeated(&first, age)).await;
    bus.send(&repeated(&numbered(2).to_text(), age)).await;
    assert_eq!(next(&mut heard).await.message, numbered(2));
    // What another peer derives from a repetition inherits the key and repeats nothing.
    let mut derived = numbered(3);
    derived.context.insert(REPEATED, json!(3000));
    bus.send(&derived.to_text()).await;
    assert_eq!(next(&mut heard).await.message, numbered(3));
}

#[tokio::test]
async fn a_request_with_an_effect_is_not_made_again() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    bus.accept().await;
    connected(&alice).await;
    let request = alice.request_once(numbered(1), None, Duration::from_secs(300));
    let meanwhile = async {
        assert_eq!(bus.message().await.topic, numbered(1).topic);
        bus.drop_client();
        alice.emit(numbered(2)).await.unwrap();
        // Whether it went out before the connection broke does not matter.
        let mut other = bus.message().await;
        other.context.remove(REPEATED);
        assert_eq!(other, numbered(2));
    };
    let (answer, ()) = within(Box::pin(async { tokio::join!(request, meanwhile) })).await;
    assert!(matches!(answer, Err(RequestError::Unsure { .. })), "{answer:?}");
}

#[tokio::test]
async fn a_request_with_an_effect_that_was_relayed_is_answered_on_the_next_connection() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    bus.accept().await;
    connected(&alice).await;
    let mut sign = alice.subscribe(Topics::of(["test.sign"]));
    let request = alice.request_once(numbered(1), None, Duration::from_secs(300));
    let meanwhile = async {
        let asked = bus.message().await;
        bus.echo_last().await;
        bus.send(r#"{"type":"test.sign"}"#).await;
        next(&mut sign).await;
        bus.drop_client();
        bus.accept().await;
        bus.send(&asked.response(json!({"done": true})).to_text()).await;
    };
    let (answer, ()) = within(Box::pin(async { tokio::join!(request, meanwhile) })).await;
    assert_eq!(answer.unwrap().data["done"], true);
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
    assert_eq!(first_of(bus.message().await), numbered(1));
    assert_eq!(alice.counts().undeliverable, 1);
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
async fn a_bus_of_this_machine_is_tried_less_often_down_to_every_other_second() {
    let (alice, _runner) = Runner::client(free_port(), ClientOptions::default());
    let mut state = alice.state();
    let mut failed_at = tokio::time::Instant::now();
    let mut announced = Duration::ZERO;
    let waits = [
        (0.05, 0.25),
        (0.75, 1.25),
        (1.14, 1.9),
        (1.14, 1.9),
        (1.14, 1.9),
        (1.14, 1.9),
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
async fn a_wrong_path_is_reported_as_such() {
    let device = Device::with(|options: &mut BusServerOptions| options.route = "/elsewhere".to_owned());
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
    let mut device = Device::start();
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
                device = Device::start_on(port);
            }
        }
        for number in 0..40 {
            assert_eq!(next(&mut own).await.message, numbered(40 * round + number));
        }
    }
    nothing_more(&alice, &mut own).await;
}
