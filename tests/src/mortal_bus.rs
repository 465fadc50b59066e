//! A bus in a process of its own, killed at random points of a turn and started again on the same port; and what comes
//! of the utterances of a daemon on it: one answer and one end each, whenever the bus dies.
//!
//! The points are drawn from a seed, so that a failure can be had again. The watcher is back on the bus before the
//! daemon, which is held still for that long: otherwise what is said in between would seem lost.
//!
//! In one moment it cannot be told what to do: the bus writes a frame to one client after the other, and has written it to
//! some. Our own bus writes the sender's echo last, so that the frame is sent again, and the frame says so; a client
//! that heard it before drops it, as the watcher does here. Other buses have lost it where the echo was written first.
//! So of them that moment is left out.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::brain::{Reply, ScriptedBrain};
use crate::daemon::Daemon;
use crate::dice::Dice;
use crate::frame::{Frame, heard_once};
use crate::home::Home;
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::recording::Recording;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::{HANDLED, Turn, Utterance};
use crate::wait::PATIENCE;

/// The persona, and the lane of its brain.
const TESTER: &str = "Tester";

/// The box of another process that every turn calls, and its tool.
const TOOLBOX: &str = "peer-tools";
const TOOL: &str = "look";

const CALL: &str = "ovos.persona.tools.call";
const CALL_ANSWER: &str = "ovos.persona.tools.call.response";

/// The answer to everything.
const ANSWER: &str = "All is well.";

/// How long the brain thinks each time; most moments of a turn are in there.
const THOUGHT: Duration = Duration::from_millis(250);

/// As long as an undisturbed turn takes, roughly: moments of no event are drawn from it.
const TURN_MILLISECONDS: u64 = 600;

/// How the bus is started on its port.
type Start<'a> = Box<dyn Fn() -> Process + 'a>;

/// The bus.
pub struct MortalBus<'a> {
    start: Start<'a>,
    process: Process,
    port: u16,
    /// Whether it may die while it writes a frame.
    anywhere: bool,
    /// What a watcher saw in each of its lives.
    lives: Vec<Arc<Recording>>,
}

/// When in a turn the bus dies.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// The utterance was taken.
    Taken,
    /// The brain was asked for the first time, or the second.
    Asked(usize),
    /// A frame with this topic was on the bus.
    Seen(&'static str),
    /// So long after the utterance was taken.
    After(Duration),
}

/// One utterance, and who was there when it was said.
struct Round {
    utterance: Utterance,
    session: String,
    toolboxes: Vec<ScriptedToolbox>,
}

/// Writes into the home what the ordeal needs: the persona, and little patience with calls whose answer is lost.
pub fn furnish(home: &Home, brain: &ScriptedBrain) {
    for (key, value) in [
        ("desk.persona", "\"Tester\""),
        ("bus.embed", "\"never\""),
        ("tools.bus_timeout_seconds", "1.0"),
        ("tools.outage_seconds", "0.1"),
    ] {
        home.setting(key, value);
    }
    home.persona(
        &Persona::react(TESTER, &brain.url(TESTER))
            .trusting(TOOLBOX)
            .unasked_when_tainted(TOOLBOX, &[TOOL]),
    );
    let call = Reply::acts(TOOL, &json!({"text": "around"}));
    brain.after(TESTER, 0, call.after(THOUGHT));
    brain.after(TESTER, 1, Reply::answers(ANSWER).after(THOUGHT));
}

impl fmt::Debug for MortalBus<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MortalBus({:?})", self.process)
    }
}

impl<'a> MortalBus<'a> {
    /// Starts the bus on this port.
    pub fn begin(port: u16, start: impl Fn() -> Process + 'a) -> Self {
        Self {
            process: start(),
            start: Box::new(start),
            port,
            anywhere: false,
            lives: Vec::new(),
        }
    }

    /// Lets it die also while it writes a frame to one client after the other.
    #[must_use]
    pub fn dying_anywhere(self) -> Self {
        Self {
            anywhere: true,
            ..self
        }
    }

    /// Kills it so many times, each time in the middle of a turn.
    ///
    /// # Panics
    /// When an utterance is lost or doubled; the seed and the moments are named.
    pub async fn is_survived(&mut self, daemon: &Daemon, brain: &ScriptedBrain, seed: u64, kills: usize) {
        let mut dice = Dice::new(seed);
        let mut rounds = Vec::new();
        for number in 0..kills {
            let moment = moment(&mut dice);
            let round = self.round(daemon, brain, moment, number).await;
            rounds.push((moment, round));
        }
        for (number, (moment, round)) in rounds.iter().enumerate() {
            let what = format!("seed {seed}, kill {number}, {moment:?}");
            self.assert_whole(&what, round);
        }
    }

    /// Says one utterance, in whose middle the bus dies, and waits for its end.
    async fn round(
        &mut self,
        daemon: &Daemon,
        brain: &ScriptedBrain,
        moment: Moment,
        number: usize,
    ) -> Round {
        let probe = daemon.joined(self.port).await;
        self.lives.push(probe.recording());
        let session = format!("round-{number}");
        let mut round = Round {
            utterance: Utterance::new("Look around.").in_session(&session),
            toolboxes: vec![self.toolbox().await],
            session,
        };
        let asked = brain.requests(TESTER).len();
        let mark = round.utterance.enter(&probe).await;
        round.reach(moment, &probe, mark, brain, asked).await;
        if !self.anywhere {
            self.settled(daemon, &probe).await;
        }

        self.process.signal(Signal::KILL);
        self.process.ended(PATIENCE).await;
        daemon.signal(Signal::STOP);
        self.process = (self.start)();
        let probe = BusProbe::connect(self.port).await;
        self.lives.push(probe.recording());
        round.toolboxes.push(self.toolbox().await);
        daemon.signal(Signal::CONT);

        if self.seen(&round.utterance).ends() == 0 {
            let is_end = |frame: &Frame| frame.topic == HANDLED && round.utterance.owns(frame);
            let what = format!("the end of an utterance whose bus died at {moment:?}");
            probe.wait(&what, 0, PATIENCE, is_end).await;
        }
        // What was sent before this is answered has been seen when it is.
        daemon.answering(&probe).await;
        round
    }

    /// Waits until what is on the bus has reached all: a client that answers has read what came before the question.
    async fn settled(&self, daemon: &Daemon, probe: &BusProbe) {
        let of_status = |frame: &Frame| frame.topic.starts_with("mycroft.loquat.all_loaded");
        loop {
            let mark = probe.mark();
            daemon.answering(probe).await;
            if probe.since(mark).iter().all(of_status) {
                return;
            }
        }
    }

    async fn toolbox(&self) -> ScriptedToolbox {
        let tool = ScriptedTool::named(TOOL, Act::Returns(json!({"text": "a quiet room"})));
        ScriptedToolbox::join(self.port, TOOLBOX, vec![tool]).await
    }

    /// All that an utterance has caused in all lives of the bus.
    fn seen(&self, utterance: &Utterance) -> Turn {
        let lives = self.lives.iter().map(|life| utterance.seen(life, 0));
        let frames = heard_once(lives.flat_map(|turn| turn.frames));
        Turn { frames }
    }

    fn assert_whole(&self, what: &str, round: &Round) {
        let turn = self.seen(&round.utterance);
        let frames: Vec<(&str, &Value)> = turn
            .frames
            .iter()
            .map(|frame| (frame.topic.as_str(), &frame.data))
            .collect();
        let spoken: Vec<&str> = turn.spoken().into_iter().map(Frame::utterance).collect();
        assert_eq!(spoken, [ANSWER], "{what}: {frames:#?}");
        let twins = turn
            .frames
            .iter()
            .filter(|frame| frame.is_speak() && frame.is_twin());
        assert!(
            twins.count() <= 1,
            "{what}: said twice to older peers: {frames:#?}"
        );
        assert_eq!(turn.ends(), 1, "{what}: {frames:#?}");
        turn.assert_ended_once();
        let calls = round.toolboxes.iter().flat_map(ScriptedToolbox::calls);
        let calls = calls.filter(|call| call.session_id == round.session).count();
        assert!(calls <= 1, "{what}: a tool ran {calls} times");
    }
}

impl Round {
    /// Waits until that moment of the turn, or its end where it never comes.
    async fn reach(
        &self,
        moment: Moment,
        probe: &BusProbe,
        mark: usize,
        brain: &ScriptedBrain,
        asked: usize,
    ) {
        let of_turn = |frame: &Frame| self.utterance.owns(frame);
        let taken = |frame: &Frame| frame.topic == "ovos.intent.matched" && of_turn(frame);
        let is_end = |frame: &Frame| frame.topic == HANDLED && of_turn(frame);
        let of_session = |frame: &Frame| frame.session_id() == self.session;
        probe
            .wait("the utterance to be taken", mark, PATIENCE, taken)
            .await;
        match moment {
            Moment::Taken => {}
            Moment::Asked(times) => brain.asked(TESTER, asked + times, PATIENCE).await,
            Moment::Seen(topic) => {
                let reached = |frame: &Frame| (frame.topic == topic && of_session(frame)) || is_end(frame);
                probe.wait(topic, mark, PATIENCE, reached).await;
            }
            Moment::After(delay) => drop(probe.try_wait(mark, delay, is_end).await),
        }
    }
}

/// Half of the moments are no event at all.
fn moment(dice: &mut Dice) -> Moment {
    match dice.below(14) {
        0 => Moment::Taken,
        1 => Moment::Asked(1),
        2 => Moment::Seen(CALL),
        3 => Moment::Seen(CALL_ANSWER),
        4 => Moment::Asked(2),
        5 => Moment::Seen("ovos.utterance.speak"),
        6 => Moment::Seen(HANDLED),
        _ => Moment::After(Duration::from_millis(dice.below(TURN_MILLISECONDS))),
    }
}
