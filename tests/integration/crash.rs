//! A daemon that is killed in the middle of a turn: the next one goes on with it, runs nothing twice, and answers once.
//! And turns that are over, run again from the journal.

use std::time::Duration;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

pub(crate) const LAMPS: &str = "lamp-tools";

/// A daemon on a bus that outlives it, beside a toolbox with a lamp in it.
pub(crate) async fn beside_a_lamp(lamp: Act) -> (FakeBus, Story, ScriptedToolbox) {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    let tester = scene.tester().trusting(LAMPS);
    let story = scene.play(&tester).await;
    let tools = vec![ScriptedTool::named("switch_lamp", lamp)];
    let lamps = ScriptedToolbox::join(bus.port(), LAMPS, tools).await;
    (bus, story, lamps)
}

pub(crate) fn on() -> Value {
    json!({"text": "on"})
}

/// Kills the daemon without a word and starts it again.
pub(crate) async fn crash(story: &mut Story) {
    restart(story, Signal::KILL).await;
}

pub(crate) async fn restart(story: &mut Story, signal: Signal) {
    story.daemon.signal(signal);
    story.daemon.ended(PATIENCE).await;
    let (daemon, _) = Launch::new(&story.home, &["run"]).ready().await;
    story.daemon = daemon;
}

/// Everything of the utterance, from both lives of the daemon.
pub(crate) async fn end(story: &Story, utterance: Utterance, mark: usize) -> Turn {
    let turn = utterance.end(&story.probe, mark).await;
    turn.assert_ended_once();
    let topics = turn.topics();
    let openings = topics
        .iter()
        .filter(|topic| **topic == "mycroft.skill.handler.start");
    assert!(openings.count() <= 1, "{:?}", turn.topics());
    turn
}

/// Whose brain was asked to switch the lamp on, and does not answer before it is asked again.
pub(crate) async fn thinking_of_the_lamp() -> (FakeBus, Story, ScriptedToolbox, Utterance, usize) {
    let (bus, story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    story.script([
        Reply::answers("Nobody hears this.").behind(&Gate::default()),
        Reply::acts("switch_lamp", &on()),
        Reply::answers("The lamp is on."),
    ]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    (bus, story, lamps, utterance, mark)
}

#[tokio::test]
async fn s32_a_crash_while_the_brain_thinks() {
    let (_bus, mut story, lamps, utterance, mark) = thinking_of_the_lamp().await;
    crash(&mut story).await;
    assert_eq!(end(&story, utterance, mark).await.answer(), "The lamp is on.");
    assert_eq!(lamps.calls().len(), 1);
    story.assert_goes_on().await;
}

#[tokio::test]
async fn s32_a_crash_while_a_tool_runs() {
    let (_bus, mut story, lamps) = beside_a_lamp(Act::Hangs).await;
    story.script([
        Reply::acts("switch_lamp", &on()),
        Reply::answers("I am not sure that the lamp is on."),
    ]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&story.probe).await;
    lamps.called(1, PATIENCE).await;
    crash(&mut story).await;
    let turn = end(&story, utterance, mark).await;
    assert_eq!(turn.answer(), "I am not sure that the lamp is on.");
    assert_eq!(
        lamps.calls().len(),
        1,
        "what may have had its effect is not done twice"
    );
    let shown = story.brain.requests(TESTER)[1].newest();
    assert!(shown.contains("may have taken effect"), "{shown}");
}

#[tokio::test]
async fn s32_a_crash_after_a_tool_ran() {
    let (_bus, mut story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    let never = Gate::default();
    story.script([
        Reply::acts("switch_lamp", &on()),
        Reply::answers("Nobody hears this.").behind(&never),
        Reply::answers("The lamp is on."),
    ]);
    let (utterance, next) = (Utterance::new("Switch the lamp on"), Utterance::new("And now?"));
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 2, PATIENCE).await;
    // What waits behind the turn is not forgotten either.
    next.enter(&story.probe).await;
    story.script([Reply::answers("Now it is bright.")]);
    let written = async { while !replay(&story, &[]).await.1.contains("And now?") {} };
    within("the second utterance to be written down", PATIENCE, written).await;
    crash(&mut story).await;
    assert_eq!(end(&story, utterance, mark).await.answer(), "The lamp is on.");
    assert_eq!(next.end(&story.probe, mark).await.answer(), "Now it is bright.");
    assert_eq!(lamps.calls().len(), 1);
    let asked = story.brain.requests(TESTER);
    assert_eq!(asked[1].newest(), asked[2].newest(), "the same request again");
}

#[tokio::test]
async fn a_core_that_waits_for_us_gets_its_answer_after_a_crash() {
    for generation in [Generation::Stable, Generation::PreRelease] {
        let bus = FakeBus::start().await;
        let core = ScriptedCore::join(bus.port(), generation).await;
        let scene = Scene::at(Home::with_bus(bus.port()));
        let tester = scene.tester();
        let mut story = scene.play(&tester).await;
        core.registered("loquat", PATIENCE).await;
        let never = Gate::default();
        story.script([
            Reply::answers("Nobody hears this.").behind(&never),
            Reply::answers("Lima."),
        ]);
        let utterance = Utterance::new("Capital of Peru?");
        let mark = utterance.enter(&story.probe).await;
        story.brain.asked(TESTER, 1, PATIENCE).await;
        crash(&mut story).await;
        let turn = utterance.end(&story.probe, mark).await;
        assert_eq!(turn.answer(), "Lima.", "{generation:?}");
        for topic in ["start", "response"] {
            let topic = format!("ovos.skills.fallback.loquat.{topic}");
            let told = turn.topics().into_iter().filter(|name| *name == topic).count();
            assert_eq!(told, 1, "{topic} {generation:?}");
        }
    }
}

#[tokio::test]
async fn what_was_cut_off_long_ago_is_ended_and_not_gone_on_with() {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    story.home.setting("journal.resume_within_seconds", "0");
    let never = Gate::default();
    story.script([Reply::answers("Nobody hears this.").behind(&never)]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    crash(&mut story).await;
    let turn = end(&story, utterance, mark).await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    story.assert_goes_on().await;
    assert_eq!(story.brain.requests(TESTER).len(), 2, "nobody was asked again");
}

#[tokio::test]
async fn a_conversation_goes_on_after_a_restart() {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    story.script([Reply::answers("Hello, Ada.")]);
    story.ask("My name is Ada").await;
    restart(&mut story, Signal::TERM).await;
    story.script([Reply::answers("You are Ada.")]);
    assert_eq!(story.ask("What is my name?").await.answer(), "You are Ada.");
    let asked = story.brain.requests(TESTER);
    let shown: Vec<_> = asked[1].messages()[1..]
        .iter()
        .map(|message| message["content"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(shown[..2], ["My name is Ada", "Hello, Ada."]);
    assert!(shown[2].ends_with("\nWhat is my name?"), "{shown:?}");
    // Others have said nothing.
    story.script([Reply::answers("I do not know.")]);
    let elsewhere = Utterance::new("What is my name?").in_session("elsewhere");
    elsewhere.ask(&story.probe).await;
    assert!(!story.brain.requests(TESTER)[2].text().contains("Ada"));
}

/// Runs `loquat replay` in the home of a story.
pub(crate) async fn replay(story: &Story, arguments: &[&str]) -> (bool, String) {
    let all = [&["replay"], arguments].concat();
    let finished = Launch::new(&story.home, &all).run().await;
    (finished.status.success(), finished.shown())
}

#[tokio::test]
async fn turns_are_listed_and_run_again_without_brain_and_tools() {
    let (_bus, story, lamps) = beside_a_lamp(Act::Later(Duration::from_millis(300), on())).await;
    story.script([
        Reply::acts("switch_lamp", &on()).after(Duration::from_millis(200)),
        Reply::answers("The lamp is on."),
    ]);
    assert_eq!(story.ask("Switch the lamp on").await.answer(), "The lamp is on.");
    let (ok, list) = replay(&story, &[]).await;
    assert!(ok && list.contains("Switch the lamp on"), "{list}");
    let (ok, shown) = replay(&story, &["last"]).await;
    for part in [
        "calls    switch_lamp",
        "gets     ",
        "The lamp is on.",
        "The same as then: answered",
    ] {
        assert!(ok && shown.contains(part), "{part:?} is missing: {shown}");
    }
    assert_eq!((story.brain.requests(TESTER).len(), lamps.calls().len()), (2, 1));

    let finished = Launch::new(&story.home, &["--json", "replay", "last"])
        .run()
        .await;
    let told: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let result = &told["attempts"][0]["result"];
    assert_eq!(told["attempts"][0]["same"], true);
    assert_eq!(
        (&result["termination_reason"], &result["brain_calls"]),
        (&json!("answered"), &json!(2))
    );
    assert!(
        result["seconds"].as_f64().unwrap() >= 0.5,
        "the time of the first run: {result}"
    );
    let (ok, shown) = replay(&story, &["no-such-turn"]).await;
    assert!(!ok && shown.contains("`loquat replay` lists them"), "{shown}");
}

#[tokio::test]
async fn a_damaged_state_file_is_put_aside() {
    let scene = Scene::default();
    let tester = scene.tester();
    let state = scene
        .home
        .environment()
        .into_iter()
        .find(|(key, _)| *key == "XDG_STATE_HOME");
    let folder = state.expect("the home has a state folder").1.join("loquat");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("state.db"),
        "this is no database, and long enough to look like one".repeat(50),
    )
    .unwrap();
    let story = scene.play(&tester).await;
    story.assert_goes_on().await;
    let names = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let aside = names.filter(|name| name.to_string_lossy().starts_with("state.damaged-"));
    assert_eq!(aside.count(), 1);
    let (ok, list) = replay(&story, &[]).await;
    assert!(ok && list.contains("Are you still there?"), "{list}");
}

#[tokio::test]
async fn nothing_is_written_where_that_is_switched_off() {
    let scene = Scene::default();
    scene.home.setting("journal.enabled", "false");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.assert_goes_on().await;
    let (ok, shown) = replay(&story, &[]).await;
    assert!(ok && shown.contains("journal.enabled"), "{shown}");
}

#[tokio::test]
async fn a_device_that_cannot_write_answers_all_the_same() {
    let scene = Scene::default();
    let tester = scene.tester();
    let variables = scene.home.environment();
    let state = variables.iter().find(|(key, _)| *key == "XDG_STATE_HOME");
    let home = &state.expect("the home has a state folder").1;
    std::fs::create_dir_all(home).unwrap();
    std::fs::write(home.join("loquat"), "a file where a folder belongs").unwrap();
    let story = scene.play(&tester).await;
    story.assert_goes_on().await;
    story.daemon.wrote("turns are not written down", PATIENCE).await;
}
