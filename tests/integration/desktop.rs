//! The device on D-Bus: programs of the person ask, stop and watch it through the real bus, and no other user does.

use std::fs;
use std::time::Duration;

use futures_util::StreamExt;
use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::dbus::{DbusDaemon, free_address, shown};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::wait::{PATIENCE, wait_for, within};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use zbus::Connection;
use zbus::fdo::RequestNameFlags;

use crate::story::{Scene, TESTER};

const NAME: &str = "org.loquat.Loquat1";
const PATH: &str = "/org/loquat/Loquat1";

/// A user whom no program of the test has.
const STRANGER: u32 = 65_534;

#[zbus::proxy(
    interface = "org.loquat.Loquat1",
    default_service = "org.loquat.Loquat1",
    default_path = "/org/loquat/Loquat1"
)]
trait Loquat {
    fn ask(&self, text: &str) -> zbus::Result<String>;
    fn stop(&self) -> zbus::Result<()>;
    fn listen(&self) -> zbus::Result<()>;
    fn say(&self, text: &str) -> zbus::Result<()>;
    fn reload(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn persona(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn listening(&self) -> zbus::Result<bool>;
    #[zbus(property)]
    fn status(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn model(&self) -> zbus::Result<String>;
    #[zbus(signal)]
    fn heard(&self, text: String) -> zbus::Result<()>;
    #[zbus(signal)]
    fn answer(&self, text: String) -> zbus::Result<()>;
    #[zbus(signal)]
    fn turn_event(&self, json: String) -> zbus::Result<()>;
}

/// A daemon on a D-Bus of its own, and a desktop program.
struct Desk {
    bus: DbusDaemon,
    scene: Scene,
    daemon: Daemon,
    probe: BusProbe,
    connection: Connection,
}

impl Desk {
    async fn begin() -> Self {
        let scene = Scene::default();
        scene.home.persona(&scene.tester());
        let bus = DbusDaemon::open(scene.home.path()).await;
        Self::on(bus, scene, false).await
    }

    async fn on(bus: DbusDaemon, scene: Scene, attended: bool) -> Self {
        let launch = Launch::new(&scene.home, &["run"]).env("DBUS_SESSION_BUS_ADDRESS", bus.address());
        let daemon = if attended {
            launch.attended()
        } else {
            launch.spawn()
        };
        let probe = daemon.joined(scene.home.port()).await;
        daemon.wrote("programs reach this daemon", PATIENCE).await;
        let connection = connected(&bus).await;
        Self {
            bus,
            scene,
            daemon,
            probe,
            connection,
        }
    }

    async fn proxy(&self) -> LoquatProxy<'static> {
        LoquatProxy::new(&self.connection).await.unwrap()
    }

    /// What busctl shows of a call with one text.
    async fn call(&self, method: &str, text: &str) -> String {
        let call = ["call", NAME, PATH, NAME, method, "s", text];
        shown(&self.bus.busctl(&call).await)
    }
}

async fn connected(bus: &DbusDaemon) -> Connection {
    let builder = zbus::connection::Builder::address(bus.address());
    builder.build().await.unwrap()
}

#[tokio::test]
async fn the_model_that_is_told_is_the_one_in_use_after_a_reload() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let first = scene.home.write("first.gguf", "no model");
    let second = scene.home.write("second.gguf", "no model");
    scene.home.setting("local_brain.model", &format!("{first:?}"));
    let bus = DbusDaemon::open(scene.home.path()).await;
    let desk = Desk::on(bus, scene, false).await;
    let proxy = desk.proxy().await;
    let before = proxy.model().await.unwrap();
    assert!(before.starts_with("first"), "{before}");
    let mut changes = proxy.receive_model_changed().await;
    let file = desk.scene.home.path().join("config/loquat/loquat.toml");
    let [first, second] = [first, second].map(|path| path.display().to_string());
    let text = fs::read_to_string(&file).unwrap().replace(&first, &second);
    fs::write(&file, text).unwrap();
    proxy.reload().await.unwrap();
    within("the change of the model", PATIENCE, async {
        while let Some(change) = changes.next().await {
            if change.get().await.unwrap().starts_with("second") {
                return;
            }
        }
        panic!("the daemon has gone");
    })
    .await;
    assert!(proxy.model().await.unwrap().starts_with("second"));
}

#[tokio::test]
async fn busctl_and_gdbus_see_ask_and_are_answered() {
    let desk = Desk::begin().await;
    let brain = &desk.scene.brain;
    brain.script(TESTER, [Reply::answers("Paris."), Reply::answers("Rome.")]);
    let output = desk.bus.busctl(&["introspect", NAME, PATH, NAME]).await;
    let introspected = shown(&output);
    for member in [
        ".Ask",
        ".Stop",
        ".Listen",
        ".Say",
        ".Reload",
        ".Status",
        ".Persona",
        ".Listening",
        ".Model",
        ".Heard",
        ".Answer",
        ".TurnEvent",
    ] {
        assert!(introspected.contains(member), "{member}: {introspected}");
    }
    assert_eq!(desk.call("Ask", "Capital of France?").await, "s \"Paris.\"\n");
    let method = format!("{NAME}.Ask");
    let asked = [
        "--dest",
        NAME,
        "--object-path",
        PATH,
        "--method",
        &method,
        "Capital of Italy?",
    ];
    let output = desk.bus.gdbus_call(&asked).await;
    assert_eq!(shown(&output), "('Rome.',)\n");
    let read = ["get-property", NAME, PATH, NAME, "Persona", "Listening"];
    assert_eq!(shown(&desk.bus.busctl(&read).await), "s \"Tester\"\nb false\n");
}

#[tokio::test]
async fn a_program_hears_what_is_said_and_what_is_answered() {
    let desk = Desk::begin().await;
    let proxy = desk.proxy().await;
    let mut heard = proxy.receive_heard().await.unwrap();
    let mut answers = proxy.receive_answer().await.unwrap();
    let mut events = proxy.receive_turn_event().await.unwrap();
    desk.scene.brain.script(TESTER, [Reply::answers("Paris.")]);
    assert_eq!(proxy.ask("Capital of France?").await.unwrap(), "Paris.");
    let story = async {
        let text = heard.next().await.unwrap().args().unwrap().text;
        assert_eq!(text, "Capital of France?");
        assert_eq!(answers.next().await.unwrap().args().unwrap().text, "Paris.");
        loop {
            let event = events.next().await.unwrap().args().unwrap().json;
            let event: Value = serde_json::from_str(&event).unwrap();
            assert_eq!(event["session_id"], "default", "{event}");
            assert!(event["turn_id"].is_string(), "{event}");
            if event["event"] == "turn_ended" {
                break;
            }
        }
    };
    within("the signals", PATIENCE, story).await;
    // What other sessions say is theirs.
    desk.scene
        .brain
        .script(TESTER, [Reply::answers("Of no concern.")]);
    let elsewhere = loquat_tests::turn::Utterance::new("Elsewhere").in_session("kitchen");
    elsewhere.ask(&desk.probe).await;
    desk.scene.brain.script(TESTER, [Reply::answers("Rome.")]);
    proxy.ask("Capital of Italy?").await.unwrap();
    let next = within("the next answer", PATIENCE, answers.next()).await.unwrap();
    assert_eq!(next.args().unwrap().text, "Rome.");
}

#[tokio::test]
async fn properties_follow_what_happens() {
    let desk = Desk::begin().await;
    let proxy = desk.proxy().await;
    assert!(proxy.status().await.unwrap().starts_with("on the bus; "));
    assert_eq!(proxy.model().await.unwrap(), "", "there is none in this home");
    let mut changes = proxy.receive_listening_changed().await;
    let session = json!({"session_id": "default"});
    for (topic, expected) in [
        ("recognizer_loop:record_begin", true),
        ("recognizer_loop:record_end", false),
    ] {
        let frame = json!({"type": topic, "data": {}, "context": {"session": session}});
        desk.probe.send(&frame).await;
        let follow = async {
            while let Some(change) = changes.next().await {
                if change.get().await.unwrap() == expected {
                    break;
                }
            }
        };
        within(topic, PATIENCE, follow).await;
    }
}

#[tokio::test]
async fn what_is_empty_too_long_or_too_much_is_refused_with_the_reason() {
    let desk = Desk::begin().await;
    let proxy = desk.proxy().await;
    let long = "x".repeat((8 << 10) + 1);
    for method in ["Ask", "Say"] {
        let said = desk.call(method, "  ").await;
        assert!(said.contains("the text is empty"), "{said}");
        let said = desk.call(method, &long).await;
        assert!(said.contains("has 8193 bytes; at most 8192"), "{said}");
    }
    // A message that no program of good will sends is read past, and the next one is served.
    let huge = "x".repeat(5 << 20);
    let asked = tokio::time::timeout(Duration::from_secs(1), proxy.ask(&huge)).await;
    assert!(asked.is_err(), "{asked:?}");
    let never = std::iter::repeat_with(|| Reply::says("").delivered(Delivery::Never));
    desk.scene.brain.script(TESTER, never.take(4));
    let mut asking = JoinSet::new();
    for number in 0..4 {
        let proxy = proxy.clone();
        asking.spawn(async move { proxy.ask(&format!("Ponder {number}")).await });
    }
    desk.scene.brain.asked(TESTER, 1, PATIENCE).await;
    wait_for("four questions", PATIENCE, async || {
        let entered = desk.probe.since(0).into_iter();
        let entered = entered.filter(|frame| frame.topic == "ovos.utterance.handle");
        (entered.count() == 4).then_some(())
    })
    .await;
    let said = proxy.ask("One more").await.unwrap_err().to_string();
    assert!(said.contains("4 questions are being answered"), "{said}");
    proxy.stop().await.unwrap();
    for asked in within("stopped questions to end", PATIENCE, asking.join_all()).await {
        asked.unwrap();
    }
    desk.scene
        .brain
        .whenever(TESTER, "again", Reply::answers("Still here."));
    assert_eq!(proxy.ask("And again?").await.unwrap(), "Still here.");
}

#[tokio::test]
async fn words_are_spoken_and_the_microphone_of_a_listener_is_opened() {
    let desk = Desk::begin().await;
    let proxy = desk.proxy().await;
    let mark = desk.probe.mark();
    proxy.say("Dinner is\u{1b}[31m ready.").await.unwrap();
    let is_said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Dinner is[31m ready.";
    desk.probe.wait("the words", mark, PATIENCE, is_said).await;
    let said = proxy.listen().await.unwrap_err().to_string();
    assert!(said.contains("no program listens on this device"), "{said}");
    for (muted, expected) in [(true, false), (false, true)] {
        let mark = desk.probe.mark();
        let listener = async {
            let is_asked = |frame: &Frame| frame.topic == "mycroft.mic.get_status";
            let question = desk.probe.wait("the question", mark, PATIENCE, is_asked).await;
            let answer = json!({
                "type": "mycroft.mic.get_status.response", "data": {"muted": muted}, "context": question.context,
            });
            desk.probe.send(&answer).await;
        };
        let (asked, ()) = tokio::join!(proxy.listen(), listener);
        assert_eq!(asked.is_ok(), expected, "{asked:?}");
        // What is said afterwards comes behind the order on the bus.
        proxy.say("Well.").await.unwrap();
        let is_said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Well.";
        desk.probe.wait("the words", mark, PATIENCE, is_said).await;
        let opened = desk.probe.since(mark);
        let opened = opened.iter().any(|frame| frame.topic == "ovos.mic.listen");
        assert_eq!(opened, expected);
    }
}

#[tokio::test]
async fn personas_are_read_again_and_wrong_settings_change_nothing() {
    let desk = Desk::begin().await;
    let proxy = desk.proxy().await;
    let home = &desk.scene.home;
    let mut personas = proxy.receive_persona_changed().await;
    home.persona(&Persona::react("Other", &desk.scene.brain.url("Other")));
    home.setting("desk.persona", "\"Other\"");
    home.setting("desk.history_turns", "3");
    let report = proxy.reload().await.unwrap();
    assert!(
        report.starts_with("personas: ") && report.contains("Other"),
        "{report}"
    );
    assert!(
        report.ends_with("after a restart: desk.history_turns"),
        "{report}"
    );
    let changed = async { while personas.next().await.unwrap().get().await.unwrap() != "Other" {} };
    within("the new persona", PATIENCE, changed).await;
    desk.scene
        .brain
        .script("Other", [Reply::answers("I am another.")]);
    assert_eq!(proxy.ask("Who are you?").await.unwrap(), "I am another.");
    home.setting("desk.history_turns", "\"many\"");
    let said = proxy.reload().await.unwrap_err().to_string();
    assert!(
        said.contains("nothing is changed") && said.contains("desk.history_turns"),
        "{said}"
    );
    assert_eq!(proxy.persona().await.unwrap(), "Other");
}

/// Root alone can call as another user.
#[tokio::test]
async fn another_user_is_refused() {
    let desk = Desk::begin().await;
    if !rustix::process::getuid().is_root() {
        return;
    }
    let ask = ["call", NAME, PATH, NAME, "Ask", "s", "Who am I?"];
    let said = shown(&desk.bus.busctl_as(STRANGER, &ask).await);
    assert!(said.contains("Access denied"), "{said}");
    let read = ["get-property", NAME, PATH, NAME, "Status"];
    let said = shown(&desk.bus.busctl_as(STRANGER, &read).await);
    assert!(said.contains("Access denied"), "{said}");
    assert!(desk.scene.brain.requests(TESTER).is_empty());
}

#[tokio::test]
async fn a_yes_of_a_program_unlocks_no_door() {
    const DOORS: &str = "door-tools";
    let scene = Scene::default();
    let tester = scene.tester().toolboxes(&[DOORS]);
    scene.home.persona(&tester);
    let bus = DbusDaemon::open(scene.home.path()).await;
    let desk = Desk::on(bus, scene, true).await;
    let front = json!({"text": "front"});
    let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(front.clone()))];
    let doors = ScriptedToolbox::join(desk.scene.home.port(), DOORS, doors).await;
    let brain = &desk.scene.brain;
    brain.script(
        TESTER,
        [Reply::acts("unlock_door", &front), Reply::answers("That was it.")],
    );
    brain.whenever(TESTER, "Yes, please", Reply::answers("Yes to what?"));
    let mark = desk.probe.mark();
    desk.daemon.types("Unlock the front door").await;
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    desk.probe.wait("the question", mark, PATIENCE, is_question).await;
    let proxy = desk.proxy().await;
    let person = async {
        desk.daemon.wrote("it stays open", PATIENCE).await;
        assert!(doors.calls().is_empty(), "a program said yes");
        desk.daemon.types("Yes, please").await;
        doors.called(1, PATIENCE).await;
    };
    let (asked, ()) = tokio::join!(proxy.ask("Yes, please"), person);
    asked.unwrap();
}

#[tokio::test]
async fn a_name_that_another_process_has_is_taken_when_that_ends() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let bus = DbusDaemon::open(scene.home.path()).await;
    let first = connected(&bus).await;
    let flags = RequestNameFlags::DO_NOT_QUEUE;
    first.request_name_with_flags(NAME, flags).await.unwrap();
    let daemon = Launch::new(&scene.home, &["run"])
        .env("DBUS_SESSION_BUS_ADDRESS", bus.address())
        .spawn();
    let _probe = daemon.joined(scene.home.port()).await;
    daemon
        .wrote("another process is org.loquat.Loquat1", PATIENCE)
        .await;
    assert!(!daemon.output().contains("programs reach this daemon"));
    first.release_name(NAME).await.unwrap();
    daemon.wrote("programs reach this daemon", PATIENCE).await;
    let said = daemon.output();
    assert_eq!(said.matches("another process is").count(), 1, "{said}");
}

#[tokio::test]
async fn a_dbus_that_comes_late_or_again_is_joined_and_its_absence_is_said_once() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let address = free_address();
    let daemon = Launch::new(&scene.home, &["run"])
        .env("DBUS_SESSION_BUS_ADDRESS", &address)
        .spawn();
    let _probe = daemon.joined(scene.home.port()).await;
    daemon
        .wrote("failed to be on D-Bus; it is tried again", PATIENCE)
        .await;
    for times in 1..=2 {
        let bus = DbusDaemon::open_at(&address, scene.home.path()).await;
        wait_for("the daemon on D-Bus", PATIENCE, async || {
            let joined = daemon.output().matches("programs reach this daemon").count();
            (joined == times).then_some(())
        })
        .await;
        let lost = daemon.output().matches("failed to be on D-Bus;").count();
        assert_eq!(lost, times, "once for each loss: {}", daemon.output());
        bus.close().await;
    }
}

#[tokio::test]
async fn without_a_session_nothing_is_said_unless_it_was_asked_for() {
    const REMARK: &str = "there is no D-Bus session for dbus.interface";
    for (setting, count) in [("\"auto\"", 0), ("\"session\"", 1)] {
        let home = Home::without_bus();
        home.setting("dbus.interface", setting);
        let (daemon, _probe) = Daemon::start(&home).await;
        if count > 0 {
            daemon.wrote(REMARK, PATIENCE).await;
        }
        let said = daemon.output();
        let remarks = said.matches(REMARK).count();
        assert_eq!(remarks, count, "{setting}: {said}");
    }
}

/// The policy that is shipped: the daemon's user has the name and is served, and others neither call nor listen.
#[tokio::test]
async fn on_the_bus_of_a_machine_the_shipped_policy_lets_the_daemon_and_its_user_in() {
    let user = rustix::process::getuid();
    let policy = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../systemd/system/org.loquat.Loquat1.conf"
    ))
    .unwrap();
    let begin = policy.find("<policy").unwrap();
    let end = policy.rfind("</busconfig>").unwrap();
    let policy = policy[begin..end].replace("user=\"loquat\"", &format!("user=\"{}\"", user.as_raw()));
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene.home.setting("dbus.interface", "\"system\"");
    let run = async |bus: &DbusDaemon| {
        let launch = Launch::new(&scene.home, &["run"]).env("DBUS_SYSTEM_BUS_ADDRESS", bus.address());
        launch.ready().await
    };
    // Without it the bus refuses, which is said, and the daemon goes on.
    let bus = DbusDaemon::closed(scene.home.path(), "").await;
    let (daemon, probe) = run(&bus).await;
    daemon.wrote("D-Bus does not let this daemon be", PATIENCE).await;
    probe.leave().await;
    drop((daemon, bus));
    let bus = DbusDaemon::closed(scene.home.path(), &policy).await;
    let (daemon, _probe) = run(&bus).await;
    daemon.wrote("programs reach this daemon", PATIENCE).await;
    scene.brain.script(TESTER, [Reply::answers("Paris.")]);
    let ask = ["call", NAME, PATH, NAME, "Ask", "s", "Capital of France?"];
    let said = shown(&bus.busctl(&ask).await);
    assert_eq!(said, "s \"Paris.\"\n");
    if user.is_root() {
        let said = shown(&bus.busctl_as(STRANGER, &ask).await);
        assert!(
            said.contains("Access denied") || said.contains("AccessDenied"),
            "{said}"
        );
    }
}
