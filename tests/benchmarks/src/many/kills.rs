//! What comes of many turns while workers are killed and frozen and the server is killed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::dice::Dice;
use loquat_tests::nats::NatsServer;
use loquat_tests::place::{Cellar, Room, quoted};
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::Signal;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{answer, at, improvise, median, question};

/// How long a brain takes for each reply.
const THINKING: Duration = Duration::from_millis(150);

/// Conversations of each device at once.
const CONVERSATIONS: usize = 3;

/// Workers that are killed, and as many that are frozen.
const WORKER_FAULTS: usize = 10;

/// How often the server is killed.
const SERVER_KILLS: usize = 10;

/// How long a worker is frozen: others have its turns meanwhile.
const FROZEN: Duration = Duration::from_secs(5);

/// How much there is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// All turns.
    pub turns: usize,
    /// Devices, each a daemon.
    pub devices: usize,
    /// Workers, each a process with four places.
    pub workers: usize,
}

/// What came of them.
#[derive(Debug)]
pub struct Counted {
    size: Size,
    seconds: f64,
    /// Turns with another answer than theirs, or none.
    lost: usize,
    /// Turns with more than one answer or end.
    doubled: usize,
    /// Lamps that were never switched.
    undone: usize,
    /// Lamps that were switched more than once.
    twice: usize,
    /// What the devices' own brain was asked.
    own: usize,
    succeeded: usize,
    fenced: usize,
    left: usize,
    times: Vec<f64>,
}

impl Counted {
    /// Whether nothing was lost and nothing came twice.
    pub fn is_clean(&self) -> bool {
        self.lost + self.doubled + self.undone + self.twice == 0
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size {
            turns,
            devices,
            workers,
        } = self.size;
        let mut times = self.times.clone();
        writeln!(
            f,
            "{turns} turns of {devices} devices and {workers} workers, {WORKER_FAULTS} workers killed, {WORKER_FAULTS} frozen \
             for {FROZEN:?}, the server killed {SERVER_KILLS} times: {:.1} s",
            self.seconds
        )?;
        writeln!(
            f,
            "  lost {}, answered twice {}, lamps not switched {}, lamps switched twice {}",
            self.lost, self.doubled, self.undone, self.twice
        )?;
        writeln!(
            f,
            "  turns that another worker went on with {}, workers that were fenced {}, turns that the device ended itself {}, \
             requests to the devices' own brain {} of {} or more",
            self.succeeded,
            self.fenced,
            self.left,
            self.own,
            2 * turns
        )?;
        let longest = times.iter().copied().fold(0.0, f64::max);
        write!(
            f,
            "  a turn took p50 {:.2} s, p95 {:.2} s, at most {longest:.2} s ({:.2} s of it the brain's)",
            median(&mut times),
            at(&mut times, 0.95),
            2.0 * THINKING.as_secs_f64()
        )
    }
}

/// What all conversations share.
#[derive(Debug, Default)]
struct Progress {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

/// Has so many turns run.
pub async fn measure(size: Size) -> Counted {
    let (nats, brain) = (NatsServer::open().await, ScriptedBrain::start());
    let own = improvise(&brain, THINKING);
    let address = quoted(&nats.url());
    let mut rooms = Vec::new();
    for device in 0..size.devices {
        let settings = |home: &loquat_tests::home::Home| {
            home.setting("workers.address", &address);
            home.setting("workers.name", &quoted(&format!("device-{device}")));
        };
        let lamp = Act::Returns(json!({"text": "on"}));
        rooms.push(Room::start(&brain, lamp, settings, true).await);
    }
    let mut workers = Vec::new();
    for _ in 0..size.workers {
        workers.push(Cellar::start(&nats, &brain, |_| {}).await);
    }
    for room in &rooms {
        room.has_workers().await;
    }
    let progress = Arc::new(Progress::default());
    let began = Instant::now();
    let conversations = rooms
        .iter()
        .flat_map(|room| (0..CONVERSATIONS).map(move |_| room));
    let conversations = conversations.map(|room| converse(room, &progress, size.turns));
    let (ended, logs) = tokio::join!(
        futures_util::future::join_all(conversations),
        harm((nats, &brain), workers, &progress, size.turns)
    );
    let seconds = began.elapsed().as_secs_f64();
    let mut switched: BTreeMap<String, usize> = BTreeMap::new();
    for call in rooms.iter().flat_map(|room| room.lamps.calls()) {
        let lamp = call
            .arguments
            .get("text")
            .and_then(|text| text.as_str().map(str::to_owned));
        *switched.entry(lamp.unwrap_or_default()).or_default() += 1;
    }
    let ended: Vec<Ended> = ended.into_iter().flatten().collect();
    let said = |log: &str, words: &str| log.matches(words).count();
    Counted {
        size,
        seconds,
        lost: ended.iter().filter(|turn| !turn.is_right).count(),
        doubled: ended.iter().filter(|turn| turn.is_doubled).count(),
        undone: (0..size.turns)
            .filter(|number| !switched.contains_key(&number.to_string()))
            .count(),
        twice: switched.values().filter(|count| **count > 1).count(),
        own: own.load(Ordering::Relaxed),
        succeeded: logs
            .iter()
            .map(|log| said(log, "goes on with a turn of another"))
            .sum(),
        fenced: logs
            .iter()
            .map(|log| said(log, "another worker has gone on"))
            .sum(),
        left: rooms
            .iter()
            .map(|room| said(&room.daemon.output(), "goes on here"))
            .sum(),
        times: ended.into_iter().map(|turn| turn.seconds).collect(),
    }
}

/// A turn that has ended.
#[derive(Debug)]
struct Ended {
    is_right: bool,
    is_doubled: bool,
    seconds: f64,
}

async fn converse(room: &Room, progress: &Progress, turns: usize) -> Vec<Ended> {
    let mut all = Vec::new();
    loop {
        let number = progress.begun.fetch_add(1, Ordering::Relaxed);
        if number >= turns {
            return all;
        }
        let began = Instant::now();
        let utterance = Utterance::new(&question(number)).in_session(&format!("many-{number}"));
        let turn = utterance.ask(&room.probe).await;
        let answers: Vec<&str> = turn.spoken().iter().map(|frame| frame.utterance()).collect();
        all.push(Ended {
            is_right: answers
                .first()
                .is_some_and(|said| *said == answer(&number.to_string())),
            is_doubled: answers.len() > 1 || turn.ends() != 1,
            seconds: began.elapsed().as_secs_f64(),
        });
        progress.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// Kills and freezes workers and kills the server, evenly over all turns. Gives the logs of the workers.
async fn harm(
    (mut nats, brain): (NatsServer, &ScriptedBrain),
    mut workers: Vec<Cellar>,
    progress: &Progress,
    turns: usize,
) -> Vec<String> {
    let mut dice = Dice::new(22);
    let mut faults: Vec<u8> = [0, 1].repeat(WORKER_FAULTS);
    faults.extend([2].repeat(SERVER_KILLS));
    dice.shuffle(&mut faults);
    let mut logs = Vec::new();
    let count = faults.len();
    for (place, fault) in faults.into_iter().enumerate() {
        let due = (place + 1) * turns / (count + 1);
        wait_for("the next fault", PATIENCE * 10, async || {
            (progress.ended.load(Ordering::Relaxed) >= due).then_some(())
        })
        .await;
        let victim = dice.index(workers.len());
        match fault {
            0 => {
                workers[victim].process.signal(Signal::KILL);
                workers[victim].process.ended(PATIENCE).await;
                let successor = Cellar::start(&nats, brain, |_| {}).await;
                logs.push(
                    std::mem::replace(&mut workers[victim], successor)
                        .process
                        .output(),
                );
            }
            1 => {
                workers[victim].process.signal(Signal::STOP);
                sleep(FROZEN).await;
                workers[victim].process.signal(Signal::CONT);
            }
            _ => {
                nats.kill().await;
                nats.start().await;
            }
        }
    }
    wait_for("the last turn", PATIENCE * 10, async || {
        (progress.ended.load(Ordering::Relaxed) >= turns).then_some(())
    })
    .await;
    logs.extend(workers.iter().map(|worker| worker.process.output()));
    logs
}
