//! The gate's rules that a persona can change: unknown arguments, identifiers out of thin air, and repairs.

use std::time::Duration;

use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Category, Tool};
use serde_json::{Value, json};

use crate::brain::{Step, act, done};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, add, tool};

async fn play(settings: Value, tools: Tools, replies: impl IntoIterator<Item = Step>) -> Played {
    let stage = Stage {
        tools,
        settings,
        ..Stage::react(replies)
    };
    stage.play().await
}

#[tokio::test(start_paused = true)]
async fn unknown_arguments_are_dropped_or_a_mistake() {
    let extra = || act("add", r#"{"a": 1, "b": 2, "unit": "apples"}"#);
    let played = play(json!({}), Tools::new([add()]), [extra(), done("3")]).await;
    assert_eq!(played.ran, [("add".to_owned(), json!({"a": 1, "b": 2}))]);
    let strict = json!({"allow_input_pruning": false});
    let replies = [extra(), act("add", r#"{"a": 1, "B": 2}"#), done("3")];
    let played = play(strict, Tools::new([add()]), replies).await;
    assert_eq!(played.ran, [("add".to_owned(), json!({"a": 1, "b": 2}))]);
    assert!(
        played.seen(0).contains("no arguments named unit"),
        "{}",
        played.seen(0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_channel_may_be_denied_tools() {
    let settings = json!({"channels": {"query": {"categories": ["safe"]}}});
    for (channel, ran) in [("voice", 1), ("query", 0)] {
        let mut stage = Stage {
            settings: settings.clone(),
            tools: Tools::new([terminal("close"), add()]),
            ..Stage::react([act("close", "{}"), done("Good night.")])
        };
        stage.question.channel = Some(channel.to_owned());
        let played = stage.play().await;
        assert_eq!(played.ran.len(), ran, "{channel}");
        assert_eq!(played.shown(0).contains("close"), ran == 1, "{channel}");
        assert_eq!(played.record.answer, "Good night.", "{channel}");
    }
}

fn terminal(name: &str) -> (Tool, Deed) {
    let (tool, deed) = tool(name, Deed::Give(json!({"text": "Good night."})));
    let category = Category::Terminal;
    (Tool { category, ..tool }, deed)
}

fn lights() -> Tools {
    let (switch, deed) = tool("switch", Deed::Give(json!({"ok": true})));
    let switch = Tool {
        argument_schema: json!({
            "type": "object",
            "properties": {"entity_id": {"type": "string"}, "on": {"type": "boolean"}},
            "required": ["entity_id"]
        }),
        read_only: false,
        ..switch
    };
    let list = tool("list_lights", Deed::Give(json!({"lights": ["light.hall_2"]})));
    Tools::new([(switch, deed), list])
}

#[tokio::test(start_paused = true)]
async fn an_identifier_must_have_been_named() {
    let guess = || act("switch", r#"{"entity_id": "light.hall_2"}"#);
    let replies = [guess(), act("list_lights", "{}"), guess(), done("Done.")];
    let played = play(json!({}), lights(), replies).await;
    let ran: Vec<&str> = played.ran.iter().map(|(tool, _)| tool.as_str()).collect();
    assert_eq!(ran, ["list_lights", "switch"]);
    assert!(
        played
            .seen(0)
            .contains("'entity_id' must be one that the person or a tool has named"),
        "{}",
        played.seen(0)
    );
    let free = json!({"ground_identifiers": false});
    let played = play(free, lights(), [guess(), done("Done.")]).await;
    assert_eq!(played.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_names_a_thing_may_have_it() {
    let mut stage = Stage {
        tools: lights(),
        ..Stage::react([act("switch", r#"{"entity_id": "light.kitchen"}"#), done("Done.")])
    };
    stage.question.utterance = "Switch on the light in the kitchen".into();
    assert_eq!(stage.play().await.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn repairs_are_bounded_and_can_be_switched_off() {
    let wrong = || act("add", r#"{"a": "many"}"#);
    let brain_calls = |settings: Value| async move {
        let replies = std::iter::repeat_with(wrong).take(4).chain([done("No idea.")]);
        let played = play(settings, Tools::new([add()]), replies).await;
        assert!(played.ran.is_empty());
        played.record.brain_calls
    };
    // The first and its two repairs; then the closing answer, which is a call again and counts for nothing.
    assert_eq!(brain_calls(json!({})).await, 4);
    assert_eq!(brain_calls(json!({"max_parse_retries": 1})).await, 3);
    assert_eq!(brain_calls(json!({"repair_with_llm": false})).await, 2);
}

#[tokio::test(start_paused = true)]
async fn without_repairs_the_answer_follows_at_once() {
    let replies = [act("add", r#"{"a": 1}"#), done("I cannot add that.")];
    let played = play(json!({"repair_with_llm": "false"}), Tools::new([add()]), replies).await;
    assert_eq!(
        (
            played.record.reason,
            played.record.answer.as_str(),
            played.record.brain_calls
        ),
        (Reason::Answered, "I cannot add that.", 2)
    );
}

#[tokio::test(start_paused = true)]
async fn what_goes_on_after_the_turn_is_not_cancelled_with_it() {
    for (category, goes_on) in [(Category::Async, true), (Category::Safe, false)] {
        let (timer, deed) = tool(
            "timer",
            Deed::Slow(Duration::from_secs(1), json!({"started": true})),
        );
        let timer = Tool { category, ..timer };
        let (stopper, stop) = loquat_agent::turn::stop_pair();
        let tools = std::sync::Arc::new(Tools::new([(timer, deed)]));
        let script = crate::brain::Script::new(
            loquat_agent::brain::Capabilities::default(),
            vec![act("timer", "{}"), done("It runs.")],
            stopper,
        );
        let means = loquat_agent::turn::Means {
            brain: std::sync::Arc::new(script),
            toolboxes: vec![
                std::sync::Arc::clone(&tools) as std::sync::Arc<dyn loquat_agent::toolbox::Toolbox>
            ],
            arrivals: None,
            grammar: None,
            budget: loquat_agent::turn::Budget::default(),
            settings: serde_json::Map::new(),
            observer: std::sync::Arc::new(()),
            stop,
            turn_cache: std::sync::Arc::default(),
            person: None,
        };
        let engine = loquat_agent::engine::find("ovos-react-loop").unwrap();
        let question = loquat_agent::turn::Question {
            utterance: "Wake me".into(),
            ..Default::default()
        };
        let record = loquat_agent::answer(engine, question, means).await;
        assert_eq!(record.answer, "It runs.");
        let cancel = tools.last_cancel.lock().unwrap().clone().expect("the tool ran");
        assert_eq!(!cancel.is_cancelled(), goes_on, "{category:?}");
    }
}
