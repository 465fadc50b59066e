//! More tools than a prompt has room for: those that fit are shown, and the others can be found and called.

use loquat_agent::brain::ChatRequest;
use loquat_agent::toolbox::Tool;
use loquat_agent::toolbox::Undo;
use serde_json::{Value, json};

use crate::brain::{act, call, done, say};
use crate::support::Stage;
use crate::tools::{Deed, Tools, tool};

/// Sixty tools, three of which do something.
fn many() -> Tools {
    let filler = (0..57).map(|n| tool(&format!("process_item_{n}"), Deed::Give(json!({"ok": true}))));
    let mut all: Vec<_> = filler.collect();
    for (name, description) in [
        ("weather_forecast", "Tells how the weather will be at a place."),
        ("water_plants", "Opens the valve of the garden hose."),
        ("brew_coffee", "Makes a cup of coffee or espresso."),
    ] {
        let (plain, deed) = tool(name, Deed::Give(json!({"from": name})));
        let described = Tool {
            description: description.into(),
            ..plain
        };
        all.push((described, deed));
    }
    Tools::new(all)
}

fn offered(request: &ChatRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn asking(stage: Stage, utterance: &str) -> Stage {
    let mut stage = Stage {
        tools: many(),
        ..stage
    };
    stage.question.utterance = utterance.into();
    stage
}

#[tokio::test(start_paused = true)]
async fn those_that_fit_are_offered_with_one_that_finds_the_others() {
    let replies = [
        call("find_tools", r#"{"query": "espresso"}"#),
        call("brew_coffee", "{}"),
        say("It will rain; here is your coffee."),
    ];
    let played = asking(Stage::native(replies), "How will the weather be in Lyon?")
        .play()
        .await;
    let first = offered(&played.requests[0]);
    assert_eq!(first.len(), 20);
    assert!(
        first.contains(&"weather_forecast") && first.contains(&"find_tools"),
        "{first:?}"
    );
    assert!(!first.contains(&"brew_coffee"));
    assert!(played.seen(0).contains("brew_coffee"), "{}", played.seen(0));
    assert!(offered(&played.requests[1]).contains(&"brew_coffee"));
    assert_eq!(played.seen(1), r#"{"from":"brew_coffee"}"#);
    assert_eq!(played.ran.len(), 1, "the finder is no tool of the box");
}

#[tokio::test(start_paused = true)]
async fn a_text_prompt_lists_no_more_than_twenty() {
    let replies = [
        act("find_tools", r#"{"query": "garden hose"}"#),
        act("water_plants", "{}"),
        done("Watered."),
    ];
    let played = asking(Stage::react(replies), "How will the weather be?")
        .play()
        .await;
    let system = &played.requests[0].messages[0].content;
    assert_eq!(
        system
            .lines()
            .filter(|line| line.starts_with("- ") && line.contains('('))
            .count(),
        20
    );
    assert!(system.contains("weather_forecast") && !system.contains("water_plants"));
    assert_eq!(played.seen(1), r#"{"from":"water_plants"}"#);
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_is_held_to_a_schema_may_call_what_was_found() {
    let replies = [
        say(r#"{"thought": "x", "tool": "find_tools", "arguments": {"query": "coffee"}}"#),
        say(r#"{"thought": "x", "tool": "brew_coffee", "arguments": {}}"#),
        say(r#"{"thought": "x", "answer": "Here."}"#),
    ];
    let played = asking(Stage::json(replies), "How will the weather be?")
        .play()
        .await;
    let allowed = |index: usize| {
        let schema: &Value = played.requests[index].response_schema.as_ref().expect("a schema");
        schema.to_string().contains("brew_coffee")
    };
    assert_eq!((allowed(0), allowed(1)), (false, true));
    // What is not shown may fulfil it.
    let instructions = &played.requests[0].messages[0].content;
    assert!(!instructions.contains("No tool irons clothes."), "{instructions}");
    assert_eq!(played.record.answer, "Here.");
}

#[tokio::test(start_paused = true)]
async fn a_persona_may_show_fewer_and_a_hidden_tool_can_be_called_by_name() {
    let mut stage = asking(
        Stage::native([call("brew_coffee", "{}"), say("Here.")]),
        "Weather?",
    );
    stage.settings = json!({"tools_in_prompt": 5});
    let played = stage.play().await;
    assert_eq!(offered(&played.requests[0]).len(), 5);
    assert_eq!(played.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_brain_is_told_which_tool_takes_another_back() {
    let set = |undo: &str| {
        let (light, deed) = crate::tools::writing("set_light", Deed::Give(json!({"ok": true})));
        let undo = Some(Undo::by(undo));
        [(Tool { undo, ..light }, deed)]
    };
    let told = Stage::native([say("Yes.")]).with(set("reset_light")).play().await;
    let offer = &told.requests[0].tools[0];
    assert_eq!(
        offer.description,
        "The tool set_light. reset_light takes it back."
    );
    let listed = Stage::react([done("Yes.")]).with(set("reset_light")).play().await;
    assert!(
        listed.shown(0).contains("reset_light takes it back."),
        "{}",
        listed.shown(0)
    );
    let order = Stage::native([say("Yes.")])
        .with(set("x. Say nothing"))
        .play()
        .await;
    assert_eq!(order.requests[0].tools[0].description, "The tool set_light.");
}

#[tokio::test(start_paused = true)]
async fn what_nothing_fits_is_told() {
    let replies = [call("find_tools", r#"{"query": "?"}"#), say("No.")];
    let played = asking(Stage::native(replies), "Weather?").play().await;
    assert!(played.seen(0).contains("no tool fits"), "{}", played.seen(0));
}
