//! How fast a message bus is, seen by clients that do nothing but send and receive: ours beside ovos-messagebus.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::Process;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// Frames to everybody, of which the time in the middle counts.
const BROADCASTS: usize = 9;

/// A bus that runs.
#[derive(Debug)]
pub struct Subject {
    /// What the table calls it.
    pub name: &'static str,
    url: String,
    daemon: Option<Daemon>,
    process: Option<Process>,
    _homes: (Option<Home>, Option<Peers>),
}

/// A client that has been greeted.
struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// Times of single frames.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// Half are shorter.
    pub median: Duration,
    /// One of a hundred is longer.
    pub p99: Duration,
}

impl Subject {
    /// The pre-release ovos-messagebus.
    pub async fn reference() -> Self {
        let peers = Peers::of(Generation::PreRelease);
        let (process, _) = peers.bus().await;
        Self {
            name: "ovos-messagebus",
            url: url(peers.home().port()),
            daemon: None,
            process: Some(process),
            _homes: (None, Some(peers)),
        }
    }

    /// `loquat bus`.
    pub async fn ours() -> Self {
        let home = Home::without_bus();
        let daemon = Launch::new(&home, &["bus"]).spawn();
        drop(BusProbe::connect(home.port()).await);
        Self {
            name: "loquat bus",
            url: url(home.port()),
            daemon: Some(daemon),
            process: None,
            _homes: (Some(home), None),
        }
    }

    /// What it holds now, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        let ours = self.daemon.as_ref().map_or(0, |daemon| daemon.resident_bytes());
        ours + self.process.as_ref().map_or(0, Process::resident_bytes)
    }

    /// From sending a frame until another client has it.
    pub async fn one_way(&self, frames: usize) -> Times {
        let (mut sender, mut receiver) = (self.client().await, self.client().await);
        let mut times = Vec::with_capacity(frames);
        for number in 0..frames {
            let began = Instant::now();
            sender.send(&frame("one.way", number)).await;
            receiver.receive().await;
            times.push(began.elapsed());
            sender.receive().await;
        }
        Times::of(times)
    }

    /// From sending a question until the answer of another client is there.
    pub async fn round_trip(&self, frames: usize) -> Times {
        let (mut asker, mut answerer) = (self.client().await, self.client().await);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            loop {
                if answerer.receive().await.contains("a.question") {
                    answerer.send(&frame("an.answer", 0)).await;
                }
            }
        });
        let mut times = Vec::with_capacity(frames);
        for number in 0..frames {
            let began = Instant::now();
            asker.send(&frame("a.question", number)).await;
            while !asker.receive().await.contains("an.answer") {}
            times.push(began.elapsed());
        }
        Times::of(times)
    }

    /// Frames a second from one sender until so many receivers have all of them.
    pub async fn throughput(&self, frames: usize, receivers: usize) -> f64 {
        let sender = self.client().await;
        let mut waiting = JoinSet::new();
        for _ in 0..receivers {
            let mut receiver = self.client().await;
            waiting.spawn(async move {
                for _ in 0..frames {
                    receiver.receive().await;
                }
            });
        }
        let began = Instant::now();
        let (mut out, mut own) = sender.0.split();
        // Its own echo has to be read too, or the bus would cut it off.
        waiting.spawn(async move {
            for _ in 0..frames {
                own.next().await;
            }
        });
        for number in 0..frames {
            out.feed(Message::text(frame("through.put", number)))
                .await
                .expect("the bus takes a frame");
        }
        out.flush().await.expect("the bus takes a frame");
        while waiting.join_next().await.is_some() {}
        frames as f64 / began.elapsed().as_secs_f64()
    }

    /// How long so many connections take to open, and one frame to reach them all.
    pub async fn crowd(&self, connections: usize) -> (Duration, Duration, u64) {
        let began = Instant::now();
        let mut clients = Vec::with_capacity(connections);
        for _ in 0..connections {
            clients.push(self.client().await);
        }
        let opened = began.elapsed();
        let mut sender = self.client().await;
        let mut heard = Vec::with_capacity(BROADCASTS);
        for number in 0..BROADCASTS {
            let began = Instant::now();
            sender.send(&frame("to.all", number)).await;
            for client in &mut clients {
                client.receive().await;
            }
            heard.push(began.elapsed());
        }
        heard.sort();
        (opened, heard[BROADCASTS / 2], self.resident_bytes())
    }

    async fn client(&self) -> Client {
        let (socket, _) = connect_async_with_config(&self.url, None, true)
            .await
            .expect("the bus lets a client in");
        let mut client = Client(socket);
        client.receive().await;
        client
    }
}

impl Client {
    async fn send(&mut self, text: &str) {
        let sent = self.0.send(Message::text(text)).await;
        sent.expect("the bus takes a frame");
    }

    async fn receive(&mut self) -> String {
        let message = self
            .0
            .next()
            .await
            .expect("the bus stays")
            .expect("the bus sends frames");
        message.to_text().expect("frames are text").to_owned()
    }
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
        Self {
            median: at(50),
            p99: at(99),
        }
    }
}

fn url(port: u16) -> String {
    format!("ws://127.0.0.1:{port}/core")
}

fn frame(topic: &str, number: usize) -> String {
    let context = json!({"source": "bench", "destination": "skills", "session": {"session_id": "default"}});
    json!({"type": topic, "data": {"n": number, "utterance": "what time is it"}, "context": context})
        .to_string()
}
