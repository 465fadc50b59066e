//! Second sentences in a home: what is moved is looked at after each turn, and locks wait for a yes as ever.

use loquat_tests::brain::Reply;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::models;
use loquat_tests::wait::PATIENCE;

use super::PERSONA;
use crate::story::{Scene, Story, TESTER};

const TOOLS: &str = "loquat-home-tools";

/// With the community's sentences, which go before ours, or without them.
async fn at_home(has_pack: bool) -> (Story, FakeHomeAssistant) {
    let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
    let scene = Scene::default();
    home_assistant.furnish(&scene.home);
    scene.home.setting("skills.intents", "\"alone\"");
    if has_pack {
        let pack = models::smallest("home_assistant_intents", "whl");
        scene.home.setting("sentences.pack", &pack);
    }
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers(PERSONA));
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    (story, home_assistant)
}

/// Types a line and waits for what is said to it.
async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let is_said = |frame: &loquat_tests::frame::Frame| frame.is_speak() && frame.session_id() == "default";
    let said = story.probe.wait("what is said", mark, PATIENCE, is_said).await;
    said.utterance().to_owned()
}

/// What is typed, how the answer begins, and what is called.
type Turn = (&'static str, &'static str, &'static [&'static str]);

const TALKS: &[&[Turn]] = &[
    &[
        (
            "Turn on the bed light and the kitchen lights",
            "I have turned on Bed Light and Kitchen Lights.",
            &["light.turn_on light.bed_light light.kitchen_lights"],
        ),
        (
            "Turn both off again",
            "I have turned off Bed Light and Kitchen Lights.",
            &["light.turn_off light.bed_light light.kitchen_lights"],
        ),
        (
            "Turn all of them on",
            "I have turned on Bed Light and Kitchen Lights.",
            &["light.turn_on light.bed_light light.kitchen_lights"],
        ),
    ],
    &[
        (
            "Turn on the bed light",
            "I have turned on Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "Turn it off again",
            "I have turned off Bed Light.",
            &["light.turn_off light.bed_light"],
        ),
        (
            "Turn it back on",
            "I have turned on Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "Set it to 40 percent",
            "I have set Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "Make it blue",
            "I have set Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        ("and what about us?", PERSONA, &[]),
    ],
    &[
        (
            "Turn on the kitchen lights",
            "I have turned on Kitchen Lights.",
            &["light.turn_on light.kitchen_lights"],
        ),
        (
            "and the bed light",
            "I have turned on Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        ("and the moon", PERSONA, &[]),
    ],
    &[
        ("Is the bed light on?", "", &[]),
        ("and the kitchen lights?", "", &[]),
        (
            "Turn it off",
            "I have turned off Kitchen Lights.",
            &["light.turn_off light.kitchen_lights"],
        ),
    ],
    &[
        ("How warm is it in the bedroom?", "", &[]),
        ("and in the living room?", "", &[]),
    ],
    &[
        (
            "Set the bed light to 40 percent",
            "I have set Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "no, 60",
            "I have set Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "not the bed light, the kitchen lights",
            "",
            &[
                "light.turn_on light.bed_light",
                "light.turn_on light.kitchen_lights",
            ],
        ),
    ],
    &[
        (
            "Turn on the bed light",
            "I have turned on Bed Light.",
            &["light.turn_on light.bed_light"],
        ),
        (
            "undo that",
            "I have turned off Bed Light.",
            &["light.turn_off light.bed_light"],
        ),
        ("undo that", "There is nothing that I can undo.", &[]),
    ],
    &[
        ("Lock the front door", "Front Door: shall I lock this?", &[]),
        ("yes", "I have locked Front Door.", &["lock.lock lock.front_door"]),
        ("Unlock it", "Front Door: shall I unlock this?", &[]),
        (
            "yes",
            "I have unlocked Front Door.",
            &["lock.unlock lock.front_door"],
        ),
        ("undo that", "Front Door: shall I lock this?", &[]),
        ("yes", "I have locked Front Door.", &["lock.lock lock.front_door"]),
    ],
];

async fn faults(has_pack: bool) -> Vec<(&'static str, String, Vec<String>)> {
    let mut faults = Vec::new();
    for talk in TALKS {
        let (story, home_assistant) = at_home(has_pack).await;
        for (line, begins, calls) in *talk {
            let said = types(&story, line).await;
            let called = home_assistant.calls();
            if !said.starts_with(begins) || called != **calls {
                faults.push((*line, said, called));
            }
        }
    }
    faults
}

#[tokio::test]
async fn a_second_sentence_moves_what_was_spoken_of() {
    let faults = faults(false).await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn so_it_does_behind_a_sentence_of_the_community() {
    let faults = faults(true).await;
    assert!(faults.is_empty(), "{faults:#?}");
}
