//! Orders that are done when something is so: a state of the home or of the device, or a message of the bus. Each is done when it becomes so, once or
//! every time, and never sets itself off.

use loquat_tests::bus::FakeBus;
use loquat_tests::dbus::{DbusDaemon, shown};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;

use crate::crash::crash;
use crate::story::{Scene, Story};

const TOOLS: &str = "loquat-home-tools";

/// A person at the terminal of a home where a message of the bus may be waited for, on a bus that outlives the daemon.
async fn at_home() -> (FakeBus, Story, FakeHomeAssistant) {
    let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    home_assistant.furnish(&scene.home);
    let messages = r#"["the laundry is done = laundry.state state=done"]"#;
    scene.home.setting("desk.awaited", messages);
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    (bus, story, home_assistant)
}

fn is_said(frame: &Frame) -> bool {
    frame.is_speak() && frame.session_id() == "default"
}

async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let said = story.probe.wait("what is said", mark, PATIENCE, is_said).await;
    said.utterance().to_owned()
}

async fn says(story: &Story, mark: usize, words: &str) {
    let is_it = |frame: &Frame| frame.is_speak() && frame.utterance() == words;
    story.probe.wait(words, mark, PATIENCE, is_it).await;
}

/// Waits until so many services were called, and gives them.
async fn called(home: &FakeHomeAssistant, count: usize) -> Vec<String> {
    let mut all = Vec::new();
    wait_for("the calls", PATIENCE, || {
        all.extend(home.calls());
        let all = (all.len() >= count).then(|| all.clone());
        async { all }
    })
    .await
}

async fn laundry(story: &Story, state: &str) {
    let message = json!({"type": "laundry.state", "data": {"state": state}, "context": {}});
    story.probe.send(&message).await;
}

#[tokio::test]
async fn what_is_waited_for_brings_what_is_done_once() {
    let (_bus, mut story, home) = at_home().await;
    home.becomes("light.bed_light", "off");
    let said = types(&story, "When the bed light is on, turn off the fairy lights").await;
    assert_eq!(
        said,
        "When the bed light is on, I will do that: turn off the fairy lights."
    );
    let said = types(&story, "What are you waiting for?").await;
    assert_eq!(said, "When the bed light is on: turn off the fairy lights.");
    crash(&mut story).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    home.becomes("light.bed_light", "on");
    assert_eq!(
        called(&home, 1).await,
        ["switch.turn_off switch.decorative_lights"]
    );
    let call =
        json!({"toolbox_id": "loquat-alert-tools", "name": "list_alerts", "kwargs": {"kind": "trigger"}});
    let left = story.probe.request("ovos.persona.tools.call", &call).await;
    assert_eq!(left.data["result"]["count"], 0, "it was for once");
}

#[tokio::test]
async fn a_person_is_told_when_something_is_so_and_a_trigger_does_not_set_itself_off() {
    let (_bus, story, home) = at_home().await;
    home.becomes("light.bed_light", "off");
    let said = types(&story, "Tell me when the bed light is on").await;
    assert_eq!(said, "I will tell you when the bed light is on.");
    let mark = story.probe.mark();
    home.becomes("light.bed_light", "on");
    says(&story, mark, "The bed light is on.").await;

    let said = types(&story, "Whenever the bed light is on, turn off the bed light").await;
    assert_eq!(
        said,
        "Whenever the bed light is on, I will do that: turn off the bed light."
    );
    let mark = story.probe.mark();
    let mut is_on = true;
    // The lamp is looked at now and then: only where it is seen off does it become on.
    wait_for("the deed", PATIENCE, || {
        is_on = !is_on;
        home.becomes("light.bed_light", if is_on { "on" } else { "off" });
        let is_done = !home.calls().is_empty();
        async move { is_done.then_some(()) }
    })
    .await;
    says(&story, mark, "I have turned off Bed Light.").await;
    for state in ["off", "on", "off", "on"] {
        home.becomes("light.bed_light", state);
        let said = types(&story, "What are you waiting for?").await;
        assert_eq!(said, "When the bed light is on: turn off the bed light.");
    }
    assert_eq!(
        home.calls(),
        Vec::<String>::new(),
        "it rests behind what it has done"
    );
    let said = types(&story, "Don't wait for anything any more").await;
    assert_eq!(said, "I no longer wait for that: the bed light is on.");
}

#[tokio::test]
async fn what_is_waited_for_is_said_in_six_languages() {
    let (_bus, story, home) = at_home().await;
    for (lang, said, order) in [
        (
            "en-US",
            "As soon as the bed light is off, turn on the fairy lights",
            "turn on the fairy lights",
        ),
        (
            "de-DE",
            "Wenn Bed Light aus ist, schalte Decorative Lights ein",
            "schalte Decorative Lights ein",
        ),
        (
            "fr-FR",
            "Quand Bed Light est éteint, allume Decorative Lights",
            "allume Decorative Lights",
        ),
        (
            "es-ES",
            "Cuando Bed Light esté apagado, enciende Decorative Lights",
            "enciende Decorative Lights",
        ),
        (
            "it-IT",
            "Quando Bed Light è spento, accendi Decorative Lights",
            "accendi Decorative Lights",
        ),
        (
            "pt-PT",
            "Quando Bed Light estiver desligado, liga Decorative Lights",
            "liga Decorative Lights",
        ),
    ] {
        home.becomes("light.bed_light", "on");
        let turn = Utterance::new(said)
            .session("lang", json!(lang))
            .ask(&story.probe)
            .await;
        assert!(
            turn.answer().ends_with(&format!("{order}.")),
            "{said}: {}",
            turn.answer()
        );
        assert_eq!(home.calls(), Vec::<String>::new(), "{said}");
        home.becomes("light.bed_light", "off");
        assert_eq!(
            called(&home, 1).await,
            ["switch.turn_on switch.decorative_lights"],
            "{said}"
        );
    }
}

#[tokio::test]
async fn a_message_that_the_settings_name_is_waited_for_and_a_flood_of_them_does_it_once() {
    let (_bus, story, home) = at_home().await;
    let said = types(&story, "Whenever the laundry is done, turn on the fairy lights").await;
    assert_eq!(
        said,
        "Whenever the laundry is done, I will do that: turn on the fairy lights."
    );
    laundry(&story, "running").await;
    for _ in 0..200 {
        laundry(&story, "done").await;
    }
    assert_eq!(
        called(&home, 1).await,
        ["switch.turn_on switch.decorative_lights"]
    );
    story.daemon.answering(&story.probe).await;
    assert_eq!(home.calls(), Vec::<String>::new());
    let said = types(&story, "Tell me when the parcel is there").await;
    assert!(
        !said.contains("I will tell you"),
        "no message is called so: {said}"
    );
}

#[tokio::test]
async fn a_door_that_something_else_opens_is_asked_about_when_that_is_set() {
    let (_bus, story, home) = at_home().await;
    home.becomes("light.bed_light", "off");
    let asked = types(&story, "When the bed light is on, unlock the front door").await;
    assert!(
        asked.contains("when the bed light is on") && asked.contains("Front Door"),
        "{asked}"
    );
    types(&story, "Yes").await;
    home.guarded_moves();
    home.becomes("light.bed_light", "on");
    let unlocked = called(&home, 1).await;
    assert_eq!(unlocked, ["lock.unlock lock.front_door"]);
    // A program has it neither asked nor done.
    let turn = Utterance::new("When the bed light is off, unlock the front door")
        .ask(&story.probe)
        .await;
    let said: Vec<&str> = turn.spoken().into_iter().map(Frame::utterance).collect();
    assert!(
        said.first()
            .is_some_and(|said| said.starts_with("I may only do that")),
        "{said:?}"
    );
    home.becomes("light.bed_light", "off");
    story.daemon.answering(&story.probe).await;
    assert_eq!(home.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn a_door_that_a_message_would_open_is_asked_about_when_the_message_comes() {
    let (_bus, story, home) = at_home().await;
    let said = types(&story, "When the laundry is done, unlock the front door").await;
    assert_eq!(
        said,
        "When the laundry is done, I will do that: unlock the front door."
    );
    let mark = story.probe.mark();
    laundry(&story, "done").await;
    let asked = |frame: &Frame| frame.is_speak() && frame.data["expect_response"] == true;
    story.probe.wait("a question", mark, PATIENCE, asked).await;
    types(&story, "No").await;
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

const UPOWER: &str = "org.freedesktop.UPower";

/// Has the mock of the battery show so many percent, while the device runs on it.
async fn battery(bus: &DbusDaemon, percent: &str) {
    let call = [
        "call",
        UPOWER,
        "/org/freedesktop/UPower",
        "org.freedesktop.DBus.Mock",
        "SetupDisplayDevice",
        "uuddddxxbsu",
    ];
    let shows = ["2", "2", percent, "5", "10", "1", "0", "0", "true", "", "1"];
    let set = bus.busctl(&[&call[..], &shows].concat()).await;
    assert!(set.status.success(), "{}", shown(&set));
}

/// What the device itself becomes: music that is played, the battery, a list.
#[tokio::test]
async fn what_music_the_battery_and_a_list_become_brings_what_is_done() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    scene.home.persona(&scene.tester());
    let bus = DbusDaemon::open(scene.home.path()).await;
    let _upower = bus.mock("upower", UPOWER).await;
    battery(&bus, "50").await;
    let player = bus.player(scene.home.path());
    let on_bus = |variable: &'static str| (variable, bus.address().to_owned());
    let addresses = ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"].map(on_bus);
    let story = scene
        .start_with(|launch| {
            addresses.iter().fold(launch, |launch, (variable, address)| {
                launch.env(variable, address)
            })
        })
        .await;
    wait_for("a player", PATIENCE, async || {
        let turn = story.ask("Is music playing?").await;
        turn.answer().starts_with("This is").then_some(())
    })
    .await;
    for (said, answer) in [
        (
            "Tell me when the music stops",
            "I will tell you when the music stops.",
        ),
        (
            "When the battery is below 20 percent, flip a coin",
            "When the battery is below 20 percent, I will do that: flip a coin.",
        ),
        (
            "Tell me whenever something is put on the shopping list",
            "I will tell you when something is put on the shopping list.",
        ),
    ] {
        assert_eq!(story.ask(said).await.answer(), answer);
    }
    let mark = story.probe.mark();
    player.kill();
    says(&story, mark, "The music stops.").await;
    battery(&bus, "15").await;
    let flips = |frame: &Frame| frame.data["utterances"][0] == "flip a coin";
    story.probe.wait("the deed", mark, PATIENCE, flips).await;
    story.ask("Put milk on the shopping list").await;
    says(&story, mark, "Something is put on the shopping list.").await;
}
