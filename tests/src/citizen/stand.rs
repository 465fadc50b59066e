//! Where the suite is played: the daemon alone, or beside the real OVOS components of one generation.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
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
use crate::sound::SoundServer;
use crate::speaker;
use crate::toolbox::ScriptedToolbox;
use crate::turn::{Turn, Utterance};
use crate::wait::PATIENCE;

/// The default persona, and the lane of its brain.
pub const TESTER: &str = "Tester";

/// The other persona.
pub const PIRATE: &str = "Pirate";

/// The persona that calls the tools of others.
pub const CALLER: &str = "Caller";

/// The box of others that it trusts, and the one that it does not.
pub const TOOLS: &str = "suite-tools";
/// See [`TOOLS`].
pub const DOORS: &str = "suite-doors";

/// What is longer is no frame that says something about us.
const LONGEST_TEXT: usize = 1 << 20;

/// Long enough for an answer that should not come.
pub const SILENCE: Duration = Duration::from_secs(2);

/// How long the voice has to answer before it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(250);

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
    /// What its microphone hears and its loudspeaker plays, where it has one.
    pub sound: Option<SoundServer>,
    /// A box that rows share, once one of them has needed it.
    pub doors: OnceCell<ScriptedToolbox>,
    daemon: Daemon,
    homes: (Option<Home>, Option<Peers>),
    _processes: Vec<Process>,
    /// Kept, since ovos-messagebus closes the connection of a client that speaks while another goes without a word.
    _early: Vec<BusProbe>,
    _tasks: JoinSet<()>,
}

impl Stand {
    /// Starts the daemon on its own bus, orchestrating.
    pub async fn alone() -> Self {
        let home = Home::without_bus();
        let brain = furnish(&home);
        let (daemon, early) = Launch::new(&home, &["run"]).ready().await;
        Self::on_its_own_bus("solo", home, (brain, daemon), early).await
    }

    /// Starts the daemon alone with a voice of its own and a loudspeaker.
    pub async fn speaking() -> Self {
        let home = Home::without_bus();
        let brain = furnish(&home);
        speaker::espeak(&home);
        let sound = SoundServer::start(home.path()).await;
        let launch = Launch::new(&home, &["run"]).finding("bin");
        let (daemon, early) = launch.env("PULSE_SERVER", sound.address()).ready().await;
        let stand = Self {
            sound: Some(sound),
            ..Self::on_its_own_bus("voice", home, (brain, daemon), early).await
        };
        // In its first second the daemon looks whether an audio service is there that speaks.
        while stand.speaks("default").await.is_none() {}
        stand
    }

    /// Starts the daemon alone with a microphone, and models from this folder.
    pub async fn listening(models: &Path) -> Self {
        let home = Home::without_bus();
        let brain = furnish(&home);
        home.setting("speech.enabled", "true");
        for (key, name) in [
            ("whisper_model", "ggml-tiny.en.bin"),
            ("vad_model", "ggml-silero-v6.2.0.bin"),
            ("wake_word", "hey_mycroft.tflite"),
        ] {
            let model = models.join(name).display().to_string();
            home.setting(&format!("speech.{key}"), &format!("{model:?}"));
        }
        let sound = SoundServer::start(home.path()).await;
        let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
        let (daemon, early) = launch.ready().await;
        daemon.wrote("microphone is open", PATIENCE).await;
        let stand = Self::on_its_own_bus("microphone", home, (brain, daemon), early).await;
        Self {
            sound: Some(sound),
            ..stand
        }
    }

    async fn on_its_own_bus(
        name: &'static str,
        home: Home,
        running: (ScriptedBrain, Daemon),
        early: BusProbe,
    ) -> Self {
        let port = home.port();
        let homes = (Some(home), None);
        Self::build(name, None, port, running, homes, (Vec::new(), vec![early])).await
    }

    /// Starts the daemon beside the real bus and core of a generation.
    pub async fn beside(generation: Generation) -> Self {
        let peers = Peers::of(generation);
        let brain = furnish(peers.home());
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
            sound: None,
            doors: OnceCell::new(),
            daemon,
            homes,
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

    /// Gathers the frames on a topic that came within the silence after a frame of the suite.
    pub async fn answers(&self, topic: &str, data: Value, context: Value, answer: &str) -> Vec<Frame> {
        let mark = self.probe.mark();
        self.send(topic, data, context).await;
        self.probe.try_wait(mark, SILENCE, |_| false).await;
        let frames = self.probe.since(mark).into_iter();
        frames.filter(|frame| frame.topic == answer).collect()
    }

    /// Tells whether the voice says that it is speaking in this session, if it answers.
    pub async fn speaks(&self, session: &str) -> Option<Value> {
        let mark = self.probe.mark();
        let context = json!({"session": {"session_id": session}});
        self.send("ovos.audio.is_speaking", json!({}), context).await;
        let is_answer = |frame: &Frame| frame.topic == "ovos.audio.is_speaking.response";
        let answer = self.probe.try_wait(mark, ASK_AGAIN, is_answer).await?;
        Some(answer.data["speaking"].clone())
    }

    /// Gives the home where the daemon lives, if no core lives there with it.
    pub fn home(&self) -> Option<&Home> {
        self.homes.0.as_ref()
    }

    /// Tells the daemon to end.
    pub fn terminate(&self) {
        self.daemon.signal(Signal::TERM);
    }

    /// Lists the texts of this run that are no JSON.
    pub fn garbled(&self) -> Vec<String> {
        let raw = self.raw.lock().unwrap_or_else(PoisonError::into_inner);
        let garbled = raw
            .iter()
            .filter(|text| serde_json::from_str::<Value>(text).is_err());
        garbled.cloned().collect()
    }

    /// Waits until the daemon has read everything that was sent before.
    pub async fn settle(&self) {
        self.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    }

    /// Lists every frame of this run that was not the suite's, as it was on the wire.
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

/// Furnishes a home with two personas of one brain.
fn furnish(home: &Home) -> ScriptedBrain {
    let brain = ScriptedBrain::start();
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    // The person of these rows is a client of the bus.
    home.setting("desk.consent_from", "\"bus\"");
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
    furnish_caller(home, &brain);
    brain
}

/// Furnishes a home with the persona that calls the tools of others.
fn furnish_caller(home: &Home, brain: &ScriptedBrain) {
    let caller = Persona::react(CALLER, &brain.url(CALLER)).toolboxes(&[DOORS]);
    home.persona(&caller.trusting(TOOLS).unasked_when_tainted(TOOLS, &["look"]));
    for what in ["slow", "fast"] {
        let answer = Reply::answers(&format!("It was {what}."));
        brain.whenever(CALLER, &format!("seen {what}"), answer);
        let call = Reply::acts("look", &json!({"text": what}));
        brain.whenever(CALLER, &format!("look {what}"), call);
    }
    brain.whenever(CALLER, "unlocked", Reply::answers("It is open."));
    let call = Reply::acts("unlock", &json!({"text": "the door"}));
    brain.whenever(CALLER, "open the door", call);
    brain.whenever(CALLER, "", Reply::answers("Very well."));
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
        if let Some(text) = message.to_text().ok().filter(|text| text.len() < LONGEST_TEXT) {
            raw.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(text.to_owned());
        }
    }
}
