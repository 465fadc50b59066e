//! The side that joins: opens a connection to a listener, proves that it knows the password, and makes a session of it. It
//! waits for as long as the listener takes, so the caller sets the deadline.

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::handshake::{Handshake, HandshakeError, Keys, text, unwrapped, wrapped};
use crate::key::{DeriveError, Psk, PublicKey, StaticKey};
use crate::kind::Kind;
use crate::link::{Link, UNACCEPTABLE, broken, clear_text, close, limits, tell_clear};
use crate::message::HiveMessage;
use crate::negotiation::Terms;

/// The port that HiveMind has unless told.
const PORT: u16 = 5678;

/// Before the handshake at most this many messages come in the clear.
const PREAMBLE: usize = 8;

/// The id of a listener has at most this many bytes.
const LONGEST_NODE_ID: usize = 512;

/// The address of a listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The host, as a name or an address.
    pub host: String,
    /// It listens on this TCP port.
    pub port: u16,
    /// Says whether it is reached over TLS.
    pub has_tls: bool,
}

/// Says why a text is no address of a listener.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// It is none.
    #[error("it must be an address as in ws://192.168.1.20:5678, or wss:// with TLS")]
    NoAddress,
}

impl Target {
    /// Reads `ws://HOST:PORT`, or `wss://HOST:PORT`.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        let secure = text.strip_prefix("wss://");
        let rest = secure.or_else(|| text.strip_prefix("ws://"));
        let rest = rest.ok_or(TargetError::NoAddress)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let is_host = |host: &str| {
            let named = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
            !host.is_empty() && host.bytes().all(named)
        };
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| TargetError::NoAddress)?)
            }
            _ => (rest, PORT),
        };
        let target = Self {
            host: host.to_owned(),
            port,
            has_tls: secure.is_some(),
        };
        is_host(host).then_some(target).ok_or(TargetError::NoAddress)
    }

    /// Opens a connection, over which nothing is said yet, TLS neither.
    pub async fn connect(&self) -> io::Result<TcpStream> {
        let host = self.host.trim_matches(['[', ']']);
        let stream = TcpStream::connect((host, self.port)).await?;
        stream.set_nodelay(true).ok();
        Ok(stream)
    }
}

/// The keys with which a node joins.
#[derive(Debug, Clone)]
pub struct Membership {
    /// The name of this program.
    pub program: String,
    /// The access key, by which the listener knows it.
    pub access_key: String,
    /// It is the node's own key.
    pub key: StaticKey,
    /// The listener's key, if it was met before.
    pub known: Option<PublicKey>,
}

/// Says why a node has not joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The listener cannot be reached, or the connection broke.
    #[error("failed to reach the listener: {0}")]
    Broken(#[from] io::Error),
    /// The listener has closed the connection: the access key is not known there, or the password is another.
    #[error(
        "failed to join: the listener has ended the connection; it does not know the access key, or the password is another"
    )]
    Refused,
    /// The listener does not say who it is.
    #[error("failed to join: the listener says nothing of a listener of HiveMind")]
    NoListener,
    /// The password gave no key.
    #[error(transparent)]
    Derive(#[from] DeriveError),
    /// There is no session.
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
}

/// Joins over a connection to the target, behind its TLS where it has that. `psk` gives the key of the password for the listener of an id, which is slow to make and worth keeping. The
/// listener's key comes along with the session.
pub async fn join<Stream: AsyncRead + AsyncWrite + Unpin>(
    stream: Stream,
    target: &Target,
    membership: &Membership,
    psk: impl AsyncFnOnce(&str) -> Result<Psk, DeriveError>,
) -> Result<(Link<Stream>, PublicKey), JoinError> {
    let mut socket = open(stream, target, membership).await?;
    let terms = terms(&mut socket).await?;
    if !terms.is_of_this_version() {
        return Err(HandshakeError::OldProtocol.into());
    }
    let node_id = terms.node_id().filter(|id| id.len() <= LONGEST_NODE_ID);
    let psk = psk(node_id.ok_or(JoinError::NoListener)?).await?;
    let choice = terms
        .choice(membership.known.is_some())
        .ok_or(HandshakeError::NoChoice)?;
    let keys = Keys {
        own: &membership.key,
        psk: &psk,
        known: membership.known,
    };
    let mut handshake = Handshake::new(&terms, &choice, &keys, true)?;
    let wishes = json!({"binarize": true, "encodings": ["JSON-HEX"]}).to_string();
    let first = handshake.write(wishes.as_bytes())?;
    tell_clear(&mut socket, &wrapped(Some(&choice), first)).await?;
    let answer = next(&mut socket).await?;
    handshake.read(text(unwrapped(&answer)?, "msg")?)?;
    if !handshake.is_finished() {
        let last = handshake.write(&[])?;
        tell_clear(&mut socket, &wrapped(None, last)).await?;
    }
    match handshake.finish() {
        Ok((noise, key)) => Ok((Link::new(socket, noise, true), key)),
        Err(error) => {
            close(&mut socket, UNACCEPTABLE, "another key than before").await;
            Err(error.into())
        }
    }
}

async fn open<Stream: AsyncRead + AsyncWrite + Unpin>(
    stream: Stream,
    target: &Target,
    membership: &Membership,
) -> Result<WebSocketStream<Stream>, JoinError> {
    let Target { host, port, has_tls } = target;
    let scheme = if *has_tls { "wss" } else { "ws" };
    let credentials = format!("{}:{}", membership.program, membership.access_key);
    let credentials = BASE64_STANDARD.encode(credentials);
    let credentials = utf8_percent_encode(&credentials, NON_ALPHANUMERIC);
    let url = format!("{scheme}://{host}:{port}/?authorization={credentials}");
    let request = url.into_client_request().map_err(broken)?;
    let opened = client_async_with_config(request, stream, Some(limits(false))).await;
    let (socket, _) = opened.map_err(broken)?;
    Ok(socket)
}

/// Reads what the listener says first, in whatever order.
async fn terms<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
) -> Result<Terms, JoinError> {
    let (mut hello, mut offer) = (None, None);
    for _ in 0..PREAMBLE {
        let message = next(socket).await?;
        let object = message.object().cloned().unwrap_or_default();
        match message.kind {
            Kind::Hello => hello = Some(object),
            Kind::Handshake => offer = Some(object),
            _ => {}
        }
        if let (Some(hello), Some(offer)) = (&hello, &offer) {
            let (hello, offer) = (hello.clone(), offer.clone());
            return Ok(Terms { hello, offer });
        }
    }
    Err(JoinError::NoListener)
}

async fn next<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
) -> Result<HiveMessage, JoinError> {
    let text = clear_text(socket).await?.ok_or(JoinError::Refused)?;
    HiveMessage::from_json(&text).map_err(|_| JoinError::NoListener)
}

impl HiveMessage {
    /// Says who joins, in which session, and where the node stands.
    pub fn hello(session_id: &str, site: &str) -> Self {
        let session = json!({"session_id": session_id, "site_id": site});
        let payload = json!({"session": session, "site_id": site});
        let Value::Object(payload) = payload else {
            return Self::new(Kind::Hello, serde_json::Map::new());
        };
        Self::new(Kind::Hello, payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_and_a_port() {
        for (text, host, port) in [
            ("ws://127.0.0.1:1234", "127.0.0.1", 1234),
            ("ws://hive.local", "hive.local", PORT),
            ("ws://hive.local:7/", "hive.local", 7),
            ("ws://[::1]:9", "[::1]", 9),
            ("ws://[::1]", "[::1]", PORT),
        ] {
            let target = Target::parse(text).unwrap();
            assert_eq!((target.host.as_str(), target.port), (host, port), "{text}");
            assert!(!target.has_tls);
        }
        let secure = Target::parse("wss://a:1").unwrap();
        assert_eq!(
            (secure.host.as_str(), secure.port, secure.has_tls),
            ("a", 1, true)
        );
        for wrong in [
            "",
            "a:1",
            "ws://",
            "ws://a:x",
            "ws://a:99999",
            "ws://a b:1",
            "http://a:1",
            "ws://a/b",
        ] {
            assert!(Target::parse(wrong).is_err(), "{wrong}");
        }
    }
}
