//! Where the suite is played: the daemon alone, or beside the real OVOS components of one generation.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_tungstenite::connect_async_with_config;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::{Row, Verdict};
use crate::brain::{Reply, ScriptedBrain};
use crate::daemon::{Daemon, Launch};
use crate::frame::Frame;
use crate::home::Home;
use crate::ovos_core::Generation;
use crate::peers::Peers;
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::turn::{Turn, Utterance};
use crate::wait::PATIENCE;

/// The default persona, and the lane of its brain.
pub const TESTER: &str = "Tester";

/// The other persona.
pub const PIRATE: &str = "Pirate";

/// Long enough for an answer that should not come.
pub const SILENCE: Duration = Duration::from_secs(2);

/// The daemon on a bus, and everything that looks at it.
#[derive(Debug)]
pub struct Stand {
    /// What the table calls it.
    pub name: &'static str,
    /// The core that is beside it.
    pub beside: Option<Generation>,
    /// On the bus.
    pub probe: BusProbe,
    /// What it thinks with.
    pub brain: ScriptedBrain,
    /// The port of the bus.
    pub port: u16,
    raw: Arc<Mutex<Vec<String>>>,
    _daemon: Daemon,
    _homes: (Option<Home>, Option<Peers>),
    _processes: Vec<Process>,
    /// Kept, since ovos-messagebus closes the connection of whoever speaks while another client goes without a word.
    _early: Vec<BusProbe>,
    _tasks: JoinSet<()>,
}

impl Stand {
    /// The daemon on its own bus, orchestrating.
    pub async fn alone() -> Self {
        let home = Home::without_bus();
        let brain = furnish(&home).await;
        let (daemon, early) = Launch::new(&home, &["run"]).ready().await;
        let port = home.port();
        Self::build(
            "solo",
            None,
            port,
            (brain, daemon),
            (Some(home), None),
            (Vec::new(), vec![early]),
        )
        .await
    }

    /// The daemon beside the real bus and core of a generation.
    pub async fn beside(generation: Generation) -> Self {
        let peers = Peers::of(generation);
        let brain = furnish(peers.home()).await;
        peers.home().setting("bus.embed", "\"never\"");
        let (bus, watch) = peers.bus().await;
        let core = peers.core(&watch).await;
        let (daemon, early) = Launch::new(peers.home(), &["run"]).ready().await;
        let registered =
            |frame: &Frame| frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat";
        watch.wait("our registration", 0, PATIENCE, registered).await;
        let name = match generation {
            Generation::Stable => "stable core",
            Generation::PreRelease => "pre-release core",
        };
        let (port, processes) = (peers.home().port(), (vec![bus, core], vec![watch, early]));
        Self::build(
            name,
            Some(generation),
            port,
            (brain, daemon),
            (None, Some(peers)),
            processes,
        )
        .await
    }

    async fn build(
        name: &'static str,
        beside: Option<Generation>,
        port: u16,
        (brain, daemon): (ScriptedBrain, Daemon),
        homes: (Option<Home>, Option<Peers>),
        (processes, early): (Vec<Process>, Vec<BusProbe>),
    ) -> Self {
        let raw = Arc::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(tap(port, Arc::clone(&raw)));
        Self {
            name,
            beside,
            probe: BusProbe::connect(port).await,
            brain,
            port,
            raw,
            _daemon: daemon,
            _homes: homes,
            _processes: processes,
            _early: early,
            _tasks: tasks,
        }
    }

    /// Plays a row; what breaks inside is its verdict.
    pub async fn play(&self, row: &Row) -> Verdict {
        let played = AssertUnwindSafe((row.check)(self)).catch_unwind().await;
        played.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(text.unwrap_or_default())
        })
    }

    /// Puts an utterance on the bus in a session and waits for its end.
    pub async fn say(&self, text: &str, session: &str) -> Turn {
        Utterance::new(text).in_session(session).ask(&self.probe).await
    }

    /// Sends a frame of the suite with this context.
    pub async fn send(&self, topic: &str, data: Value, context: Value) {
        let mut context = context;
        context["source"] = json!("suite");
        self.probe
            .send(&json!({"type": topic, "data": data, "context": context}))
            .await;
    }

    /// Sends a request of the suite and gives the first answer on a topic, if one comes.
    pub async fn ask(&self, topic: &str, data: Value, context: Value, answer: &str) -> Option<Frame> {
        let mark = self.probe.mark();
        self.send(topic, data, context).await;
        let is_answer = |frame: &Frame| frame.topic == answer;
        self.probe.try_wait(mark, PATIENCE, is_answer).await
    }

    /// How many frames on a topic came within the silence after a frame of the suite.
    pub async fn answers(&self, topic: &str, data: Value, context: Value, answer: &str) -> Vec<Frame> {
        let mark = self.probe.mark();
        self.send(topic, data, context).await;
        self.probe.try_wait(mark, SILENCE, |_| false).await;
        let frames = self.probe.since(mark).into_iter();
        frames.filter(|frame| frame.topic == answer).collect()
    }

    /// Waits until the daemon has read everything that was sent before.
    pub async fn settle(&self) {
        self.probe.request("mycroft.loquat.is_alive", &json!({})).await;
    }

    /// Every frame of this run that was not the suite's, as it was on the wire.
    pub fn ours(&self) -> Vec<Value> {
        let raw = self.raw.lock().unwrap_or_else(PoisonError::into_inner);
        let frames = raw
            .iter()
            .filter_map(|text| serde_json::from_str::<Value>(text).ok());
        let ours = |frame: &Value| {
            let topic = frame["type"].as_str().unwrap_or_default();
            let context = &frame["context"];
            let entered =
                ["recognizer_loop:utterance", "ovos.utterance.handle", "connected"].contains(&topic);
            let probes = ["suite", "probe", "test-skill"]
                .iter()
                .any(|who| context["source"] == *who);
            context.is_object() && !entered && !probes && context["skill_id"] != "test-skill"
        };
        frames.filter(ours).collect()
    }
}

/// Two personas of one brain.
async fn furnish(home: &Home) -> ScriptedBrain {
    let brain = ScriptedBrain::start().await;
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    let tools = ["ovos-math-tools", "ovos-clock-tools"];
    home.persona(&Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&tools));
    home.persona(&Persona::react(PIRATE, &brain.url(PIRATE)));
    brain.whenever(TESTER, "fail", Reply::fails(400));
    brain.whenever(
        TESTER,
        "ponder",
        Reply::says("").delivered(crate::brain::Delivery::Never),
    );
    brain.whenever(TESTER, "", Reply::answers("The tester has it."));
    brain.whenever(PIRATE, "", Reply::answers("The pirate has it."));
    brain
}

/// Keeps every text as it comes.
async fn tap(port: u16, raw: Arc<Mutex<Vec<String>>>) {
    let url = format!("ws://127.0.0.1:{port}/core");
    let limits = WebSocketConfig::default()
        .max_message_size(None)
        .max_frame_size(None);
    let connected = connect_async_with_config(url, Some(limits), true).await;
    let (socket, _) = connected.expect("the bus is open");
    let (_out, mut input) = socket.split();
    while let Some(Ok(message)) = input.next().await {
        if let Ok(text) = message.to_text() {
            raw.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(text.to_owned());
        }
    }
}
