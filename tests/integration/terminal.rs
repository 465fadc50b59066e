//! The prompt of `loquat run` on a real terminal: lines are edited, answers stand above what is being typed, Ctrl-C stops an
//! answer, and `exit` ends.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;

use crate::story::{Scene, TESTER};

/// Runs what stands behind it on a terminal of its own.
const ON_A_TERMINAL: [&str; 3] = [
    "python3",
    "-c",
    "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)",
];

/// The keys of a terminal.
const CONTROL_C: &str = "\u{3}";
const UP: &str = "\u{1b}[A";

async fn at_the_prompt(home: &Home) -> Daemon {
    let daemon = Launch::new(home, &["run"])
        .through(&ON_A_TERMINAL)
        .env("TERM", "xterm")
        .attended();
    daemon.wrote("\"exit\" ends.", PATIENCE).await;
    daemon
}

fn scene() -> Scene {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    scene.home.persona(&tester);
    scene
}

#[tokio::test]
async fn a_line_is_answered_brought_back_and_kept_and_exit_ends() {
    let scene = scene();
    let mut daemon = at_the_prompt(&scene.home).await;
    daemon.keys("what is 12 times 12\r").await;
    daemon.wrote("That is 144.", PATIENCE).await;
    daemon.keys(&format!("{UP}\r")).await;
    daemon.wrote_times("That is 144.", 2, PATIENCE).await;
    daemon.keys("exit\r").await;
    assert!(daemon.ended(PATIENCE).await.success(), "{}", daemon.output());
    let kept = scene.home.path().join("state/loquat/typed-lines");
    let mode = fs::metadata(&kept).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let kept = fs::read_to_string(kept).expect("typed lines are kept");
    assert!(kept.contains("what is 12 times 12"), "{kept}");
}

#[tokio::test]
async fn no_line_is_kept_where_the_settings_want_none() {
    let scene = scene();
    scene.home.setting("terminal.history", "false");
    let mut daemon = at_the_prompt(&scene.home).await;
    daemon.keys("what is 12 times 12\r").await;
    daemon.wrote("That is 144.", PATIENCE).await;
    daemon.keys("exit\r").await;
    assert!(daemon.ended(PATIENCE).await.success(), "{}", daemon.output());
    assert!(!scene.home.path().join("state/loquat/typed-lines").exists());
}

#[tokio::test]
async fn the_first_screen_says_what_can_be_said_and_what_is_missing() {
    let scene = scene();
    let daemon = at_the_prompt(&scene.home).await;
    let shown = daemon.output();
    for part in [
        "Tester answers.",
        "You can say, for example",
        "The language model is not at",
        "run `loquat setup`",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    daemon.keys("help\r").await;
    daemon
        .wrote("The arrow keys bring earlier lines back.", PATIENCE)
        .await;
}

#[tokio::test]
async fn control_c_stops_the_answer_and_twice_with_nothing_to_stop_ends() {
    let scene = scene();
    scene
        .brain
        .script(TESTER, [Reply::says("").delivered(Delivery::Never)]);
    let mut daemon = at_the_prompt(&scene.home).await;
    daemon.keys("ponder this\r").await;
    scene.brain.asked(TESTER, 1, PATIENCE).await;
    daemon.keys(CONTROL_C).await;
    scene.brain.abandoned(TESTER, 1, PATIENCE).await;
    daemon.wrote("Stopped.", PATIENCE).await;
    daemon.keys(CONTROL_C).await;
    daemon.wrote("There is nothing to stop.", PATIENCE).await;
    daemon.keys(CONTROL_C).await;
    assert!(daemon.ended(PATIENCE).await.success(), "{}", daemon.output());
}
