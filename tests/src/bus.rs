//! A bus of our own making that can be killed and brought back on the same port.
//!
//! It does what the real one does and no more: a greeting, and every text frame to everybody, the sender included.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::{JoinSet, yield_now};
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

use crate::frame::Frame;
use crate::home::free_port;
use crate::recording::Recording;

/// The first frame of every connection.
const GREETING: &str =
    r#"{"type": "connected", "data": {}, "context": {"session": {"session_id": "default"}}}"#;

/// Frames that a slow client may lag behind before it loses some; far more than a test sends.
const BACKLOG: usize = 4096;

/// A bus on the loopback interface.
#[derive(Debug)]
pub struct FakeBus {
    address: SocketAddr,
    recording: Arc<Recording>,
    tasks: JoinSet<()>,
    life: Arc<Life>,
}

/// What its tasks have to know between one death and the next.
#[derive(Debug, Default)]
struct Life {
    /// A task that is aborted may run once more.
    is_over: AtomicBool,
    /// Whether it lets others run between relaying a frame and echoing it.
    pauses: bool,
}

impl FakeBus {
    /// Starts one that a test can kill between relaying a frame and echoing it.
    pub async fn pausing() -> Self {
        Self::begin(free_port(), true).await
    }

    /// Starts on a free port.
    pub async fn start() -> Self {
        Self::start_on(free_port()).await
    }

    /// Starts on a port that is known to be free.
    pub async fn start_on(port: u16) -> Self {
        Self::begin(port, false).await
    }

    async fn begin(port: u16, pauses: bool) -> Self {
        let mut bus = Self {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            recording: Arc::default(),
            tasks: JoinSet::new(),
            life: Arc::new(Life {
                pauses,
                ..Life::default()
            }),
        };
        bus.open().await;
        bus
    }

    /// Gives the port on which it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Every frame that was ever put on it, in all its lives.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Dies at once: every connection breaks without a word, and nothing answers at the port.
    pub async fn kill(&mut self) {
        self.life.is_over.store(true, Ordering::Relaxed);
        self.tasks.shutdown().await;
    }

    /// Comes back on the same port, with no client connected.
    pub async fn revive(&mut self) {
        self.open().await;
    }

    async fn open(&mut self) {
        let listener = TcpListener::bind(self.address)
            .await
            .expect("the port of the fake bus is free");
        self.address = listener.local_addr().expect("a bound socket has an address");
        self.life = Arc::new(Life {
            pauses: self.life.pauses,
            ..Life::default()
        });
        let (recording, life) = (Arc::clone(&self.recording), Arc::clone(&self.life));
        self.tasks.spawn(relay(listener, recording, life));
    }
}

async fn relay(listener: TcpListener, recording: Arc<Recording>, life: Arc<Life>) {
    let (frames, _) = broadcast::channel(BACKLOG);
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (recording, life) = (Arc::clone(&recording), Arc::clone(&life));
        connections.spawn(connection(stream, frames.clone(), recording, life));
        while connections.try_join_next().is_some() {}
    }
}

async fn connection(
    stream: TcpStream,
    frames: broadcast::Sender<Arc<str>>,
    recording: Arc<Recording>,
    life: Arc<Life>,
) {
    let mut incoming = frames.subscribe();
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Ok(socket) = accept_async(stream).await else {
        return;
    };
    let (mut out, mut input) = socket.split();
    if out.send(Message::text(GREETING)).await.is_err() {
        return;
    }
    loop {
        tokio::select! {
            said = input.next() => match said {
                Some(Ok(Message::Text(text))) => {
                    if let Some(frame) = Frame::parse(&text) {
                        recording.push(frame);
                    }
                    drop(frames.send(Arc::from(text.as_str())));
                    if life.pauses {
                        yield_now().await;
                    }
                    if life.is_over.load(Ordering::Relaxed) {
                        return;
                    }
                }
                Some(Ok(_)) => {}
                _ => return,
            },
            heard = incoming.recv() => match heard {
                Ok(text) => if out.send(Message::text(text.to_string())).await.is_err() { return },
                Err(RecvError::Lagged(missed)) => panic!("a client of the fake bus missed {missed} frames"),
                Err(RecvError::Closed) => return,
            },
        }
    }
}
