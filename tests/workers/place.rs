//! A device with a brain and a lamp, a nats-server, and workers with brains of their own.

use loquat_tests::brain::{Request, ScriptedBrain};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::nats::NatsServer;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::Process;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

/// The lane of the device's own brain, and its persona.
pub(crate) const KITCHEN: &str = "Kitchen";

/// The lane of the brain of all workers.
pub(crate) const CELLAR: &str = "Cellar";

/// The toolbox at the device.
pub(crate) const LAMPS: &str = "lamp-tools";

/// Everything but the workers.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) nats: NatsServer,
    pub(crate) brain: ScriptedBrain,
    pub(crate) home: Home,
    pub(crate) daemon: Daemon,
    pub(crate) probe: BusProbe,
    pub(crate) lamps: ScriptedToolbox,
    _bus: FakeBus,
}

/// A worker that runs.
#[derive(Debug)]
pub(crate) struct Cellar {
    pub(crate) process: Process,
    _home: Home,
}

impl Place {
    /// With a server that lets everybody in, and a lamp that may be switched unasked.
    pub(crate) async fn open() -> Self {
        Self::with(
            NatsServer::open().await,
            Act::Returns(json!({"text": "on"})),
            |home, nats| {
                home.setting("workers.address", &quoted(&nats.url()));
            },
        )
        .await
    }

    /// With these settings of the device beside the usual ones, and a lamp that does this.
    pub(crate) async fn with(nats: NatsServer, lamp: Act, settings: impl FnOnce(&Home, &NatsServer)) -> Self {
        Self::of(nats, lamp, settings, true).await
    }

    /// The same; with a person at the terminal where the persona does not trust the lamp.
    pub(crate) async fn of(
        nats: NatsServer,
        lamp: Act,
        settings: impl FnOnce(&Home, &NatsServer),
        trusts: bool,
    ) -> Self {
        let bus = FakeBus::start().await;
        let home = Home::with_bus(bus.port());
        let brain = ScriptedBrain::start();
        home.setting("bus.embed", "\"never\"");
        home.setting("desk.mode", "\"solo\"");
        home.setting("desk.persona", &quoted(KITCHEN));
        home.setting("workers.name", "\"kitchen\"");
        settings(&home, &nats);
        let persona = Persona::react(KITCHEN, &brain.url(KITCHEN)).toolboxes(&["ovos-math-tools"]);
        let persona = if trusts {
            persona.trusting(LAMPS)
        } else {
            persona.toolboxes(&[LAMPS])
        };
        home.persona(&persona);
        let tools = vec![ScriptedTool::named("switch_lamp", lamp)];
        let lamps = ScriptedToolbox::join(bus.port(), LAMPS, tools).await;
        let launch = Launch::new(&home, &["run"]);
        let daemon = if trusts { launch.spawn() } else { launch.attended() };
        let probe = daemon.joined(home.port()).await;
        Self {
            nats,
            brain,
            home,
            daemon,
            probe,
            lamps,
            _bus: bus,
        }
    }

    /// A worker that the device knows of.
    pub(crate) async fn worker(&self) -> Cellar {
        let cellar = self.worker_with(|_| {}).await;
        self.daemon.wrote("turns run on a worker", PATIENCE).await;
        cellar
    }

    /// A worker with these settings, ready to take turns.
    pub(crate) async fn worker_with(&self, settings: impl FnOnce(&Home)) -> Cellar {
        let home = Home::without_bus();
        home.setting("workers.address", &quoted(&self.nats.url()));
        home.setting("workers.name", "\"cellar\"");
        home.setting("desk.persona", &quoted(CELLAR));
        settings(&home);
        home.persona(&Persona::react(CELLAR, &self.brain.url(CELLAR)));
        let process = Launch::new(&home, &["worker"]).process();
        process.wrote("takes turns", PATIENCE).await;
        Cellar { process, _home: home }
    }

    /// Waits until the device itself says that workers take its turns, where its log does not.
    pub(crate) async fn ready_for_workers(&self) {
        let client = async_nats::connect(self.nats.url())
            .await
            .expect("the server lets everybody in");
        let mut present = client
            .subscribe("loquat.home.present.*")
            .await
            .expect("everybody may listen");
        // The device hears each announcement before it is asked anything behind it.
        let heard = async { futures_util::StreamExt::next(&mut present).await };
        loquat_tests::wait::within("a worker's announcement", PATIENCE, heard).await;
    }

    /// Asks and waits for the end.
    pub(crate) async fn ask(&self, text: &str) -> Turn {
        Utterance::new(text).ask(&self.probe).await
    }

    /// What the device's own brain was asked.
    pub(crate) fn own_requests(&self) -> Vec<Request> {
        self.brain.requests(KITCHEN)
    }

    /// Runs the last turn again from the device's journal; whether it came out the same, and what is shown.
    pub(crate) async fn replay(&self) -> (bool, String) {
        let finished = Launch::new(&self.home, &["replay", "last"]).run().await;
        (finished.status.success(), finished.shown())
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
