//! The device is held awake while it listens, thinks or speaks, through the running daemon and a mock of logind, and no longer.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::dbus::{DbusDaemon, shown};
use loquat_tests::probe::BusProbe;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;

use crate::story::{Scene, TESTER};

const LOGIND: &str = "org.freedesktop.login1";

/// As busctl shows that nothing is held.
const NOTHING: &str = "a(ssssuu) 0\n";

/// A daemon beside a logind.
struct Device {
    bus: DbusDaemon,
    scene: Scene,
    daemon: Daemon,
    probe: BusProbe,
    _logind: loquat_tests::process::Process,
}

impl Device {
    async fn begin() -> Self {
        let scene = Scene::default();
        scene.home.persona(&scene.tester());
        let bus = DbusDaemon::open(scene.home.path()).await;
        let logind = bus.mock("logind", LOGIND).await;
        let launch = Launch::new(&scene.home, &["run"]).env("DBUS_SYSTEM_BUS_ADDRESS", bus.address());
        let daemon = launch.attended();
        let probe = daemon.joined(scene.home.port()).await;
        Self {
            bus,
            scene,
            daemon,
            probe,
            _logind: logind,
        }
    }

    /// What logind is asked to wait for.
    async fn held(&self) -> String {
        let list = [
            "call",
            LOGIND,
            "/org/freedesktop/login1",
            "org.freedesktop.login1.Manager",
            "ListInhibitors",
        ];
        shown(&self.bus.busctl(&list).await)
    }

    async fn is_held(&self) {
        let held = wait_for("the device to be held", PATIENCE, async || {
            Some(self.held().await).filter(|held| held != NOTHING)
        });
        let held = held.await;
        assert!(
            held.starts_with("a(ssssuu) 1 \"sleep:shutdown\" \"Loquat\"") && held.contains("\"delay\""),
            "{held}"
        );
    }

    async fn is_let_go(&self) {
        wait_for("the device to be let go", PATIENCE, async || {
            (self.held().await == NOTHING).then_some(())
        })
        .await;
    }

    /// A program that hears or speaks tells of it, in the session of the device or in another one.
    async fn tells(&self, topic: &str, session: &str) {
        let frame = json!({"type": topic, "data": {}, "context": {"session": {"session_id": session}}});
        self.probe.send(&frame).await;
    }
}

#[tokio::test]
async fn it_is_held_from_the_recording_to_the_end_of_the_speech() {
    let device = Device::begin().await;
    assert_eq!(device.held().await, NOTHING);
    // What a satellite does is no reason to stay awake.
    device.tells("recognizer_loop:record_begin", "satellite").await;
    device.daemon.answering(&device.probe).await;
    assert_eq!(device.held().await, NOTHING);
    device.tells("recognizer_loop:record_begin", "default").await;
    device.is_held().await;
    device
        .tells("recognizer_loop:audio_output_start", "default")
        .await;
    device.tells("ovos.utterance.handled", "default").await;
    device.daemon.answering(&device.probe).await;
    assert_ne!(device.held().await, NOTHING, "it still speaks");
    device.tells("recognizer_loop:audio_output_end", "default").await;
    device.is_let_go().await;
}

#[tokio::test]
async fn it_is_held_while_a_turn_thinks_and_when_the_daemon_ends() {
    let mut device = Device::begin().await;
    let gate = Gate::default();
    let brain = &device.scene.brain;
    brain.script(TESTER, [Reply::answers("Yes.").behind(&gate)]);
    device.daemon.types("Are you awake?").await;
    brain.asked(TESTER, 1, PATIENCE).await;
    device.is_held().await;
    gate.open();
    device.is_let_go().await;
    brain.script(TESTER, [Reply::answers("No.").behind(&Gate::default())]);
    device.daemon.types("Are you still?").await;
    brain.asked(TESTER, 2, PATIENCE).await;
    device.is_held().await;
    device.daemon.kill();
    device.daemon.gone().await;
    device.is_let_go().await;
}
