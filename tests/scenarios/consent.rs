//! A tool that may do harm: the person is asked aloud, and yes, no, silence and other words each have their end. Of
//! several such tools at once each has a question of its own, one after the other.

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
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

/// A daemon whose persona may use a box that it does not trust.
async fn beside_a_door(change: impl FnOnce(Persona) -> Persona, seconds: u32) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    // The probe is a client of the bus.
    scene.home.setting("desk.consent_from", "\"bus\"");
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
    assert_eq!(
        question.data["utterance"],
        "Shall I do this: unlock door, text: front, unlock door?"
    );
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
async fn s22_the_wake_word_before_a_yes_is_no_interruption() {
    let (story, doors) = beside_a_door(|tester| tester, 30).await;
    story.script([
        Reply::acts("unlock_door", &front()),
        Reply::answers("The front door is open."),
    ]);
    let (utterance, mark) = asked_back(&story).await;
    let word = json!({"type": "ovos.listener.wakeword", "data": {"wake_word": "hey_mycroft"},
                      "context": {"session": {"session_id": "probe", "is_speaking": true}}});
    story.probe.send(&word).await;
    let hushed = |frame: &Frame| frame.topic == "ovos.audio.stop";
    story
        .probe
        .wait("the question to be hushed", mark, PATIENCE, hushed)
        .await;
    says(&story, "Yes").await;
    assert_eq!(end(&story, &utterance, mark).await, ["The front door is open."]);
    assert_eq!(doors.calls().len(), 1);
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
    story.script([Reply::answers("I asked nothing.")]);
    assert_eq!(says(&story, "Yes").await.answer(), "I asked nothing.");
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
    story.script([Reply::answers("I asked nothing.")]);
    assert_eq!(says(&story, "Yes").await.answer(), "I asked nothing.");
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
    let is_answer = |frame: &Frame| frame.topic == "ovos.persona.answer";
    story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    let asked = |frame: &Frame| frame.topic == "speak";
    assert!(
        !story.probe.since(mark).iter().any(asked),
        "nobody is there to be asked"
    );
    assert!(doors.calls().is_empty());
}

/// What the person is asked for each of two tools.
const DOOR: &str = "Shall I do this: unlock door, text: front, unlock door?";
const WINDOW: &str = "Shall I do this: open window, text: front, open window?";

/// A daemon whose persona plans two steps that need nothing of each other, and asks before either.
async fn with_two_deeds_at_once(seconds: u32) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    scene.home.setting("desk.consent_seconds", &seconds.to_string());
    let planner = Persona::new(TESTER, "ovos-plan-execute-loop", &scene.brain.url(TESTER));
    let planner = planner.brain("supports_tools", json!(false)).toolboxes(&[DOORS]);
    let story = scene.play(&planner).await;
    let tools = ["unlock_door", "open_window"];
    let tools = tools.map(|name| ScriptedTool::named(name, Act::Returns(front())));
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, tools.into()).await;
    let plan = json!({"steps": [{"step": "Unlock the door", "needs": []}, {"step": "Open the window", "needs": []}]});
    for (text, reply) in [
        ("do only step 1", Reply::acts("unlock_door", &front())),
        ("do only step 2", Reply::acts("open_window", &front())),
        ("Let some air in", Reply::says(plan.to_string())),
    ] {
        story.brain.whenever(TESTER, text, reply);
    }
    story.brain.after(TESTER, 1, Reply::answers("That is all."));
    (story, doors)
}

/// Enters the utterance of the two deeds in a session, and waits until the brain wants both.
async fn wants_both(story: &Story, session: &str) -> (Utterance, usize) {
    let utterance = Utterance::new("Let some air in").in_session(session);
    let requests = story.brain.requests(TESTER).len();
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, requests + 3, PATIENCE).await;
    (utterance, mark)
}

/// Waits for the next question in a session after `mark`.
async fn next_question(story: &Story, session: &str, mark: usize) -> String {
    let is_question = |frame: &Frame| {
        frame.topic == "speak" && frame.data["expect_response"] == true && frame.session_id() == session
    };
    let question = story.probe.wait("a question", mark, PATIENCE, is_question).await;
    question.utterance().to_owned()
}

/// The questions in a session so far.
fn questions(story: &Story, session: &str) -> usize {
    let asked = |frame: &&Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    let frames = story.probe.since(0);
    let asked = frames.iter().filter(asked);
    asked.filter(|frame| frame.session_id() == session).count()
}

/// The tool that a question is about.
fn tool_of(question: &str) -> &'static str {
    match question {
        DOOR => "unlock_door",
        WINDOW => "open_window",
        other => panic!("asked something else: {other}"),
    }
}

#[tokio::test]
async fn s22_of_two_questions_at_once_each_gets_its_own_answer() {
    let (story, doors) = with_two_deeds_at_once(30).await;
    for (session, answers) in [("yes-no", ["Yes", "No"]), ("no-yes", ["No", "Yes"])] {
        let before = doors.calls().len();
        let (utterance, mark) = wants_both(&story, session).await;
        let first = next_question(&story, session, mark).await;
        // Whatever was emitted before this answer has been seen when it is.
        story.daemon.answering(&story.probe).await;
        assert_eq!(questions(&story, session), 1, "one question is open at a time");

        let mark_of_answer = story.probe.mark();
        let said = Utterance::new(answers[0]).in_session(session);
        assert!(said.ask(&story.probe).await.spoken().is_empty());
        let second = next_question(&story, session, mark_of_answer).await;
        assert_ne!(first, second);
        let said = Utterance::new(answers[1]).in_session(session);
        assert!(said.ask(&story.probe).await.spoken().is_empty());

        let turn = utterance.end(&story.probe, mark).await;
        assert_eq!(turn.ends(), 1, "{:?}", turn.topics());
        let ran: Vec<String> = doors
            .calls()
            .into_iter()
            .skip(before)
            .map(|call| call.name)
            .collect();
        let agreed = if answers[0] == "Yes" { first } else { second };
        assert_eq!(ran, [tool_of(&agreed)], "{answers:?}");
    }
}

#[tokio::test]
async fn s22_a_stop_ends_the_open_question_and_the_one_that_waits() {
    let (story, doors) = with_two_deeds_at_once(30).await;
    let (utterance, mark) = wants_both(&story, "stopped").await;
    next_question(&story, "stopped", mark).await;
    // A session beside it is asked at once, whatever waits in this one.
    let (other, mark_of_other) = wants_both(&story, "beside").await;
    let question = next_question(&story, "beside", mark_of_other).await;

    Utterance::new("Stop!")
        .in_session("stopped")
        .ask(&story.probe)
        .await;
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!((turn.ends(), turn.spoken().len()), (1, 1), "{:?}", turn.topics());
    // A yes is now a yes to nothing, and the question that waited is never asked.
    story
        .brain
        .whenever(TESTER, "Yes indeed", Reply::answers("I asked nothing."));
    let late = Utterance::new("Yes indeed").in_session("stopped");
    assert_eq!(late.ask(&story.probe).await.answer(), "I asked nothing.");
    assert_eq!(questions(&story, "stopped"), 1);
    assert!(doors.calls().is_empty());

    // The session beside it goes on.
    for answer in ["Yes", "No"] {
        let mark = story.probe.mark();
        Utterance::new(answer)
            .in_session("beside")
            .ask(&story.probe)
            .await;
        if answer == "Yes" {
            assert_ne!(next_question(&story, "beside", mark).await, question);
        }
    }
    assert_eq!(other.end(&story.probe, mark_of_other).await.ends(), 1);
    let calls = doors.calls();
    let ran: Vec<(&str, &str)> = calls
        .iter()
        .map(|call| (call.session_id.as_str(), call.name.as_str()))
        .collect();
    assert_eq!(ran, [("beside", tool_of(&question))]);
}

#[tokio::test]
async fn s22_silence_to_a_question_is_silence_to_those_that_wait() {
    let (story, doors) = with_two_deeds_at_once(1).await;
    let (utterance, mark) = wants_both(&story, "silent").await;
    let turn = utterance.end(&story.probe, mark).await;
    assert_eq!((turn.ends(), questions(&story, "silent")), (1, 1));
    assert!(doors.calls().is_empty());
}
