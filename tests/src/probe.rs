//! A bus client on a raw websocket: it records every frame and waits for the one that matters.
//!
//! Written from the protocol; it shares nothing with the client of the daemon.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::frame::Frame;
use crate::recording::Recording;
use crate::wait::{PATIENCE, wait_for, within};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The largest frame that the bus lets through.
const LARGEST_FRAME: usize = 64 << 20;

/// The way to the bus.
type Out = Arc<AsyncMutex<SplitSink<Socket, Message>>>;

/// Which topics are recorded.
type Wanted = Option<&'static [&'static str]>;

/// A connected client; it disconnects when dropped.
#[derive(Debug)]
pub struct BusProbe {
    out: Out,
    /// Whether it is the voice of the device when a person is asked for a yes.
    speaks: Arc<AtomicBool>,
    recording: Arc<Recording>,
    heard: Arc<AtomicU64>,
    reader: JoinSet<()>,
}

impl BusProbe {
    /// Connects to the bus on this port, waiting for it to open.
    pub async fn connect(port: u16) -> Self {
        Self::connect_to(&format!("ws://127.0.0.1:{port}/core")).await
    }

    /// Connects; of a flood only these topics are read and recorded, where the topic is the first key of the
    /// frame.
    pub async fn hearing(port: u16, topics: &'static [&'static str]) -> Self {
        Self::open(&format!("ws://127.0.0.1:{port}/core"), Some(topics)).await
    }

    /// Connects to the bus at this address, waiting for it to open.
    pub async fn connect_to(url: &str) -> Self {
        Self::open(url, None).await
    }

    async fn open(url: &str, wanted: Wanted) -> Self {
        let limits = WebSocketConfig::default()
            .max_message_size(Some(LARGEST_FRAME))
            .max_frame_size(Some(LARGEST_FRAME));
        let (socket, _) = wait_for(&format!("the bus at {url}"), PATIENCE, async || {
            connect_async_with_config(url, Some(limits), true).await.ok()
        })
        .await;
        let (out, input) = socket.split();
        let mut probe = Self {
            out: Arc::new(AsyncMutex::new(out)),
            speaks: Arc::default(),
            recording: Arc::default(),
            heard: Arc::default(),
            reader: JoinSet::new(),
        };
        let reader = Reader {
            input,
            out: Arc::clone(&probe.out),
            speaks: Arc::clone(&probe.speaks),
            recording: Arc::clone(&probe.recording),
            wanted,
            heard: Arc::clone(&probe.heard),
            held: VecDeque::new(),
            spoken: None,
        };
        probe.reader.spawn(reader.run());
        probe
            .wait("the greeting", 0, PATIENCE, |frame| frame.topic == "connected")
            .await;
        probe
    }

    /// Tells whether it is the voice of the device when a person is asked for a yes: it then tells at once
    /// that the question has been spoken, before the question is recorded, so that what is answered counts.
    pub fn speak_questions(&self, speaks: bool) {
        self.speaks.store(speaks, Ordering::Relaxed);
    }

    /// Tells that the device begins to speak in a session, or has ended.
    pub async fn speaks(&self, session: &str, begins: bool) {
        self.send(&speech(session, begins)).await;
    }

    /// Says goodbye, and waits until the bus has let go of the connection.
    pub async fn leave(mut self) {
        // A bus that has gone has let go.
        self.out.lock().await.close().await.ok();
        let gone = async { while self.reader.join_next().await.is_some() {} };
        within("the bus to let go of the probe", PATIENCE, gone).await;
    }

    /// Puts a frame on the bus.
    pub async fn send(&self, frame: &Value) {
        self.send_raw(&frame.to_string()).await;
    }

    /// Puts anything on the bus.
    pub async fn send_raw(&self, text: &str) {
        assert!(self.try_send(text).await, "the bus takes what the probe sends");
    }

    /// Puts anything on the bus; false when the bus has closed the connection.
    pub async fn try_send(&self, text: &str) -> bool {
        let sent = self.out.lock().await.send(Message::text(text)).await;
        sent.is_ok()
    }

    /// Says where the recording stands now; waits that start here see only what comes later.
    pub fn mark(&self) -> usize {
        self.recording.mark()
    }

    /// Lists all frames since `mark`, own echoes included.
    pub fn since(&self, mark: usize) -> Vec<Frame> {
        self.recording.since(mark)
    }

    /// Counts the frames that the bus has handed over, recorded or not.
    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Gives what was and will be recorded, for a peer that reacts to frames.
    pub fn recording(&self) -> Arc<Recording> {
        Arc::clone(&self.recording)
    }

    /// Waits for a frame, see [`Recording::wait`].
    pub async fn wait(
        &self,
        what: &str,
        mark: usize,
        deadline: Duration,
        wanted: impl Fn(&Frame) -> bool,
    ) -> Frame {
        self.recording.wait(what, mark, deadline, wanted).await
    }

    /// Waits for a frame that may not come, see [`Recording::try_wait`].
    pub async fn try_wait(
        &self,
        mark: usize,
        deadline: Duration,
        wanted: impl Fn(&Frame) -> bool,
    ) -> Option<Frame> {
        self.recording.try_wait(mark, deadline, wanted).await
    }

    /// Sends a request and waits for its answer on `<topic>.response`.
    pub async fn request(&self, topic: &str, data: &Value) -> Frame {
        let mark = self.mark();
        self.send(
            &json!({"type": topic, "data": data, "context": {"source": "probe", "destination": "skills"}}),
        )
        .await;
        let answer = format!("{topic}.response");
        self.wait(&answer, mark, PATIENCE, |frame| frame.topic == answer)
            .await
    }
}

/// In the context of what the reader asks, to learn that the daemon has heard it.
const ASKED_BY_READER: &str = "asked_by_reader";

/// How long the daemon may take to say so.
const HEARING: Duration = Duration::from_secs(5);

/// Reads what the bus says.
struct Reader {
    input: SplitStream<Socket>,
    out: Out,
    speaks: Arc<AtomicBool>,
    recording: Arc<Recording>,
    wanted: Wanted,
    heard: Arc<AtomicU64>,
    /// What came while a question was spoken.
    held: VecDeque<Frame>,
    /// The question that was spoken last.
    spoken: Option<Frame>,
}

impl Reader {
    async fn run(mut self) {
        while let Some(frame) = match self.held.pop_front() {
            Some(frame) => Some(frame),
            None => self.next().await,
        } {
            let speaks = self.speaks.load(Ordering::Relaxed);
            if speaks && asks_for_a_yes(&frame) && !is_twin(self.spoken.as_ref(), &frame) {
                self.speak(frame).await;
            } else if frame.context[ASKED_BY_READER].is_null() {
                self.recording.push(frame);
            }
        }
    }

    /// Waits for the next frame that is wanted; there is none when the bus has gone.
    async fn next(&mut self) -> Option<Frame> {
        while let Some(Ok(message)) = self.input.next().await {
            self.heard.fetch_add(1, Ordering::Relaxed);
            let text = message.to_text().ok().filter(|_| message.is_text());
            let is_own = |text: &&str| is_wanted(text, self.wanted) || text.contains(ASKED_BY_READER);
            if let Some(frame) = text.filter(is_own).and_then(Frame::parse) {
                return Some(frame);
            }
        }
        None
    }

    /// Tells that the question has been spoken, and records it once the daemon knows. What comes meanwhile waits.
    async fn speak(&mut self, question: Frame) {
        let session = question.session_id();
        let asked =
            json!({"type": "mycroft.loquat.all_loaded", "data": {}, "context": {ASKED_BY_READER: true}});
        let told = [speech(session, true), speech(session, false), asked];
        for frame in told {
            // A bus that has gone hears of nothing.
            self.out
                .lock()
                .await
                .send(Message::text(frame.to_string()))
                .await
                .ok();
        }
        let hearing = async {
            while let Some(frame) = self.next().await {
                let is_own = !frame.context[ASKED_BY_READER].is_null();
                if is_own && frame.topic.ends_with(".response") {
                    return;
                }
                if !is_own {
                    self.held.push_back(frame);
                }
            }
        };
        tokio::time::timeout(HEARING, hearing).await.ok();
        self.spoken = Some(question.clone());
        self.recording.push(question);
        let has_twin = |next: &Frame| is_twin(self.spoken.as_ref(), next);
        if self.held.front().is_some_and(has_twin)
            && let Some(twin) = self.held.pop_front()
        {
            self.recording.push(twin);
        }
    }
}

/// Tells whether a frame is one of these words under their other topic.
fn is_twin(spoken: Option<&Frame>, frame: &Frame) -> bool {
    spoken.is_some_and(|spoken| {
        let is_same = spoken.data == frame.data && spoken.session_id() == frame.session_id();
        is_same && spoken.topic != frame.topic
    })
}

/// Tells whether the daemon waits for a person's yes to this.
fn asks_for_a_yes(frame: &Frame) -> bool {
    frame.is_speak() && frame.context["session"]["response_mode"]["skill_id"] == "loquat"
}

fn speech(session: &str, begins: bool) -> Value {
    let topic = if begins {
        "ovos.audio.output.started"
    } else {
        "ovos.audio.output.ended"
    };
    json!({"type": topic, "data": {}, "context": {"session": {"session_id": session}}})
}

/// Tells whether a frame is to be read, told by its first bytes.
fn is_wanted(text: &str, wanted: Wanted) -> bool {
    let Some(topics) = wanted else { return true };
    let begin = text.strip_prefix("{\"type\":").unwrap_or_default().trim_start();
    let topic = begin
        .strip_prefix('"')
        .and_then(|rest| rest.split_once('"'))
        .map(|(topic, _)| topic);
    topic.is_some_and(|topic| topic == "connected" || topics.contains(&topic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::FakeBus;

    #[tokio::test]
    async fn everybody_hears_everything_and_a_revived_bus_has_the_same_port() {
        let mut bus = FakeBus::start().await;
        let port = bus.port();
        let (one, other) = (BusProbe::connect(port).await, BusProbe::connect(port).await);
        one.send(&json!({"type": "hello", "data": {"n": 1}})).await;
        for probe in [&one, &other] {
            let frame = probe
                .wait("hello", 0, PATIENCE, |frame| frame.topic == "hello")
                .await;
            assert_eq!(frame.data["n"], 1);
        }
        bus.kill().await;
        assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err());
        bus.revive().await;
        let again = BusProbe::connect(port).await;
        assert_eq!(bus.port(), port);
        assert!(
            again
                .try_wait(0, Duration::from_millis(50), |frame| frame.topic == "hello")
                .await
                .is_none()
        );
    }
}
