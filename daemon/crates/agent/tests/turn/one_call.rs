//! One brain call where one tool answers: the tool's sentence ends the turn when the brain says that it is the whole answer.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::ChatMessage;
use loquat_agent::consent::Consent;
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Category, Tool};
use loquat_agent::turn::TurnCache;
use serde_json::{Value, json};

use crate::brain::{Step, act, done, say};
use crate::consent;
use crate::support::{Played, Stage};
use crate::tools::{Deed, tool};

const SENTENCE: &str = "It is 21 degrees. Take a hat.";

fn weather() -> (Tool, Deed) {
    tool("weather", Deed::Tell(json!({"degrees": 21}), SENTENCE))
}

fn step(tool: &str, last: &Value) -> Step {
    let step = json!({"thought": "x", "tool": tool, "arguments": {}, "last": last});
    say(step.to_string())
}

fn answer() -> Step {
    say(r#"{"thought": "x", "tool": "none", "answer": "The brain's words."}"#)
}

fn whole() -> Stage {
    Stage::json([step("weather", &json!(true)), answer()]).with([weather()])
}

fn calls(played: &Played) -> u32 {
    played.record.brain_calls
}

#[tokio::test(start_paused = true)]
async fn the_tools_sentence_is_the_answer() {
    for engine in ["ovos-react-loop", "ovos-native-toolcall-loop", "auto"] {
        let played = Stage { engine, ..whole() }.play().await;
        assert_eq!(
            (played.end(), calls(&played)),
            ((Reason::FinalTool, SENTENCE), 1),
            "{engine}"
        );
        let remembered = [
            ChatMessage::user("What is 2 plus 3?"),
            ChatMessage::assistant(SENTENCE),
        ];
        assert_eq!(played.record.history, remembered, "{engine}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_brain_is_asked_again_where_the_call_is_not_the_whole_answer() {
    let true_ = json!(true);
    let silent = tool("weather", Deed::Give(json!({"degrees": 21})));
    let failing = tool("weather", Deed::Complain("ValueError", "no such place"));
    let mute = tool("weather", Deed::Tell(json!({"degrees": 21}), " "));
    let stages = [
        ("it says so", step("weather", &json!(false)), weather()),
        (
            "it does not say",
            say(r#"{"tool": "weather", "arguments": {}}"#),
            weather(),
        ),
        (
            "it says something else",
            step("weather", &json!("true")),
            weather(),
        ),
        ("the tool has no sentence", step("weather", &true_), silent),
        ("the tool's sentence says nothing", step("weather", &true_), mute),
        ("the call failed", step("weather", &true_), failing),
        ("there is no such tool", step("forecast", &true_), weather()),
        (
            "there are two calls",
            say(
                r#"[{"tool": "weather", "arguments": {}, "last": true}, {"tool": "weather", "arguments": {"x": 1}, "last": true}]"#,
            ),
            weather(),
        ),
    ];
    for (why, first, tool) in stages {
        let played = Stage::json([first, answer()]).with([tool]).play().await;
        assert_eq!(
            (played.end(), calls(&played)),
            ((Reason::Answered, "The brain's words."), 2),
            "{why}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_about_something_that_was_not_said_is_not_the_whole_answer() {
    for (question, lang, place, calls_wanted) in [
        ("What is the capital of Portugal?", "en-US", "Lisbon", 2),
        ("Is it warm in Paris?", "en-US", "Europe/Paris", 1),
        ("Is it warm?", "en-US", "here", 1),
        ("How warm will it get?", "en-US", "today", 1),
        ("Wie warm ist es in Mailand?", "de-DE", "Milan", 1),
    ] {
        let step = json!({"thought": "x", "tool": "weather", "arguments": {"place": place}, "last": true});
        let (tool, deed) = weather();
        let argument_schema = json!({"type": "object", "properties": {"place": {"type": "string"}}});
        let tool = Tool {
            argument_schema,
            ..tool
        };
        let mut stage = Stage::json([say(step.to_string()), answer()]).with([(tool, deed)]);
        question.clone_into(&mut stage.question.utterance);
        stage.question.lang = Some(lang.to_owned());
        assert_eq!(calls(&stage.play().await), calls_wanted, "{place} for {question}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_persona_can_have_the_brain_word_every_answer() {
    let stage = Stage {
        settings: json!({"one_call": false}),
        ..whole()
    };
    let played = stage.play().await;
    assert_eq!(
        (played.record.answer.as_str(), calls(&played)),
        ("The brain's words.", 2)
    );
    let first = &played.requests[0];
    let schema = first.response_schema.as_ref().expect("a schema");
    assert_eq!(schema["anyOf"][0]["properties"].get("last"), None);
    assert!(
        !first.messages[0].content.contains("last is"),
        "{}",
        played.shown(0)
    );
}

#[tokio::test(start_paused = true)]
async fn an_engine_sees_what_a_turn_within_its_turn_brought() {
    let played = Stage {
        engine: "ovos-plan-execute-loop",
        ..Stage::json([
            say(r#"{"thought": "x", "steps": [{"step": "Look at the weather", "needs": []}]}"#),
            step("weather", &json!(true)),
            answer(),
        ])
    };
    let played = played.with([weather()]).play().await;
    assert_eq!(
        (played.end(), calls(&played)),
        ((Reason::Answered, "The brain's words."), 3)
    );
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_tool_keeps_its_reason() {
    let (tool, deed) = weather();
    let dangerous = Tool {
        category: Category::Dangerous,
        ..tool
    };
    let (played, asked) = consent::play(Consent::Given, whole().with([(dangerous, deed)])).await;
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (played.end(), calls(&played)),
        ((Reason::DangerousTool, SENTENCE), 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_used_again_keeps_its_sentence_in_its_language() {
    let turn_cache = Arc::new(TurnCache::default());
    for (lang, ran) in [("en-US", 1), ("en-US", 0), ("de-DE", 1), ("de-DE", 0)] {
        let (tool, deed) = weather();
        let kept = Tool {
            cacheable: Duration::from_secs(600),
            ..tool
        };
        let mut stage = Stage {
            turn_cache: Arc::clone(&turn_cache),
            ..whole()
        };
        stage.question.lang = Some(lang.to_owned());
        let played = stage.with([(kept, deed)]).play().await;
        assert_eq!(
            (played.end(), played.ran.len(), calls(&played)),
            ((Reason::FinalTool, SENTENCE), ran, 1),
            "{lang}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn strangers_words_in_a_sentence_mark_the_turn() {
    let (tool, deed) = weather();
    let foreign = Tool {
        brings_foreign_text: true,
        ..tool
    };
    let played = whole().with([(foreign, deed)]).play().await;
    assert_eq!(played.record.taint.as_deref(), Some("test-tools/weather"));
    assert!(played.happened(|event| matches!(event, Event::Tainted { .. })));
    assert!(played.record.history[1].foreign);
}

#[tokio::test(start_paused = true)]
async fn in_other_dialects_the_brain_words_the_answer() {
    let played = Stage::react([act("weather", "{}"), done("Warm.")])
        .with([weather()])
        .play()
        .await;
    assert_eq!((played.end(), calls(&played)), ((Reason::Answered, "Warm."), 2));
    assert!(!played.shown(0).contains("last is"), "{}", played.shown(0));
}

#[tokio::test(start_paused = true)]
async fn the_examples_show_both_a_whole_answer_and_a_part_of_one() {
    let played = Stage::json([answer()]).with([weather()]).play().await;
    let shown = played.shown(0);
    let examples = shown.split("Examples:\n").nth(1).expect("examples");
    for last in ["\"last\": true}", "\"last\": false}\nObservation: "] {
        assert_eq!(examples.matches(last).count(), 1, "{last} in {examples}");
    }
}

/// Makes two calls in one reply, of which the second is made with what the first brings.
fn chain() -> Step {
    say(
        r##"{"thought": "x", "calls": [{"tool": "weather", "arguments": {}}, {"tool": "clothes", "arguments": {"degrees": "#E1"}}], "last": true}"##,
    )
}

#[tokio::test(start_paused = true)]
async fn a_call_made_with_what_an_earlier_one_brought_may_be_the_whole_answer() {
    let (weather, deed) = weather();
    let weather = Tool {
        value: Some("degrees".to_owned()),
        ..weather
    };
    let deed_with_more = Deed::Tell(json!({"degrees": 21, "rain": false}), SENTENCE);
    for first in [deed, deed_with_more] {
        let (clothes, told) = tool("clothes", Deed::Tell(json!({"hat": true}), "Take a hat."));
        let clothes = Tool {
            argument_schema: json!({"type": "object", "properties": {"degrees": {"type": "number"}}}),
            ..clothes
        };
        let played = Stage::json([chain(), answer()])
            .with([(weather.clone(), first), (clothes, told)])
            .play()
            .await;
        assert_eq!(
            (played.end(), calls(&played)),
            ((Reason::FinalTool, "Take a hat."), 1)
        );
        let second = ("clothes".to_owned(), json!({"degrees": 21}));
        assert_eq!(played.ran, [("weather".to_owned(), json!({})), second]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_chain_that_breaks_is_shown_to_the_brain() {
    let broken = tool("weather", Deed::Complain("ValueError", "no such place"));
    let clothes = tool("clothes", Deed::Tell(json!({"hat": true}), "Take a hat."));
    let played = Stage::json([chain(), answer()])
        .with([broken, clothes])
        .play()
        .await;
    assert_eq!(
        (played.end(), calls(&played)),
        ((Reason::Answered, "The brain's words."), 2)
    );
    assert_eq!(played.ran.len(), 1, "{:?}", played.ran);
    assert!(
        played.last_shown().contains("brought no result"),
        "{}",
        played.last_shown()
    );
}

#[tokio::test(start_paused = true)]
async fn a_brain_is_not_shown_twice_what_a_result_says() {
    let moment = json!({"spoken": "Monday, 4 PM", "iso": "2026-11-23T16:00", "zone": "UTC"});
    let (clock, deed) = tool("weather", Deed::Give(moment));
    let clock = Tool {
        retold: vec!["iso".to_owned()],
        ..clock
    };
    let played = Stage::json([step("weather", &json!(false)), answer()])
        .with([(clock, deed)])
        .play()
        .await;
    let shown = played.last_shown();
    assert!(
        shown.contains(r#"{"spoken":"Monday, 4 PM","zone":"UTC"}"#),
        "{shown}"
    );
}
