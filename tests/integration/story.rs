//! A daemon with one scripted brain and its personas on a bus, as most stories need it.

use loquat_tests::brain::{Reply, Request, ScriptedBrain};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::{Turn, Utterance};

/// The name of the usual persona, and the lane of its brain.
pub(crate) const TESTER: &str = "Tester";

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
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) brain: ScriptedBrain,
}

/// The running daemon.
pub(crate) struct Story {
    pub(crate) home: Home,
    pub(crate) brain: ScriptedBrain,
    pub(crate) daemon: Daemon,
    pub(crate) probe: BusProbe,
}

impl Scene {
    /// A home whose bus nobody runs yet, and a brain; [`TESTER`] is the default persona.
    pub(crate) async fn new() -> Self {
        Self::at(Home::without_bus()).await
    }

    /// In this home.
    pub(crate) async fn at(home: Home) -> Self {
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        Self {
            home,
            brain: ScriptedBrain::start().await,
        }
    }

    /// The usual persona, to be changed before it is written.
    pub(crate) fn tester(&self) -> Persona {
        Persona::react(TESTER, &self.brain.url(TESTER)).toolboxes(&["ovos-math-tools", "ovos-clock-tools"])
    }

    /// Starts the daemon with this persona.
    pub(crate) async fn play(self, persona: &Persona) -> Story {
        self.home.persona(persona);
        self.start().await
    }

    /// Starts the daemon with what is in its home.
    pub(crate) async fn start(self) -> Story {
        let (daemon, probe) = Launch::new(&self.home, &["run"]).ready().await;
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
    /// The usual daemon.
    pub(crate) async fn begin() -> Self {
        let scene = Scene::new().await;
        let tester = scene.tester();
        scene.play(&tester).await
    }

    /// Asks and waits for the end.
    pub(crate) async fn ask(&self, text: &str) -> Turn {
        Utterance::new(text).ask(&self.probe).await
    }

    /// Adds replies of the usual brain.
    pub(crate) fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.brain.script(TESTER, replies);
    }

    /// The daemon still answers, after whatever happened before.
    pub(crate) async fn assert_goes_on(&self) {
        self.brain
            .whenever(TESTER, "still there", Reply::answers("Still here."));
        let turn = self.ask("Are you still there?").await;
        let shown = self.brain.requests(TESTER).last().map(Request::newest);
        assert_eq!(turn.answer(), "Still here.", "the brain was shown {shown:?}");
    }
}

/// One sentence for a person, with nothing of the machine in it.
pub(crate) fn assert_sentence(text: &str) {
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

/// What every frame of ours has to look like.
pub(crate) fn assert_well_formed(frames: &[Frame]) {
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
