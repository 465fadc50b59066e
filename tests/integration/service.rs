//! The daemon as systemd sees it: ready, alive, stopping, and what a signal in the middle of a turn does.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use loquat_tests::brain::{Delivery, Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::notify::NotifySocket;
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;

use crate::story::{Scene, TESTER, assert_sentence};

/// Three seconds, whatever happens, and a slow machine's delay. The unit gives a stop far longer; a person at a terminal
/// does not.
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// A watchdog of three seconds, the shortest that the daemon's pulses allow.
const WATCHDOG_MICROSECONDS: &str = "3000000";

#[tokio::test]
async fn a_crash_leaves_no_core_file_whatever_the_shell_allows() {
    let home = Home::without_bus();
    let allowing = ["/bin/sh", "-c", "ulimit -c unlimited && exec \"$0\" \"$@\""];
    let launch = Launch::new(&home, &["run"]).through(&allowing);
    let (mut daemon, _probe) = launch.ready().await;
    daemon.signal(Signal::ABORT);
    let status = daemon.ended(PATIENCE).await;
    assert_eq!(status.signal(), Some(Signal::ABORT.as_raw()));
    assert!(!status.core_dumped());
}

#[tokio::test]
async fn ready_watchdog_and_stopping_are_told_in_order() {
    let home = Home::without_bus();
    let socket = NotifySocket::open(home.path());
    let launch = Launch::new(&home, &["run"])
        .notifying(&socket)
        .env("WATCHDOG_USEC", WATCHDOG_MICROSECONDS);
    let mut daemon = launch.spawn();
    socket.heard("READY=1", 1, PATIENCE).await;
    socket.heard("WATCHDOG=1", 2, PATIENCE).await;
    socket
        .heard("STATUS=on the bus; no microphone: ", 1, PATIENCE)
        .await;
    let lines = socket.lines();
    let status = lines.iter().rev().find(|line| line.starts_with("STATUS="));
    let status = status.unwrap();
    assert!(
        status.contains("; model ") && status.ends_with("; Loquat answers"),
        "{status}"
    );
    daemon.signal(Signal::TERM);
    let status = daemon.ended(STOP_LIMIT).await;
    assert!(status.success(), "{status}: {}", daemon.output());
    socket.heard("STOPPING=1", 1, PATIENCE).await;
    let lines = socket.lines();
    let place = |wanted: &str| lines.iter().position(|line| line == wanted);
    assert!(place("READY=1") < place("STOPPING=1"), "{lines:?}");
    assert_eq!(socket.count("READY=1"), 1);
}

/// Sends a signal while the brain thinks.
async fn interrupted_by(signal: Signal) {
    // The bus is not the daemon's own, so that its last words can be read.
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let mut story = scene.play(&tester).await;
    story.script([Reply::says("").delivered(Delivery::Never)]);
    let utterance = Utterance::new("ponder this");
    let mark = bus.recording().mark();
    utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;

    story.daemon.signal(signal);
    let status = story.daemon.ended(STOP_LIMIT).await;
    assert!(status.success(), "{status}: {}", story.daemon.output());
    story.brain.abandoned(TESTER, 1, PATIENCE).await;
    let is_end = |frame: &loquat_tests::frame::Frame| frame.topic == HANDLED && utterance.owns(frame);
    bus.recording().wait("the end", mark, PATIENCE, is_end).await;
    assert_sentence(utterance.seen(bus.recording(), mark).answer());
}

#[tokio::test]
async fn a_sigterm_in_the_middle_of_a_turn_ends_it_with_a_sentence() {
    interrupted_by(Signal::TERM).await;
}

#[tokio::test]
async fn what_came_before_a_sigterm_and_was_not_looked_at_has_its_end_too() {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    let tester = scene.tester();
    let mut story = scene.play(&tester).await;
    let mark = bus.recording().mark();
    // More than the desk begins before the signal comes; the brain never answers.
    story
        .brain
        .decides(TESTER, |_| Some(Reply::says("").delivered(Delivery::Never)));
    for number in 0..200 {
        let utterance = Utterance::new("ponder this").in_session(&format!("s{number}"));
        utterance.enter(&story.probe).await;
    }
    story.brain.asked(TESTER, 1, PATIENCE).await;
    // What is answered behind them shows that all of them have come.
    story
        .probe
        .request("ovos.tools.list", &serde_json::json!({}))
        .await;
    story.daemon.signal(Signal::TERM);
    let status = story.daemon.ended(STOP_LIMIT).await;
    assert!(status.success(), "{status}: {}", story.daemon.output());
    let last = bus.recording().since(mark);
    for number in 0..200 {
        let session = format!("s{number}");
        let is_end =
            |frame: &&loquat_tests::frame::Frame| frame.topic == HANDLED && frame.session_id() == session;
        assert_eq!(last.iter().filter(is_end).count(), 1, "{session}");
    }
}

#[tokio::test]
async fn a_sigint_in_the_middle_of_a_turn_does_the_same() {
    interrupted_by(Signal::INT).await;
}

#[tokio::test]
async fn a_sighup_reads_personas_again_and_the_turn_that_runs_is_answered() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let socket = NotifySocket::open(scene.home.path());
    let launch = Launch::new(&scene.home, &["run"]).notifying(&socket);
    let (daemon, probe) = launch.ready().await;
    socket.heard("READY=1", 1, PATIENCE).await;
    let gate = Gate::default();
    scene
        .brain
        .script(TESTER, [Reply::answers("It was worth the wait.").behind(&gate)]);
    let waiting = Utterance::new("ponder this");
    let mark = waiting.enter(&probe).await;
    scene.brain.asked(TESTER, 1, PATIENCE).await;

    // What cannot be used changes nothing, and ends nothing.
    scene.home.setting("desk.history_turns", "\"many\"");
    daemon.signal(Signal::HUP);
    socket.heard("READY=1", 2, PATIENCE).await;
    daemon.wrote("nothing is changed", PATIENCE).await;
    scene.home.setting("desk.history_turns", "3");
    scene.home.setting("desk.persona", "\"Other\"");
    scene
        .home
        .persona(&Persona::react("Other", &scene.brain.url("Other")));
    daemon.signal(Signal::HUP);
    socket.heard("READY=1", 3, PATIENCE).await;
    let lines = socket.lines();
    let reloads = lines
        .windows(2)
        .filter(|pair| pair[0] == "RELOADING=1" && pair[1].starts_with("MONOTONIC_USEC="));
    assert_eq!(reloads.count(), 2, "{lines:?}");
    daemon
        .wrote("after a restart: desk.history_turns", PATIENCE)
        .await;
    scene.brain.script("Other", [Reply::answers("I am another.")]);
    let other = Utterance::new("Who are you?").in_session("kitchen");
    assert_eq!(other.ask(&probe).await.answer(), "I am another.");
    gate.open();
    let answered = waiting.end(&probe, mark).await;
    assert_eq!(answered.answer(), "It was worth the wait.");
    socket
        .heard("STATUS=on the bus; no microphone: ", 2, PATIENCE)
        .await;
    let lines = socket.lines();
    let status = lines.iter().rev().find(|line| line.starts_with("STATUS="));
    assert!(status.unwrap().ends_with("; Other answers"), "{status:?}");
}

#[tokio::test]
async fn a_daemon_that_was_killed_starts_again_in_the_same_home() {
    let scene = Scene::default();
    let tester = scene.tester();
    let mut story = scene.play(&tester).await;
    story.script([Reply::answers("Before."), Reply::answers("After.")]);
    assert_eq!(story.ask("Hello").await.answer(), "Before.");
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(STOP_LIMIT).await;
    let (_again, probe) = Launch::new(&story.home, &["run"]).ready().await;
    assert_eq!(Utterance::new("Hello").ask(&probe).await.answer(), "After.");
}

#[tokio::test]
async fn nothing_that_is_said_and_no_key_reaches_the_log() {
    let scene = Scene::default();
    scene.home.setting("log.filter", "\"debug\"");
    let tester = scene
        .tester()
        .key("system_prompt", serde_json::json!("My prompt is xyzzy-prompt."));
    let story = scene.play(&tester).await;
    story.script([Reply::fails(500), Reply::answers("The answer is xyzzy-answer.")]);
    story.ask("The question is xyzzy-question").await.answer();
    // An answer with a number that nothing gave is asked about, which is told without the number.
    story.script([
        Reply::acts("evaluate_expression", &serde_json::json!({"expression": "6 * 7"})),
        Reply::answers("It is 471147."),
        Reply::answers("It is 42."),
    ]);
    let asked_again = story.ask("What is 6 times 7?").await;
    assert_eq!(asked_again.answer(), "It is 42.");
    story.daemon.wrote("Figures", PATIENCE).await;
    let output = story.daemon.output();
    assert!(!output.is_empty(), "at debug something is logged");
    assert!(!output.contains("xyzzy"), "{output}");
    assert!(!output.contains("471147"), "{output}");
    assert!(!output.contains("sk-scripted"), "{output}");
}
