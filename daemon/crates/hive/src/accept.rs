//! The side that listens: takes a connection, learns who it is, and makes a session of it. Whom it lets in is up to the
//! caller; it sets no deadline, which is the caller's as well.

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::accept_hdr_async_with_config;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::StatusCode;

use crate::handshake::{Handshake, HandshakeError, Keys, text, unwrapped, wrapped};
use crate::key::{Psk, PublicKey, StaticKey};
use crate::kind::Kind;
use crate::link::{Link, UNACCEPTABLE, broken, clear_text, close, limits, tell_clear};
use crate::message::HiveMessage;
use crate::negotiation::{KK, Terms};
use crate::old::{self, OldCipher, OldPassword};

/// A client's claims in its address have at most this many bytes.
const LONGEST_AUTHORIZATION: usize = 1024;

/// The claims of a client in its address, before anything is proved.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The name of the program.
    pub program: String,
    /// The access key, which says whose password it knows.
    pub access_key: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

/// The keys of a client that may come in.
#[derive(Debug, Clone)]
pub struct Admission {
    /// The client's name, as the listener tells it to the client.
    pub peer: String,
    /// The password gives this key.
    pub psk: Psk,
    /// Its own key; absent if it was never here.
    pub known: Option<PublicKey>,
    /// The password itself, where it may prove it by the protocol before version 3.
    pub old: Option<OldPassword>,
}

/// Introduces the listener.
#[derive(Debug, Clone)]
pub struct Greeting {
    /// The id of the listener, with which passwords are salted.
    pub node_id: String,
    /// It is the listener's own key.
    pub key: StaticKey,
    /// Says whether any client may come by the protocol before version 3, which has larger frames.
    pub takes_old: bool,
}

/// Says why a connection is none.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// The connection broke.
    #[error("failed to take a connection: {0}")]
    Broken(#[from] io::Error),
    /// It does not say who it is, or comes from a page of another address.
    #[error("failed to take a connection: it does not say who it is, or a page of another address opened it")]
    Unnamed,
    /// The access key is not known.
    #[error("failed to take a connection: its access key is not known")]
    Unknown,
    /// The client ended the connection within the handshake.
    #[error("failed to take a connection: it ended within the handshake")]
    Ended,
    /// There is no session.
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
}

impl AcceptError {
    /// Gives the reason as the other side is told it.
    fn reason(&self) -> &'static str {
        match self {
            Self::Unnamed => "invalid authorization",
            Self::Unknown => "invalid api key",
            Self::Handshake(HandshakeError::OldProtocol) => "this node requires the v3 Noise handshake",
            Self::Handshake(HandshakeError::Stranger) => "client Noise static key contradicts the pinned key",
            _ => "handshake failure",
        }
    }
}

/// Takes a connection, whose client `admit` lets in or not. The client's key comes along with its session, where its protocol has
/// keys.
pub async fn accept<Stream: AsyncRead + AsyncWrite + Unpin>(
    stream: Stream,
    greeting: &Greeting,
    admit: impl AsyncFnOnce(&Credentials) -> Option<Admission>,
) -> Result<(Link<Stream>, Credentials, Option<PublicKey>), AcceptError> {
    let (mut socket, credentials) = open(stream, greeting.takes_old).await?;
    let admitted = match &credentials {
        Some(credentials) => admit(credentials).await.ok_or(AcceptError::Unknown),
        None => Err(AcceptError::Unnamed),
    };
    let outcome = match admitted {
        Ok(admission) => agree(&mut socket, greeting, &admission).await,
        Err(error) => Err(error),
    };
    match (outcome, credentials) {
        (Ok(Agreed::Noise(handshake, binary)), Some(credentials)) => {
            let (noise, key) = match handshake.finish() {
                Ok(finished) => finished,
                Err(error) => return Err(turn_away(&mut socket, error.into()).await),
            };
            Ok((Link::new(socket, noise, binary), credentials, Some(key)))
        }
        (Ok(Agreed::Old(cipher, binary)), Some(credentials)) => {
            Ok((Link::of_old(socket, cipher, binary), credentials, None))
        }
        (Err(error), _) => Err(turn_away(&mut socket, error).await),
        (Ok(_), None) => Err(AcceptError::Unnamed),
    }
}

async fn turn_away<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
    error: AcceptError,
) -> AcceptError {
    close(socket, UNACCEPTABLE, error.reason()).await;
    error
}

/// Opens the websocket, and reads what its address says. One that says nothing is taken too, to be told why
/// it ends.
async fn open<Stream: AsyncRead + AsyncWrite + Unpin>(
    stream: Stream,
    takes_old: bool,
) -> Result<(WebSocketStream<Stream>, Option<Credentials>), AcceptError> {
    let mut credentials = None;
    #[expect(clippy::result_large_err, reason = "the type is that of tungstenite")]
    let look = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        if !is_own_origin(request) {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = StatusCode::FORBIDDEN;
            return Err(refusal);
        }
        credentials = request.uri().query().and_then(read_credentials);
        Ok(response)
    };
    let socket = accept_hdr_async_with_config(stream, look, Some(limits(takes_old))).await;
    Ok((socket.map_err(broken)?, credentials))
}

/// A browser tells which page opened a connection; it has to be one of this very address.
fn is_own_origin(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    match (
        request.headers().contains_key("origin"),
        header("origin"),
        header("host"),
    ) {
        (false, ..) => true,
        (true, Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, of)| of == host),
        (true, ..) => false,
    }
}

fn read_credentials(query: &str) -> Option<Credentials> {
    let fields = query.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = fields.into_iter().find(|(name, _)| *name == "authorization")?;
    if value.len() > LONGEST_AUTHORIZATION {
        return None;
    }
    // The stock client does not escape what Base64 has.
    let value = percent_decode_str(value).decode_utf8().ok()?;
    let decoded = BASE64_STANDARD.decode(value.as_bytes()).ok()?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (program, access_key) = decoded.split_once(':')?;
    let is_named = !program.is_empty() && !access_key.is_empty();
    is_named.then(|| Credentials {
        program: program.to_owned(),
        access_key: access_key.to_owned(),
    })
}

/// The outcome of a handshake, and whether the other side reads the binary form.
enum Agreed {
    Noise(Box<Handshake>, bool),
    Old(OldCipher, bool),
}

/// Shakes hands, up to the end.
async fn agree<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
    greeting: &Greeting,
    admission: &Admission,
) -> Result<Agreed, AcceptError> {
    let known = admission.known.is_some();
    let terms = Terms::of_listener(&greeting.node_id, &admission.peer, known, admission.old.is_some());
    tell_clear(socket, &HiveMessage::new(Kind::Hello, terms.hello.clone())).await?;
    tell_clear(socket, &HiveMessage::new(Kind::Handshake, terms.offer.clone())).await?;
    let first = next(socket).await?;
    if let Some(password) = admission.old.clone().filter(|_| is_old(&first)) {
        let (answer, cipher, binary) = old::answer(&first, password).await?;
        tell_clear(socket, &answer).await?;
        return Ok(Agreed::Old(cipher, binary));
    }
    let noise = unwrapped(&first)?;
    let chosen = terms.chosen(text(noise, "pattern")?, text(noise, "suite")?);
    let choice = chosen.ok_or(HandshakeError::NoChoice)?;
    // With the pattern that exchanges keys one that was seen before is compared at the end.
    let keys = Keys {
        own: &greeting.key,
        psk: &admission.psk,
        known: admission.known,
    };
    let mut handshake = Handshake::new(&terms, &choice, &keys, false)?;
    let wishes = handshake.read(text(noise, "msg")?)?;
    let answer = json!({"encoding": encoding(&wishes)}).to_string();
    let answer = handshake.write(answer.as_bytes())?;
    tell_clear(socket, &wrapped(None, answer)).await?;
    if choice.pattern != KK {
        let last = next(socket).await?;
        handshake.read(text(unwrapped(&last)?, "msg")?)?;
    }
    if !handshake.is_finished() {
        return Err(HandshakeError::Malformed.into());
    }
    let binary = wishes.get("binarize").and_then(Value::as_bool).unwrap_or(false);
    Ok(Agreed::Noise(Box::new(handshake), binary))
}

/// Tells whether a client begins the handshake of the protocol before version 3.
fn is_old(first: &HiveMessage) -> bool {
    let said = first.object().filter(|_| first.kind == Kind::Handshake);
    said.is_some_and(|said| said.contains_key("envelope") && !said.contains_key("noise"))
}

/// Texts within a session are not encoded at all; what the other side likes best is told back to it.
fn encoding(wishes: &Map<String, Value>) -> &str {
    let liked = wishes.get("encodings").and_then(|liked| liked.get(0));
    let liked = liked.and_then(Value::as_str);
    liked.filter(|liked| liked.len() <= 32).unwrap_or("JSON-HEX")
}

async fn next<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
) -> Result<HiveMessage, AcceptError> {
    let text = clear_text(socket).await?.ok_or(AcceptError::Ended)?;
    HiveMessage::from_json(&text).map_err(|_| HandshakeError::Malformed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_who_comes() {
        let query = format!("a=b&authorization={}", BASE64_STANDARD.encode("Sat V1:key:more"));
        let credentials = read_credentials(&query).unwrap();
        assert_eq!(
            (credentials.program.as_str(), credentials.access_key.as_str()),
            ("Sat V1", "key:more")
        );
        let escaped = query
            .replace('=', "%3D")
            .replacen("a%3Db&authorization%3D", "authorization=", 1);
        assert_eq!(read_credentials(&escaped), Some(credentials));
        for wrong in [
            String::new(),
            "authorization=".to_owned(),
            "authorization=%%%".to_owned(),
            format!("authorization={}", BASE64_STANDARD.encode("no key")),
            format!("authorization={}", BASE64_STANDARD.encode(":key")),
            format!("authorization={}", BASE64_STANDARD.encode("name:")),
            format!("authorization={}", BASE64_STANDARD.encode([0xff, b':', b'x'])),
            format!("authorization={}", "A".repeat(LONGEST_AUTHORIZATION + 4)),
        ] {
            assert_eq!(read_credentials(&wrong), None, "{wrong}");
        }
    }
}
