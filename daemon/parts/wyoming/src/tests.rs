//! One connection from the peer's side: what ends it, what it is told, and that the next one is served.

use std::time::Duration;

use loquat_bus::{BusAddress, ClientOptions};
use loquat_transcription::Whisper;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::connection::{IDLE, WHOLE};
use super::*;

fn service(whisper: Option<&str>) -> Arc<Service> {
    // Nothing listens there, and no event of these tests needs the bus.
    let address = BusAddress::local(9);
    let (bus, _actor) = loquat_bus::client(address, ClientOptions::default());
    let offer = Offer {
        persona: "Loquat".to_owned(),
        lang: "en-US".to_owned(),
        secondary_langs: Vec::new(),
        whisper: whisper.map(str::to_owned),
        dont_know: str::to_owned,
    };
    let model = whisper.map(|_| {
        let own = std::env::current_exe().unwrap();
        let settings = loquat_speech::SpeechSettings::new(own, "none");
        Ladder::local(Arc::new(Whisper::new(settings)))
    });
    let (conversations, _given_up) = Conversations::new(bus, "en-US");
    Arc::new(Service::new(conversations, model, offer, Duration::from_secs(10)))
}

/// A peer that has said this, and what it hears until the end.
async fn told(said: &[u8], whisper: Option<&str>) -> (Vec<Value>, Duration) {
    let began = Instant::now();
    let (mut peer, ours) = tokio::io::duplex(1 << 22);
    let connection = Connection::new(
        ours,
        IpAddr::from([127, 0, 0, 1]),
        Requests::default(),
        service(whisper),
    );
    peer.write_all(said).await.unwrap();
    let (heard, ()) = tokio::join!(heard(&mut peer), connection.serve());
    (heard, began.elapsed())
}

async fn heard(peer: &mut DuplexStream) -> Vec<Value> {
    let mut lines = BufReader::new(peer).lines();
    let mut heard = Vec::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        // The data of one event and the line of the next stand on one line.
        for value in serde_json::Deserializer::from_str(&line).into_iter::<Value>() {
            heard.push(value.unwrap());
        }
    }
    heard
}

fn code(heard: &[Value]) -> &str {
    heard
        .last()
        .and_then(|data| data["code"].as_str())
        .unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_is_silent_or_never_ends_a_line_is_let_go() {
    let (heard, took) = told(b"", None).await;
    assert!(heard.is_empty() && took >= IDLE && took < IDLE * 2, "{took:?}");
    let (heard, took) = told(b"{\"type\": \"describe", None).await;
    assert_eq!(code(&heard), "timeout");
    assert!(took >= WHOLE && took < WHOLE * 2, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_understood_ends_the_connection_with_a_sentence() {
    let line = "x".repeat(70_000);
    for (said, expected) in [
        ("GET / HTTP/1.1\r\n\r\n", "malformed"),
        ("{\"type\":\"transcript\"}\n", "malformed"),
        (
            "{\"type\":\"transcript\",\"data\":{\"text\":\"hi\",\"context\":{\"conversation_id\":\"a b\"}}}\n",
            "failed",
        ),
        ("{\"type\":\"a\",\"payload_length\":999999}\n", "too-large"),
        (line.as_str(), "too-large"),
        ("{\"type\":\"audio-stop\"}\n", "malformed"),
        (
            "{\"type\":\"audio-start\",\"data\":{\"rate\":16000,\"width\":2,\"channels\":1}}\n",
            "unsupported",
        ),
        ("{\"type\":\"transcribe\",\"data\":{}}\n", "unsupported"),
    ] {
        let (heard, _) = told(said.as_bytes(), None).await;
        assert_eq!(code(&heard), expected, "{said:.40}");
        assert_eq!(heard[0]["type"], "error", "{said:.40}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_recording_has_one_format_and_an_end() {
    let start = "{\"type\":\"audio-start\",\"data\":{\"rate\":16000,\"width\":2,\"channels\":1}}\n";
    let other = "{\"type\":\"audio-chunk\",\"data\":{\"rate\":8000,\"width\":2,\"channels\":1},\"payload_length\":2}\n00";
    let part = "{\"type\":\"audio-chunk\",\"data\":{\"rate\":8000},\"payload_length\":2}\n00";
    let bare = "{\"type\":\"audio-chunk\",\"payload_length\":2}\n00";
    let strange = "{\"type\":\"transcribe\",\"data\":{\"name\":\"large\"}}\n";
    let wide = "{\"type\":\"audio-start\",\"data\":{\"rate\":16000,\"width\":9,\"channels\":1}}\n";
    for (said, expected) in [
        ([start, other].concat(), "malformed"),
        ([start, part].concat(), "malformed"),
        (bare.to_owned(), "malformed"),
        (strange.to_owned(), "unsupported"),
        (wide.to_owned(), "unsupported"),
        // It never ends.
        ([start, bare, bare].concat(), "timeout"),
    ] {
        let (heard, _) = told(said.as_bytes(), Some("tiny")).await;
        assert_eq!(code(&heard), expected, "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_not_known_is_passed_over_and_a_ping_answered() {
    let said = "{\"type\":\"select-program\",\"data\":{\"name\":\"x\"}}\n{\"type\":\"ping\",\"data\":{\"text\":\"a\"}}\n\
                {\"type\":\"describe\"}\n";
    let (heard, _) = told(said.as_bytes(), None).await;
    let kinds: Vec<&str> = heard.iter().filter_map(|value| value["type"].as_str()).collect();
    assert_eq!(kinds, ["pong", "info"]);
    assert_eq!(heard[1]["text"], "a");
    assert_eq!(heard[3]["handle"][0]["models"][0]["name"], "Loquat");
}

#[tokio::test]
async fn a_stranger_is_not_let_in_and_hears_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let settings = Settings {
        allow: vec!["192.0.2.1".parse().unwrap()],
        ..Settings::default()
    };
    let (service, mut peers) = (service(None), Peers::new());
    for (address, comes_in) in [("192.0.2.7", false), ("192.0.2.1", true)] {
        let mut peer = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        peers.take(stream, address.parse().unwrap(), &settings, &service);
        peer.write_all(b"{\"type\":\"ping\"}\n").await.ok();
        let heard = peer.read(&mut [0; 16]).await.unwrap_or_default();
        assert_eq!(heard > 0, comes_in, "{address}");
    }
    assert_eq!((peers.served.count(), peers.refused.len()), (1, 0));
}
