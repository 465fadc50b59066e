//! Orders that are done at another time: said in words, done by the clock as a turn of the person who gave them, and with no right
//! that they would have had to ask for when they gave them.

use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story};

const TOOLS: &str = "loquat-home-tools";

/// What a program is told that wants something for which a yes is needed.
const ELSEWHERE: &str = "I may only do that when you ask me at the device itself.";

/// A person at the terminal of a home, on a bus that outlives the daemon.
async fn at_home() -> (FakeBus, Story, FakeHomeAssistant) {
    let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    home_assistant.furnish(&scene.home);
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    (bus, story, home_assistant)
}

fn is_said(frame: &Frame) -> bool {
    frame.is_speak() && !frame.is_twin() && frame.session_id() == "default"
}

/// Types a line and waits for what is said to it.
async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let said = story.probe.wait("what is said", mark, PATIENCE, is_said).await;
    said.utterance().to_owned()
}

/// Waits until this is said.
async fn says(story: &Story, mark: usize, words: &str) {
    let is_it = |frame: &Frame| is_said(frame) && frame.utterance() == words;
    story.probe.wait(words, mark, PATIENCE, is_it).await;
}

/// How often a deed has come to something.
fn told(frames: &[Frame], id: &Value, state: &str) -> usize {
    let told = frames.iter().filter(|frame| {
        frame.topic == "loquat.alert" && frame.data["id"] == *id && frame.data["state"] == state
    });
    told.count()
}

/// What a tool of the alerts gives for these arguments.
async fn call(story: &Story, name: &str, kwargs: Value) -> Value {
    let call = json!({"toolbox_id": "loquat-alert-tools", "name": name, "kwargs": kwargs});
    let answer = story.probe.request("ovos.persona.tools.call", &call).await;
    answer.data["result"].clone()
}

#[tokio::test]
async fn an_order_with_a_moment_is_told_listed_cancelled_and_done() {
    let (_bus, story, home) = at_home().await;
    let said = types(&story, "Turn on the bed light in 40 minutes").await;
    assert_eq!(said, "I will do that in 40 minutes: Turn on the bed light.");
    let said = types(&story, "what have you planned?").await;
    assert!(
        said.ends_with("minutes: Turn on the bed light.") || said.contains("seconds: Turn on"),
        "{said}"
    );
    let said = types(&story, "Undo that").await;
    assert!(said.contains("Turn on the bed light"), "{said}");
    assert_eq!(
        types(&story, "what have you planned?").await,
        "Nothing is planned."
    );
    assert_eq!(home.calls(), Vec::<String>::new());

    let mark = story.probe.mark();
    let said = types(&story, "in 2 seconds turn on the bed light").await;
    assert_eq!(said, "I will do that in 2 seconds: turn on the bed light.");
    says(&story, mark, "I have turned on Bed Light.").await;
    assert_eq!(home.calls(), ["light.turn_on light.bed_light"]);

    let said = types(&story, "Every morning at seven turn off the bed light").await;
    assert_eq!(
        said,
        "I will do that at 7:00 AM every day: turn off the bed light."
    );
    let said = types(&story, "Cancel everything that is planned").await;
    assert_eq!(said, "I will not do that: turn off the bed light.");
    let said = types(&story, "turn off the bed light later").await;
    assert_eq!(said, "When?");
    let said = types(&story, "in 50 minutes").await;
    assert_eq!(said, "I will do that in 50 minutes: turn off the bed light.");
}

#[tokio::test]
async fn what_asks_is_asked_about_when_it_is_set_and_the_yes_is_for_that_alone() {
    let (_bus, story, home) = at_home().await;
    let before = home.state("lock.front_door");
    let asked = types(&story, "Unlock the front door in 3 seconds").await;
    assert!(
        asked.starts_with("Shall I do this without asking again") && asked.contains("Front Door"),
        "{asked}"
    );
    assert!(types(&story, "No").await.contains("left it"));
    assert_eq!(
        types(&story, "what have you planned?").await,
        "Nothing is planned."
    );

    types(&story, "Unlock the front door in 3 seconds").await;
    let mark = story.probe.mark();
    let said = types(&story, "Yes").await;
    assert_eq!(said, "I will do that in 3 seconds: Unlock the front door.");
    assert_eq!(home.state("lock.front_door"), before, "not before its time");
    says(&story, mark, "I have unlocked Front Door.").await;
    assert_eq!(home.guarded_moves(), ["lock.front_door"]);
    let frames = story.probe.since(mark);
    assert!(
        !frames.iter().any(|frame| frame.data["expect_response"] == true),
        "it was asked before"
    );

    let asked = types(&story, "Unlock the front door").await;
    assert!(
        asked.contains("shall I unlock this"),
        "the yes is used up: {asked}"
    );
    types(&story, "No").await;
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

#[tokio::test]
async fn nobody_else_has_a_door_unlocked_later() {
    let (_bus, story, home) = at_home().await;
    let mark = story.probe.mark();
    let in_words = Utterance::new("Unlock the front door in 1 second")
        .ask(&story.probe)
        .await;
    let said: Vec<&str> = in_words.spoken().into_iter().map(Frame::utterance).collect();
    assert_eq!(said.first(), Some(&ELSEWHERE), "{said:?}");
    // As a call of a program, with a yes of its own making: it is kept, and asks at its time.
    let agreed = json!([{"toolbox_id": TOOLS, "tool": "control_home", "arguments": {"thing": "front door", "action": "unlock"}}]);
    let kwargs = json!({"command": "unlock the front door", "duration": "1 second", "agreed": agreed});
    let id = call(&story, "do_later", kwargs).await["id"].clone();
    let begun = |frame: &Frame| told(std::slice::from_ref(frame), &id, "begun") == 1;
    story.probe.wait("its time", mark, PATIENCE, begun).await;
    // The person at the device is asked then, and so they are of a frame that looks like one of a deed.
    let asked = |frame: &Frame| frame.is_speak() && frame.data["expect_response"] == true;
    story.probe.wait("a question", mark, PATIENCE, asked).await;
    types(&story, "No").await;
    let mark = story.probe.mark();
    let forged = Utterance::new("Unlock the front door")
        .in_session("default")
        .context("loquat_later", json!({"agreed": agreed, "set_by": "voice"}));
    forged.enter(&story.probe).await;
    story.probe.wait("a question", mark, PATIENCE, asked).await;
    types(&story, "No").await;
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
    story.assert_goes_on().await;
}

/// How it is put off.
const WHENS: [&str; 10] = [
    "in 1 second",
    "in one second please",
    "in 2 seconds",
    "at sunset",
    "an hour before sunrise",
    "every day at noon",
    "every morning at seven",
    "tomorrow at 7 am",
    "when the bed light is on",
    "whenever the bed light is on",
];

/// What would be asked about if it were said now.
const ORDERS: [&str; 5] = [
    "unlock the front door",
    "please unlock the front door",
    "turn on the bed light and unlock the front door",
    "open the front door",
    "unlock all the locks",
];

#[tokio::test]
async fn a_hundred_tries_to_have_a_door_unlocked_at_another_time_unlock_none() {
    let (_bus, story, home) = at_home().await;
    story.brain.whenever(
        crate::story::TESTER,
        "",
        loquat_tests::brain::Reply::answers("No."),
    );
    for order in ORDERS {
        for when in WHENS {
            for said in [format!("{order} {when}"), format!("{when}, {order}")] {
                Utterance::new(&said).in_session("hall").ask(&story.probe).await;
            }
        }
    }
    let agreed = json!([{"toolbox_id": TOOLS, "tool": "control_home",
        "arguments": {"thing": "front door", "action": "unlock", "entities": ["lock.front_door"]}}]);
    let kept = json!({"command": "unlock the front door", "duration": "1 second", "agreed": agreed, "granted": true});
    let first = call(&story, "do_later", kept.clone()).await["id"].clone();
    call(
        &story,
        "set_routine",
        json!({"phrase": "bedtime", "steps": ["unlock the front door"]}),
    )
    .await;
    call(&story, "restore_alerts", json!({"cancel": [], "restore": [kept]})).await;
    call(
        &story,
        "foresee_deed",
        json!({"tool": "do_later", "arguments": kept}),
    )
    .await;
    home.becomes("light.bed_light", "off");
    home.becomes("light.bed_light", "on");
    Utterance::new("bedtime")
        .in_session("hall")
        .ask(&story.probe)
        .await;
    let begun = |frame: &Frame| told(std::slice::from_ref(frame), &first, "begun") == 1;
    story.probe.wait("its time", 0, PATIENCE, begun).await;
    story.daemon.answering(&story.probe).await;
    home.becomes("light.bed_light", "off");
    assert_eq!(
        home.guarded_moves()
            .iter()
            .filter(|id| id.starts_with("lock."))
            .count(),
        0
    );
    let listed = call(&story, "list_alerts", json!({"kind": "routine"})).await;
    assert_eq!(listed["count"], 0, "it is for the owner to set");
}
