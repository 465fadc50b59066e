//! The handshake of Noise: who both sides are, and that both know the password. Its messages travel as hexadecimal digits
//! in messages of HiveMind. Nothing is sent or kept here.

use serde_json::{Map, Value, json};
use snow::{Builder, HandshakeState, TransportState};

use crate::key::{Psk, PublicKey, StaticKey};
use crate::kind::Kind;
use crate::message::HiveMessage;
use crate::negotiation::{Choice, KK, Terms};

/// The largest message that Noise knows.
pub(crate) const MAX_NOISE_BYTES: usize = 65_535;

/// Says why there are no keys for a session.
#[derive(Debug, thiserror::Error)]
pub enum HandshakeError {
    /// The other side does not speak version 3.
    #[error(
        "failed to agree on a session: the other side speaks an older protocol of HiveMind, and version 3 with Noise is wanted"
    )]
    OldProtocol,
    /// There is nothing that both sides know.
    #[error("failed to agree on a session: no pattern and suite of Noise is known by both sides")]
    NoChoice,
    /// A message of the handshake is none.
    #[error(
        "failed to agree on a session: the other side sent something else than its part of the handshake"
    )]
    Malformed,
    /// Password, keys or what was said before differ.
    #[error("failed to agree on a session: password, keys or terms of the two sides differ")]
    Refused(#[source] snow::Error),
    /// The password of the older protocol is another.
    #[error("failed to agree on a session: the other side does not prove that it knows the password")]
    Unproved,
    /// The other side has another key than before.
    #[error("failed to agree on a session: the other side has another key than at the first meeting")]
    Stranger,
}

impl From<snow::Error> for HandshakeError {
    fn from(error: snow::Error) -> Self {
        Self::Refused(error)
    }
}

/// The keys with which one side proves who it is.
pub(crate) struct Keys<'a> {
    pub(crate) own: &'a StaticKey,
    /// The password gives this key.
    pub(crate) psk: &'a Psk,
    /// That of the other side, if it was seen before.
    pub(crate) known: Option<PublicKey>,
}

/// A handshake that goes on.
pub(crate) struct Handshake {
    state: HandshakeState,
    known: Option<PublicKey>,
}

impl Handshake {
    /// Begins the handshake of this side over these terms.
    pub(crate) fn new(
        terms: &Terms,
        choice: &Choice,
        keys: &Keys<'_>,
        is_joining: bool,
    ) -> Result<Self, HandshakeError> {
        let known = keys.known;
        let params = choice.name().parse()?;
        let prologue = terms.prologue(choice);
        let is_known = choice.pattern == KK;
        let mut builder = Builder::new(params)
            .prologue(&prologue)?
            .psk(if is_known { 0 } else { 2 }, keys.psk.as_bytes())?
            .local_private_key(keys.own.as_bytes())?;
        if let Some(known) = known.as_ref().filter(|_| is_known) {
            builder = builder.remote_public_key(known.as_bytes())?;
        }
        let state = if is_joining {
            builder.build_initiator()?
        } else {
            builder.build_responder()?
        };
        Ok(Self { state, known })
    }

    /// Writes our next message, with a payload of its own.
    pub(crate) fn write(&mut self, payload: &[u8]) -> Result<String, HandshakeError> {
        let mut out = vec![0; MAX_NOISE_BYTES];
        let length = self.state.write_message(payload, &mut out)?;
        Ok(hex::encode(out.get(..length).unwrap_or_default()))
    }

    /// Reads theirs; its payload.
    pub(crate) fn read(&mut self, message: &str) -> Result<Map<String, Value>, HandshakeError> {
        let bytes = hex::decode(message).map_err(|_| HandshakeError::Malformed)?;
        let mut out = vec![0; MAX_NOISE_BYTES];
        let length = self.state.read_message(&bytes, &mut out)?;
        let payload = serde_json::from_slice(out.get(..length).unwrap_or_default());
        Ok(payload.unwrap_or_default())
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.state.is_handshake_finished()
    }

    /// Gives the session's keys, and the key of the other side. It has to be the key that was seen before, if there
    /// was one.
    pub(crate) fn finish(self) -> Result<(TransportState, PublicKey), HandshakeError> {
        let theirs = self.state.get_remote_static().and_then(PublicKey::from_slice);
        let theirs = theirs.ok_or(HandshakeError::Malformed)?;
        if self.known.is_some_and(|known| known != theirs) {
            return Err(HandshakeError::Stranger);
        }
        Ok((self.state.into_transport_mode()?, theirs))
    }
}

/// Puts a message of the handshake into one of HiveMind.
pub(crate) fn wrapped(choice: Option<&Choice>, message: String) -> HiveMessage {
    let mut noise = Map::new();
    if let Some(Choice { pattern, suite }) = choice {
        noise.insert("pattern".to_owned(), json!(pattern));
        noise.insert("suite".to_owned(), json!(suite));
    }
    noise.insert("msg".to_owned(), Value::String(message));
    let payload = [("noise".to_owned(), Value::Object(noise))];
    HiveMessage::new(Kind::Handshake, payload.into_iter().collect())
}

/// Takes the handshake's fields out of a message of HiveMind.
pub(crate) fn unwrapped(message: &HiveMessage) -> Result<&Map<String, Value>, HandshakeError> {
    if message.kind != Kind::Handshake {
        return Err(HandshakeError::Malformed);
    }
    let object = message.object().ok_or(HandshakeError::Malformed)?;
    // An older client sends an envelope, or its public key.
    let noise = object.get("noise").ok_or(HandshakeError::OldProtocol)?;
    noise.as_object().ok_or(HandshakeError::Malformed)
}

/// Reads a text of the handshake's fields.
pub(crate) fn text<'a>(noise: &'a Map<String, Value>, key: &str) -> Result<&'a str, HandshakeError> {
    noise
        .get(key)
        .and_then(Value::as_str)
        .ok_or(HandshakeError::Malformed)
}
