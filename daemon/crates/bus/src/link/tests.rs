//! A link against the other make of websocket, over a real socket.

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpListener;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::*;

const LIMITS: LinkLimits = LinkLimits {
    max_frame: 1 << 20,
    read_buffer: 4 << 10,
};

async fn pair(role: Role) -> (Link, WebSocketStream<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (theirs, _) = listener.accept().await.unwrap();
    let other = match role {
        Role::Client => Role::Server,
        Role::Server => Role::Client,
    };
    let theirs = WebSocketStream::from_raw_socket(theirs, other, None).await;
    (Link::new(ours, Vec::new(), role, LIMITS), theirs)
}

async fn read(link: &mut Link) -> tungstenite::Result<Incoming> {
    loop {
        if let Some(incoming) = link.read() {
            return incoming;
        }
        link.ready().await.unwrap();
    }
}

#[tokio::test]
async fn frames_of_all_sizes_arrive_whole_and_in_order_on_both_sides() {
    for role in [Role::Client, Role::Server] {
        let (mut link, mut theirs) = pair(role).await;
        let texts: Vec<_> = [0, 1, 125, 126, 4096, 4097, 65_535, 65_536, 900_000, 3]
            .map(|length| "x".repeat(length))
            .to_vec();
        for text in &texts {
            link.push(encode_text(text.clone().into(), role));
        }
        let receive = async {
            for text in &texts {
                assert_eq!(
                    theirs.next().await.unwrap().unwrap(),
                    Message::text(text.as_str())
                );
            }
        };
        let (drained, ()) = tokio::join!(link.drain(), receive);
        drained.unwrap();
        assert_eq!(link.backlog(), 0);
    }
}

#[tokio::test]
async fn a_reader_that_is_away_costs_a_backlog_and_no_waiting() {
    let (mut link, theirs) = pair(Role::Server).await;
    let frame = encode_text("x".repeat(1 << 20).into(), Role::Server);
    for _ in 0..64 {
        link.push(frame.clone());
        link.flush().unwrap();
    }
    assert!(link.backlog() > 0);
    drop(theirs);
}

#[tokio::test]
async fn a_text_that_is_not_utf8_costs_a_client_the_frame_only() {
    let (mut link, mut theirs) = pair(Role::Client).await;
    let bad = Frame::message(vec![0xff], OpCode::Data(Data::Text), true);
    theirs.send(Message::Frame(bad)).await.unwrap();
    theirs.send(Message::text("good")).await.unwrap();
    assert!(matches!(read(&mut link).await, Ok(Incoming::NotText)));
    assert!(matches!(read(&mut link).await, Ok(Incoming::Text(text)) if text == "good"));
}

#[tokio::test]
async fn a_binary_frame_that_holds_text_is_text() {
    let (mut link, mut theirs) = pair(Role::Server).await;
    theirs.send(Message::binary("good")).await.unwrap();
    theirs.send(Message::binary(vec![0xff])).await.unwrap();
    assert!(matches!(read(&mut link).await, Ok(Incoming::Text(text)) if text == "good"));
    assert!(matches!(read(&mut link).await, Ok(Incoming::NotText)));
}

#[tokio::test]
async fn a_frame_over_the_limit_ends_the_connection() {
    let (mut link, mut theirs) = pair(Role::Server).await;
    let send = theirs.send(Message::text("x".repeat((1 << 20) + 1)));
    let (end, _) = tokio::join!(
        read(&mut link),
        tokio::time::timeout(std::time::Duration::from_secs(1), send)
    );
    assert!(matches!(end, Err(tungstenite::Error::Capacity(_))));
}

#[tokio::test]
async fn pings_are_answered() {
    let (mut link, mut theirs) = pair(Role::Server).await;
    theirs.send(Message::Ping("sign".into())).await.unwrap();
    assert!(matches!(read(&mut link).await, Ok(Incoming::Sign)));
    assert!(link.read().is_none());
    link.drain().await.unwrap();
    assert_eq!(
        theirs.next().await.unwrap().unwrap(),
        Message::Pong("sign".into())
    );
}
