//! Devices with a brain and a lamp of their own, a nats-server, and workers with another brain.

use std::ops::{Deref, DerefMut};

use async_nats::ConnectOptions;
use futures_util::StreamExt;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use serde_json::json;

use crate::brain::{Request, ScriptedBrain};
use crate::bus::FakeBus;
use crate::daemon::{Daemon, Launch};
use crate::home::Home;
use crate::nats::NatsServer;
use crate::persona::Persona;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::{Turn, Utterance};
use crate::wait::{PATIENCE, within};

/// The persona of the devices, and the lane of their own brain.
pub const KITCHEN: &str = "Kitchen";

/// The persona of the workers, and the lane of their brain.
pub const CELLAR: &str = "Cellar";

/// The toolbox at each device.
pub const LAMPS: &str = "lamp-tools";

/// The system ends a process that writes more than it may, unless it ignores that: as a disk that is full, for a test that
/// makes it so.
const UNDER_A_LIMIT: &str = "trap '' XFSZ; exec \"$@\"";

/// A device.
#[derive(Debug)]
pub struct Room {
    /// Where it lives.
    pub home: Home,
    /// Its daemon.
    pub daemon: Daemon,
    /// On its bus.
    pub probe: BusProbe,
    /// Its lamp.
    pub lamps: ScriptedToolbox,
    _bus: FakeBus,
}

/// A device, a server, and the brains of all.
#[derive(Debug)]
pub struct Place {
    /// The server.
    pub nats: NatsServer,
    /// The model server of both brains.
    pub brain: ScriptedBrain,
    room: Room,
}

impl Deref for Place {
    type Target = Room;

    fn deref(&self) -> &Room {
        &self.room
    }
}

impl DerefMut for Place {
    fn deref_mut(&mut self) -> &mut Room {
        &mut self.room
    }
}

/// A worker that runs.
#[derive(Debug)]
pub struct Cellar {
    /// Its process.
    pub process: Process,
    _home: Home,
}

impl Room {
    /// Starts a device whose persona trusts the lamp, which does `lamp`; otherwise with a person at its
    /// terminal.
    pub async fn start(brain: &ScriptedBrain, lamp: Act, settings: impl FnOnce(&Home), trusts: bool) -> Self {
        let persona = Persona::react(KITCHEN, &brain.url(KITCHEN));
        let persona = if trusts {
            persona.trusting(LAMPS)
        } else {
            persona.toolboxes(&[LAMPS])
        };
        Self::of(persona, lamp, settings, trusts).await
    }

    /// Starts a device with this persona, with a person at its terminal where that does not trust the lamp.
    pub async fn of(persona: Persona, lamp: Act, settings: impl FnOnce(&Home), trusts: bool) -> Self {
        let bus = FakeBus::start().await;
        let home = Home::with_bus(bus.port());
        home.setting("bus.embed", "\"never\"");
        home.setting("desk.mode", "\"solo\"");
        home.setting("desk.persona", &quoted(KITCHEN));
        home.setting("workers.name", "\"kitchen\"");
        settings(&home);
        home.persona(&persona);
        let tools = vec![ScriptedTool::named("switch_lamp", lamp)];
        let lamps = ScriptedToolbox::join(bus.port(), LAMPS, tools).await;
        let daemon = if trusts {
            Launch::through_shell(&home, &[], UNDER_A_LIMIT, &["run"]).spawn()
        } else {
            Launch::new(&home, &["run"]).attended()
        };
        let probe = daemon.joined(home.port()).await;
        Self {
            home,
            daemon,
            probe,
            lamps,
            _bus: bus,
        }
    }

    /// Kills its daemon without a word and starts it again.
    pub async fn crash(&mut self) {
        crash(&self.home, &mut self.daemon).await;
    }

    /// Its disk takes nothing more.
    ///
    /// # Panics
    /// Where the limit of a child cannot be set.
    pub fn fill_disk(&self) {
        let pid = i32::try_from(self.daemon.pid()).ok().and_then(Pid::from_raw);
        let limit = Rlimit {
            current: Some(1),
            maximum: None,
        };
        prlimit(pid, Resource::Fsize, limit).expect("the limit of a child can be set");
    }

    /// Asks and waits for the end.
    pub async fn ask(&self, text: &str) -> Turn {
        Utterance::new(text).ask(&self.probe).await
    }

    /// Waits until it says that workers take its turns.
    pub async fn has_workers(&self) {
        self.daemon.wrote("turns run on ", PATIENCE).await;
    }

    /// Runs the last turn again from the device's journal; whether it came out the same, and what is shown.
    pub async fn replay(&self) -> (bool, String) {
        let finished = Launch::new(&self.home, &["replay", "last"]).run().await;
        (finished.status.success(), finished.shown())
    }
}

impl Place {
    /// Starts with a server that lets everybody in, and a lamp that may be switched unasked.
    pub async fn open() -> Self {
        let lamp = Act::Returns(json!({"text": "on"}));
        Self::with(NatsServer::open().await, lamp, |home, nats| {
            home.setting("workers.address", &quoted(&nats.url()));
        })
        .await
    }

    /// Starts a device that waits long for a worker that says nothing.
    pub async fn patient() -> Self {
        let lamp = Act::Returns(json!({"text": "on"}));
        Self::with(NatsServer::open().await, lamp, |home, nats| {
            home.setting("workers.address", &quoted(&nats.url()));
            home.setting("workers.silence_seconds", "20.0");
        })
        .await
    }

    /// Starts with these settings of the device beside the usual ones, and a lamp that does this.
    pub async fn with(nats: NatsServer, lamp: Act, settings: impl FnOnce(&Home, &NatsServer)) -> Self {
        Self::of(nats, lamp, settings, true).await
    }

    /// Starts with a person at the terminal where the persona does not trust the lamp.
    pub async fn of(
        nats: NatsServer,
        lamp: Act,
        settings: impl FnOnce(&Home, &NatsServer),
        trusts: bool,
    ) -> Self {
        let brain = ScriptedBrain::start();
        let room = Room::start(&brain, lamp, |home| settings(home, &nats), trusts).await;
        Self { nats, brain, room }
    }

    /// With this persona of the device, made of the brain.
    pub async fn with_persona(persona: impl FnOnce(&ScriptedBrain) -> Persona) -> Self {
        let (nats, brain) = (NatsServer::open().await, ScriptedBrain::start());
        let lamp = Act::Returns(json!({"text": "on"}));
        let settings = |home: &Home| home.setting("workers.address", &quoted(&nats.url()));
        let room = Room::of(persona(&brain), lamp, settings, true).await;
        Self { nats, brain, room }
    }

    /// Starts a worker and waits until the device knows of it.
    pub async fn worker(&self) -> Cellar {
        let cellar = self.worker_with(|_| {}).await;
        self.has_workers().await;
        cellar
    }

    /// A worker with these settings, ready to take turns.
    pub async fn worker_with(&self, settings: impl FnOnce(&Home)) -> Cellar {
        Cellar::start(&self.nats, &self.brain, settings).await
    }

    /// Lists what the device's own brain was asked.
    pub fn own_requests(&self) -> Vec<Request> {
        self.brain.requests(KITCHEN)
    }

    /// Waits until a worker has said that it is there, for a device whose log does not tell.
    ///
    /// # Panics
    /// When none says so.
    pub async fn heard_a_worker(&self) {
        let client = ConnectOptions::new().connect(self.nats.url()).await;
        let client = client.expect("the server lets everybody in");
        let present = client.subscribe("loquat.home.present.*").await;
        let mut present = present.expect("everybody may listen");
        // The device hears each announcement before it is asked anything behind it.
        within("a worker's announcement", PATIENCE, present.next()).await;
    }
}

impl Cellar {
    /// A worker with these settings, ready to take turns.
    pub async fn start(nats: &NatsServer, brain: &ScriptedBrain, settings: impl FnOnce(&Home)) -> Self {
        let home = Home::without_bus();
        home.setting("workers.address", &quoted(&nats.url()));
        home.setting("workers.name", "\"cellar\"");
        home.setting("desk.persona", &quoted(CELLAR));
        settings(&home);
        home.persona(&Persona::react(CELLAR, &brain.url(CELLAR)));
        let process = Launch::new(&home, &["worker"]).process();
        process.wrote("takes turns", PATIENCE).await;
        Self { process, _home: home }
    }
}

/// Kills a daemon without a word and starts it again; gives what it had written.
pub async fn crash(home: &Home, daemon: &mut Daemon) -> String {
    daemon.signal(Signal::KILL);
    daemon.ended(PATIENCE).await;
    let successor = Launch::new(home, &["run"]).spawn();
    // What was said meanwhile is in the recording of the probe that was there before.
    successor.joined(home.port()).await;
    std::mem::replace(daemon, successor).output()
}

/// As TOML writes a text.
pub fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
