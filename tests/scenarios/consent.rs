//! A tool that may do harm: the person is asked aloud, and yes, no, silence and other words each have their end.

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

const DOORS: &str = "door-tools";

fn front() -> Value {
    json!({"text": "front"})
}

/// A daemon whose persona may use a box that nobody vouches for.
async fn beside_a_door(change: impl FnOnce(Persona) -> Persona, seconds: u32) -> (Story, ScriptedToolbox) {
    let scene = Scene::new().await;
    scene.home.setting("desk.consent_seconds", &seconds.to_string());
    let tester = change(scene.tester().toolboxes(&[DOORS]));
    let story = scene.play(&tester).await;
    let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(front()))];
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, doors).await;
    (story, doors)
}

/// Asks for the door and waits until the person is asked back.
async fn asked_back(story: &Story) -> (Utterance, usize) {
    let utterance = Utterance::new("Unlock the front door");
    let mark = utterance.enter(&story.probe).await;
    let question = story
        .probe
        .wait("the question", mark, PATIENCE, |frame| {
            frame.topic == "speak" && frame.data["expect_response"] == true
        })
        .await;
    assert_eq!(question.data["utterance"], "Shall I do this: unlock door, front?");
    assert_eq!(question.data["listen"], true);
    (utterance, mark)
}

/// The turn from the question on: what is said besides it, and exactly one end.
async fn end(story: &Story, utterance: &Utterance, mark: usize) -> Vec<String> {
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!(turn.ends(), 1, "{:?}", turn.topics());
    let said = turn.spoken().into_iter().map(|frame| &frame.data["utterance"]);
    said.skip(1)
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn says(story: &Story, words: &str) -> Turn {
    Utterance::new(words).ask(&story.probe).await
}

#[tokio::test]
async fn s22_a_yes_runs_it_once_and_ends_the_turn() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("The front door is open."),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    let yes = says(&story, "Yes, please.").await;
    assert_eq!((yes.spoken().len(), yes.ends()), (0, 1), "{:?}", yes.topics());
    assert_eq!(end(&story, &utterance, mark).await, ["The front door is open."]);
    assert_eq!(doors.calls().len(), 1);
    assert_eq!(story.reasons(1).await, ["DangerousTool"]);
    story.assert_goes_on().await;
}

#[tokio::test]
async fn s22_a_no_runs_nothing() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("All right, it stays locked."),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    says(&story, "No, not now").await;
    assert_eq!(
        end(&story, &utterance, mark).await,
        ["All right, it stays locked."]
    );
    assert!(doors.calls().is_empty());
    assert_eq!(story.reasons(1).await, ["ConfirmationDenied"]);
}

#[tokio::test]
async fn s22_silence_runs_nothing() {
    let (story, doors) = beside_a_door(|tester| tester, 1).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("I have left it locked."),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    assert_eq!(end(&story, &utterance, mark).await, ["I have left it locked."]);
    assert!(doors.calls().is_empty());
    // A yes that comes too late is a yes to nothing.
    story.script([Reply::answers("To what?")]);
    assert_eq!(says(&story, "Yes").await.answer(), "To what?");
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn s22_other_words_are_no_yes_and_are_answered_themselves() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("I have left it locked."),
        Reply::answers("It is late."),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    let other = Utterance::new("What time is it?");
    let second = other.enter(&story.probe).await;
    assert_eq!(end(&story, &utterance, mark).await, ["I have left it locked."]);
    assert_eq!(other.end(&story.probe, second).await.answer(), "It is late.");
    assert!(doors.calls().is_empty());
    assert_eq!(story.reasons(2).await, ["ConfirmationDenied", "Answered"]);
}

#[tokio::test]
async fn s22_stop_takes_the_question_back() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([Reply::acts("unlock_door", &front())]);
    let (utterance, mark) = asked_back(&story).await;
    says(&story, "Stop!").await;
    assert!(end(&story, &utterance, mark).await.is_empty());
    assert!(doors.calls().is_empty());
    assert_eq!(story.reasons(1).await, ["Stopped"]);
    story.script([Reply::answers("To what?")]);
    assert_eq!(says(&story, "Yes").await.answer(), "To what?");
}

#[tokio::test]
async fn s22_nobody_else_can_say_yes() {
    let (story, doors) = beside_a_door(|tester| tester, 2).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("I have left it locked."),
        Reply::answers("Yes to what?"),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    // Another session, and frames that are no utterance.
    Utterance::new("Yes")
        .in_session("somebody-else")
        .ask(&story.probe)
        .await;
    let context = json!({"session": {"session_id": "probe"}});
    for topic in [
        "loquat:converse",
        "loquat.converse.request",
        "mycroft.skills.converse.response",
    ] {
        let data = json!({"utterances": ["yes"], "utterance": "yes", "result": true});
        story
            .probe
            .send(&json!({"type": topic, "data": data, "context": context}))
            .await;
    }
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!(turn.topics().iter().filter(|topic| **topic == HANDLED).count(), 1);
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn s22_whoever_asks_out_of_band_cannot_be_asked_back() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("I may not do that."),
    ]);
    let query = json!({"utterance": "Unlock the front door", "persona_id": TESTER});
    let mark = story.probe.mark();
    story
        .probe
        .send(&json!({"type": "ovos.persona.query", "data": query, "context": {}}))
        .await;
    let is_answer = |frame: &loquat_tests::frame::Frame| frame.topic == "ovos.persona.answer";
    story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    let asked = |frame: &loquat_tests::frame::Frame| frame.topic == "speak";
    assert!(
        !story.probe.since(mark).iter().any(asked),
        "nobody is there to be asked"
    );
    assert!(doors.calls().is_empty());
}
