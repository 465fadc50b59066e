//! A client that writes any bytes it likes onto a connection of the bus, and reads them back or does not.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use crate::frame::Frame;
use crate::probe::BusProbe;

/// What its own questions are answered on.
pub const ANSWER: &str = "mycroft.loquat.all_loaded.response";

/// How long the desk may be busy with what came before a question.
const BUSY: Duration = Duration::from_secs(30);

/// Websocket opcodes.
pub const CONTINUATION: u8 = 0;
/// A text.
pub const TEXT: u8 = 1;
/// Bytes.
pub const BINARY: u8 = 2;

/// Of the second byte of a frame: its payload is masked, its length stands in two or in eight bytes.
const MASKED: u8 = 0x80;
const SHORT: u8 = 0x7e;
const LONG: u8 = 0x7f;

/// A connection; it is closed when dropped.
#[derive(Debug)]
pub struct Attacker {
    out: OwnedWriteHalf,
    closed: Arc<AtomicBool>,
    questions: u64,
    reader: JoinSet<()>,
    /// The half that is not read.
    deaf: Option<OwnedReadHalf>,
}

impl Attacker {
    /// Joins the bus and reads what it is sent, without looking at it.
    pub async fn join(port: u16) -> io::Result<Self> {
        let mut attacker = Self::deaf(port).await?;
        if let Some(mut input) = attacker.deaf.take() {
            let closed = Arc::clone(&attacker.closed);
            attacker.reader.spawn(async move {
                let mut bytes = vec![0; 1 << 16];
                while matches!(input.read(&mut bytes).await, Ok(1..)) {}
                closed.store(true, Ordering::Relaxed);
            });
        }
        Ok(attacker)
    }

    /// Joins the bus and never reads.
    pub async fn deaf(port: u16) -> io::Result<Self> {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        let request = format!(
            "GET /core HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(BUSY, stream.read_u8()).await??);
        }
        if !head.starts_with(b"HTTP/1.1 101") {
            return Err(io::Error::other("the bus lets nobody in"));
        }
        let (input, out) = stream.into_split();
        Ok(Self {
            out,
            closed: Arc::default(),
            questions: 0,
            reader: JoinSet::new(),
            deaf: Some(input),
        })
    }

    /// Tells whether the bus has closed the connection.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Writes bytes as they are.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        timeout(BUSY, self.out.write_all(bytes)).await?
    }

    /// Puts a frame on the bus.
    pub async fn send(&mut self, frame: &Value) -> io::Result<()> {
        let mut bytes = Vec::new();
        append(&mut bytes, TEXT, true, frame.to_string().as_bytes());
        self.write(&bytes).await
    }

    /// Waits until the daemon has dealt with all that was sent before; false when it has not, or has closed the
    /// connection. `probe` hears [`ANSWER`].
    pub async fn is_through(&mut self, probe: &BusProbe) -> bool {
        self.questions += 1;
        let number = self.questions;
        let own = format!("{:p}-{number}", &raw const self.out);
        let question = json!({"type": "mycroft.loquat.all_loaded", "data": {},
                              "context": {"source": "attacker", "attack": own}});
        let mark = probe.mark();
        if self.send(&question).await.is_err() {
            return false;
        }
        let is_own = |frame: &Frame| frame.topic == ANSWER && frame.context["attack"] == json!(own);
        tokio::select! {
            answer = probe.try_wait(mark, BUSY, is_own) => answer.is_some(),
            () = self.gone() => false,
        }
    }

    async fn gone(&mut self) {
        if self.reader.join_next().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

/// Adds a websocket frame, masked with zeros, so that the bytes stay what they are.
pub fn append(bytes: &mut Vec<u8>, opcode: u8, is_last: bool, payload: &[u8]) {
    begin(bytes, opcode, is_last, payload.len());
    bytes.extend_from_slice(payload);
}

/// Adds only the head of a frame that is said to have `length` bytes.
pub fn begin(bytes: &mut Vec<u8>, opcode: u8, is_last: bool, length: usize) {
    bytes.push(opcode | if is_last { 0x80 } else { 0 });
    match length {
        0..=125 => bytes.push(MASKED | length as u8),
        126..=0xffff => {
            bytes.push(MASKED | SHORT);
            bytes.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            bytes.push(MASKED | LONG);
            bytes.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&[0; 4]);
}
