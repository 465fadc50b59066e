//! A session with another node: messages in, messages out, each encrypted, in their order. A message that was changed, sent
//! twice or left out ends it.

use std::io;

use futures_util::{SinkExt, StreamExt};
use snow::TransportState;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::assembly::{AssembleError, Assembly, MAX_MESSAGE_BYTES, Whole, pieces};
use crate::handshake::MAX_NOISE_BYTES;
use crate::message::{HiveMessage, ReadBinaryError, ReadMessageError};
use crate::old::OldCipher;

/// The code with which a node that breaks the protocol, or is not known, is let go.
pub const UNACCEPTABLE: u16 = 1008;

/// A message by the protocol before version 3 has at most this many bytes: half a minute of sound.
const MAX_OLD_BYTES: usize = 1 << 20;

/// Each ciphertext has this many bytes of authentication behind it.
const TAG: usize = 16;

/// Says why nothing more comes.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// The connection broke.
    #[error("failed to hear the other side: {0}")]
    Broken(io::Error),
    /// A message was changed, sent twice or left out.
    #[error("failed to decrypt a message: it was changed, sent twice or left out on the way")]
    Forged,
    /// A message came in the clear.
    #[error("failed to read a message: it came in the clear on an encrypted session")]
    Clear,
    /// The pieces make no message.
    #[error("failed to put a message together: {0}")]
    Pieces(String),
    /// It is no message.
    #[error(transparent)]
    Json(#[from] ReadMessageError),
    /// It is no message.
    #[error(transparent)]
    Binary(#[from] ReadBinaryError),
}

impl From<AssembleError> for ReceiveError {
    fn from(error: AssembleError) -> Self {
        Self::Pieces(error.to_string())
    }
}

/// Says why a message was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The connection broke.
    #[error("failed to tell the other side: {0}")]
    Broken(io::Error),
    /// It is too large, or has no form in which it could travel.
    #[error("failed to send a message: it is larger than {} MiB, or more is told of it than fits", MAX_MESSAGE_BYTES >> 20)]
    Unsendable,
    /// It cannot be encrypted.
    #[error("failed to encrypt a message")]
    Encryption(#[from] snow::Error),
}

/// Tells whether the other side has gone, with a word or without.
fn is_end(error: &Error) -> bool {
    let kind = match error {
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => return true,
        Error::Io(error) => error.kind(),
        _ => return false,
    };
    [
        io::ErrorKind::ConnectionReset,
        io::ErrorKind::BrokenPipe,
        io::ErrorKind::TimedOut,
    ]
    .contains(&kind)
}

pub(crate) fn broken(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Bounds what a websocket may cost: no frame is larger than Noise knows, or a handshake needs. The protocol before
/// version 3 has each message in one frame.
pub(crate) fn limits(takes_old: bool) -> WebSocketConfig {
    let (most, waiting) = if takes_old {
        (MAX_OLD_BYTES, 4 * MAX_MESSAGE_BYTES)
    } else {
        (MAX_NOISE_BYTES, 4 * MAX_NOISE_BYTES)
    };
    WebSocketConfig::default()
        .max_message_size(Some(most))
        .max_frame_size(Some(most))
        .write_buffer_size(0)
        .max_write_buffer_size(waiting)
}

/// The way in which messages are encrypted.
enum Sealing {
    /// The message travels in pieces, each bound to the one before it.
    Noise(Box<TransportState>, Assembly),
    /// Each whole and by itself, so that one that is sent twice is heard twice.
    Old(OldCipher),
}

/// A session with another node.
pub struct Link<Stream> {
    socket: WebSocketStream<Stream>,
    sealing: Sealing,
    /// Says whether the other side reads messages as bits.
    binary: bool,
    heard: Instant,
    taken: u64,
}

impl<Stream> std::fmt::Debug for Link<Stream> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").finish_non_exhaustive()
    }
}

impl<Stream: AsyncRead + AsyncWrite + Unpin> Link<Stream> {
    pub(crate) fn new(socket: WebSocketStream<Stream>, noise: TransportState, binary: bool) -> Self {
        let sealing = Sealing::Noise(Box::new(noise), Assembly::default());
        Self::sealed(socket, sealing, binary)
    }

    /// Makes a session by the protocol before version 3.
    pub(crate) fn of_old(socket: WebSocketStream<Stream>, cipher: OldCipher, binary: bool) -> Self {
        Self::sealed(socket, Sealing::Old(cipher), binary)
    }

    fn sealed(socket: WebSocketStream<Stream>, sealing: Sealing, binary: bool) -> Self {
        Self {
            socket,
            sealing,
            binary,
            heard: Instant::now(),
            taken: 0,
        }
    }

    /// Tells whether the session is one of the protocol before version 3.
    pub fn is_old(&self) -> bool {
        matches!(self.sealing, Sealing::Old(_))
    }

    /// Counts the bytes that have come since this was last asked.
    pub fn taken(&mut self) -> u64 {
        std::mem::take(&mut self.taken)
    }

    /// The moment at which the other side was last heard of, were it only that it is there.
    pub fn heard(&self) -> Instant {
        self.heard
    }

    /// Waits for the next message. There is none when the other side has ended. Pings are answered on the way. Cancel
    /// safe.
    pub async fn receive(&mut self) -> Result<Option<HiveMessage>, ReceiveError> {
        loop {
            let came = self.socket.next().await;
            self.heard = Instant::now();
            let message = match came {
                Some(Ok(message @ (Message::Binary(_) | Message::Text(_)))) => message,
                Some(Ok(Message::Close(_))) | None => return Ok(None),
                Some(Ok(_)) => continue,
                Some(Err(error)) if is_end(&error) => return Ok(None),
                Some(Err(error)) => return Err(ReceiveError::Broken(broken(error))),
            };
            self.taken = self.taken.saturating_add(message.len() as u64);
            if let Some(whole) = self.sealing.open(&message)? {
                return Ok(Some(read(&whole)?));
            }
        }
    }

    /// Sends a message. Not cancel safe: a message that was half sent ends the session.
    pub async fn send(&mut self, message: &HiveMessage) -> Result<(), SendError> {
        let whole = self.written(message).ok_or(SendError::Unsendable)?;
        match &mut self.sealing {
            Sealing::Noise(noise, _) => {
                for piece in pieces(&whole) {
                    let mut out = vec![0; piece.len() + TAG];
                    let length = noise.write_message(&piece, &mut out)?;
                    out.truncate(length);
                    tell(&mut self.socket, Message::Binary(out.into())).await?;
                }
                Ok(())
            }
            Sealing::Old(cipher) => {
                let sealed = cipher.sealed(&whole).ok_or(SendError::Unsendable)?;
                tell(&mut self.socket, sealed).await
            }
        }
    }

    /// Asks whether the other side is there; [`receive`](Self::receive) hears of nothing where it is not.
    pub async fn ping(&mut self) -> Result<(), SendError> {
        tell(&mut self.socket, Message::Ping(Vec::new().into())).await
    }

    /// Ends the session, and says why.
    pub async fn close(&mut self, code: u16, reason: &str) {
        close(&mut self.socket, code, reason).await;
    }

    fn written(&self, message: &HiveMessage) -> Option<Whole> {
        let json = || message.to_json().map(|text| Whole::Json(text.into_bytes()));
        let bits = || message.to_bits().map(Whole::Binary);
        let whole = if self.binary {
            bits().or_else(json)
        } else {
            json().or_else(bits)
        };
        whole.filter(|(Whole::Json(bytes) | Whole::Binary(bytes))| bytes.len() <= MAX_MESSAGE_BYTES)
    }
}

async fn tell<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
    message: Message,
) -> Result<(), SendError> {
    let told = socket.send(message).await;
    told.map_err(|error| SendError::Broken(broken(error)))
}

impl Sealing {
    /// Opens the message that is whole with this one of the websocket.
    fn open(&mut self, message: &Message) -> Result<Option<Whole>, ReceiveError> {
        match (self, message) {
            (Self::Noise(noise, assembly), Message::Binary(bytes)) => {
                let mut plaintext = vec![0; bytes.len()];
                let length = noise.read_message(bytes, &mut plaintext);
                let length = length.map_err(|_| ReceiveError::Forged)?;
                Ok(assembly.take(plaintext.get(..length).unwrap_or_default())?)
            }
            (Self::Old(cipher), Message::Binary(bytes)) => {
                let bytes = cipher.open(bytes).ok_or(ReceiveError::Forged)?;
                Ok(Some(Whole::Binary(bytes)))
            }
            (Self::Old(cipher), Message::Text(text)) if text.contains("ciphertext") => {
                let text = cipher.open_text(text).ok_or(ReceiveError::Forged)?;
                Ok(Some(Whole::Json(text.into_bytes())))
            }
            _ => Err(ReceiveError::Clear),
        }
    }
}

impl OldCipher {
    /// Makes a message as the websocket carries it.
    fn sealed(&self, whole: &Whole) -> Option<Message> {
        match whole {
            Whole::Binary(bytes) => Some(Message::Binary(self.seal(bytes)?.into())),
            Whole::Json(bytes) => {
                let text = self.seal_text(std::str::from_utf8(bytes).ok()?)?;
                Some(Message::Text(text.into()))
            }
        }
    }
}

fn read(whole: &Whole) -> Result<HiveMessage, ReceiveError> {
    match whole {
        Whole::Json(bytes) => {
            let text = std::str::from_utf8(bytes).map_err(|_| ReadMessageError::NoObject)?;
            Ok(HiveMessage::from_json(text)?)
        }
        Whole::Binary(bytes) => Ok(HiveMessage::from_bits(bytes)?),
    }
}

/// Closes a websocket with a code and a reason, which has to fit into its frame.
pub(crate) async fn close<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
    code: u16,
    reason: &str,
) {
    let reason: String = reason.chars().take(60).collect();
    let frame = CloseFrame {
        code: CloseCode::from(code),
        reason: reason.into(),
    };
    // A node that has gone needs no goodbye.
    socket.close(Some(frame)).await.ok();
}

/// Waits for the next text before there are keys.
pub(crate) async fn clear_text<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
) -> io::Result<Option<String>> {
    loop {
        return match socket.next().await {
            Some(Ok(Message::Text(text))) => Ok(Some(text.as_str().to_owned())),
            Some(Ok(Message::Binary(_))) => Err(io::ErrorKind::InvalidData.into()),
            Some(Ok(Message::Close(_))) | None => Ok(None),
            Some(Ok(_)) => continue,
            Some(Err(error)) => Err(broken(error)),
        };
    }
}

/// Tells something before there are keys.
pub(crate) async fn tell_clear<Stream: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<Stream>,
    message: &HiveMessage,
) -> io::Result<()> {
    let text = message.to_json().unwrap_or_default();
    socket.send(Message::Text(text.into())).await.map_err(broken)
}
