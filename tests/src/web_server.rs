//! A web server of a test: answers each question as the test says, and keeps what was asked and of which address.
//!
//! It closes the connection after its answer, and speaks no TLS.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A longer head is none of the daemon's.
const LONGEST_HEAD: u64 = 64 << 10;

/// Longer than any recording that the daemon sends.
const LONGEST_BODY: u64 = 4 << 20;

/// What was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The address that was connected.
    pub to: SocketAddr,
    /// The host that the question names.
    pub host: String,
    /// Path and search part, as they were written.
    pub path: String,
    /// What was sent along.
    pub body: Vec<u8>,
}

/// What is answered.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: String,
    body: String,
}

type Respond = dyn Fn(&Asked) -> Answer + Send + Sync;

/// What all connections share.
struct Shared {
    respond: Box<Respond>,
    connected: Mutex<Vec<SocketAddr>>,
    asked: Mutex<Vec<Asked>>,
}

/// The server; it goes away with this value.
pub struct WebServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    _task: JoinSet<()>,
}

impl std::fmt::Debug for WebServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WebServer").field(&self.address).finish()
    }
}

impl Asked {
    /// Reads a field of the search part, with its escapes taken away.
    pub fn field(&self, name: &str) -> Option<String> {
        let (_, fields) = self.path.split_once('?')?;
        let mut pairs = fields.split('&').filter_map(|field| field.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| plain(value))
    }
}

impl Answer {
    /// Answers with a value as JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::new(200, "content-type: application/json\r\n", value.to_string())
    }

    /// Answers with a page.
    pub fn html(body: impl Into<String>) -> Self {
        Self::new(200, "content-type: text/html; charset=utf-8\r\n", body.into())
    }

    /// Answers with nothing but a status.
    pub fn status(status: u16) -> Self {
        Self::new(status, "", String::new())
    }

    /// That it is elsewhere.
    pub fn elsewhere(location: &str) -> Self {
        Self::new(302, &format!("location: {location}\r\n"), String::new())
    }

    fn new(status: u16, headers: &str, body: String) -> Self {
        Self {
            status,
            headers: headers.to_owned(),
            body,
        }
    }
}

impl WebServer {
    /// Starts on a free port of the loopback interface, within a runtime.
    pub async fn start(respond: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", respond)
            .await
            .expect("a loopback port is free")
    }

    /// Starts at this address.
    ///
    /// # Errors
    /// Where the machine does not let it listen there.
    pub async fn at(
        address: &str,
        respond: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            respond: Box::new(respond),
            connected: Mutex::default(),
            asked: Mutex::default(),
        });
        let mut task = JoinSet::new();
        task.spawn(serve(listener, Arc::clone(&shared)));
        Ok(Self {
            address,
            shared,
            _task: task,
        })
    }

    /// Gives its address, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lists the addresses that were connected so far.
    pub fn connected(&self) -> Vec<SocketAddr> {
        held(&self.shared.connected).clone()
    }

    /// Lists the questions so far.
    pub fn asked(&self) -> Vec<Asked> {
        held(&self.shared.asked).clone()
    }
}

fn held<T>(list: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut open = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let Ok(to) = stream.local_addr() else { continue };
        let to = SocketAddr::new(to.ip().to_canonical(), to.port());
        held(&shared.connected).push(to);
        open.spawn(answer(stream, to, Arc::clone(&shared)));
    }
}

async fn answer(mut stream: TcpStream, to: SocketAddr, shared: Arc<Shared>) -> io::Result<()> {
    let mut head = Vec::new();
    let mut input = (&mut stream).take(LONGEST_HEAD);
    while !head.ends_with(b"\r\n\r\n") {
        head.push(input.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let path = lines.next().and_then(|line| line.split(' ').nth(1));
    let field = |name: &str| {
        head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length = field("content-length").and_then(|length| length.parse().ok());
    let mut body = Vec::new();
    let mut input = (&mut stream).take(length.unwrap_or(0).min(LONGEST_BODY));
    input.read_to_end(&mut body).await?;
    let asked = Asked {
        to,
        host: field("host").unwrap_or_default(),
        path: path.unwrap_or_default().to_owned(),
        body,
    };
    let Answer {
        status,
        headers,
        body,
    } = (shared.respond)(&asked);
    held(&shared.asked).push(asked);
    let head = format!(
        "HTTP/1.1 {status} So\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}

/// Takes the escapes out of an address.
pub fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let pair: Vec<u8> = if byte == b'%' {
            rest.clone().take(2).collect()
        } else {
            Vec::new()
        };
        let escaped = std::str::from_utf8(&pair).ok();
        match escaped.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest.by_ref().take(2).for_each(drop);
            }
            None => bytes.push(if byte == b'+' { b' ' } else { byte }),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_without_their_escapes() {
        let asked = Asked {
            to: ([127, 0, 0, 1], 80).into(),
            host: String::new(),
            path: "/search?q=T%C3%B3quio+hoje&format=json&odd=%zz".to_owned(),
            body: Vec::new(),
        };
        assert_eq!(asked.field("q").as_deref(), Some("Tóquio hoje"));
        assert_eq!(asked.field("odd").as_deref(), Some("%zz"));
        assert_eq!(asked.field("none"), None);
    }
}
