//! Routines: several orders for one word of the owner's own, each told, and undone as one.

use loquat_tests::frame::Frame;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;

use crate::story::{Scene, Story};

const TOOLS: &str = "loquat-home-tools";

async fn at_home(prepare: impl FnOnce(&Scene)) -> (Story, FakeHomeAssistant) {
    let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
    let scene = Scene::default();
    home_assistant.furnish(&scene.home);
    prepare(&scene);
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    (story, home_assistant)
}

async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let is_said = |frame: &Frame| frame.is_speak() && frame.session_id() == "default";
    let said = story.probe.wait("what is said", mark, PATIENCE, is_said).await;
    said.utterance().to_owned()
}

#[tokio::test]
async fn a_word_has_several_things_done_each_told_and_undone_as_one() {
    let (story, home) = at_home(|_| {}).await;
    let said = types(
        &story,
        "When I say good night, turn off the bed light and set a tea timer for one hour",
    )
    .await;
    assert_eq!(
        said,
        "When you say good night, I will do this: turn off the bed light and set a tea timer for one hour."
    );
    assert_eq!(home.calls(), Vec::<String>::new());
    let said = types(&story, "Which routines are there?").await;
    assert!(
        said.starts_with("When you say good night: turn off the bed light"),
        "{said}"
    );
    let said = types(&story, "Good night!").await;
    assert_eq!(said, "I have turned off Bed Light. Tea timer set for 1 hour.");
    assert_eq!(home.calls(), ["light.turn_off light.bed_light"]);
    let said = types(&story, "Undo that").await;
    assert!(said.to_lowercase().contains("timer"), "{said}");
    assert_eq!(
        types(&story, "What timers are set?").await,
        "No timer is running."
    );
    let said = types(&story, "Cancel the routine good night").await;
    assert_eq!(said, "I will do nothing any more when you say good night.");
}

#[tokio::test]
async fn a_routine_holds_no_routine_and_nobody_but_the_owner_sets_one() {
    let (story, home) = at_home(|_| {}).await;
    types(&story, "When I say bedtime, turn off the bed light").await;
    let turn = Utterance::new("When I say good morning, turn on the bed light")
        .ask(&story.probe)
        .await;
    assert_eq!(
        turn.answer(),
        "Only the owner of this device can set that, at the device itself."
    );
    for sets in ["When I say bedtime, bedtime", "When I say relax, bedtime"] {
        story.brain.whenever(
            crate::story::TESTER,
            "",
            loquat_tests::brain::Reply::answers("No."),
        );
        let said = types(&story, sets).await;
        assert!(!said.starts_with("When you say"), "{sets}: {said}");
    }
    let said = types(&story, "bedtime").await;
    assert_eq!(said, "I have turned off Bed Light.");
    assert_eq!(home.calls(), ["light.turn_off light.bed_light"]);
}

#[tokio::test]
async fn a_file_of_sentences_has_routines_and_a_step_that_means_nothing_is_told() {
    let (story, home) = at_home(|scene| {
        let file = "[alerts.lists]\nroutines = [\"movie time,turn off the bed light|fly to the moon|turn on the fairy lights\"]\n";
        scene.home.write("config/loquat/sentences/en-us.toml", file);
    })
    .await;
    let said = types(&story, "movie time").await;
    assert_eq!(
        said,
        "I have turned off Bed Light. I do not understand this step: fly to the moon."
    );
    assert_eq!(home.calls(), ["light.turn_off light.bed_light"]);
}
