//! How long an utterance takes until it is answered, for us and for the reference, measured in turn in one run.

use std::time::Duration;

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::Daemon;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::Process;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;
use tokio::time::Instant;

/// The persona of all subjects.
const TESTER: &str = "Tester";

/// A running stack that answers utterances.
#[derive(Debug)]
pub struct Subject {
    /// What the table calls it.
    pub name: &'static str,
    /// From starting its first program until it says that it is ready.
    pub start: Duration,
    lane: &'static str,
    probe: BusProbe,
    processes: Vec<Process>,
    daemon: Option<Daemon>,
    _homes: (Option<Home>, Option<Peers>),
}

/// How long one utterance took.
#[derive(Debug, Clone, Copy)]
pub struct Lap {
    /// Until the answer was on the bus.
    pub speak: Duration,
    /// Until its end was.
    pub handled: Duration,
}

impl Subject {
    /// The pre-release bus, core and persona.
    pub async fn reference(brain: &ScriptedBrain) -> Self {
        let lane = "reference";
        let peers = Peers::of(Generation::PreRelease);
        peers.configure(&json!({"intents": {
            "pipeline": ["ovos-stop-pipeline-plugin-high", "ovos-converse-pipeline-plugin",
                         "ovos-persona-pipeline-plugin-high", "ovos-persona-pipeline-plugin-low"],
            "persona": {"default_persona": TESTER, "handle_fallback": true, "ignore_plugin_personas": true},
        }}));
        // Without this the reference drops the loop's own instructions.
        let persona = persona(brain, lane).brain("allow_system_prompts", json!(true));
        peers.home().persona(&persona);
        let began = Instant::now();
        let (bus, probe) = peers.bus().await;
        let core = peers.core(&probe).await;
        Self {
            name: "ovos-core + ovos-persona",
            start: began.elapsed(),
            lane,
            probe,
            processes: vec![bus, core],
            daemon: None,
            _homes: (None, Some(peers)),
        }
    }

    /// The daemon with the bus that it brings.
    pub async fn alone(brain: &ScriptedBrain) -> Self {
        let lane = "alone";
        let home = Home::without_bus();
        prepare(&home, brain, lane);
        let began = Instant::now();
        let (daemon, probe) = Daemon::start(&home).await;
        Self {
            name: "loquat",
            start: began.elapsed(),
            lane,
            probe,
            processes: Vec::new(),
            daemon: Some(daemon),
            _homes: (Some(home), None),
        }
    }

    /// The daemon on the pre-release bus.
    pub async fn on_their_bus(brain: &ScriptedBrain) -> Self {
        let lane = "on-their-bus";
        let peers = Peers::of(Generation::PreRelease);
        prepare(peers.home(), brain, lane);
        let began = Instant::now();
        let (bus, _) = peers.bus().await;
        let (daemon, probe) = Daemon::start(peers.home()).await;
        Self {
            name: "loquat on ovos-messagebus",
            start: began.elapsed(),
            lane,
            probe,
            processes: vec![bus],
            daemon: Some(daemon),
            _homes: (None, Some(peers)),
        }
    }

    /// Asks a question that needs `tools` tool calls.
    pub async fn lap(&self, brain: &ScriptedBrain, tools: usize) -> Lap {
        let call = |number| {
            Reply::acts(
                "evaluate_expression",
                &json!({"expression": format!("{number}+1")}),
            )
        };
        brain.script(self.lane, (0..tools).map(call));
        brain.script(self.lane, [Reply::answers("The result is ready.")]);
        let utterance = Utterance::new("What comes next?").in_session(&format!("lap-{}", self.probe.mark()));
        let began = Instant::now();
        let mark = utterance.enter(&self.probe).await;
        let first = async |what: &str, wanted: fn(&Frame) -> bool| {
            let frame = self
                .probe
                .wait(what, mark, PATIENCE, |frame| {
                    wanted(frame) && utterance.owns(frame)
                })
                .await;
            frame.seen - began
        };
        Lap {
            speak: first("the answer", Frame::is_speak).await,
            handled: first("the end", |frame| frame.topic == HANDLED).await,
        }
    }

    /// What its processes hold now, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        let others: u64 = self.processes.iter().map(Process::resident_bytes).sum();
        others + self.daemon.as_ref().map_or(0, |daemon| daemon.resident_bytes())
    }

    /// The part of it that the system cannot take back when it needs room, in bytes.
    pub fn anonymous_bytes(&self) -> u64 {
        let others: u64 = self.processes.iter().map(Process::anonymous_bytes).sum();
        others + self.daemon.as_ref().map_or(0, |daemon| daemon.anonymous_bytes())
    }
}

fn persona(brain: &ScriptedBrain, lane: &str) -> Persona {
    Persona::new(TESTER, "ovos-react-loop", &brain.url(lane))
        .toolboxes(&["ovos-math-tools", "ovos-clock-tools"])
}

fn prepare(home: &Home, brain: &ScriptedBrain, lane: &str) {
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    home.persona(&persona(brain, lane).brain("supports_tools", json!(false)));
}

/// The value in the middle; zero of nothing.
pub fn median(mut values: Vec<Duration>) -> Duration {
    values.sort();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The number in the middle; zero of nothing.
pub fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
