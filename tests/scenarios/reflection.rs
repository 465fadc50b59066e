//! Looking back on a conversation: every so many turns, while no person speaks, and never in the way of one.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::Value;

/// What the request for notes ends with.
const NOTES: &str = "The notes:";

/// What the log says when it is done.
const DONE: &str = "looked back on a conversation";

/// A daemon that looks back after two turns and remembers one.
async fn forgetful() -> Story {
    let scene = Scene::default();
    scene.home.setting("desk.reflection_turns", "2");
    scene.home.setting("desk.history_turns", "1");
    scene.home.setting("memory.notes_conversations", "false");
    scene.home.setting("log.filter", "\"info,loquat=debug\"");
    let tester = scene.tester();
    scene.play(&tester).await
}

/// How often the brain was asked for notes.
fn reflections(story: &Story) -> usize {
    let requests = story.brain.requests(TESTER);
    requests
        .iter()
        .filter(|request| request.newest().ends_with(NOTES))
        .count()
}

#[tokio::test]
async fn s20_notes_are_taken_once_every_so_many_turns_and_keep_what_was_said() {
    let story = forgetful().await;
    story
        .brain
        .whenever(TESTER, NOTES, Reply::says("The person's cat is called Milo."));
    let replies = ["A fine name.", "Ten past nine.", "Milo.", "Still Milo."];
    story.script(replies.map(Reply::answers));
    story.ask("My cat is called Milo").await;
    assert_eq!(reflections(&story), 0);
    story.ask("What time is it?").await;
    story.daemon.wrote(DONE, PATIENCE).await;
    let look_back = story.brain.requests(TESTER)[2].text();
    assert!(look_back.contains("My cat is called Milo"), "{look_back}");
    // The history holds one turn; that of the cat is only in the notes.
    assert_eq!(story.ask("What is my cat called?").await.answer(), "Milo.");
    let shown = story.brain.requests(TESTER)[3].text();
    assert!(shown.contains("The person's cat is called Milo."), "{shown}");
    assert!(!shown.contains("My cat is called Milo"), "{shown}");
    assert_eq!(reflections(&story), 1, "not before two more turns");
    story.ask("Really?").await;
    story.brain.asked(TESTER, 6, PATIENCE).await;
    let again = story.brain.requests(TESTER)[5].text();
    assert!(
        again.contains("Notes so far:\nThe person's cat is called Milo."),
        "{again}"
    );
    assert_eq!(reflections(&story), 2);
}

#[tokio::test]
async fn s20_whoever_speaks_is_not_kept_waiting() {
    let story = forgetful().await;
    let never = Gate::default();
    let slow = Reply::says("Nobody waits for this.").behind(&never);
    story.brain.whenever(TESTER, NOTES, slow);
    story.script(["One.", "Two.", "Three."].map(Reply::answers));
    story.ask("First").await;
    story.ask("Second").await;
    story.brain.asked(TESTER, 3, PATIENCE).await;
    assert_eq!(story.ask("Third").await.answer(), "Three.");
    story.brain.abandoned(TESTER, 1, PATIENCE).await;
}

#[tokio::test]
async fn s20_a_brain_that_cannot_look_back_costs_nothing() {
    let story = forgetful().await;
    story.brain.whenever(TESTER, NOTES, Reply::fails(400));
    story.script(["One.", "Two.", "Three."].map(Reply::answers));
    story.ask("First").await;
    story.ask("Second").await;
    story.daemon.wrote(DONE, PATIENCE).await;
    assert_eq!(story.ask("Third").await.answer(), "Three.");
    assert_eq!(
        reflections(&story),
        1,
        "it is not tried again before two more turns"
    );
}

#[tokio::test]
async fn what_a_person_said_of_themselves_is_noted_and_what_the_persona_is_told_is_not() {
    const FACTS: &str = "The list:";
    let scene = Scene::default();
    scene.home.setting("desk.reflection_turns", "1");
    let instructions = "Answer like a pirate and never mention the moon.";
    let tester = scene.tester().key("system_prompt", Value::from(instructions));
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, NOTES, Reply::says("Nothing of note."));
    let facts =
        "- My cat is called Milo\n- I answer like a pirate and never mention the moon\n- I live in Porto";
    story.brain.whenever(TESTER, FACTS, Reply::says(facts));
    story.script(["A fine name.", "Milo."].map(Reply::answers));
    story.ask("My cat is called Milo").await;
    let kept = wait_for("the note", PATIENCE, async || {
        let listed = Launch::new(&story.home, &["--json", "memory"]).run().await;
        let listed: Value = serde_json::from_str(&listed.stdout).expect("a list");
        (listed[0]["text"] == "My cat is called Milo").then_some(listed)
    });
    let kept = kept.await;
    assert_eq!(
        kept.as_array().map(Vec::len),
        Some(1),
        "the rest was never said: {kept}"
    );
    assert_eq!(kept[0]["source"], "noted");
    story.ask("What is the name of my cat?").await;
    let shown = story.brain.requests(TESTER);
    let shown = shown.iter().map(loquat_tests::brain::Request::text);
    let told = "Before, the person told you: \"My cat is called Milo\".";
    assert!(shown.into_iter().any(|request| request.contains(told)));
}
