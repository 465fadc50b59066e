//! What personas do of their own accord: their prompts at their times, said when the room is free, or with nothing to say.

use loquat_tests::brain::{Gate, Reply, Request};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// A time of day that comes in a moment, whatever time it is: the next full minute would be too long to wait for.
const SOON: &str = "in 3 seconds";

async fn scheduled(schedule: serde_json::Value) -> Story {
    let scene = Scene::default();
    let tester = scene.tester().key("schedule", schedule);
    scene.play_attended(&tester).await
}

fn is_of_turn(frame: &Frame) -> bool {
    frame.topic == "recognizer_loop:utterance" && frame.context.get("loquat_later").is_some()
}

#[tokio::test]
async fn a_persona_is_given_its_prompt_and_what_it_says_is_heard() {
    let story = scheduled(json!([{"prompt": "Wish me luck in a few words.", "time": SOON}])).await;
    story
        .brain
        .whenever(TESTER, "Wish me luck", Reply::answers("Good luck to you."));
    let said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Good luck to you.";
    story.probe.wait("what it says", 0, PATIENCE, said).await;
    let turns = story
        .probe
        .since(0)
        .iter()
        .filter(|frame| is_of_turn(frame))
        .count();
    assert_eq!(turns, 1);
}

#[tokio::test]
async fn an_entry_that_cannot_be_read_is_named() {
    let story = scheduled(json!([{"prompt": "Sing.", "time": "when pigs fly"}])).await;
    story
        .daemon
        .wrote("an entry of a persona's schedule is passed over", PATIENCE)
        .await;
}

fn is_timer(frame: &Frame) -> bool {
    frame.topic == "loquat.alert" && frame.data["state"] == "ringing"
}

/// Rings when what was scheduled is long due: whatever was to come of that until then has come.
async fn until_long_due(story: &Story, mark: usize) {
    let call =
        json!({"toolbox_id": "loquat-alert-tools", "name": "set_timer", "kwargs": {"duration": "4 seconds"}});
    story.probe.request("ovos.persona.tools.call", &call).await;
    story.probe.wait("a timer", mark, PATIENCE, is_timer).await;
}

fn turns(story: &Story) -> usize {
    let frames = story.probe.since(0);
    frames.iter().filter(|frame| is_of_turn(frame)).count()
}

#[tokio::test]
async fn in_quiet_hours_it_waits_and_with_nothing_to_say_it_is_silent() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene
        .tester()
        .key("schedule", json!([{"prompt": "Wish me luck.", "time": SOON}]));
    let story = scene.play_attended(&tester).await;
    story.daemon.types("Do not disturb me").await;
    until_long_due(&story, 0).await;
    assert_eq!((turns(&story), story.brain.requests(TESTER).len()), (0, 0));
    story.script([Reply::calls("noop", &json!({}))]);
    let mark = story.probe.mark();
    story.daemon.types("You may disturb me again").await;
    story.probe.wait("its turn", mark, PATIENCE, is_of_turn).await;
    let is_over = |frame: &Frame| {
        frame.topic == "ovos.utterance.handled" && frame.context.get("loquat_later").is_some()
    };
    story.probe.wait("its end", mark, PATIENCE, is_over).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let spoken = story.probe.since(mark).into_iter().filter(Frame::is_speak);
    let own = spoken.filter(|frame| frame.context.get("loquat_later").is_some());
    assert_eq!(own.count(), 0, "it had nothing to say");
}

#[tokio::test]
async fn it_waits_until_the_person_in_the_room_is_answered() {
    let story = scheduled(json!([{"prompt": "Wish me luck.", "time": SOON}])).await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "Capital of Peru", Reply::answers("Lima.").behind(&gate));
    story
        .brain
        .whenever(TESTER, "Wish me luck", Reply::answers("Good luck."));
    story.daemon.types("Capital of Peru?").await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    until_long_due(&story, 0).await;
    assert_eq!(turns(&story), 0, "a person is being answered");
    gate.open();
    let said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Good luck.";
    story.probe.wait("what it says", 0, PATIENCE, said).await;
    let spoken: Vec<String> = story
        .probe
        .since(0)
        .iter()
        .filter(|frame| frame.is_speak())
        .map(|frame| frame.utterance().to_owned())
        .collect();
    let place = |words: &str| spoken.iter().position(|said| said == words);
    assert!(place("Lima.") < place("Good luck."), "{spoken:?}");
}

/// An answer that no person could hear or read is not thought of, where no tool could do anything on the way to it.
#[tokio::test]
async fn where_nothing_could_give_the_answer_none_is_thought_of_and_the_log_says_so_once() {
    const NOBODY: &str = "nothing here can give an answer";
    let scene = Scene::default();
    let entries = [
        ("Sing.", "in 1 second"),
        ("Dance.", "in 1 second"),
        ("Greet.", "in 8 seconds"),
    ];
    let entries = entries.map(|(prompt, time)| json!({"prompt": prompt, "time": time}));
    let tester = scene.tester().toolboxes(&[]);
    scene.home.persona(&tester.key("schedule", json!(entries)));
    scene.brain.improvise(TESTER, |_| Reply::answers("Hello there."));
    let daemon = Launch::new(&scene.home, &["run"]).spawn();
    daemon.wrote(NOBODY, PATIENCE).await;
    assert_eq!(scene.brain.requests(TESTER).len(), 0);
    // A program that joins the bus can give the answer.
    let probe = daemon.joined(scene.home.port()).await;
    let said = |frame: &Frame| frame.is_speak() && frame.utterance() == "Hello there.";
    probe.wait("what it says", 0, PATIENCE, said).await;
    let asked: Vec<String> = scene.brain.requests(TESTER).iter().map(Request::newest).collect();
    assert!(asked.iter().all(|asked| asked.contains("Greet.")), "{asked:?}");
    assert_eq!(daemon.output().matches(NOBODY).count(), 1);
}
