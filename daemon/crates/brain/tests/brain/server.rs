//! A model server that writes exactly the bytes a test chose, in the chosen pieces, and breaks off where told.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Writes these bytes as one piece.
    Send(Vec<u8>),
    /// Writes these bytes one by one, with a pause before each.
    Trickle(Vec<u8>, Duration),
    /// Writes these bytes again and again until the client hangs up.
    Repeat(Vec<u8>, Duration),
    /// Says nothing until the client hangs up.
    Hang,
    Close,
}

#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) asked: Vec<Asked>,
    pub(crate) connections: usize,
    /// Counts how often a client hung up while it was being answered.
    pub(crate) hung_up: usize,
    pub(crate) bytes_written: usize,
}

/// The server, which ends with the test.
#[derive(Debug)]
pub(crate) struct Server {
    address: Option<SocketAddr>,
    seen: Arc<watch::Sender<Seen>>,
    _tasks: Arc<Mutex<JoinSet<()>>>,
}

/// Answers request number n with script number n, further ones with the last.
#[derive(Debug, Clone)]
struct Script {
    acts: Arc<Vec<Vec<Act>>>,
    seen: Arc<watch::Sender<Seen>>,
}

impl Server {
    pub(crate) async fn start(acts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (script, tasks) = Self::prepare(acts);
        let (server, tasks) = Self::hold(Some(address), &script, tasks);
        let connections = Arc::clone(&tasks);
        tasks.lock().unwrap().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                connections.lock().unwrap().spawn(script.clone().serve(stream));
            }
        });
        server
    }

    /// Starts it on a Unix socket.
    pub(crate) fn start_on(socket: &Path, acts: Vec<Vec<Act>>) -> Self {
        let listener = UnixListener::bind(socket).unwrap();
        let (script, tasks) = Self::prepare(acts);
        let (server, tasks) = Self::hold(None, &script, tasks);
        let connections = Arc::clone(&tasks);
        tasks.lock().unwrap().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.lock().unwrap().spawn(script.clone().serve(stream));
            }
        });
        server
    }

    fn prepare(acts: Vec<Vec<Act>>) -> (Script, JoinSet<()>) {
        let script = Script {
            acts: Arc::new(acts),
            seen: Arc::new(watch::Sender::new(Seen::default())),
        };
        (script, JoinSet::new())
    }

    fn hold(
        address: Option<SocketAddr>,
        script: &Script,
        tasks: JoinSet<()>,
    ) -> (Self, Arc<Mutex<JoinSet<()>>>) {
        let tasks = Arc::new(Mutex::new(tasks));
        let server = Self {
            address,
            seen: Arc::clone(&script.seen),
            _tasks: Arc::clone(&tasks),
        };
        (server, tasks)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address.unwrap())
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Waits until what has happened satisfies the condition.
    pub(crate) async fn until(&self, condition: impl FnMut(&Seen) -> bool) {
        let mut seen = self.seen.subscribe();
        let waited = tokio::time::timeout(Duration::from_secs(5), seen.wait_for(condition)).await;
        assert!(waited.is_ok(), "it did not happen: {:?}", self.seen());
    }
}

impl Script {
    async fn serve<S: AsyncRead + AsyncWrite + Unpin>(self, mut stream: S) {
        self.seen.send_modify(|seen| seen.connections += 1);
        let mut buffer = Vec::new();
        while let Some(asked) = read_request(&mut stream, &mut buffer).await {
            let mut number = 0;
            self.seen.send_modify(|seen| {
                number = seen.asked.len();
                seen.asked.push(asked);
            });
            let acts = self.acts.get(number).or(self.acts.last()).unwrap().clone();
            for act in acts {
                match self.act(&mut stream, act).await {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(_) => {
                        self.seen.send_modify(|seen| seen.hung_up += 1);
                        return;
                    }
                }
            }
        }
    }

    /// False when the server hangs up, an error when the client did.
    async fn act<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut S,
        act: Act,
    ) -> std::io::Result<bool> {
        match act {
            Act::Send(bytes) => self.write(stream, &bytes).await?,
            Act::Trickle(bytes, pause) => {
                for byte in bytes {
                    self.pace(stream, pause).await?;
                    self.write(stream, &[byte]).await?;
                }
            }
            Act::Repeat(bytes, pause) => loop {
                self.pace(stream, pause).await?;
                self.write(stream, &bytes).await?;
            },
            Act::Hang => self.pace(stream, Duration::from_secs(600)).await?,
            Act::Close => return Ok(false),
        }
        Ok(true)
    }

    /// Waits, but notices at once when the client hangs up.
    async fn pace<S: AsyncRead + Unpin>(&self, stream: &mut S, pause: Duration) -> std::io::Result<()> {
        if pause.is_zero() {
            return Ok(());
        }
        let mut byte = [0];
        match tokio::time::timeout(pause, stream.read(&mut byte)).await {
            Ok(Ok(1..)) | Err(_) => Ok(()),
            Ok(_) => Err(std::io::ErrorKind::ConnectionReset.into()),
        }
    }

    async fn write<S: AsyncWrite + Unpin>(&self, stream: &mut S, bytes: &[u8]) -> std::io::Result<()> {
        stream.write_all(bytes).await?;
        stream.flush().await?;
        self.seen.send_modify(|seen| seen.bytes_written += bytes.len());
        Ok(())
    }
}

async fn read_request<S: AsyncRead + Unpin>(stream: &mut S, buffer: &mut Vec<u8>) -> Option<Asked> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
            let length: usize = head
                .lines()
                .find_map(|line| {
                    line.to_lowercase()
                        .strip_prefix("content-length:")?
                        .trim()
                        .parse()
                        .ok()
                })
                .unwrap_or(0);
            if buffer.len() >= end + 4 + length {
                let body = serde_json::from_slice(&buffer[end + 4..end + 4 + length]).unwrap_or(Value::Null);
                buffer.drain(..end + 4 + length);
                let at = Instant::now();
                return Some(Asked { head, body, at });
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}
