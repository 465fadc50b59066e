//! The embedded bus, seen by clients of another make.

use std::net::SocketAddr;

use crate::support::{Device, Raw, next, within};
use futures_util::{FutureExt, SinkExt, StreamExt};
use loquat_bus::{BindError, BusServerOptions, Cut, EmbeddedBus, Topics};
use loquat_wire::{Message, topic};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;

#[tokio::test]
async fn the_first_frame_is_the_greeting() {
    let device = Device::start();
    let mut client = Raw::connect(device.port(), "/core", None).await.unwrap();
    assert_eq!(
        client.text().await,
        r#"{"type":"connected","data":{},"context":{"session":{"session_id":"default"}}}"#
    );
}

#[tokio::test]
async fn every_client_gets_every_frame_byte_for_byte_and_so_does_the_sender() {
    let device = Device::start();
    let mut clients = [device.raw().await, device.raw().await, device.raw().await];
    let frames = [
        r#"{"type":"a.b"}"#,
        r#" { "context" : {"session":{"session_id":"x","zzz":null},"destination":["a"]}, "extra":1, "type":"speak" } "#,
        "{\"type\":\"a\",\"data\":{\"t\":\"\\u00e4 \u{1f34b}\",\"n\":1.50}}",
    ];
    for frame in frames {
        clients[0].send(frame).await;
        for client in &mut clients {
            assert_eq!(client.text().await, frame);
        }
    }
}

#[tokio::test]
async fn the_frames_of_one_sender_keep_their_order() {
    let device = Device::start();
    let (mut sender, mut receiver) = (device.raw().await, device.raw().await);
    let send = async {
        for number in 0..2000 {
            sender
                .send(&format!(r#"{{"type":"n","data":{{"n":{number}}}}}"#))
                .await;
        }
    };
    let receive = async {
        for number in 0..2000 {
            assert_eq!(receiver.message().await.data["n"], number);
        }
    };
    within(futures_util::future::join(send, receive)).await;
}

#[tokio::test]
async fn a_malformed_session_is_rejected_once_and_the_connection_stays() {
    let device = Device::start();
    let mut clients = [device.raw().await, device.raw().await, device.raw().await];
    for session in ["\"x\"", "[1]", "5", "true"] {
        let bad =
            format!(r#"{{"type":"test.bad","context":{{"session":{session},"utterance_id":"u1","zzz":1}}}}"#);
        clients[0].send(&bad).await;
        clients[0]
            .send(r#"{"type":"test.good","context":{"session":null}}"#)
            .await;
        for client in &mut clients {
            let rejection = client.message().await;
            assert_eq!(rejection.topic, topic::SESSION_REJECTED);
            let reason = json!({"msg_type": "test.bad", "reason": "malformed_carrier"});
            assert_eq!(json!(rejection.data), reason);
            assert_eq!(json!(rejection.context.as_map()), json!({"utterance_id": "u1"}));
            assert_eq!(client.message().await.topic, "test.good");
        }
    }
}

#[tokio::test]
async fn frames_that_are_no_messages_reach_nobody_and_close_nothing() {
    let device = Device::start();
    let (mut sender, mut receiver) = (device.raw().await, device.raw().await);
    for garbage in [
        "",
        "not json",
        "[1]",
        "42",
        "null",
        r#""text""#,
        "{}",
        r#"{"type":5}"#,
        r#"{"type":""}"#,
        r#"{"type":"a","data":[]}"#,
        r#"{"type":"a","context":"x"}"#,
        r#"{"type":"a""#,
    ] {
        sender.send(garbage).await;
    }
    for _ in 0..10_000 {
        sender.stream.feed(tungstenite::Message::text("[")).await.unwrap();
    }
    sender.put(tungstenite::Message::binary(vec![0xff, 0xfe])).await;
    sender.send(r#"{"type":"test.good"}"#).await;
    assert_eq!(receiver.text().await, r#"{"type":"test.good"}"#);
    assert_eq!(sender.text().await, r#"{"type":"test.good"}"#);
}

#[tokio::test]
async fn a_binary_frame_that_is_text_is_passed_on_as_text() {
    let device = Device::start();
    let (mut sender, mut receiver) = (device.raw().await, device.raw().await);
    sender
        .put(tungstenite::Message::binary(r#"{"type":"test.binary"}"#))
        .await;
    assert_eq!(receiver.text().await, r#"{"type":"test.binary"}"#);
}

#[tokio::test]
async fn twenty_four_megabytes_pass_and_more_than_the_limit_closes_the_sender_with_1009() {
    let device = Device::start();
    let (mut sender, mut receiver) = (device.raw().await, device.raw().await);
    let frame = |megabytes: f64| {
        let text = "x".repeat((megabytes * 1024.0 * 1024.0) as usize);
        format!(r#"{{"type":"test.large","data":{{"text":"{text}"}}}}"#)
    };
    let large = frame(24.9);
    within(futures_util::future::join(sender.send(&large), async {
        assert!(receiver.text().await == large.as_str());
    }))
    .await;
    assert!(sender.text().await == large.as_str());

    let too_large = tungstenite::Message::text(frame(25.1));
    // Whether the whole frame goes out before the close comes back is the system's affair.
    within(sender.stream.send(too_large)).await.ok();
    assert_eq!(sender.goodbye().await, Some(1009));

    let mut other = device.raw().await;
    other.send(r#"{"type":"test.good"}"#).await;
    assert_eq!(receiver.message().await.topic, "test.good");
}

#[tokio::test]
async fn our_client_sends_frames_of_almost_25_mebibytes_and_bears_those_of_others() {
    let device = Device::start();
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard = bob.subscribe(Topics::of(["test.large"]));
    let large = Message::new("test.large", json!({"text": "x".repeat((25 << 20) - 1000)}));
    alice.emit(large.clone()).await.unwrap();
    let outline = next(&mut heard).await;
    assert_eq!(outline.cut, Some(Cut::TooLarge));
    assert_eq!(outline.message, Message::new("test.large", ()));
    assert_eq!(bob.counts().connections, 1);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off_without_hurting_others() {
    let device = Device::with(|options: &mut BusServerOptions| {
        options.limits.max_waiting_bytes = 8 << 20;
    });
    let mut slow = device.raw().await;
    let (alice, bob) = (device.client().await, device.client().await);
    let mut heard = bob.subscribe(Topics::of(["test.flood"]));
    let text = "x".repeat(64 << 10);
    // More than the queue and the buffers of the system together take.
    for number in 0..512 {
        let flood = Message::new("test.flood", json!({"number": number, "text": text}));
        alice.emit(flood).await.unwrap();
        assert_eq!(next(&mut heard).await.message.data["number"], number);
    }
    let end = within(async {
        loop {
            match slow.stream.next().await {
                Some(Ok(_)) => {}
                end => return end,
            }
        }
    })
    .await;
    assert!(matches!(end, None | Some(Err(_))), "{end:?}");
    assert_eq!((alice.counts().connections, bob.counts().connections), (1, 1));
}

#[tokio::test]
async fn other_paths_and_foreign_pages_are_refused_with_the_right_status() {
    let device = Device::start();
    let refused =
        async |path: &str, origin: Option<&str>| match Raw::connect(device.port(), path, origin).await {
            Err(tungstenite::Error::Http(response)) => response.status().as_u16(),
            Ok(_) => 101,
            Err(error) => panic!("{error}"),
        };
    assert_eq!(refused("/core", None).await, 101);
    assert_eq!(refused("/core?client=x", None).await, 101);
    assert_eq!(refused("/", None).await, 404);
    assert_eq!(refused("/core/", None).await, 404);
    assert_eq!(refused("/gui", None).await, 404);
    let own = format!("http://127.0.0.1:{}", device.port());
    assert_eq!(refused("/core", Some(&own)).await, 101);
    assert_eq!(refused("/core", Some("http://127.0.0.1:1")).await, 403);
    assert_eq!(refused("/core", Some("http://localhost:5000")).await, 403);
    assert_eq!(refused("/core", Some("https://example.org")).await, 403);
    assert_eq!(refused("/core", Some("null")).await, 403);
}

#[tokio::test]
async fn pages_from_anywhere_are_let_in_on_request() {
    let device = Device::with(|options: &mut BusServerOptions| options.any_origin = true);
    Raw::connect(device.port(), "/core", Some("https://example.org"))
        .await
        .unwrap();
}

#[tokio::test]
async fn whatever_is_no_websocket_gets_a_plain_answer() {
    let device = Device::start();
    for (request, status) in [
        ("GET /core HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
        ("GET /core HTTP/1.1\r\nHost: x\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("\u{1}\u{2}\u{3}\r\n\r\n", "400"),
    ] {
        let mut tcp = TcpStream::connect(("127.0.0.1", device.port())).await.unwrap();
        tcp.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        within(tcp.read_to_string(&mut answer)).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}

#[tokio::test]
async fn one_client_too_many_is_turned_away() {
    let device = Device::with(|options: &mut BusServerOptions| options.limits.max_clients = 2);
    let first = device.raw().await;
    let _second = device.raw().await;
    let Err(tungstenite::Error::Http(response)) = Raw::connect(device.port(), "/core", None).await else {
        panic!("let in");
    };
    assert_eq!(response.status().as_u16(), 503);
    drop(first);
    within(async {
        while Raw::connect(device.port(), "/core", None).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_end_of_the_bus_is_a_goodbye_to_everybody() {
    let device = Device::start();
    let mut clients = [device.raw().await, device.raw().await];
    let ((), codes) = within(futures_util::future::join(device.stop(), async {
        let mut codes = Vec::new();
        for client in &mut clients {
            codes.push(client.goodbye().await);
            client.stream.close(None).await.ok();
            while client.stream.next().await.is_some() {}
        }
        codes
    }))
    .await;
    assert_eq!(codes, [Some(1001), Some(1001)]);
}

#[tokio::test]
async fn a_goodbye_is_answered() {
    let device = Device::start();
    let mut client = device.raw().await;
    client.stream.close(None).await.unwrap();
    assert!(client.goodbye().now_or_never().is_none());
    let mut client = device.raw().await;
    client.put(tungstenite::Message::Close(None)).await;
    assert_eq!(client.goodbye().await, None);
}

#[tokio::test]
async fn two_hundred_clients_all_hear_a_broadcast() {
    let device = Device::start();
    let mut clients = Vec::new();
    for _ in 0..200 {
        clients.push(device.raw().await);
    }
    clients[0].send(r#"{"type":"test.all"}"#).await;
    for client in &mut clients {
        assert_eq!(client.text().await, r#"{"type":"test.all"}"#);
    }
}

#[tokio::test]
async fn only_the_loopback_interface_will_do() {
    for host in ["0.0.0.0", "192.168.1.2", "::", "example.org", ""] {
        let mut options = BusServerOptions::on_port(0);
        options.host = host.to_owned();
        let refused = EmbeddedBus::bind(options).unwrap_err();
        assert!(
            matches!(refused, BindError::NotLoopback { .. }),
            "{host}: {refused}"
        );
    }
    for host in ["127.0.0.1", "localhost", "127.0.0.2"] {
        let mut options = BusServerOptions::on_port(0);
        options.host = host.to_owned();
        let bus = EmbeddedBus::bind(options).unwrap();
        assert!(bus.local_addr().ip().is_loopback());
    }
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let device = Device::start();
    let refused = EmbeddedBus::bind(BusServerOptions::on_port(device.port())).unwrap_err();
    let address: SocketAddr = ([127, 0, 0, 1], device.port()).into();
    assert!(
        matches!(refused, BindError::InUse { address: there } if there == address),
        "{refused}"
    );
}

/// Clients of OVOS acknowledge late. A bus that waited for that would make every answer 40 ms late.
#[tokio::test]
async fn an_answer_does_not_wait_until_the_echo_before_it_is_acknowledged() {
    let device = Device::start();
    let (mut asking, mut answering) = (device.raw().await, device.raw().await);
    let mut took = Vec::new();
    for _ in 0..61 {
        let begun = tokio::time::Instant::now();
        asking.send(r#"{"type":"test.ask"}"#).await;
        answering.text().await;
        answering.send(r#"{"type":"test.answer"}"#).await;
        asking.text().await;
        asking.text().await;
        answering.text().await;
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    assert!(took[30] < std::time::Duration::from_millis(30), "{:?}", took[30]);
}

#[tokio::test]
async fn a_crowd_that_comes_at_once_waits_at_the_door_and_not_outside() {
    let bus = EmbeddedBus::bind(BusServerOptions::on_port(0)).unwrap();
    // No client is let in before the bus runs. A client without a place would not be connected before that.
    let mut crowd = Vec::new();
    for _ in 0..300 {
        crowd.push(within(TcpStream::connect(bus.local_addr())).await.unwrap());
    }
}
