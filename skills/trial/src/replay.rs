//! A server on this machine that answers as a test says, and counts who comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How a question is answered.
#[derive(Debug, Clone)]
pub enum Answer {
    /// With status, further headers and body.
    Whole(u16, String, Vec<u8>),
    /// With a good beginning that breaks off.
    Cut(Vec<u8>),
    /// With a body that never ends.
    Endless,
    /// With a byte of the body a second.
    Slow,
    /// With headers that never end.
    Headers,
    /// Not at all.
    Silence,
}

impl Answer {
    /// A whole answer of JSON.
    pub fn json(body: &str) -> Self {
        Self::Whole(200, "content-type: application/json\r\n".to_owned(), body.into())
    }

    /// A whole page.
    pub fn html(body: &str) -> Self {
        Self::Whole(
            200,
            "content-type: text/html; charset=utf-8\r\n".to_owned(),
            body.into(),
        )
    }

    /// An empty answer with this status.
    pub fn status(status: u16) -> Self {
        Self::Whole(status, String::new(), Vec::new())
    }

    /// A redirection.
    pub fn elsewhere(location: &str) -> Self {
        Self::Whole(302, format!("location: {location}\r\n"), Vec::new())
    }

    /// A refusal for the next three minutes.
    pub fn busy() -> Self {
        Self::Whole(429, "retry-after: 180\r\n".to_owned(), Vec::new())
    }
}

type Respond = Arc<dyn Fn(&str) -> Answer + Send + Sync>;

/// A server.
#[derive(Debug)]
pub struct Replay {
    /// Its address.
    pub url: String,
    /// Its port.
    pub port: u16,
    connections: Arc<AtomicUsize>,
    questions: Arc<Mutex<Vec<String>>>,
    /// Ends with the server.
    _task: JoinSet<()>,
}

impl Replay {
    /// At this address of the machine; each question is answered by its path.
    pub async fn start(host: &str, respond: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((host, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let questions: Arc<Mutex<Vec<String>>> = Arc::default();
        let (count, heard, respond) = (
            Arc::clone(&connections),
            Arc::clone(&questions),
            Arc::new(respond) as Respond,
        );
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                open.spawn(serve(stream, Arc::clone(&respond), Arc::clone(&heard)));
            }
        });
        Self {
            url: format!("http://{address}"),
            port: address.port(),
            connections,
            questions,
            _task: task,
        }
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The questions, with their headers.
    pub fn questions(&self) -> Vec<String> {
        self.questions.lock().clone()
    }
}

async fn serve(mut stream: TcpStream, respond: Respond, heard: Arc<Mutex<Vec<String>>>) {
    let mut question = Vec::new();
    while !question.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => question.push(byte),
            Err(_) => return,
        }
    }
    let question = String::from_utf8(question).expect("a question in ASCII");
    let path = question.split(' ').nth(1).unwrap_or_default().to_owned();
    heard.lock().push(question);
    // Who has read enough closes the connection.
    drop(send(&mut stream, respond(&path)).await);
}

async fn send(stream: &mut TcpStream, answer: Answer) -> std::io::Result<()> {
    let head = |status: u16, headers: &str| format!("HTTP/1.1 {status} So\r\nconnection: close\r\n{headers}");
    match answer {
        Answer::Whole(status, headers, body) => {
            let length = format!("{}content-length: {}\r\n\r\n", head(status, &headers), body.len());
            stream.write_all(length.as_bytes()).await?;
            stream.write_all(&body).await
        }
        Answer::Cut(body) => {
            let length = format!("{}content-length: {}\r\n\r\n", head(200, ""), body.len() + 10);
            stream.write_all(length.as_bytes()).await?;
            stream.write_all(&body).await
        }
        Answer::Endless => {
            stream
                .write_all((head(200, "content-type: text/html\r\n") + "\r\n").as_bytes())
                .await?;
            loop {
                stream.write_all(&[b' '; 4096]).await?;
            }
        }
        Answer::Slow => {
            stream
                .write_all((head(200, "content-type: text/html\r\n") + "\r\n").as_bytes())
                .await?;
            loop {
                stream.write_all(b"<").await?;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        Answer::Headers => {
            stream.write_all(head(200, "").as_bytes()).await?;
            loop {
                stream
                    .write_all(format!("x: {}\r\n", "y".repeat(4096)).as_bytes())
                    .await?;
            }
        }
        Answer::Silence => std::future::pending().await,
    }
}
