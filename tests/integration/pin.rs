//! Tools that want a PIN: it is set with `loquat pin`, spoken or typed, and seen nowhere.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const SAFE: &str = "safe-tools";

fn gold() -> Value {
    json!({"text": "gold"})
}

/// What `loquat pin` prints for this PIN.
async fn hashed(home: &Home, pin: &str) -> String {
    let process = Launch::new(home, &["pin"]).attended();
    process.types(pin).await;
    process.wrote("pin = ", PATIENCE).await;
    let output = process.output();
    let line = output.lines().find_map(|line| line.strip_prefix("pin = "));
    line.expect("a line for the settings").to_owned()
}

/// A daemon with a person at its terminal, whose persona has a safe that wants a PIN.
async fn with_a_safe(pin: Option<&str>) -> (Story, ScriptedToolbox) {
    with_a_safe_for("own", pin).await
}

/// A daemon as in [`with_a_safe`], whose PIN may come from there.
async fn with_a_safe_for(from: &str, pin: Option<&str>) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", &format!("\"{from}\""));
    if let Some(pin) = pin {
        let hash = hashed(&scene.home, pin).await;
        scene.home.setting("desk.pin", &hash);
    }
    let tester = scene.tester().toolboxes(&[SAFE]);
    let tester = tester.setting(SAFE, json!({"trust": "safe", "confirm": "pin"}));
    let story = scene.play_attended(&tester).await;
    let tools = vec![ScriptedTool::named("open_safe", Act::Returns(gold()))];
    let safe = ScriptedToolbox::join(story.home.port(), SAFE, tools).await;
    (story, safe)
}

/// Types a line and waits for what is said to it.
async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let said = story
        .probe
        .wait("what is said", mark, PATIENCE, Frame::is_speak)
        .await;
    said.utterance().to_owned()
}

fn wants_it(story: &Story) {
    story.script([
        Reply::acts("open_safe", &gold()),
        Reply::answers("That was the safe."),
    ]);
}

#[tokio::test]
async fn the_right_pin_runs_it_and_is_seen_nowhere() {
    let (story, safe) = with_a_safe(Some("270913")).await;
    wants_it(&story);
    let question = types(&story, "Open the safe").await;
    assert_eq!(
        question,
        "Shall I do this: open safe, text: gold, open safe? If so, please say your PIN."
    );
    let again = types(&story, "Yes, do it.").await;
    assert_eq!(again, "I did not understand. Please say your PIN, or say no.");
    let wrong = types(&story, "1 1 1 1").await;
    assert_eq!(wrong, "That PIN is not right. Please say it again, or say no.");
    assert!(safe.calls().is_empty());
    let answer = types(&story, "Two, seven, zero, nine, one, three, please.").await;
    assert_eq!((answer.as_str(), safe.calls().len()), ("That was the safe.", 1));
    story.daemon.answering(&story.probe).await;

    // One that comes late goes nowhere either.
    let requests = story.brain.requests(TESTER).len();
    let mark = story.probe.mark();
    story.daemon.types("270913").await;
    let is_end = |frame: &Frame| frame.topic == "ovos.utterance.handled";
    story.probe.wait("the end of it", mark, PATIENCE, is_end).await;
    assert_eq!(story.brain.requests(TESTER).len(), requests);

    let is_secret = |text: &str| text.contains("270913") || text.to_lowercase().contains("seven, zero");
    assert!(!is_secret(&story.daemon.output()), "it is in the log");
    for request in story.brain.requests(TESTER) {
        assert!(!is_secret(&request.text()), "the brain has heard it");
    }
    // The utterance itself is on the bus; nothing that comes of it repeats it.
    let own = story.probe.since(0).into_iter().filter(|frame| !frame.is_entry());
    for frame in own {
        assert!(
            !is_secret(&format!("{:?} {:?}", frame.data, frame.context)),
            "{frame:?}"
        );
    }
    for file in ["state.db", "state.db-wal"] {
        let bytes = std::fs::read(story.home.path().join("state/loquat").join(file)).unwrap_or_default();
        assert!(!is_secret(&String::from_utf8_lossy(&bytes)), "it is in {file}");
    }
}

#[tokio::test]
async fn three_wrong_ones_lock_it_and_that_is_said_aloud() {
    let (story, safe) = with_a_safe(Some("270913")).await;
    wants_it(&story);
    types(&story, "Open the safe").await;
    for pin in ["1234", "1235"] {
        let wrong = types(&story, pin).await;
        assert_eq!(wrong, "That PIN is not right. Please say it again, or say no.");
    }
    let locked = types(&story, "1236").await;
    assert_eq!(
        locked,
        "The PIN was wrong too often. Please try again in five minutes."
    );
    story.reasons(1).await;
    wants_it(&story);
    let mark = story.probe.mark();
    story.daemon.types("Open the safe").await;
    let says_so = |frame: &Frame| frame.is_speak() && frame.utterance() == locked;
    story
        .probe
        .wait("that it is locked", mark, PATIENCE, says_so)
        .await;
    story.reasons(2).await;
    let frames = story.probe.since(mark);
    let asks = |frame: &Frame| frame.is_speak() && frame.utterance().contains("say your PIN");
    assert!(!frames.iter().any(asks), "it is not even asked");
    assert!(safe.calls().is_empty());
}

/// Others who may answer have tries of their own, and take none of the person's away.
#[tokio::test]
async fn wrong_ones_of_others_lock_nobody_out_at_the_device() {
    let (story, safe) = with_a_safe_for("bus", Some("270913")).await;
    wants_it(&story);
    types(&story, "Open the safe").await;
    for guess in ["1234", "1235", "1236"] {
        let mark = story.probe.mark();
        let guess = Utterance::new(guess).in_session("default");
        guess
            .context("source", json!("guesser"))
            .enter(&story.probe)
            .await;
        // Each sentence also goes out under its newer topic.
        let is_wrong =
            |frame: &Frame| frame.topic == "speak" && frame.utterance().starts_with("That PIN is not right.");
        story
            .probe
            .wait("that it is wrong", mark, PATIENCE, is_wrong)
            .await;
    }
    let right = Utterance::new("270913").in_session("default");
    right
        .context("source", json!("guesser"))
        .enter(&story.probe)
        .await;
    story.daemon.answering(&story.probe).await;
    assert!(safe.calls().is_empty(), "who has guessed too often is not heard");
    story.daemon.types("270913").await;
    safe.called(1, PATIENCE).await;
    story.reasons(1).await;
}

/// A PIN that is said twice is one to the first question alone.
#[tokio::test]
async fn a_pin_that_is_said_twice_opens_nothing_more() {
    let (story, safe) = with_a_safe(Some("270913")).await;
    story.script([
        Reply::acts("open_safe", &gold()),
        Reply::acts("open_safe", &json!({"text": "silver"})),
        Reply::answers("That was the safe."),
    ]);
    types(&story, "Open the safe").await;
    let second = types(&story, "270913").await;
    assert!(second.contains("text: silver"), "{second}");
    story.daemon.types("2 7 0 9 1 3").await;
    story.daemon.answering(&story.probe).await;
    let answer = types(&story, "No").await;
    assert_eq!((answer.as_str(), safe.calls().len()), ("That was the safe.", 1));
}

#[tokio::test]
async fn without_a_pin_such_a_tool_is_refused_with_the_mend_in_the_log() {
    let (story, safe) = with_a_safe(None).await;
    wants_it(&story);
    let said = types(&story, "Open the safe").await;
    assert_eq!(said, "That needs a PIN, and none has been set up for me.");
    story.daemon.wrote("`loquat pin`", PATIENCE).await;
    story.reasons(1).await;
    assert!(safe.calls().is_empty());
}

#[tokio::test]
async fn what_is_no_pin_gets_no_line_and_a_plain_pin_is_no_setting() {
    let home = Home::without_bus();
    let mut process = Launch::new(&home, &["pin"]).attended();
    process.types("12a4").await;
    let status = process.ended(PATIENCE).await;
    assert!(!status.success());
    assert!(
        process.output().contains("4 to 12 digits"),
        "{}",
        process.output()
    );
    assert!(!process.output().contains("12a4"));

    home.setting("desk.pin", "\"845931\"");
    let refused = Launch::new(&home, &["personas"]).run().await;
    assert_eq!(refused.status.code(), Some(78));
    assert!(
        refused.shown().contains("desk.pin must be"),
        "{}",
        refused.shown()
    );
    assert!(!refused.shown().contains("845931"), "{}", refused.shown());
}
