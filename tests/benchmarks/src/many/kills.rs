//! What comes of many turns while workers are killed and frozen, and the server and devices are killed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::daemon::Daemon;
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::nats::NatsServer;
use loquat_tests::place::{Cellar, Room, crash, quoted};
use loquat_tests::probe::BusProbe;
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::Signal;
use serde_json::json;
use tokio::sync::{RwLock, watch};
use tokio::time::{Instant, sleep};

use super::counted::Counted;
use super::journals::Journals;
use super::{answer, improvise, question};

/// The pool of all.
const POOL: &str = "home";

/// Turns of a session: the worker that had the first is asked first for the others.
const SESSION: usize = 4;

/// How long a brain takes for each reply.
pub(super) const THINKING: Duration = Duration::from_millis(400);

/// Conversations of each device at once.
const CONVERSATIONS: usize = 3;

/// Workers that are killed, and as many that are frozen.
pub(super) const WORKER_FAULTS: usize = 10;

/// How often the server is killed.
pub(super) const SERVER_KILLS: usize = 10;

/// How often a device is killed.
pub(super) const DEVICE_KILLS: usize = 5;

/// How long a worker is frozen: others have its turns meanwhile.
pub(super) const FROZEN: Duration = Duration::from_secs(5);

/// How much there is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// All turns.
    pub turns: usize,
    /// Devices, each a daemon.
    pub devices: usize,
    /// Workers, each a process with sixteen places.
    pub workers: usize,
}

/// What all conversations share.
#[derive(Debug)]
struct Progress {
    begun: AtomicUsize,
    ended: AtomicUsize,
    /// Turns below this number may begin, so that each fault finds some that run.
    allowed: watch::Sender<usize>,
}

/// Has so many turns run.
pub async fn measure(size: Size) -> Counted {
    let (nats, brain) = (NatsServer::open().await, ScriptedBrain::start());
    let own = improvise(&brain, THINKING);
    let address = quoted(&nats.url());
    let mut rooms = Vec::new();
    for device in 0..size.devices {
        let settings = |home: &Home| {
            home.setting("workers.address", &address);
            home.setting("workers.name", &quoted(&format!("device-{device}")));
        };
        let lamp = Act::Returns(json!({"text": "on"}));
        rooms.push(Room::start(&brain, lamp, settings, true).await);
    }
    let mut workers = Vec::new();
    for _ in 0..size.workers {
        workers.push(Cellar::start(&nats, &brain, with_places).await);
    }
    for room in &rooms {
        room.has_workers().await;
    }
    let progress = Progress {
        begun: AtomicUsize::new(0),
        ended: AtomicUsize::new(0),
        allowed: watch::Sender::new(0),
    };
    let began = Instant::now();
    let (mut talks, mut daemons) = (Vec::new(), Vec::new());
    for Room {
        home, daemon, probe, ..
    } in &mut rooms
    {
        let device = Arc::new(Device::default());
        talks.push((&*probe, Arc::clone(&device)));
        daemons.push(Killed { home, daemon, device });
    }
    let conversations = talks.iter().flat_map(|talk| [talk; CONVERSATIONS]);
    let conversations = conversations.map(|(probe, device)| converse(probe, device, &progress, size.turns));
    let mut harmed = Harmed {
        nats,
        brain: &brain,
        workers,
        daemons,
        logs: Vec::new(),
    };
    let (ended, ()) = tokio::join!(
        futures_util::future::join_all(conversations),
        harmed.suffer(&progress, size.turns)
    );
    let seconds = began.elapsed().as_secs_f64();
    let Harmed {
        nats,
        workers,
        mut logs,
        ..
    } = harmed;
    logs.extend(workers.iter().map(|worker| worker.process.output()));
    logs.extend(rooms.iter().map(|room| room.daemon.output()));
    let said = |words: &str| logs.iter().map(|log| log.matches(words).count()).sum();
    let mut switched: BTreeMap<String, usize> = BTreeMap::new();
    for call in rooms.iter().flat_map(|room| room.lamps.calls()) {
        let lamp = call
            .arguments
            .get("text")
            .and_then(|text| text.as_str().map(str::to_owned));
        *switched.entry(lamp.unwrap_or_default()).or_default() += 1;
    }
    let ended: Vec<Ended> = ended.into_iter().flatten().collect();
    let never = ended
        .iter()
        .filter(|turn| !switched.contains_key(&turn.number.to_string()));
    let (cut_off, undone): (Vec<_>, Vec<_>) = never.partition(|turn| turn.is_crashed);
    Counted {
        size,
        seconds,
        lost: size.turns - ended.iter().filter(|turn| turn.is_right).count(),
        doubled: ended.iter().filter(|turn| turn.is_doubled).count(),
        undone: undone.len(),
        cut_off: cut_off.len(),
        crashed: ended.iter().filter(|turn| turn.is_crashed).count(),
        twice: switched.values().filter(|count| **count > 1).count(),
        own: own.load(Ordering::Relaxed),
        succeeded: said("goes on with a turn of another"),
        fenced: said("another worker has gone on"),
        told: said("another worker has this turn"),
        left: said("goes on here"),
        journals: Journals::read(&nats.url(), POOL).await,
        times: ended.into_iter().map(|turn| turn.seconds).collect(),
    }
}

/// A place for every conversation, so that turns stay at devices for faults alone.
fn with_places(home: &Home) {
    home.setting("workers.places", "16");
}

/// What keeps a device from being killed before it has written down what it was asked.
#[derive(Debug, Default)]
struct Device {
    asking: RwLock<()>,
    /// How often it was killed.
    deaths: AtomicUsize,
    /// Turns that run.
    running: AtomicUsize,
}

/// A turn that has ended.
#[derive(Debug)]
struct Ended {
    number: usize,
    is_right: bool,
    is_doubled: bool,
    /// Whether its device was killed meanwhile.
    is_crashed: bool,
    seconds: f64,
}

async fn converse(probe: &BusProbe, device: &Device, progress: &Progress, turns: usize) -> Vec<Ended> {
    let (mut all, mut session) = (Vec::new(), String::new());
    loop {
        let number = progress.begun.fetch_add(1, Ordering::Relaxed);
        if number >= turns {
            return all;
        }
        let mut allowed = progress.allowed.subscribe();
        // The sender outlives all conversations.
        drop(allowed.wait_for(|allowed| number < *allowed).await);
        if all.len() % SESSION == 0 {
            session = format!("many-{number}");
        }
        let began = Instant::now();
        let utterance = Utterance::new(&question(number)).in_session(&session);
        let asking = device.asking.read().await;
        let deaths = device.deaths.load(Ordering::Relaxed);
        let mark = utterance.enter(probe).await;
        // No frame of a turn goes out before the turn is written down.
        let is_begun = |frame: &Frame| utterance.owns(frame) && !frame.is_entry();
        probe.wait("the turn's beginning", mark, PATIENCE, is_begun).await;
        drop(asking);
        device.running.fetch_add(1, Ordering::Relaxed);
        let turn = utterance.end(probe, mark).await;
        device.running.fetch_sub(1, Ordering::Relaxed);
        let answers: Vec<&str> = turn.spoken().iter().map(|frame| frame.utterance()).collect();
        all.push(Ended {
            number,
            is_right: answers
                .first()
                .is_some_and(|said| *said == answer(&number.to_string())),
            is_doubled: answers.len() > 1 || turn.ends() != 1,
            is_crashed: device.deaths.load(Ordering::Relaxed) > deaths,
            seconds: began.elapsed().as_secs_f64(),
        });
        progress.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// What can happen.
#[derive(Debug, Clone, Copy)]
enum Fault {
    WorkerKilled,
    WorkerFrozen,
    ServerKilled,
    DeviceKilled,
}

/// A device's daemon.
struct Killed<'a> {
    home: &'a Home,
    daemon: &'a mut Daemon,
    device: Arc<Device>,
}

/// All that faults happen to.
struct Harmed<'a> {
    nats: NatsServer,
    brain: &'a ScriptedBrain,
    workers: Vec<Cellar>,
    daemons: Vec<Killed<'a>>,
    /// Of those that are dead.
    logs: Vec<String>,
}

impl Harmed<'_> {
    /// All faults, evenly over all turns.
    async fn suffer(&mut self, progress: &Progress, turns: usize) {
        let mut dice = Dice::new(22);
        let mut faults = [Fault::WorkerKilled, Fault::WorkerFrozen].repeat(WORKER_FAULTS);
        faults.extend([Fault::ServerKilled].repeat(SERVER_KILLS));
        faults.extend([Fault::DeviceKilled].repeat(DEVICE_KILLS));
        dice.shuffle(&mut faults);
        let count = faults.len();
        let due = |place: usize| place * turns / (count + 1);
        for (place, fault) in faults.into_iter().enumerate() {
            progress.allowed.send_replace(due(place + 2));
            wait_for("the next fault", PATIENCE * 10, async || {
                (progress.ended.load(Ordering::Relaxed) >= due(place + 1)).then_some(())
            })
            .await;
            self.harm(fault, &mut dice).await;
        }
        progress.allowed.send_replace(turns);
    }

    async fn harm(&mut self, fault: Fault, dice: &mut Dice) {
        let worker = dice.index(self.workers.len());
        match fault {
            Fault::WorkerKilled => {
                self.workers[worker].process.signal(Signal::KILL);
                self.workers[worker].process.ended(PATIENCE).await;
                let successor = Cellar::start(&self.nats, self.brain, with_places).await;
                let dead = std::mem::replace(&mut self.workers[worker], successor);
                self.logs.push(dead.process.output());
            }
            Fault::WorkerFrozen => {
                self.workers[worker].process.signal(Signal::STOP);
                sleep(FROZEN).await;
                self.workers[worker].process.signal(Signal::CONT);
            }
            Fault::ServerKilled => {
                self.nats.kill().await;
                self.nats.start().await;
            }
            Fault::DeviceKilled => {
                // One that has something to lose.
                let running = |killed: &&mut Killed<'_>| killed.device.running.load(Ordering::Relaxed);
                let Some(Killed { home, daemon, device }) = self.daemons.iter_mut().max_by_key(running)
                else {
                    return;
                };
                let _silence = device.asking.write().await;
                device.deaths.fetch_add(1, Ordering::Relaxed);
                self.logs.push(crash(home, daemon).await);
            }
        }
    }
}
