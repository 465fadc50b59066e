//! What the client sends, hears and refuses.

use std::time::Duration;

use loquat_bus::{ClientOptions, Cut, EmitError, MAX_READ_BYTES, Topics};
use loquat_wire::{Message, Session, topic};
use serde_json::json;

use crate::support::{Device, RawBus, Runner, free_port, next, nothing_more, numbered, within};

#[tokio::test]
async fn a_message_reaches_other_clients_and_not_its_sender() {
    let device = Device::start();
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
    let device = Device::start();
    let alice = device.client().await;
    let mut own = alice.subscribe(Topics::of(["test.number"]).including_own());
    alice.emit(numbered(1)).await.unwrap();
    assert!(next(&mut own).await.own);
}

#[tokio::test]
async fn the_same_frame_from_somebody_else_is_not_taken_for_an_echo() {
    let device = Device::start();
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard_by_alice = alice.subscribe(Topics::of(["test.number"]));
    alice.emit(numbered(1)).await.unwrap();
    bob.emit(numbered(1)).await.unwrap();
    assert_eq!(next(&mut heard_by_alice).await.message, numbered(1));
    nothing_more(&alice, &mut heard_by_alice).await;
}

#[tokio::test]
async fn a_canonical_message_goes_out_with_its_marked_twin_and_is_heard_once() {
    let device = Device::start();
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
    let device = Device::start();
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

/// A bus with Nagle's algorithm, as that of OVOS is, holds an answer back until the echo before it is acknowledged.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_arrives_is_acknowledged_at_once() {
    let mut bus = RawBus::start().await;
    let (alice, _runner) = Runner::client(bus.port(), ClientOptions::default());
    let mut took = Vec::new();
    for number in 0..61 {
        let begun = tokio::time::Instant::now();
        let answer = async {
            let request = bus.message().await;
            bus.echo_last().await;
            bus.send(&request.response(()).to_text()).await;
        };
        let ask = alice.request(numbered(number), None, Duration::from_secs(10));
        let (answered, ()) = within(futures_util::future::join(ask, answer)).await;
        answered.unwrap();
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    // A delayed acknowledgement takes 40 ms; the median forgives a busy machine.
    assert!(took[30] < Duration::from_millis(30), "{:?}", took[30]);
}

#[tokio::test]
async fn of_a_frame_that_is_too_large_there_is_an_outline() {
    let device = Device::start();
    let bob = device.client().await;
    let mut heard = bob.subscribe(Topics::of([topic::UTTERANCE_HANDLE]));
    let mut peer = device.raw().await;
    let mut large = Message::new("recognizer_loop:utterance", json!({"utterances": ["hi"]}));
    large
        .context
        .insert("session", json!({"session_id": "kitchen", "lang": "de"}));
    large.context.set_source("audio");
    peer.send(&large.to_text()).await;
    large
        .data
        .insert("junk".to_owned(), "x".repeat(MAX_READ_BYTES).into());
    peer.send(&large.to_text()).await;
    assert_eq!(next(&mut heard).await.cut, None);
    let outline = next(&mut heard).await;
    assert_eq!(outline.cut, Some(Cut::TooLarge));
    assert_eq!(outline.canonical, topic::UTTERANCE_HANDLE);
    let context = &outline.message.context;
    assert!(outline.message.data.is_empty() && context.session().get("lang").is_none());
    assert_eq!(
        (context.session_id(), context.source()),
        ("kitchen", Some("audio"))
    );
}
