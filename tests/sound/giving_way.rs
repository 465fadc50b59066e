//! Players give way to the device: a real mpv on a D-Bus of its own pauses while the device listens, thinks or speaks, and
//! plays again afterwards, but only where the device had paused it.

use futures_util::StreamExt;
use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::dbus::DbusDaemon;
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::Process;
use loquat_tests::sound::SoundServer;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, wait_for, within};
use serde_json::json;
use zbus::Connection;
use zbus::proxy::PropertyStream;

use crate::story::{Scene, TESTER};

const PLAYERS: &str = "org.mpris.MediaPlayer2.";

#[zbus::proxy(
    interface = "org.mpris.MediaPlayer2.Player",
    default_path = "/org/mpris/MediaPlayer2"
)]
trait Player {
    fn pause(&self) -> zbus::Result<()>;
    fn play(&self) -> zbus::Result<()>;
    #[zbus(property)]
    fn playback_status(&self) -> zbus::Result<String>;
}

/// A running mpv, as D-Bus shows it.
struct Mpv {
    player: PlayerProxy<'static>,
    statuses: PropertyStream<'static, String>,
    _process: Process,
}

impl Mpv {
    /// Starts one, and waits until it plays.
    async fn start(bus: &DbusDaemon, connection: &Connection, home: &Home, number: usize) -> Self {
        let folder = home.path().join(format!("player-{number}"));
        std::fs::create_dir_all(&folder).unwrap();
        let before = players(connection).await;
        let process = bus.player(&folder);
        let name = wait_for("mpv on D-Bus", PATIENCE, async || {
            players(connection)
                .await
                .into_iter()
                .find(|name| !before.contains(name))
        })
        .await;
        let player = PlayerProxy::builder(connection).destination(name);
        let player = player.build().await.unwrap();
        let statuses = player.receive_playback_status_changed().await;
        let mut mpv = Self {
            player,
            statuses,
            _process: process,
        };
        mpv.is("Playing").await;
        mpv
    }

    /// Waits until it says so.
    async fn is(&mut self, wanted: &str) {
        let follow = async {
            while let Some(change) = self.statuses.next().await {
                if change.get().await.unwrap() == wanted {
                    return;
                }
            }
        };
        within(&format!("mpv to be {wanted}"), PATIENCE, follow).await;
    }

    /// Asked now.
    async fn status(&self) -> String {
        self.player.playback_status().await.unwrap()
    }
}

async fn players(connection: &Connection) -> Vec<String> {
    let bus = zbus::fdo::DBusProxy::new(connection).await.unwrap();
    let names = bus.list_names().await.unwrap();
    let names = names.iter().map(|name| name.as_str().to_owned());
    names.filter(|name| name.starts_with(PLAYERS)).collect()
}

/// A daemon, its D-Bus, and a program on it.
struct Room {
    bus: DbusDaemon,
    scene: Scene,
    connection: Connection,
    probe: BusProbe,
    _daemon: Daemon,
    /// Into which the device speaks.
    _sound: SoundServer,
}

impl Room {
    async fn with(settings: &[(&str, &str)]) -> Self {
        let scene = Scene::default();
        scene.home.persona(&scene.tester());
        for (key, value) in settings {
            scene.home.setting(key, value);
        }
        let bus = DbusDaemon::open(scene.home.path()).await;
        let sound = SoundServer::start(scene.home.path()).await;
        let builder = zbus::connection::Builder::address(bus.address());
        let connection = builder.build().await.unwrap();
        let launch = Launch::new(&scene.home, &["run"])
            .env("DBUS_SESSION_BUS_ADDRESS", bus.address())
            .env("PULSE_SERVER", sound.address());
        let (daemon, probe) = launch.ready().await;
        Self {
            bus,
            scene,
            connection,
            probe,
            _daemon: daemon,
            _sound: sound,
        }
    }

    async fn mpv(&self, number: usize) -> Mpv {
        Mpv::start(&self.bus, &self.connection, &self.scene.home, number).await
    }

    /// What OVOS's listener tells of the device's own microphone.
    async fn tell(&self, topic: &str, session: &str) {
        let frame = json!({"type": topic, "data": {}, "context": {"session": {"session_id": session}}});
        self.probe.send(&frame).await;
    }
}

#[tokio::test]
async fn a_player_pauses_from_the_wake_word_to_the_end_of_the_answer() {
    // Spoken by the device's own voice.
    let room = Room::with(&[("voice.espeak", "\"auto\"")]).await;
    let mut mpv = room.mpv(1).await;
    room.tell("recognizer_loop:wakeword", "default").await;
    mpv.is("Paused").await;
    let thought = Gate::default();
    room.scene
        .brain
        .script(TESTER, [Reply::answers("Paris, of course.").behind(&thought)]);
    let question = Utterance::new("Capital of France?").in_session("default");
    let mark = question.enter(&room.probe).await;
    room.scene.brain.asked(TESTER, 1, PATIENCE).await;
    assert_eq!(mpv.status().await, "Paused", "the device thinks");
    thought.open();
    let started = |frame: &loquat_tests::frame::Frame| frame.topic == "ovos.audio.output.started";
    room.probe.wait("the voice", mark, PATIENCE, started).await;
    assert_eq!(mpv.status().await, "Paused", "the device speaks");
    mpv.is("Playing").await;
    let ended = room.probe.since(mark);
    let place = |topic: &str| ended.iter().position(|frame| frame.topic == topic);
    assert!(place(HANDLED).is_some() && place("ovos.audio.output.ended").is_some());
}

#[tokio::test]
async fn a_device_that_speaks_of_its_own_accord_is_heard_too() {
    let room = Room::with(&[("voice.espeak", "\"auto\"")]).await;
    let mut mpv = room.mpv(1).await;
    let frame = json!({"type": "speak", "data": {"utterance": "Dinner is ready."}, "context": {}});
    room.probe.send(&frame).await;
    mpv.is("Paused").await;
    mpv.is("Playing").await;
}

#[tokio::test]
async fn what_a_person_paused_stays_paused() {
    let room = Room::with(&[]).await;
    let (mut paused, mut playing) = (room.mpv(1).await, room.mpv(2).await);
    paused.player.pause().await.unwrap();
    paused.is("Paused").await;
    room.tell("recognizer_loop:wakeword", "default").await;
    playing.is("Paused").await;
    room.tell("recognizer_loop:speech.recognition.unknown", "default")
        .await;
    playing.is("Playing").await;
    // All are brought back at once, so this one would play as well.
    assert_eq!(paused.status().await, "Paused");
    room.tell("recognizer_loop:wakeword", "default").await;
    playing.is("Paused").await;
    // In the middle of it a person has it play and pauses it again.
    playing.player.play().await.unwrap();
    playing.is("Playing").await;
    room.tell("recognizer_loop:speech.recognition.unknown", "default")
        .await;
    room.scene.brain.script(TESTER, [Reply::answers("Yes.")]);
    Utterance::new("Are you there?").ask(&room.probe).await;
    assert_eq!(playing.status().await, "Playing");
}

#[tokio::test]
async fn players_give_no_way_where_the_settings_forbid_it_or_another_device_is_meant() {
    for (setting, session) in [("false", "default"), ("true", "kitchen")] {
        let room = Room::with(&[("players.give_way", setting)]).await;
        let mpv = room.mpv(1).await;
        room.tell("recognizer_loop:wakeword", session).await;
        room.tell("recognizer_loop:record_begin", session).await;
        // A whole turn takes longer than a pause.
        room.scene.brain.script(TESTER, [Reply::answers("Yes.")]);
        let question = Utterance::new("Are you there?").in_session("elsewhere");
        question.ask(&room.probe).await;
        assert_eq!(mpv.status().await, "Playing", "{setting} {session}");
    }
}
