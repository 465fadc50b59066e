//! One websocket over TCP, driven by readiness, for both sides of a connection.
//!
//! tungstenite knows the protocol; here is what it has no say in: small delays on the socket, writing that never blocks
//! and never copies a frame for each receiver, and going on after a text frame that is not UTF-8. A frame is refused, a
//! connection is not: the bus of OVOS relays what one careless peer sends to all others.

use std::collections::VecDeque;
use std::io::{self, IoSlice, Read, Write};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{CloseFrame, Frame};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Utf8Bytes, WebSocket};

/// Frames up to this size are copied together, so that a burst of them is one write.
const GATHER_BYTES: usize = 4 << 10;

/// The header of a client's ping or pong has this many bytes.
const SIGN_HEADER: usize = 6;

/// One write gathers this many pieces.
const PIECES: usize = 32;

#[derive(Debug)]
pub(crate) enum Incoming {
    /// A text frame, or a binary one that holds text.
    Text(Utf8Bytes),
    /// A binary frame as it came. [`Link::read`] gives none.
    Binary(Bytes),
    /// A frame that is no text.
    NotText,
    /// A ping or a pong. Pings are answered already.
    Sign,
    /// The peer says goodbye, with its code.
    Goodbye(Option<u16>),
}

#[derive(Debug)]
pub(crate) struct Link {
    websocket: WebSocket<Socket>,
    role: Role,
    /// The size of the largest frame so far. The memory that its buffer took stays with the connection.
    largest: usize,
    /// Since when a frame has been arriving that is not there yet.
    begun_at: Option<Instant>,
}

impl Link {
    /// Takes over a connection after its handshake; `surplus` is what was read beyond it.
    pub(crate) fn new(tcp: TcpStream, surplus: Vec<u8>, role: Role, limits: LinkLimits) -> Self {
        let mut config = WebSocketConfig::default();
        config.read_buffer_size = limits.read_buffer;
        config.write_buffer_size = 0;
        config.max_message_size = Some(limits.max_frame);
        config.max_frame_size = Some(limits.max_frame);
        let socket = Socket::new(tcp);
        Self {
            websocket: WebSocket::from_partially_read(socket, surplus, role, Some(config)),
            role,
            largest: 0,
            begun_at: None,
        }
    }

    /// Gives the next thing that is there; it is `None` when there is nothing more for now. Binary frames
    /// count as what they hold.
    ///
    /// # Errors
    /// The connection is over or cannot be understood any more. A frame that is not text is no error.
    pub(crate) fn read(&mut self) -> Option<tungstenite::Result<Incoming>> {
        let incoming = self.read_raw()?;
        Some(incoming.map(|incoming| match incoming {
            Incoming::Binary(bytes) => Utf8Bytes::try_from(bytes).map_or(Incoming::NotText, Incoming::Text),
            other => other,
        }))
    }

    /// Reads a frame, binary frames as they came.
    ///
    /// # Errors
    /// As [`Link::read`].
    pub(crate) fn read_raw(&mut self) -> Option<tungstenite::Result<Incoming>> {
        use tungstenite::{Error, Message};
        let incoming = match self.websocket.read() {
            Ok(Message::Text(text)) => {
                self.has_arrived(text.len());
                Incoming::Text(text)
            }
            Ok(Message::Binary(bytes)) => {
                self.has_arrived(bytes.len());
                Incoming::Binary(bytes)
            }
            Ok(Message::Ping(sign) | Message::Pong(sign)) => {
                // It may come in the middle of a frame.
                let unfinished = &mut self.websocket.get_mut().unfinished;
                *unfinished = unfinished.saturating_sub(sign.len() + SIGN_HEADER);
                Incoming::Sign
            }
            Ok(Message::Frame(_)) => Incoming::Sign,
            Ok(Message::Close(frame)) => Incoming::Goodbye(frame.map(|frame| frame.code.into())),
            // The frame has been consumed and the next one can be read, whatever RFC 6455 §8.1 wants.
            Err(Error::Utf8(_)) if self.role == Role::Client => {
                self.has_arrived(0);
                Incoming::NotText
            }
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                if self.unfinished() > 0 && self.begun_at.is_none() {
                    self.begun_at = Some(Instant::now());
                }
                return None;
            }
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(incoming))
    }

    fn has_arrived(&mut self, bytes: usize) {
        self.largest = self.largest.max(bytes);
        self.begun_at = None;
        self.websocket.get_mut().unfinished = 0;
    }

    /// Counts the bytes of a frame that is not there as a whole, short of what one read takes.
    fn unfinished(&self) -> usize {
        self.websocket.get_ref().unfinished
    }

    /// Since when the peer has been sending a frame that is not there yet.
    pub(crate) fn begun_at(&self) -> Option<Instant> {
        self.begun_at
    }

    /// Counts the bytes that the connection keeps for what it reads.
    pub(crate) fn held(&self) -> usize {
        self.unfinished().max(self.largest)
    }

    /// Queues a frame that is already encoded.
    pub(crate) fn push(&mut self, frame: Bytes) {
        self.websocket.get_mut().push(frame);
    }

    pub(crate) fn ping(&mut self) {
        self.push(encode(Frame::ping(Bytes::new()), self.role));
    }

    /// Queues a close frame. Nothing may be pushed after it.
    pub(crate) fn close(&mut self, code: CloseCode) {
        let frame = CloseFrame {
            code,
            reason: Utf8Bytes::from_static(if code == CloseCode::Size {
                "message too big"
            } else {
                ""
            }),
        };
        // The only failure is a connection that is closed already, and then there is no client to tell.
        drop(self.websocket.close(Some(frame)));
    }

    /// Counts the bytes that are queued and not written.
    pub(crate) fn backlog(&self) -> usize {
        self.websocket.get_ref().backlog
    }

    /// The moment at which bytes were last read, or the link was made.
    pub(crate) fn heard_at(&self) -> Instant {
        self.websocket.get_ref().heard_at
    }

    /// Writes as much of the backlog as the system takes.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.websocket.get_mut().write_out()
    }

    /// Waits until there is something to read or, with a backlog, room to write. Cancel safe.
    pub(crate) async fn ready(&self) -> io::Result<()> {
        let socket = self.websocket.get_ref();
        let interest = if socket.backlog > 0 {
            Interest::READABLE | Interest::WRITABLE
        } else {
            Interest::READABLE
        };
        socket.tcp.ready(interest).await.map(drop)
    }

    /// Writes the whole backlog, ignoring what comes in.
    pub(crate) async fn drain(&mut self) -> io::Result<()> {
        self.flush()?;
        while self.backlog() > 0 {
            self.websocket.get_ref().tcp.writable().await?;
            self.flush()?;
        }
        Ok(())
    }

    /// The connection itself, to be wound down.
    pub(crate) fn into_tcp(self) -> TcpStream {
        self.websocket.into_inner().tcp
    }
}

/// Sizes of a link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkLimits {
    /// The largest message that is read, in bytes.
    pub(crate) max_frame: usize,
    /// This many bytes are read at once.
    pub(crate) read_buffer: usize,
}

/// A text frame, ready to be pushed. On the bus's side one encoding serves all receivers.
pub(crate) fn encode_text(text: Utf8Bytes, role: Role) -> Bytes {
    let opcode = OpCode::Data(Data::Text);
    encode(Frame::message(text, opcode, true), role)
}

/// A binary frame, ready to be pushed.
pub(crate) fn encode_binary(bytes: Bytes, role: Role) -> Bytes {
    let opcode = OpCode::Data(Data::Binary);
    encode(Frame::message(bytes, opcode, true), role)
}

fn encode(mut frame: Frame, role: Role) -> Bytes {
    if role == Role::Client {
        frame.header_mut().mask = Some(rand::random());
    }
    let mut encoded = Vec::with_capacity(frame.len());
    #[expect(clippy::expect_used, reason = "writing to a vector does not fail")]
    frame.format(&mut encoded).expect("a vector takes every frame");
    encoded.into()
}

/// A TCP connection that tungstenite reads from, and a queue that it writes to.
#[derive(Debug)]
struct Socket {
    tcp: TcpStream,
    pieces: VecDeque<Bytes>,
    /// Small frames that are not a piece yet.
    gathered: BytesMut,
    backlog: usize,
    heard_at: Instant,
    /// The bytes that were read since the last frame was there.
    unfinished: usize,
}

impl Socket {
    fn new(tcp: TcpStream) -> Self {
        // A socket that refuses works all the same, 44 ms slower.
        tcp.set_nodelay(true).unwrap_or_default();
        Self {
            tcp,
            pieces: VecDeque::new(),
            gathered: BytesMut::new(),
            backlog: 0,
            heard_at: Instant::now(),
            unfinished: 0,
        }
    }

    fn push(&mut self, piece: Bytes) {
        self.backlog += piece.len();
        if piece.len() <= GATHER_BYTES {
            self.gathered.extend_from_slice(&piece);
        } else {
            self.seal();
            self.pieces.push_back(piece);
        }
    }

    fn seal(&mut self) {
        if !self.gathered.is_empty() {
            self.pieces.push_back(self.gathered.split().freeze());
        }
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.seal();
        while !self.pieces.is_empty() {
            let slices: Vec<_> = self
                .pieces
                .iter()
                .take(PIECES)
                .map(|piece| IoSlice::new(piece))
                .collect();
            match self.tcp.try_write_vectored(&slices) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => self.written(written),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn written(&mut self, mut bytes: usize) {
        self.backlog -= bytes;
        while let Some(piece) = self.pieces.front_mut() {
            if piece.len() > bytes {
                piece.advance(bytes);
                return;
            }
            bytes -= piece.len();
            self.pieces.pop_front();
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.tcp.try_read(buffer)?;
        self.heard_at = Instant::now();
        self.unfinished += read;
        acknowledge_at_once(&self.tcp);
        Ok(read)
    }
}

impl Write for Socket {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.push(Bytes::copy_from_slice(buffer));
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out()
    }
}

/// Acknowledges what was just read without the usual delay, for which a peer with Nagle's algorithm waits 40 ms.
///
/// Linux falls back to delayed acknowledgements on its own, so it has to be asked again after every read.
fn acknowledge_at_once(tcp: &TcpStream) {
    // Where the system refuses, all works a little slower.
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_tcp_quickack(tcp, true).unwrap_or_default();
    #[cfg(not(target_os = "linux"))]
    let _ = tcp;
}

#[cfg(test)]
mod tests;
