//! One client of the bus, from its handshake to its end. A fault of one client never reaches another.

use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loquat_wire::carrier;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Utf8Bytes};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::gate::Entry;
use super::hub::Hub;
use super::ticket::Ticket;
use super::{BusServerOptions, echo, gate, greeting};
use crate::link::{Incoming, Link, LinkLimits, encode_text};

/// A client has this long to say that it wants a websocket.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// This many bytes are read at once. There may be thousands of clients, and most say little.
const READ_BUFFER: usize = 8 << 10;

/// This many frames are read before the client's own queue and everybody else get a turn.
pub(super) const BATCH: usize = 64;

/// This many bytes go from the queue to the system at once.
pub(super) const MAX_BACKLOG: usize = 256 << 10;

/// The hub is told of unfinished frames in steps of this many bytes, a power of two.
const HELD_STEP: usize = 64 << 10;

/// A client that was closed may go on sending for this long before it is dropped.
const LINGER: Duration = Duration::from_secs(5);

/// A client that says nothing for so long has said what it had to.
const QUIET: Duration = Duration::from_millis(200);

pub(super) struct Peer {
    from: SocketAddr,
    hub: Arc<Hub>,
    options: Arc<BusServerOptions>,
    stop: CancellationToken,
    dropped: u64,
    /// The bytes of unfinished frames that the hub knows of.
    held: usize,
    /// The frames that were read and are to be relayed.
    read: Vec<Bytes>,
}

impl Peer {
    pub(super) fn new(
        from: SocketAddr,
        hub: Arc<Hub>,
        options: Arc<BusServerOptions>,
        stop: CancellationToken,
    ) -> Self {
        Self {
            from,
            hub,
            options,
            stop,
            dropped: 0,
            held: 0,
            read: Vec::new(),
        }
    }

    /// Serves the client, or with a full bus tells it so.
    pub(super) async fn run(mut self, mut tcp: TcpStream, full: bool) {
        let stop = self.stop.clone();
        let entry = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            opened = timeout(HANDSHAKE, gate::open(&mut tcp, &self.options, full)) => opened,
        };
        let Ok(Some(Entry { surplus, echo })) = entry else {
            debug!(from = %self.from, "turned a client away");
            return;
        };
        let limits = LinkLimits {
            max_frame: self.options.limits.max_frame,
            read_buffer: READ_BUFFER,
        };
        let mut link = Link::new(tcp, surplus, Role::Server, limits);
        debug!(from = %self.from, "a client joined");
        let code = if echo {
            echo::serve(&mut link, &stop).await
        } else {
            self.serve(&mut link).await
        };
        debug!(from = %self.from, dropped = self.dropped, close = ?code, "a client left");
        if let Some(code) = code {
            part(link, code).await;
        }
    }

    /// Serves until the client is to be closed with a code, or just dropped.
    async fn serve(&mut self, link: &mut Link) -> Option<CloseCode> {
        let greeting = encode_text(greeting().into(), Role::Server);
        let mut ticket = self.hub.join(&greeting);
        let stop = self.stop.clone();
        let (cut_off, excess) = (ticket.cut_off(), ticket.excess());
        loop {
            let received = self.receive(link);
            self.hub.relay(&self.read, ticket.id());
            self.read.clear();
            let is_all = match received {
                Ok(is_all) => is_all,
                Err(error) => return parting_code(&error),
            };
            self.report_held(link, ticket.id());
            fill(link, &mut ticket);
            link.flush().ok()?;
            ticket.written(link.backlog() == 0);
            if !is_all {
                // A client that sends without a pause must not keep the others waiting, where there is one thread for all.
                yield_now().await;
            }
            let idle = link.backlog() < MAX_BACKLOG;
            tokio::select! {
                biased;
                () = stop.cancelled() => return Some(CloseCode::Away),
                () = cut_off.cancelled() => return self.cut(&ticket),
                () = excess.cancelled() => return Some(self.close_greedy()),
                () = too_long(link.begun_at(), self.options.limits.frame_patience) => {
                    return Some(self.close_dawdling());
                }
                ready = link.ready() => ready.ok()?,
                () = ticket.ready(), if idle => {}
            }
        }
    }

    /// Tells the hub what the connection keeps of unfinished frames, where that is much and has changed.
    fn report_held(&mut self, link: &Link, id: u64) {
        let held = link.held() & !(HELD_STEP - 1);
        if held != self.held {
            self.held = held;
            self.hub.holds(id, held);
        }
    }

    fn close_greedy(&self) -> CloseCode {
        warn!(from = %self.from, bytes = self.held, "closed the client with the most of unfinished frames");
        CloseCode::Size
    }

    fn close_dawdling(&self) -> CloseCode {
        warn!(from = %self.from, "closed a client that began a frame and did not end it");
        CloseCode::Policy
    }

    fn cut(&self, ticket: &Ticket) -> Option<CloseCode> {
        warn!(from = %self.from, bytes = ticket.waiting(), "cut off a client that does not read");
        None
    }

    /// Reads what is there; false when there may be more.
    ///
    /// It is relayed together, so that all others have it at once and the sender its echoes right behind them: a client
    /// that a dying bus leaves without an echo sends the frame again.
    fn receive(&mut self, link: &mut Link) -> Result<bool, Error> {
        let mut bytes = 0;
        for _ in 0..BATCH {
            match link.read() {
                None => return Ok(true),
                Some(incoming) => match incoming? {
                    Incoming::Text(text) => {
                        bytes += text.len();
                        self.take(text);
                    }
                    Incoming::NotText => self.drop_frame(&"a binary frame that is not text"),
                    Incoming::Binary(_) | Incoming::Sign | Incoming::Goodbye(_) => {}
                },
            }
            if bytes >= MAX_BACKLOG {
                break;
            }
        }
        Ok(false)
    }

    fn take(&mut self, text: Utf8Bytes) {
        match carrier::check(&text) {
            Ok(()) => self.read.push(encode_text(text, Role::Server)),
            Err(error) => {
                if let Some(rejection) = error.rejection() {
                    self.read
                        .push(encode_text(rejection.to_text().into(), Role::Server));
                }
                self.drop_frame(&error);
            }
        }
    }

    fn drop_frame(&mut self, reason: &dyn std::fmt::Display) {
        self.dropped += 1;
        if self.dropped == 1 {
            warn!(from = %self.from, %reason, "a client sends frames that are no messages; they are dropped");
        }
        debug!(from = %self.from, %reason, "dropped a frame");
    }
}

/// Waits until a frame that has begun takes too long; for ever where none has.
async fn too_long(begun_at: Option<Instant>, patience: Duration) {
    match begun_at {
        Some(begun_at) => sleep_until(begun_at + patience).await,
        None => pending().await,
    }
}

/// Moves frames from the queue to the link, as many as may be on their way at once.
fn fill(link: &mut Link, ticket: &mut Ticket) {
    while link.backlog() < MAX_BACKLOG {
        match ticket.try_next() {
            Some(frame) => link.push(frame),
            None => return,
        }
    }
}

/// Chooses the code to close with after an error; it is `None` when the client is gone.
pub(super) fn parting_code(error: &Error) -> Option<CloseCode> {
    match error {
        // It said goodbye, and the answer is queued.
        Error::ConnectionClosed => Some(CloseCode::Normal),
        Error::Capacity(_) => Some(CloseCode::Size),
        Error::Utf8(_) => Some(CloseCode::Invalid),
        Error::Protocol(
            tokio_tungstenite::tungstenite::error::ProtocolError::ResetWithoutClosingHandshake,
        ) => None,
        Error::Protocol(_) => Some(CloseCode::Protocol),
        _ => None,
    }
}

/// Sends a close frame, or what is left of the answer to one, and closes once the client has had its say.
///
/// An unread byte makes the system discard what we sent, and a client that finds the connection closed while it still
/// sends may never look at the close frame. So we read on until the client is quiet, then until it is gone.
async fn part(mut link: Link, code: CloseCode) {
    let agreed = code == CloseCode::Normal;
    link.close(code);
    let farewell = async {
        if link.drain().await.is_err() {
            return;
        }
        let mut tcp = link.into_tcp();
        let mut sink = vec![0; READ_BUFFER];
        while !agreed && timeout(QUIET, discard(&mut tcp, &mut sink)).await == Ok(true) {}
        tcp.shutdown().await.unwrap_or_default();
        while discard(&mut tcp, &mut sink).await {}
    };
    // A client that does not go is dropped.
    timeout(LINGER, farewell).await.unwrap_or_default();
}

/// Reads and forgets; false when the client is gone.
async fn discard(tcp: &mut TcpStream, sink: &mut [u8]) -> bool {
    tcp.read(sink).await.is_ok_and(|read| read > 0)
}
