//! Speaks HTTP with the program over its socket.

use std::path::Path;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::task::JoinSet;

use crate::worker::DEADLINE;

pub(crate) struct Client {
    sender: SendRequest<Full<Bytes>>,
    _driver: JoinSet<()>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn content(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()["choices"][0]["message"]["content"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

impl Client {
    pub(crate) async fn try_connect(socket: &Path) -> Option<Self> {
        let stream = UnixStream::connect(socket).await.ok()?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
        let mut driver = JoinSet::new();
        driver.spawn(async move { drop(connection.await) });
        Some(Self {
            sender,
            _driver: driver,
        })
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        let request = Request::get(path)
            .header("host", "local")
            .body(Full::default())
            .unwrap();
        collect(self.send(request).await).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: impl Into<Bytes>) -> Answer {
        collect(self.open(path, body).await).await
    }

    pub(crate) async fn chat(&mut self, request: &Value) -> Answer {
        self.post("/v1/chat/completions", request.to_string()).await
    }

    /// Asks for a chat whose body is still to be read.
    pub(crate) async fn open_chat(&mut self, request: &Value) -> Stream {
        let response = self.open("/v1/chat/completions", request.to_string()).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream {
            body: response.into_body(),
            read: String::new(),
        }
    }

    async fn open(&mut self, path: &str, body: impl Into<Bytes>) -> Response<Incoming> {
        let request = Request::post(path)
            .header("host", "local")
            .header("content-type", "application/json")
            .body(Full::new(body.into()))
            .unwrap();
        self.send(request).await
    }

    async fn send(&mut self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        tokio::time::timeout(DEADLINE, self.sender.send_request(request))
            .await
            .expect("it should answer")
            .unwrap()
    }
}

async fn collect(response: Response<Incoming>) -> Answer {
    let status = response.status().as_u16();
    let retry_after = response
        .headers()
        .get("retry-after")
        .map(|value| value.to_str().unwrap().to_owned());
    let body = tokio::time::timeout(DEADLINE, response.into_body().collect())
        .await
        .expect("it should finish")
        .unwrap()
        .to_bytes();
    Answer {
        status,
        retry_after,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// A reply that is being written.
pub(crate) struct Stream {
    body: Incoming,
    read: String,
}

impl Stream {
    /// Waits for the data of the next event. There is none at the end.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let rest = self.read.split_off(end + 2);
                let event = std::mem::replace(&mut self.read, rest);
                return Some(event.trim_end().strip_prefix("data: ").unwrap().to_owned());
            }
            let frame = tokio::time::timeout(DEADLINE, self.body.frame())
                .await
                .expect("it should go on")?;
            let data = frame.unwrap().into_data().unwrap();
            self.read.push_str(std::str::from_utf8(&data).unwrap());
        }
    }

    /// All that is left.
    pub(crate) async fn rest(mut self) -> Vec<String> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Waits for the first piece of text.
    pub(crate) async fn first_text(&mut self) -> String {
        loop {
            let event = self.next().await.expect("it should write something");
            let chunk: Value = serde_json::from_str(&event).unwrap();
            match chunk["choices"][0]["delta"]["content"].as_str() {
                None | Some("") => {}
                Some(text) => return text.to_owned(),
            }
        }
    }
}
