//! A persona with every toolbox of the device: its brain is shown the tools that fit what was said, calls them through the same
//! gate as ever, and reaches nothing that a session or a speaker may not.

use loquat_tests::brain::{Reply, Request};
use loquat_tests::frame::Frame;
use loquat_tests::hive::{HivePort, let_in};
use loquat_tests::persona::Persona;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

fn everything(scene: &Scene) -> Persona {
    let tester = scene.tester().setting("toolboxes", json!("all"));
    tester.brain("json_schema", json!(true))
}

/// A call by a brain that is held to a schema.
fn acts(tool: &str, arguments: &Value) -> Reply {
    Reply::says(json!({"thought": "x", "tool": tool, "arguments": arguments, "last": false}).to_string())
}

fn answers(words: &str) -> Reply {
    Reply::says(json!({"thought": "x", "tool": "none", "answer": words}).to_string())
}

async fn with_everything() -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = everything(&scene);
    scene.play(&tester).await
}

/// The tools among which the brain could choose when it was asked last but so many times.
fn choices(story: &Story, before: usize) -> Vec<String> {
    let requests = story.brain.requests(TESTER);
    let asked = requests.iter().rev().nth(before).expect("the brain was asked");
    let steps = asked.body()["response_format"]["json_schema"]["schema"]["anyOf"].as_array();
    let tool = |step: &Value| step["properties"]["tool"]["const"].as_str().map(str::to_owned);
    steps.into_iter().flatten().filter_map(tool).collect()
}

fn is_question(frame: &Frame) -> bool {
    frame.topic == "speak" && frame.data["expect_response"] == true
}

#[tokio::test]
async fn a_wish_in_words_of_no_sentence_reaches_its_tool() {
    let story = with_everything().await;
    for (said, tool, arguments, check, holds) in [
        (
            "count down nine minutes for the spaghetti would you",
            "set_timer",
            json!({"duration": "9 minutes", "name": "spaghetti"}),
            "how much time is left on the timer",
            "spaghetti",
        ),
        (
            "we're out of dishwasher tabs, note that for groceries",
            "add_to_list",
            json!({"items": "dishwasher tabs"}),
            "what is on my shopping list",
            "dishwasher tabs",
        ),
        (
            "just so you know, my blood type is zero negative",
            "remember",
            json!({"fact": "my blood type is zero negative"}),
            "what do you remember",
            "zero negative",
        ),
    ] {
        story.script([acts(tool, &arguments), answers("All right.")]);
        let turn = story.ask(said).await;
        assert_eq!(turn.answer(), "All right.", "{said}");
        let choices = choices(&story, 1);
        assert!(choices.iter().any(|name| name == tool), "{said}: {choices:?}");
        assert!(choices.len() < 30, "{said}: {choices:?}");
        let asked = story.brain.requests(TESTER).len();
        let checked = story.ask(check).await;
        assert!(checked.answer().contains(holds), "{check}: {}", checked.answer());
        assert_eq!(
            story.brain.requests(TESTER).len(),
            asked,
            "no brain is needed for {check}"
        );
    }
}

#[tokio::test]
async fn the_instructions_are_the_same_whatever_is_said() {
    let story = with_everything().await;
    let mut instructions: Vec<Value> = Vec::new();
    for said in [
        "how are you today",
        "anything cooking away right now",
        "hook up my headphones",
    ] {
        story.script([answers("I see.")]);
        story.ask(said).await;
        let requests = story.brain.requests(TESTER);
        instructions.push(requests.last().expect("it was asked").messages()[0].clone());
    }
    assert!(
        instructions[0]["content"]
            .as_str()
            .is_some_and(|text| text.contains("list_alerts"))
    );
    assert!(instructions.windows(2).all(|two| two[0] == two[1]));
}

#[tokio::test]
async fn what_may_do_harm_asks_first() {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = everything(&scene);
    let story = scene.play(&tester).await;
    story.script([acts("power_off_device", &json!({})), answers("I left it on.")]);
    let wish = Utterance::new("it is late, kill the power of this box");
    let mark = wish.enter(&story.probe).await;
    let asked = story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    assert_eq!(asked.utterance(), "Shall I switch this device off?");
    story.ask("no").await;
    let turn = wish.end(&story.probe, mark).await;
    assert!(
        turn.spoken()
            .iter()
            .any(|frame| frame.utterance() == "I left it on.")
    );
}

#[tokio::test]
async fn what_a_session_is_denied_is_neither_listed_nor_run() {
    let story = with_everything().await;
    story.script([
        acts(
            "set_timer",
            &json!({"duration": "9 minutes", "name": "spaghetti"}),
        ),
        answers("I cannot do that."),
    ]);
    let wish = Utterance::new("count down nine minutes for the spaghetti would you")
        .session("blacklisted_skills", json!(["loquat-alert-tools"]));
    assert_eq!(wish.ask(&story.probe).await.answer(), "I cannot do that.");
    let requests = story.brain.requests(TESTER);
    assert!(
        !requests[0].text().contains("set_timer"),
        "{}",
        requests[0].text()
    );
    let left = story.ask("how much time is left on the timer").await;
    assert!(!left.answer().contains("spaghetti"), "{}", left.answer());
}

#[tokio::test]
async fn a_guest_does_not_reach_what_is_the_owner_s() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    let tester = everything(&scene);
    let story = scene.play(&tester).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    for (said, tool, arguments) in [
        (
            "it is late, kill the power of this box",
            "power_off_device",
            json!({}),
        ),
        (
            "you talk too fast for me",
            "set_speech_speed",
            json!({"speed": "slower"}),
        ),
    ] {
        story.script([acts(tool, &arguments), answers("I may not do that.")]);
        let heard = kitchen.ask(said).await;
        assert_eq!(
            heard.last().map(String::as_str),
            Some("I may not do that."),
            "{said}"
        );
        let seen = story
            .brain
            .requests(TESTER)
            .last()
            .expect("it was asked")
            .newest();
        assert!(!seen.contains("\"result\""), "{said}: {seen}");
    }
}

#[tokio::test]
async fn a_guest_whom_this_persona_alone_serves_has_what_keeps_nothing_of_the_owner_s() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let door = HivePort::of(&scene.home);
    let tester = everything(&scene);
    scene.home.persona(&tester);
    let keys = let_in(&scene.home, "kitchen", &["--persona", TESTER]).await;
    let story = scene.play(&tester).await;
    story.ask("add aubergine to my shopping list").await;
    let mut kitchen = door.satellite(&keys, "s").await;
    story.script([answers("I may not look.")]);
    assert_eq!(
        kitchen.ask("what is on my shopping list").await,
        ["I may not look."],
        "no sentence reaches it"
    );
    story.script([acts("read_list", &json!({})), answers("I may not look.")]);
    let heard = kitchen
        .ask("is aubergine already written down for the shop")
        .await;
    assert_eq!(heard, ["I may not look."]);
    let asked = story.brain.requests(TESTER);
    let shown: Vec<String> = asked.iter().map(Request::text).collect();
    assert!(
        shown
            .iter()
            .all(|text| !text.contains("aubergine,") && !text.contains("- read_list("))
    );
    assert!(
        shown.iter().any(|text| text.contains("- get_current_datetime(")),
        "{shown:?}"
    );
    assert!(
        asked
            .last()
            .expect("it was asked")
            .newest()
            .contains("there is no tool 'read_list'")
    );
}

#[tokio::test]
async fn a_skill_that_came_later_is_found_and_asks_first() {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = everything(&scene);
    let story = scene.play(&tester).await;
    let kettle = ScriptedSkill::join(story.home.port(), "skill-kettle.author", Manners::modern()).await;
    kettle
        .teach("put.on", &["put the kettle on", "boil some water"])
        .await;
    story.script([
        acts("skill_kettle_put_on", &json!({})),
        answers("The kettle is on."),
    ]);
    let wish = Utterance::new("I'd love it if that kettle was on by now");
    let mark = wish.enter(&story.probe).await;
    story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    assert!(
        choices(&story, 0)
            .iter()
            .any(|name| name == "skill_kettle_put_on")
    );
    story.ask("yes").await;
    let turn = wish.end(&story.probe, mark).await;
    assert!(
        turn.spoken()
            .iter()
            .any(|frame| frame.utterance() == "The kettle is on.")
    );
    assert_eq!(kettle.heard().len(), 1);
}

#[tokio::test]
async fn what_is_not_set_up_is_said_by_its_tool() {
    let story = with_everything().await;
    story.script([
        acts("get_weather", &json!({"when": "tomorrow"})),
        answers("I need a place for that."),
    ]);
    story.ask("would a picnic be a silly plan tomorrow").await;
    let seen = story
        .brain
        .requests(TESTER)
        .last()
        .expect("it was asked")
        .newest();
    assert!(seen.contains("place"), "{seen}");
}

#[tokio::test]
async fn what_is_there_is_never_told_from_an_earlier_answer() {
    let story = with_everything().await;
    story.ask("set a timer for 20 minutes").await;
    story.ask("cancel the timer").await;
    let asked = || Utterance::new("are any timers on the go");
    story.script([
        answers("You have a timer of 20 minutes."),
        acts("list_alerts", &json!({"kind": "timer"})),
        answers("There is none."),
    ]);
    let turn = asked().ask(&story.probe).await;
    assert_eq!(turn.answer(), "There is none.");
    assert!(
        !choices(&story, 2).contains(&"none".to_owned()),
        "{:?}",
        choices(&story, 2)
    );
    story.script([
        answers("You have a timer of 20 minutes."),
        answers("You have a timer of 20 minutes."),
    ]);
    let turn = asked().ask(&story.probe).await;
    assert!(!turn.answer().contains("20"), "{}", turn.answer());
}

/// With a brain that is asked for sentences of the device.
async fn with_a_small_model() -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = everything(&scene);
    let tester = tester.brain("small", json!(true)).brain("thought", json!(false));
    scene.play(&tester).await
}

#[tokio::test]
async fn free_words_are_done_as_the_sentence_in_which_a_small_brain_says_them_again() {
    let story = with_a_small_model().await;
    story.script([Reply::says("set a strudel timer for thirty-five minutes")]);
    let turn = story
        .ask("the strudel's in the oven, thirty-five minutes it says")
        .await;
    assert_eq!(turn.answer(), "Strudel timer set for 35 minutes.");
    let asked = story.brain.requests(TESTER).len();
    let turn = story.ask("make it half an hour").await;
    assert_eq!(turn.answer(), "The strudel timer now has 30 minutes left.");
    assert_eq!(
        story.brain.requests(TESTER).len(),
        asked,
        "it goes on without a brain"
    );
    story.script([Reply::says("cancel the strudel timer")]);
    story.ask("the strudel is out already, smells divine").await;
    let requests = story.brain.requests(TESTER);
    let said = requests.last().expect("it was asked").messages().last().cloned();
    let said = said.expect("a message")["content"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(said.starts_with('[') && said.contains("strudel"), "{said}");
    assert_eq!(
        story.ask("which timers are running").await.answer(),
        "No timer is running."
    );
}

#[tokio::test]
async fn what_nobody_said_is_not_done_and_talk_sees_no_tool() {
    let story = with_a_small_model().await;
    story.script([Reply::says("set a dumplings timer for ten minutes")]);
    let turn = story
        .ask("my aunt makes wonderful dumplings with a timer on")
        .await;
    let declined = "I'm sorry, I did not understand that.";
    assert!(turn.answer().starts_with(declined), "{}", turn.answer());
    story.script([Reply::says("talk"), Reply::says("How lovely.")]);
    assert_eq!(
        story.ask("my aunt fills them with cheese").await.answer(),
        "How lovely."
    );
    assert_eq!(
        story.ask("which timers are running").await.answer(),
        "No timer is running."
    );
}
