//! A persona asks another: the other answers with its own brain and tools, nothing of it is spoken, and rights and limits
//! only shrink on the way.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const PERSONAS: &str = "loquat-persona-tools";

const SCOUT: &str = "Scout";

fn question(text: &str) -> Value {
    json!({"question": text})
}

fn scout(scene: &Scene) -> Persona {
    Persona::react(SCOUT, &scene.brain.url(SCOUT)).key("description", json!("looks things up"))
}

fn asking(persona: Persona, settings: Value) -> Persona {
    persona
        .toolboxes(&["ovos-math-tools", PERSONAS])
        .setting(PERSONAS, settings)
}

/// A daemon whose usual persona may ask the scout.
async fn with_scout(settings: Value, change: impl FnOnce(Persona) -> Persona) -> Story {
    let scene = Scene::default();
    scene.home.persona(&change(scout(&scene)));
    let tester = asking(scene.tester(), settings);
    scene.play(&tester).await
}

fn newest(story: &Story) -> String {
    story.brain.requests(TESTER).last().unwrap().newest()
}

#[tokio::test]
async fn a_persona_is_asked_as_a_tool_and_only_the_asking_one_is_spoken() {
    let story = with_scout(json!({"personas": [SCOUT]}), |scout| scout).await;
    story.script([Reply::answers("Hello, I am the tester.")]);
    story.ask("My secret word is aubergine").await;
    story.script([
        Reply::acts("ask_scout", &question("How high is the Eiffel tower?")),
        Reply::answers("It is 330 metres high."),
    ]);
    story.brain.script(SCOUT, [Reply::answers("330 metres.")]);
    let turn = story.ask("How high is the Eiffel tower?").await;
    assert_eq!(turn.answer(), "It is 330 metres high.");
    assert_eq!(turn.spoken().len(), 1);
    assert!(newest(&story).contains("330 metres."), "{}", newest(&story));
    let shown = story.brain.requests(SCOUT)[0].text();
    assert!(
        shown.contains("Eiffel") && !shown.contains("aubergine"),
        "{shown}"
    );
    let replay = Launch::new(&story.home, &["replay", "last"]).run().await;
    assert!(replay.status.success(), "{}", replay.shown());
}

#[tokio::test]
async fn without_insulation_the_asked_persona_sees_the_conversation() {
    let settings = json!({"personas": [SCOUT], "insulation": "none"});
    let story = with_scout(settings, |scout| scout.toolboxes(&["ovos-math-tools"])).await;
    story.script([Reply::answers("Noted.")]);
    story.ask("My secret word is aubergine").await;
    story.script([
        Reply::acts("ask_scout", &question("What is my word, and 6*7?")),
        Reply::answers("Aubergine."),
    ]);
    story.brain.script(
        SCOUT,
        [
            Reply::acts("calculate", &json!({"expression": "6*7"})),
            Reply::answers("It is aubergine."),
        ],
    );
    assert_eq!(
        story.ask("What is my word, and 6*7?").await.answer(),
        "Aubergine."
    );
    assert!(story.brain.requests(SCOUT)[0].text().contains("aubergine"));
    assert!(newest(&story).contains("calculate"), "{}", newest(&story));
}

#[tokio::test]
async fn circles_and_too_many_questions_are_refused_with_a_sentence() {
    let scene = Scene::default();
    let all = json!({"personas": [SCOUT, TESTER, "Nobody"], "max_depth": 1});
    scene
        .home
        .persona(&asking(scout(&scene), json!({"personas": [TESTER, "Third"]})));
    scene
        .home
        .persona(&Persona::react("Third", &scene.brain.url("Third")));
    let tester = asking(scene.tester(), all);
    let story = scene.play(&tester).await;
    story.script([
        Reply::acts("ask_tester", &question("Me?")),
        Reply::acts("ask_nobody", &question("You?")),
        Reply::acts("ask_scout", &question("What now?")),
        Reply::answers("That is all."),
    ]);
    story.brain.script(
        SCOUT,
        [
            Reply::acts("ask_tester", &question("And you?")),
            Reply::acts("ask_third", &question("Or you?")),
            Reply::answers("Nobody else knows."),
        ],
    );
    assert_eq!(story.ask("Ask around").await.answer(), "That is all.");
    let asked = story.brain.requests(TESTER);
    assert!(
        asked[1].newest().contains("cannot ask itself"),
        "{}",
        asked[1].newest()
    );
    assert!(
        asked[2].newest().contains("there is no tool"),
        "{}",
        asked[2].newest()
    );
    let scout = story.brain.requests(SCOUT);
    assert!(
        scout[1].newest().contains("waits for this answer"),
        "{}",
        scout[1].newest()
    );
    assert!(
        scout[2].newest().contains("no further persona"),
        "{}",
        scout[2].newest()
    );
    assert!(story.brain.requests("Third").is_empty());
    story.daemon.wrote("a persona cannot ask itself", PATIENCE).await;
    story
        .daemon
        .wrote("there is no persona of this name", PATIENCE)
        .await;
}

#[tokio::test]
async fn a_turn_asks_so_often_and_no_more() {
    let story = with_scout(json!({"personas": [SCOUT], "max_delegations": 1}), |scout| scout).await;
    story.script([
        Reply::acts("ask_scout", &question("One?")),
        Reply::acts("ask_scout", &question("Two?")),
        Reply::answers("One is enough."),
    ]);
    story.brain.script(SCOUT, [Reply::answers("One.")]);
    assert_eq!(story.ask("Ask twice").await.answer(), "One is enough.");
    assert!(newest(&story).contains("1 times already"), "{}", newest(&story));
    assert_eq!(story.brain.requests(SCOUT).len(), 1);
}

#[tokio::test]
async fn the_channel_of_the_asking_persona_binds_the_asked_one_too() {
    let scene = Scene::default();
    scene
        .home
        .persona(&scout(&scene).toolboxes(&[]).trusting("door-tools"));
    let tester = asking(scene.tester(), json!({"personas": [SCOUT]}))
        .setting("channels", json!({"text": {"tools": ["ask_scout"]}}));
    let story = scene.play(&tester).await;
    let door = ScriptedTool::named("unlock_door", Act::Returns(json!({"text": "open"})));
    let doors = ScriptedToolbox::join(story.home.port(), "door-tools", vec![door]).await;
    story.script([
        Reply::acts("ask_scout", &question("Unlock it")),
        Reply::answers("I may not."),
    ]);
    story.brain.script(
        SCOUT,
        [
            Reply::acts("unlock_door", &json!({"text": "front"})),
            Reply::answers("It cannot be done."),
        ],
    );
    assert_eq!(story.ask("Unlock the door").await.answer(), "I may not.");
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn a_question_for_a_yes_of_the_asked_persona_reaches_the_person() {
    let scene = Scene::default();
    scene.home.persona(&scout(&scene).toolboxes(&["door-tools"]));
    let tester = asking(scene.tester(), json!({"personas": [SCOUT]}));
    let story = scene.play_attended(&tester).await;
    let door = ScriptedTool::named("unlock_door", Act::Returns(json!({"text": "front"})));
    let doors = ScriptedToolbox::join(story.home.port(), "door-tools", vec![door]).await;
    story.script([
        Reply::acts("ask_scout", &question("Unlock the front door")),
        Reply::answers("That was the door."),
    ]);
    story.brain.script(
        SCOUT,
        [
            Reply::acts("unlock_door", &json!({"text": "front"})),
            Reply::answers("It is open."),
        ],
    );
    let mark = story.probe.mark();
    story.daemon.types("Unlock the front door").await;
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    assert!(doors.calls().is_empty());
    story.daemon.types("Yes, please").await;
    doors.called(1, PATIENCE).await;
    let is_answer = |frame: &Frame| frame.is_speak() && frame.utterance() == "That was the door.";
    story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
}

#[tokio::test]
async fn a_stop_reaches_the_asked_persona() {
    let story = with_scout(json!({"personas": [SCOUT]}), |scout| scout).await;
    let never = Gate::default();
    story.script([Reply::acts("ask_scout", &question("What?"))]);
    story
        .brain
        .script(SCOUT, [Reply::answers("Never heard.").behind(&never)]);
    let utterance = Utterance::new("Ask the scout");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(SCOUT, 1, PATIENCE).await;
    Utterance::new("stop").enter(&story.probe).await;
    assert_eq!(utterance.end(&story.probe, mark).await.ends(), 1);
    story.brain.abandoned(SCOUT, 1, PATIENCE).await;
    story.assert_goes_on().await;
}
