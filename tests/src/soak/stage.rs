//! The daemon, the bus and the tool of a soak, and the faults that they suffer.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::disk::Disk;
use super::errand::{BOOK, TOOLBOX, reply};
use super::holdings::Holding;
use super::ledger::Ledger;
use super::onlookers::{self, Onlookers, Seen};
use super::plan::Event;
use crate::brain::ScriptedBrain;
use crate::clock::Clock;
use crate::daemon::{Daemon, Launch};
use crate::dice::Dice;
use crate::home::{Home, free_port};
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::toolbox::ScriptedToolbox;
use crate::wait::PATIENCE;

/// The persona, and the lane of its brain.
const TESTER: &str = "Tester";

/// A fault comes so long after its turn at most, which is about as long as a turn takes.
const MOMENT_MILLISECONDS: u64 = 300;

/// The way to the daemon.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Counts the ways that there were.
    pub(super) number: u64,
    /// Counts the lives of the daemon.
    pub(super) life: u64,
    pub(super) probe: Arc<BusProbe>,
}

/// What was done to the daemon, for the table.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) disk: String,
    pub(super) kills: usize,
    pub(super) restarts: usize,
    pub(super) kills_while_full: usize,
    pub(super) full: Duration,
    /// Each with whether the daemon ran, in seconds.
    pub(super) jumps: Vec<(i64, bool)>,
    /// The longest time from a kill until the daemon was ready again.
    pub(super) slowest_start: Duration,
    /// The longest time from when the bus was back until the daemon had met it.
    pub(super) slowest_return: Duration,
}

/// Everything that runs.
#[derive(Debug)]
pub(super) struct Stage {
    ledger: Arc<Ledger>,
    line: watch::Sender<Option<Line>>,
    daemon: Daemon,
    bus: Process,
    toolbox: ScriptedToolbox,
    listeners: JoinSet<()>,
    hardship: Option<(Disk, Clock)>,
    full_since: Option<Instant>,
    told: Told,
    onlookers: Option<Onlookers>,
    home: Home,
    _brain: ScriptedBrain,
}

impl Stage {
    /// Starts a daemon that nothing happens to, with a browser and an MCP client that look on.
    pub(super) async fn open(ledger: &Arc<Ledger>, seed: u64) -> Self {
        let home = Home::with_bus(free_port());
        let root = onlookers::invite(&home);
        let mut stage = Self::raised(ledger, seed, home, None).await;
        stage.onlookers = Some(Onlookers::come(&stage.daemon, &stage.home, &root).await);
        stage
    }

    /// Starts a daemon whose disk can be full and whose clock can jump.
    pub(super) async fn in_need(ledger: &Arc<Ledger>, seed: u64) -> Self {
        let home = Home::with_bus(free_port());
        let (disk, clock) = (Disk::new(&home).await, Clock::new(&home));
        Self::raised(ledger, seed, home, Some((disk, clock))).await
    }

    async fn raised(ledger: &Arc<Ledger>, seed: u64, home: Home, hardship: Option<(Disk, Clock)>) -> Self {
        let brain = ScriptedBrain::start();
        furnish(&home, &brain);
        brain.improvise(TESTER, move |request| reply(request, seed));
        let bus = Launch::new(&home, &["bus"]).process();
        let probe = Arc::new(BusProbe::connect(home.port()).await);
        let toolbox = ScriptedToolbox::join(home.port(), TOOLBOX, vec![ledger.effects.tool()]).await;
        let daemon = launch(&home, hardship.as_ref()).spawn();
        drop(daemon.joined(home.port()).await);
        let line = Line {
            number: 1,
            life: 1,
            probe,
        };
        let mut stage = Self {
            ledger: Arc::clone(ledger),
            line: watch::channel(None).0,
            daemon,
            bus,
            toolbox,
            listeners: JoinSet::new(),
            told: Told {
                disk: hardship.as_ref().map(|(disk, _)| disk.told()).unwrap_or_default(),
                ..Told::default()
            },
            hardship,
            full_since: None,
            onlookers: None,
            home,
            _brain: brain,
        };
        stage.listen(&line.probe);
        stage.line.send_replace(Some(line));
        stage
    }

    /// Gives the way to the daemon; there is none while it or the bus is down.
    pub(super) fn line(&self) -> watch::Receiver<Option<Line>> {
        self.line.subscribe()
    }

    /// Measures what the daemon holds in memory now.
    pub(super) fn resident_bytes(&self) -> u64 {
        self.daemon.resident_bytes()
    }

    /// Measures what else it holds now.
    pub(super) fn holding(&self) -> Holding {
        Holding::of(self.daemon.pid(), &self.home.state())
    }

    /// Gives what those who look on were told.
    pub(super) fn onlookers(&self) -> Seen {
        let onlookers = self.onlookers.as_ref();
        onlookers
            .map(|onlookers| onlookers.seen.clone())
            .unwrap_or_default()
    }

    /// Gives what it had to suffer.
    pub(super) fn told(&self) -> Told {
        self.told.clone()
    }

    /// Ends the daemon as the service manager does.
    pub(super) async fn close(&mut self) {
        self.onlookers = None;
        self.daemon.signal(Signal::TERM);
        let status = self.daemon.ended(PATIENCE).await;
        assert!(status.success(), "the daemon ended with {status}");
    }

    /// One fault, at a moment of some turns.
    pub(super) async fn suffer(&mut self, event: Event, dice: &mut Dice) {
        sleep(Duration::from_millis(dice.below(MOMENT_MILLISECONDS))).await;
        match event {
            Event::Kill => self.kill(None).await,
            Event::KillAndJump(seconds) => self.kill(Some(seconds)).await,
            Event::RestartBus => self.restart_bus(dice.below(2) == 0).await,
            Event::FillDisk => {
                self.full_since = Some(Instant::now());
                self.ledger.set_in_need(true);
                self.disk(Disk::fill);
            }
            Event::FreeDisk => {
                self.told.full += self
                    .full_since
                    .take()
                    .map_or(Duration::ZERO, |since| since.elapsed());
                self.disk(Disk::free);
                self.ledger.set_in_need(false);
            }
            Event::Jump(seconds) => {
                self.ledger.touch(false);
                self.jump(seconds, true);
            }
        }
        self.ledger.healed();
    }

    fn disk(&mut self, change: fn(&mut Disk, u32)) {
        self.ledger.touch(false);
        let daemon = self.daemon.pid();
        if let Some((disk, _)) = &mut self.hardship {
            change(disk, daemon);
        }
    }

    fn jump(&mut self, seconds: i64, runs: bool) {
        self.told.jumps.push((seconds, runs));
        if let Some((_, clock)) = &mut self.hardship {
            clock.jump(seconds);
        }
    }

    /// The daemon dies without a word and is started again, perhaps at another time.
    async fn kill(&mut self, seconds: Option<i64>) {
        let line = self
            .line
            .send_replace(None)
            .expect("there is a way to what is killed");
        self.daemon.kill();
        self.daemon.ended(PATIENCE).await;
        let died = Instant::now();
        self.ledger.touch(self.full_since.is_some());
        self.told.kills += 1;
        self.told.kills_while_full += usize::from(self.full_since.is_some());
        if let Some(seconds) = seconds {
            self.jump(seconds, false);
        }
        self.daemon = launch(&self.home, self.hardship.as_ref()).spawn();
        if let Some((disk, _)) = &self.hardship {
            disk.began(self.daemon.pid());
        }
        drop(self.daemon.joined(self.home.port()).await);
        self.told.slowest_start = self.told.slowest_start.max(died.elapsed());
        self.line.send_replace(Some(Line {
            number: line.number + 1,
            life: line.life + 1,
            probe: line.probe,
        }));
    }

    /// The bus ends or dies and is started again on the same port. Everybody is back before the daemon, which is held still
    /// for that long: what it says before they are would seem lost.
    async fn restart_bus(&mut self, is_killed: bool) {
        let line = self
            .line
            .send_replace(None)
            .expect("there is a way to what is ended");
        self.ledger.touch(false);
        self.told.restarts += 1;
        self.bus
            .signal(if is_killed { Signal::KILL } else { Signal::TERM });
        self.bus.ended(PATIENCE).await;
        self.daemon.signal(Signal::STOP);
        self.bus = Launch::new(&self.home, &["bus"]).process();
        let probe = Arc::new(BusProbe::connect(self.home.port()).await);
        self.listen(&probe);
        let tools = vec![self.ledger.effects.tool()];
        self.toolbox = ScriptedToolbox::join(self.home.port(), TOOLBOX, tools).await;
        self.daemon.signal(Signal::CONT);
        let back = Instant::now();
        drop(self.daemon.joined(self.home.port()).await);
        self.told.slowest_return = self.told.slowest_return.max(back.elapsed());
        self.line.send_replace(Some(Line {
            number: line.number + 1,
            life: line.life,
            probe,
        }));
    }

    /// Writes down what is heard from here.
    fn listen(&mut self, probe: &BusProbe) {
        let (recording, ledger) = (probe.recording(), Arc::clone(&self.ledger));
        self.listeners.spawn(async move {
            loop {
                recording.take().await.iter().for_each(|frame| ledger.hear(frame));
            }
        });
    }
}

fn furnish(home: &Home, brain: &ScriptedBrain) {
    for (key, value) in [
        ("desk.persona", "\"Tester\""),
        ("desk.mode", "\"solo\""),
        ("bus.embed", "\"never\""),
        ("memory.notes_conversations", "false"),
        // An answer that died with the bus is not waited for long.
        ("tools.bus_timeout_seconds", "3.0"),
        ("tools.outage_seconds", "0.1"),
    ] {
        home.setting(key, value);
    }
    let tester = Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&[
        "ovos-math-tools",
        "loquat-alert-tools",
        "loquat-memory-tools",
    ]);
    home.persona(&tester.trusting(TOOLBOX).unasked_when_tainted(TOOLBOX, &[BOOK]));
}

fn launch<'a>(home: &'a Home, hardship: Option<&(Disk, Clock)>) -> Launch<'a> {
    let launch = Launch::new(home, &["run"]);
    match hardship {
        Some((disk, clock)) => clock.worn_by(disk.used_by(launch)),
        None => launch,
    }
}
