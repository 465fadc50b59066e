//! The daemon under attack: a person types at its terminal, a client pings it all the time, its memory is looked at.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use super::attacker::ANSWER;
use super::row::Row;
use super::scale::{MOST_MEMORY, PERSON, SLOWEST_END, SLOWEST_PING};
use crate::brain::{Reply, ScriptedBrain};
use crate::daemon::{Daemon, Launch};
use crate::frame::Frame;
use crate::home::Home;
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::process::resident_bytes;
use crate::story::{Scene, TESTER};
use crate::turn::HANDLED;
use crate::wait::PATIENCE;

/// What is heard of the bus in the midst of a flood.
const HEARD: [&str; 9] = [
    ANSWER,
    PING_ANSWER,
    "speak",
    "ovos.utterance.speak",
    HANDLED,
    "ovos.persona.answer",
    "ovos.persona.tools.call",
    "ovos.persona.tools.call.response",
    "loquat.turn.result",
];

const PING_ANSWER: &str = "mycroft.loquat.is_ready.response";

/// How often it is pinged and its memory is looked at.
const PULSE: Duration = Duration::from_millis(50);

/// A ping that takes longer is lost, and the next one is sent.
const LOST_PING: Duration = Duration::from_secs(20);

/// How long the daemon gets to end after the longest that it may take.
const GRACE: Duration = Duration::from_secs(7);

/// What a person asks, and is answered whatever else happens.
pub const QUESTION: &str = "what is left in the larder";
/// What a person is answered.
pub const RIGHT_ANSWER: &str = "Bread and two lemons.";

/// The device's own session.
pub const OWN: &str = "default";

/// The running daemon and all who are there in peace.
#[derive(Debug)]
pub struct Target {
    /// Where it lives.
    pub home: Home,
    /// Its model server.
    pub brain: ScriptedBrain,
    /// The process, with a person at its terminal.
    pub daemon: Daemon,
    /// Hears answers, ends and calls of tools, and nothing else.
    pub probe: BusProbe,
    began: Instant,
    idle: u64,
    measured: Arc<Mutex<Measured>>,
    watch: JoinSet<()>,
}

/// The worst that was seen so far.
#[derive(Debug, Default, Clone, Copy)]
struct Measured {
    ping: Duration,
    pings: usize,
    children: u64,
    /// The ping that is not answered yet.
    open: Option<Instant>,
}

impl Target {
    /// The daemon with the usual persona, changed.
    pub async fn begin(change: impl FnOnce(Persona, &Home) -> Persona) -> Self {
        Self::begin_with(change, |launch| launch).await
    }

    /// The daemon with the usual persona, changed, and launched in a way of the attack's own.
    pub async fn begin_with(
        change: impl FnOnce(Persona, &Home) -> Persona,
        prepare: impl FnOnce(Launch<'_>) -> Launch<'_>,
    ) -> Self {
        let began = Instant::now();
        let scene = Scene::default();
        let tester = change(scene.tester(), &scene.home);
        let Scene { home, brain } = scene;
        home.persona(&tester);
        let daemon = prepare(Launch::new(&home, &["run"])).attended();
        daemon.joined(home.port()).await.leave().await;
        brain.whenever(TESTER, QUESTION, Reply::answers(RIGHT_ANSWER));
        let probe = BusProbe::hearing(home.port(), &HEARD).await;
        probe.speak_questions(true);
        let mut target = Self {
            idle: resident_bytes(daemon.pid()),
            home,
            brain,
            daemon,
            probe,
            began,
            measured: Arc::default(),
            watch: JoinSet::new(),
        };
        let pinger = BusProbe::hearing(target.home.port(), &[PING_ANSWER]).await;
        let watch = watch(pinger, target.daemon.pid(), Arc::clone(&target.measured));
        target.watch.spawn(watch);
        target
            .ask()
            .await
            .expect("the daemon answers before it is attacked");
        target.idle = target.memory();
        target
    }

    /// The person types something at the device; gives all that is said there until its end.
    pub(super) async fn typed(&self, text: &str) -> String {
        let mark = self.probe.mark();
        self.daemon.types(text).await;
        let is_end = |frame: &Frame| frame.session_id() == OWN && frame.topic == HANDLED;
        self.probe
            .wait("the end of what was typed", mark, PATIENCE, is_end)
            .await;
        let said = self.probe.since(mark).into_iter();
        let said = said.filter(|frame| frame.is_speak() && frame.session_id() == OWN);
        let said: Vec<String> = said.map(|frame| frame.utterance().to_owned()).collect();
        said.join(" ")
    }

    fn memory(&self) -> u64 {
        let children = self.daemon.descendants();
        children.into_iter().map(resident_bytes).sum::<u64>() + self.daemon.resident_bytes()
    }

    fn measured(&self) -> Measured {
        let mut measured = *self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = measured.open.map_or(Duration::ZERO, |began| began.elapsed());
        measured.ping = measured.ping.max(waiting);
        measured
    }

    /// The person asks a question that needs no tool, and again where something else ends it, as a person would: a
    /// stranger's wake word is one to the device, and so where the device says that it is busy. How long it took until
    /// it was answered.
    pub async fn ask(&self) -> Option<Duration> {
        let began = Instant::now();
        while began.elapsed() < PERSON {
            let mark = self.probe.mark();
            self.daemon.types(&format!("Tell me {QUESTION}")).await;
            let is_end = |frame: &Frame| {
                frame.session_id() == OWN && (frame.utterance() == RIGHT_ANSWER || frame.topic == HANDLED)
            };
            let heard = self.probe.try_wait(mark, PERSON, is_end).await?;
            if heard.utterance() == RIGHT_ANSWER {
                return Some(began.elapsed());
            }
        }
        None
    }

    /// Waits until the daemon has dealt with what it has heard.
    pub async fn is_through(&self) -> bool {
        let mark = self.probe.mark();
        let question = json!({"type": "mycroft.loquat.all_loaded", "data": {}, "context": {"attack": mark}});
        self.probe.try_send(&question.to_string()).await
            && self
                .probe
                .try_wait(mark, PATIENCE, |frame| {
                    frame.topic == ANSWER && frame.context["attack"] == json!(mark)
                })
                .await
                .is_some()
    }

    /// The measures that all attacks have; the daemon is ended for the last of them. `question` is what
    /// [`Self::ask`] gave in the midst of the attack.
    pub async fn judged(mut self, mut row: Row, question: Option<Duration>) -> Row {
        row.question = question;
        row.demand(question.is_some(), || {
            "the person's question got no answer".into()
        });
        let after = self.ask().await;
        row.demand(after.is_some(), || {
            "the person's question after the attack got no answer".into()
        });
        row.demand(self.daemon.is_alive(), || "the daemon has died".into());
        let Measured {
            ping,
            pings,
            children,
            ..
        } = self.measured();
        row.ping = ping;
        row.demand(pings > 0, || "no ping was answered".into());
        row.demand(ping <= SLOWEST_PING, || {
            format!(
                "a ping waited {} ms of {}",
                ping.as_millis(),
                SLOWEST_PING.as_millis()
            )
        });
        let memory = (self.daemon.peak_resident_bytes() + children).saturating_sub(self.idle);
        row.memory = memory;
        row.demand(memory <= MOST_MEMORY, || {
            format!("{} MiB more than idle, of {}", memory >> 20, MOST_MEMORY >> 20)
        });
        self.end(&mut row).await;
        let panics = self.daemon.output().matches("panicked at").count();
        row.demand(panics == 0, || format!("{panics} panics"));
        row.took = self.began.elapsed();
        row
    }

    async fn end(&mut self, row: &mut Row) {
        let began = Instant::now();
        self.daemon.signal(Signal::TERM);
        let ended = timeout(SLOWEST_END + GRACE, self.daemon.gone()).await;
        row.end = ended.is_ok().then(|| began.elapsed());
        row.demand(began.elapsed() <= SLOWEST_END, || {
            format!("SIGTERM took more than {} s", SLOWEST_END.as_secs())
        });
        if let Ok(status) = ended {
            row.demand(status.success(), || format!("SIGTERM ended in {status}"));
        }
    }
}

/// Pings and looks at the children's memory until it is dropped.
async fn watch(pinger: BusProbe, pid: u32, measured: Arc<Mutex<Measured>>) {
    let mut pulse = interval(PULSE);
    for number in 0_u64.. {
        pulse.tick().await;
        let ping = json!({"type": "mycroft.loquat.is_ready", "data": {},
                          "context": {"source": "pinger", "ping": number}});
        let (began, mark) = (Instant::now(), pinger.mark());
        measured.lock().unwrap_or_else(PoisonError::into_inner).open = Some(began);
        if !pinger.try_send(&ping.to_string()).await {
            // The bus has cut off one who did nothing wrong: the ping stays open.
            return;
        }
        let is_own = |frame: &Frame| frame.context["ping"] == json!(number);
        let answered = pinger.try_wait(mark, LOST_PING, is_own).await.is_some();
        let children = crate::process::descendants(pid)
            .into_iter()
            .filter(|child| !is_half_started(*child, pid))
            .map(resident_bytes)
            .sum();
        let mut measured = measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.open = None;
        measured.pings += usize::from(answered);
        measured.ping = measured.ping.max(began.elapsed());
        measured.children = measured.children.max(children);
    }
}

/// Tells whether a child has not begun its own program yet: until then its words and its memory are the
/// daemon's.
fn is_half_started(child: u32, daemon: u32) -> bool {
    let words = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let begun = words(child);
    begun.is_empty() || begun == words(daemon)
}
