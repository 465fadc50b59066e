//! Both sides of a session, with a pipe between them that changes, repeats or leaves out what passes.
#![cfg(test)]

use loquat_hive::{
    Admission, Credentials, Greeting, HiveMessage, Kind, Link, Membership, Psk, PublicKey, ReceiveError,
    StaticKey, Target, accept, join,
};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};

/// The pipe holds this many bytes.
const PIPE: usize = 1 << 20;

/// Two ends of a session: the listener hears what is written into the pipe, and the member speaks into a socket that
/// the test reads.
struct Pair {
    listener: Link<DuplexStream>,
    member: Link<TcpStream>,
    /// The member's messages come out here.
    sent: TcpStream,
    /// The listener hears what is put in here.
    heard: DuplexStream,
    keys: (PublicKey, PublicKey),
}

/// Passes bytes on both ways until the handshake is over on both sides.
async fn carry(sent: &mut TcpStream, heard: &mut DuplexStream) {
    let (mut left, mut right) = (vec![0; 8192], vec![0; 8192]);
    loop {
        tokio::select! {
            count = sent.read(&mut left) => put(heard, &left[..count.unwrap()]).await,
            count = heard.read(&mut right) => put(sent, &right[..count.unwrap()]).await,
        }
    }
}

async fn put<Stream: AsyncRead + AsyncWrite + Unpin>(stream: &mut Stream, bytes: &[u8]) {
    stream.write_all(bytes).await.unwrap();
}

impl Pair {
    async fn new(own: &StaticKey, theirs: &StaticKey, known: Option<(PublicKey, PublicKey)>) -> Self {
        let door = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let psk = Psk::from_hex(&"07".repeat(32)).unwrap();
        let greeting = Greeting {
            node_id: "node".to_owned(),
            key: own.clone(),
            takes_old: false,
        };
        let admission = Admission {
            peer: "kitchen".to_owned(),
            psk: psk.clone(),
            known: known.map(|(_, member)| member),
            old: None,
        };
        let membership = Membership {
            program: "test".to_owned(),
            access_key: "key".to_owned(),
            key: theirs.clone(),
            known: known.map(|(listener, _)| listener),
        };
        let target = Target {
            host: "127.0.0.1".to_owned(),
            port: door.local_addr().unwrap().port(),
            has_tls: false,
        };
        let (inner, mut heard) = duplex(PIPE);
        let joined = async {
            let stream = target.connect().await?;
            join(stream, &target, &membership, async |_| Ok(psk.clone())).await
        };
        let accepted = accept(inner, &greeting, async |credentials: &Credentials| {
            (credentials.access_key == "key").then_some(admission)
        });
        let both = async { tokio::join!(joined, accepted) };
        tokio::pin!(both);
        let mut sent = tokio::select! {
            accepted = door.accept() => accepted.unwrap().0,
            _ = &mut both => panic!("the two have met without the pipe"),
        };
        let (joined, accepted) = tokio::select! {
            outcome = &mut both => outcome,
            () = carry(&mut sent, &mut heard) => panic!("the pipe ended"),
        };
        let (member, listener_key) = joined.unwrap();
        let (listener, _, member_key) = accepted.unwrap();
        Self {
            listener,
            member,
            sent,
            heard,
            keys: (listener_key, member_key.unwrap()),
        }
    }

    async fn fresh() -> Self {
        let (own, theirs) = (StaticKey::generate().unwrap(), StaticKey::generate().unwrap());
        Self::new(&own, &theirs, None).await
    }

    /// Has the member send a message, and takes its bytes out of the socket.
    async fn bytes(&mut self) -> Vec<u8> {
        let payload = json!({"type": "speak", "data": {"utterance": "hi"}, "context": {}});
        let message = HiveMessage::new(Kind::Bus, payload.as_object().unwrap().clone());
        self.member.send(&message).await.unwrap();
        let mut bytes = vec![0; 8192];
        let count = self.sent.read(&mut bytes).await.unwrap();
        bytes.truncate(count);
        bytes
    }

    /// Tells what the listener makes of these bytes.
    async fn hears(&mut self, bytes: &[u8]) -> Result<Option<HiveMessage>, ReceiveError> {
        put(&mut self.heard, bytes).await;
        self.listener.receive().await
    }
}

#[tokio::test]
async fn a_message_comes_through_once_and_as_it_was() {
    let mut pair = Pair::fresh().await;
    let first = pair.bytes().await;
    let heard = pair.hears(&first).await.unwrap().unwrap();
    assert_eq!(heard.object().unwrap()["data"]["utterance"], "hi");
    // The same bytes once more.
    assert!(matches!(pair.hears(&first).await, Err(ReceiveError::Forged)));
}

#[tokio::test]
async fn what_is_changed_or_left_out_is_noticed() {
    let mut pair = Pair::fresh().await;
    let mut changed = pair.bytes().await;
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(pair.hears(&changed).await, Err(ReceiveError::Forged)));
    let mut pair = Pair::fresh().await;
    let _left_out = pair.bytes().await;
    let second = pair.bytes().await;
    assert!(matches!(pair.hears(&second).await, Err(ReceiveError::Forged)));
}

#[tokio::test]
async fn sides_that_have_met_know_each_other() {
    let (own, theirs) = (StaticKey::generate().unwrap(), StaticKey::generate().unwrap());
    let first = Pair::new(&own, &theirs, None).await;
    let mut again = Pair::new(&own, &theirs, Some(first.keys)).await;
    assert_eq!(again.keys, first.keys);
    let bytes = again.bytes().await;
    assert!(again.hears(&bytes).await.unwrap().is_some());
}
