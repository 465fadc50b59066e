//! A server that keeps all that it is sent and gives it back as its answer.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The server; it goes away with this value.
#[derive(Debug)]
pub(super) struct Mirror {
    address: String,
    seen: Arc<Mutex<String>>,
    _task: JoinSet<()>,
}

impl Mirror {
    /// Starts one whose answers have this status.
    pub(super) async fn start(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a loopback port is free");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address")
            .to_string();
        let seen = Arc::<Mutex<String>>::default();
        let kept = Arc::clone(&seen);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream, status, Arc::clone(&kept)));
            }
        });
        Self {
            address,
            seen,
            _task: task,
        }
    }

    /// Gives its address, with a name and a password in it where there is one.
    pub(super) fn url(&self, password: &str) -> String {
        if password.is_empty() {
            format!("http://{}", self.address)
        } else {
            format!("http://robert:{password}@{}", self.address)
        }
    }

    /// Gives all that it was sent.
    pub(super) fn seen(&self) -> String {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells whether it was sent all of these.
    pub(super) fn has_seen(&self, secrets: &[&str]) -> bool {
        self.lacks(secrets).is_empty()
    }

    /// Those of these that it was not sent.
    pub(super) fn lacks<'a>(&self, secrets: &[&'a str]) -> Vec<&'a str> {
        let seen = self.seen();
        secrets
            .iter()
            .filter(|secret| !seen.contains(**secret))
            .copied()
            .collect()
    }
}

async fn answer(stream: TcpStream, status: u16, seen: Arc<Mutex<String>>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let body = String::from_utf8_lossy(&body).into_owned();
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend([head.as_str(), body.as_str(), "\n"]);
        let told = format!("you sent: {head}{body}");
        let answer = format!(
            "HTTP/1.1 {status} Mirrored\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n{told}",
            told.len()
        );
        stream.get_mut().write_all(answer.as_bytes()).await.ok()?;
    }
}
