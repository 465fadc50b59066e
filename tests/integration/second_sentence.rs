//! Conversations in which a sentence means something only behind the one before it: what is said is done, what was not meant is
//! taken back, and no brain is asked. The state is looked at after each turn.

mod at_home;
mod beside_core;
mod talks;
mod weather;

use loquat_tests::brain::Reply;
use loquat_tests::clock::{days_at_noon, zone_of_noon};
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

use self::talks::{TALKS, There};
use crate::story::{Scene, Story, TESTER};

/// What the persona says to all that no tool understands.
const PERSONA: &str = "The persona has it.";

async fn story() -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let zone = format!("{:?}", zone_of_noon());
    scene.home.setting("device.time_zone", &zone);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers(PERSONA));
    story
}

/// What a tool gives.
async fn called(story: &Story, toolbox_id: &str, (tool, arguments): (&str, Value)) -> Value {
    let call = json!({"toolbox_id": toolbox_id, "name": tool, "kwargs": arguments});
    let answer = story.probe.request("ovos.persona.tools.call", &call).await;
    answer.data["result"].clone()
}

/// What is set and what is on the shopping list, in words.
async fn there(story: &Story) -> (u64, String, String) {
    let alerts = called(story, "loquat-alert-tools", ("list_alerts", json!({}))).await;
    let list = called(
        story,
        "loquat-list-tools",
        ("read_list", json!({"list": "shopping"})),
    )
    .await;
    let items = list["items"].as_array().cloned().unwrap_or_default();
    let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    let told = format!("{} {}", alerts["alerts"], alerts["timers"]);
    (
        alerts["count"].as_u64().unwrap_or_default(),
        told,
        items.join(", "),
    )
}

/// Puts the names of the days that come third and fourth after today in their places.
fn with_days(text: &str) -> String {
    const NAMES: [&str; 7] = [
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
    ];
    let named = |ahead: u64| NAMES[usize::try_from((days_at_noon() + ahead) % 7).unwrap_or_default()];
    text.replace("{third day}", named(3))
        .replace("{fourth day}", named(4))
}

/// What is not as it should be.
fn wrong(expected: &There, (count, told, items): &(u64, String, String)) -> Option<String> {
    let There { alerts, among, list } = expected;
    let is_told = |part: &&str| told.contains(&with_days(part));
    let is_right = *alerts == *count && *list == items && among.iter().all(is_told);
    (!is_right).then(|| format!("{count} set: {told}; on the list: {items}"))
}

#[tokio::test]
async fn a_second_sentence_goes_on_with_the_first() {
    let mut faults = Vec::new();
    for (lang, turns) in TALKS {
        let story = story().await;
        for (said, begins, expected) in *turns {
            let turn = Utterance::new(&with_days(said)).session("lang", json!(lang));
            let turn = turn.ask(&story.probe).await;
            let spoken: Vec<&str> = turn.spoken().iter().map(|frame| frame.utterance()).collect();
            let answer = spoken.join(" ");
            let words: Vec<&str> = answer.split_whitespace().collect();
            let stammers = words.windows(2).any(|pair| pair[0] == pair[1]);
            let is_answered = answer.starts_with(begins) && !stammers;
            let state = wrong(expected, &there(&story).await);
            if !is_answered || state.is_some() {
                faults.push((*said, answer, state));
            }
        }
        let asked = story.brain.requests(TESTER).len();
        let expected = turns.iter().filter(|(_, begins, _)| *begins == PERSONA).count();
        if asked != expected {
            let first = turns.first().map_or("", |(said, _, _)| said);
            faults.push((first, format!("{asked} requests to the brain"), None));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn what_others_said_or_was_forgotten_serves_nobody() {
    let story = story().await;
    story.ask("What time is it in Tokyo?").await;
    let elsewhere = Utterance::new("and in London?").in_session("kitchen");
    assert_eq!(elsewhere.ask(&story.probe).await.answer(), PERSONA);
    // An utterance that is understood nowhere lies between.
    story.ask("What time is it in Tokyo?").await;
    assert_eq!(story.ask("the colour out of space").await.answer(), PERSONA);
    assert_eq!(story.ask("and in London?").await.answer(), PERSONA);
    story.ask("Add milk to my shopping list").await;
    story.ask("Forget this conversation").await;
    assert_eq!(story.ask("and bread").await.answer(), PERSONA);
}

#[tokio::test]
async fn a_brain_is_told_once_as_what_the_sentence_before_was_understood() {
    let story = story().await;
    story.ask("Set a timer for 5 minutes").await;
    story.ask("and a unicorn in the garden of course").await;
    story.ask("and a dragon in the garden of course").await;
    let requests = story.brain.requests(TESTER);
    let tells = |at: usize| {
        requests[at]
            .body()
            .to_string()
            .contains("was carried out as the call")
    };
    assert_eq!((requests.len(), tells(0), tells(1)), (2, true, false));
    let first = requests[0].body()["messages"][0].to_string();
    assert_eq!(
        first,
        requests[1].body()["messages"][0].to_string(),
        "the instructions stay"
    );
}
