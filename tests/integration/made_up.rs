//! What recognisers elsewhere on the bus make up of silence and noise: it is no turn, no answer, and no yes.

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// As a listener on the bus says what it heard.
fn heard(text: &str) -> Utterance {
    Utterance::new(text).context("stt_lang", json!("en-US"))
}

#[tokio::test]
async fn a_sign_off_and_a_murmur_are_said_by_nobody() {
    let story = Story::begin().await;
    for text in [
        "Thanks for watching!",
        "Thank you so much for watching, and don't forget to subscribe!",
        "시청해 주셔서 감사합니다.",
        "谢谢大家",
        "Obrigado por assistir!",
        "Gracias por ver el video.",
        "Vielen Dank fürs Zuschauen.",
        "Merci d'avoir regardé cette vidéo !",
        "Grazie per la visione.",
        "Untertitel der Amara.org-Community",
        "Oh, oh, oh.",
        "Mm-hmm.",
        "Hm? Hm?",
        "Uh-huh.",
        "Shh.",
    ] {
        let turn = heard(text).ask(&story.probe).await;
        assert_eq!((turn.ends(), turn.spoken().len()), (1, 0), "{text}");
        assert!(
            turn.frames
                .iter()
                .any(|frame| frame.topic == "ovos.utterance.cancelled"),
            "{text}"
        );
    }
    assert!(story.brain.requests(TESTER).is_empty());
    story.assert_goes_on().await;
}

#[tokio::test]
async fn what_people_say_that_is_like_it_is_answered_and_so_is_what_they_type() {
    let story = Story::begin().await;
    for said in [
        heard("Subscribe to the newsletter list."),
        heard("Thank you for the music."),
        heard("What does thanks for watching mean?"),
        Utterance::new("Thanks for watching!"),
        Utterance::new("Mm-hmm."),
    ] {
        story.script([Reply::answers("All right.")]);
        assert_eq!(said.ask(&story.probe).await.answer(), "All right.");
    }
}

#[tokio::test]
async fn a_murmur_is_no_yes_and_leaves_the_question_open() {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = scene.tester().toolboxes(&["door-tools"]);
    let story = scene.play(&tester).await;
    let front = json!({"text": "front"});
    let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(front.clone()))];
    let doors = ScriptedToolbox::join(story.home.port(), "door-tools", doors).await;
    story.script([
        Reply::acts("unlock_door", &front),
        Reply::answers("That was the door."),
    ]);
    let mark = heard("Unlock the front door").enter(&story.probe).await;
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    for murmur in [
        "Uh-huh.",
        "Mm-hmm.",
        "Mhm, mhm.",
        "Oh, oh.",
        "Thanks for watching!",
    ] {
        heard(murmur).ask(&story.probe).await;
        assert!(doors.calls().is_empty(), "{murmur}");
    }
    let questions = story
        .probe
        .since(mark)
        .iter()
        .filter(|frame| is_question(frame))
        .count();
    assert_eq!(questions, 1, "it is not asked again");
    heard("Yes, please").enter(&story.probe).await;
    doors.called(1, PATIENCE).await;
    let is_answer = |frame: &Frame| frame.is_speak() && frame.utterance() == "That was the door.";
    story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
}
