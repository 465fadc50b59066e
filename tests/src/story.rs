//! A daemon with one scripted brain and its personas on a bus, as most stories need it.

use std::time::Duration;

use serde_json::json;

use crate::brain::{Reply, Request, ScriptedBrain};
use crate::daemon::{Daemon, Launch};
use crate::frame::Frame;
use crate::home::Home;
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::turn::{Turn, Utterance};
use crate::wait::{PATIENCE, wait_for};

/// The name of the usual persona, and the lane of its brain.
pub const TESTER: &str = "Tester";

/// Where the daemon tells what happens in a turn.
const EVENT: &str = "loquat.turn.event";

/// Longer than any of our own sentences, shorter than any error text with its chain of causes.
const LONGEST_SENTENCE: usize = 160;

/// What must never be spoken.
const INTERNALS: [&str; 14] = [
    "http",
    "{",
    "}",
    "Thought:",
    "Action:",
    "Observation:",
    "FINAL_ANSWER",
    "<think>",
    "Error",
    "panic",
    "127.0.0.1",
    "500",
    "429",
    "**",
];

/// Everything before the daemon is started.
#[derive(Debug)]
pub struct Scene {
    /// Where it will live.
    pub home: Home,
    /// Its model server.
    pub brain: ScriptedBrain,
}

/// The running daemon.
#[derive(Debug)]
pub struct Story {
    /// Where it lives.
    pub home: Home,
    /// Its model server.
    pub brain: ScriptedBrain,
    /// The process.
    pub daemon: Daemon,
    /// On its bus.
    pub probe: BusProbe,
}

impl Default for Scene {
    /// A home whose bus does not run yet, and a brain; [`TESTER`] is the default persona.
    fn default() -> Self {
        Self::at(Home::without_bus())
    }
}

impl Scene {
    /// Lays it out in this home.
    pub fn at(home: Home) -> Self {
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        Self {
            home,
            brain: ScriptedBrain::start(),
        }
    }

    /// The usual persona, to be changed before it is written.
    pub fn tester(&self) -> Persona {
        Persona::react(TESTER, &self.brain.url(TESTER)).toolboxes(&["ovos-math-tools", "ovos-clock-tools"])
    }

    /// Starts the daemon with this persona.
    pub async fn play(self, persona: &Persona) -> Story {
        self.home.persona(persona);
        self.start().await
    }

    /// Starts the daemon with what is in its home.
    pub async fn start(self) -> Story {
        let (daemon, probe) = Launch::new(&self.home, &["run"]).ready().await;
        self.with(daemon, probe)
    }

    /// Starts the daemon with what is in its home, launched in a way of the test's own.
    pub async fn start_with(self, prepare: impl FnOnce(Launch<'_>) -> Launch<'_>) -> Story {
        let launch = prepare(Launch::new(&self.home, &["run"]));
        let (daemon, probe) = launch.ready().await;
        self.with(daemon, probe)
    }

    /// Starts the daemon with this persona and a person at its terminal.
    pub async fn play_attended(self, persona: &Persona) -> Story {
        self.home.persona(persona);
        let daemon = Launch::new(&self.home, &["run"]).attended();
        let probe = daemon.joined(self.home.port()).await;
        self.with(daemon, probe)
    }

    fn with(self, daemon: Daemon, probe: BusProbe) -> Story {
        let Self { home, brain } = self;
        Story {
            home,
            brain,
            daemon,
            probe,
        }
    }
}

impl Story {
    /// Waits until the device answers for its voice: in its first second it looks whether an audio service is there that speaks.
    pub async fn has_a_voice(&self) {
        let asked = json!({"type": "ovos.audio.is_speaking", "data": {}, "context": {}});
        let told = |frame: &Frame| frame.topic == "ovos.audio.is_speaking.response";
        let mark = self.probe.mark();
        wait_for("the voice", PATIENCE, async || {
            self.probe.send(&asked).await;
            self.probe.try_wait(mark, Duration::from_millis(100), told).await
        })
        .await;
    }

    /// Starts the usual daemon.
    pub async fn begin() -> Self {
        let scene = Scene::default();
        let tester = scene.tester();
        scene.play(&tester).await
    }

    /// Asks and waits for the end.
    pub async fn ask(&self, text: &str) -> Turn {
        Utterance::new(text).ask(&self.probe).await
    }

    /// Gives what was told of the turn that began after `mark`, to its end: events and what is said of an utterance come in no
    /// order. A daemon tells events where `bus.reports` says so.
    pub async fn events(&self, mark: usize) -> Vec<Frame> {
        let is_event = |frame: &Frame| frame.topic == EVENT;
        let is_last = |frame: &Frame| is_event(frame) && frame.data["event"] == "turn_ended";
        self.probe.wait("the last event", mark, PATIENCE, is_last).await;
        let mut frames = self.probe.recording().since(mark);
        frames.retain(is_event);
        frames
    }

    /// Adds replies of the usual brain.
    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.brain.script(TESTER, replies);
    }

    /// Waits for the end of `count` turns and tells how they ended, in their order and in the words of the
    /// log.
    pub async fn reasons(&self, count: usize) -> Vec<String> {
        wait_for(
            &format!("the end of {count} turns in the log"),
            PATIENCE,
            async || {
                let reasons = reasons(&self.daemon.output());
                (reasons.len() >= count).then_some(reasons)
            },
        )
        .await
    }

    /// Asserts that the daemon still answers, after whatever happened before.
    pub async fn assert_goes_on(&self) {
        self.brain
            .whenever(TESTER, "still there", Reply::answers("Still here."));
        let turn = self.ask("Are you still there?").await;
        let shown = self.brain.requests(TESTER).last().map(Request::newest);
        assert_eq!(turn.answer(), "Still here.", "the brain was shown {shown:?}");
    }
}

fn reasons(log: &str) -> Vec<String> {
    let ends = log.lines().filter(|line| line.contains("turn ended"));
    ends.filter_map(|line| {
        let reason = line.split("reason=").nth(1)?;
        Some(reason.split_whitespace().next()?.to_owned())
    })
    .collect()
}

/// Asserts that a text is one sentence for a person, with nothing of the machine in it.
///
/// # Panics
/// When it is anything else.
pub fn assert_sentence(text: &str) {
    assert!(text.ends_with(['.', '!', '?']), "no sentence: {text:?}");
    assert!(
        text.chars().count() <= LONGEST_SENTENCE,
        "too long to be spoken: {text:?}"
    );
    assert!(!text.contains('\n'), "more than one line: {text:?}");
    for internal in INTERNALS {
        assert!(!text.contains(internal), "{internal:?} is spoken: {text:?}");
    }
}

/// Asserts that frames look as every frame of ours has to.
///
/// # Panics
/// When one does not.
pub fn assert_well_formed(frames: &[Frame]) {
    for frame in frames {
        let legal = |character: char| character.is_ascii_alphanumeric() || ".:_-".contains(character);
        assert!(frame.topic.chars().all(legal), "illegal topic {}", frame.topic);
        for key in ["source", "destination"] {
            let value = &frame.context[key];
            assert!(
                value.is_null() || value.is_string(),
                "{key} of {} is {value}",
                frame.topic
            );
        }
        let session = frame.context["session"].as_object();
        let null = session.and_then(|fields| fields.iter().find(|(_, value)| value.is_null()));
        assert!(null.is_none(), "null in the session of {}: {null:?}", frame.topic);
    }
}
