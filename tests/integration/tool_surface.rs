//! Our toolboxes as others on the bus find and call them (TOOLS-1), and the silence that is asked for.

use std::time::Duration;

use loquat_tests::brain::{Reply, Request};
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// Long enough for an answer that should not come: all others come within milliseconds.
const SILENCE: Duration = Duration::from_millis(500);

const CALL: &str = "ovos.persona.tools.call";

async fn call(story: &Story, data: Value) -> Frame {
    story.probe.request(CALL, &data).await
}

fn math(name: &str, arguments: &Value) -> Value {
    json!({"toolbox_id": "ovos-math-tools", "name": name, "kwargs": arguments})
}

#[tokio::test]
async fn discovery_gives_one_answer_a_toolbox_with_schemas_both_ways() {
    let story = Story::begin().await;
    let mark = story.probe.mark();
    story
        .probe
        .send(&json!({"type": "ovos.persona.tools.discover", "context": {"source": "agent"}}))
        .await;
    let is_answer = |frame: &Frame| frame.topic == "ovos.persona.tools.discover.response";
    story
        .probe
        .recording()
        .wait_for_several("discovery", mark, 5, is_answer)
        .await;
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let mut ids = Vec::new();
    for answer in story.probe.since(mark).into_iter().filter(is_answer) {
        assert_eq!(answer.context["destination"], "agent");
        ids.push(answer.data["toolbox_id"].as_str().unwrap().to_owned());
        for tool in answer.data["tools"].as_array().unwrap() {
            assert_eq!(tool["toolbox_id"], answer.data["toolbox_id"], "{tool}");
            assert!(
                tool["name"].is_string() && tool["description"].is_string(),
                "{tool}"
            );
            assert_eq!(tool["argument_schema"]["type"], "object", "{tool}");
            assert_eq!(tool["output_schema"]["type"], "object", "{tool}");
        }
    }
    ids.sort();
    let expected = [
        "loquat-alert-tools",
        "loquat-list-tools",
        "loquat-memory-tools",
        "loquat-weather-tools",
        "ovos-clock-tools",
        "ovos-math-tools",
        "ovos-web-search-tools",
        "ovos-wikidata-tools",
        "ovos-wikipedia-tools",
        "ovos-wiktionary-tools",
    ];
    assert_eq!(ids, expected);
}

#[tokio::test]
async fn a_call_gives_exactly_one_of_result_and_error() {
    let story = Story::begin().await;
    let answer = call(&story, math("evaluate_expression", &json!({"expression": "6*7"}))).await;
    assert_eq!(answer.data["result"]["result"], 42.0, "{}", answer.data);
    assert_eq!(answer.data["toolbox_id"], "ovos-math-tools");
    assert!(answer.data.get("error").is_none());

    let faults = [
        (math("nope", &json!({})), "nope"),
        (math("evaluate_expression", &json!({})), "expression"),
        (
            math("evaluate_expression", &json!({"expression": ["6"]})),
            "expression",
        ),
        (json!({"toolbox_id": "ovos-math-tools", "kwargs": {}}), ""),
        (math("evaluate_expression", &json!({"expression": "1/0"})), ""),
    ];
    for (data, named) in faults {
        let answer = call(&story, data.clone()).await;
        let error = answer.data["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{data}: {}", answer.data));
        assert!(error.contains(named), "{data}: {error}");
        assert!(error.contains(": "), "the class comes first: {error}");
        assert!(answer.data.get("result").is_none());
    }
}

#[tokio::test]
async fn the_topic_of_the_toolbox_itself_is_served_too() {
    let story = Story::begin().await;
    let data = json!({"name": "evaluate_expression", "kwargs": {"expression": "6*7"}});
    let answer = story
        .probe
        .request("ovos.persona.tools.ovos-math-tools.call", &data)
        .await;
    assert_eq!(answer.data["result"]["result"], 42.0, "{}", answer.data);
}

#[tokio::test]
async fn calls_for_others_are_met_with_silence() {
    let story = Story::begin().await;
    let mark = story.probe.mark();
    for data in [
        json!({"toolbox_id": "elsewhere", "name": "x"}),
        json!({"name": "evaluate_expression"}),
        json!({}),
    ] {
        story
            .probe
            .send(&json!({"type": CALL, "data": data, "context": {"source": "agent"}}))
            .await;
    }
    story
        .probe
        .send(&json!({"type": "ovos.persona.tools.elsewhere.call", "data": {"name": "x"}}))
        .await;
    let is_answer = |frame: &Frame| frame.topic.ends_with(".call.response");
    assert!(story.probe.try_wait(mark, SILENCE, is_answer).await.is_none());
}

#[tokio::test]
async fn an_answer_carries_the_caller_s_own_context_back() {
    let story = Story::begin().await;
    let mark = story.probe.mark();
    let context = json!({"source": "agent", "tool_call_id": "c1", "session": {"session_id": "s1", "x": 1}});
    let data = math("evaluate_expression", &json!({"expression": "1+1"}));
    story
        .probe
        .send(&json!({"type": CALL, "data": data, "context": context}))
        .await;
    let answer = story.probe.wait("the answer", mark, PATIENCE, |frame| {
        frame.topic == "ovos.persona.tools.call.response"
    });
    let answer = answer.await;
    assert_eq!(answer.context["tool_call_id"], "c1");
    assert_eq!(answer.context["destination"], "agent");
    assert_eq!(answer.context["session"], json!({"session_id": "s1", "x": 1}));
}

#[tokio::test]
async fn the_flat_service_lists_gets_invokes_and_reloads() {
    let story = Story::begin().await;
    let list = story.probe.request("ovos.tools.list", &json!({})).await;
    let tools = list.data["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(
        names.contains(&"evaluate_expression") && names.contains(&"get_current_datetime"),
        "{names:?}"
    );

    let tool = story
        .probe
        .request("ovos.tools.get", &json!({"name": "evaluate_expression"}))
        .await;
    assert_eq!(tool.data["toolbox_id"], "ovos-math-tools");
    assert_eq!(tool.data["argument_schema"]["type"], "object");

    let args = json!({"name": "evaluate_expression", "args": {"expression": "6*7"}});
    let invoked = story.probe.request("ovos.tools.invoke", &args).await;
    assert_eq!(invoked.data["name"], "evaluate_expression");
    assert_eq!(invoked.data["result"]["result"].as_f64(), Some(42.0));

    let reloaded = story.probe.request("ovos.tools.reload", &json!({})).await;
    assert_eq!(reloaded.data["tools"].as_array().unwrap().len(), tools.len());
}

#[tokio::test]
async fn the_flat_service_words_its_errors_as_specified() {
    let story = Story::begin().await;
    let unknown = json!("Unknown tool: 'nope'");
    let missing = json!("Missing required field: 'name'");
    for (topic, data, error) in [
        ("ovos.tools.get", json!({"name": "nope"}), &unknown),
        ("ovos.tools.get", json!({}), &missing),
        ("ovos.tools.invoke", json!({"name": "nope"}), &unknown),
        ("ovos.tools.invoke", json!({}), &missing),
    ] {
        let answer = story.probe.request(topic, &data).await;
        assert_eq!(&answer.data["error"], error, "{topic} {data}");
    }
    let bad = json!({"name": "evaluate_expression", "args": {"expression": ["x"]}});
    let answer = story.probe.request("ovos.tools.invoke", &bad).await;
    assert!(
        answer.data["error"].as_str().unwrap().contains("expression"),
        "{}",
        answer.data
    );
    assert!(answer.data.get("result").is_none());
}

/// A daemon that offers these boxes.
async fn exposing(boxes: &str) -> Story {
    let scene = Scene::default();
    scene.home.setting("tools.expose", boxes);
    let tester = scene.tester();
    scene.play(&tester).await
}

/// The ids of the boxes that show themselves.
async fn discovered(story: &Story) -> Vec<String> {
    let mark = story.probe.mark();
    let question = json!({"type": "ovos.persona.tools.discover", "context": {"source": "agent"}});
    story.probe.send(&question).await;
    story.probe.try_wait(mark, SILENCE, |_| false).await;
    let frames = story.probe.since(mark).into_iter();
    let answers = frames.filter(|frame| frame.topic == "ovos.persona.tools.discover.response");
    answers
        .map(|frame| frame.data["toolbox_id"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[tokio::test]
async fn a_box_that_is_not_on_the_list_is_neither_shown_nor_called() {
    for (boxes, shown) in [
        ("[\"ovos-clock-tools\"]", vec!["ovos-clock-tools"]),
        ("[]", vec![]),
    ] {
        let story = exposing(boxes).await;
        assert_eq!(discovered(&story).await, shown, "{boxes}");
        let list = story.probe.request("ovos.tools.list", &json!({})).await.data["tools"].clone();
        let hidden = |tool: &Value| tool["toolbox_id"] == "ovos-math-tools";
        assert!(!list.as_array().unwrap().iter().any(hidden), "{boxes}: {list}");

        let mark = story.probe.mark();
        let data = math("evaluate_expression", &json!({"expression": "6*7"}));
        for topic in [CALL, "ovos.persona.tools.ovos-math-tools.call"] {
            let frame = json!({"type": topic, "data": data, "context": {"source": "agent"}});
            story.probe.send(&frame).await;
        }
        let is_answer = |frame: &Frame| frame.topic.ends_with(".call.response");
        assert!(
            story.probe.try_wait(mark, SILENCE, is_answer).await.is_none(),
            "{boxes}"
        );
        let arguments = json!({"name": "evaluate_expression", "args": {"expression": "6*7"}});
        let invoked = story.probe.request("ovos.tools.invoke", &arguments).await;
        assert_eq!(
            invoked.data["error"], "Unknown tool: 'evaluate_expression'",
            "{boxes}"
        );

        // The persona has its own list.
        story.script([
            Reply::acts("evaluate_expression", &json!({"expression": "6*7"})),
            Reply::answers("Forty two."),
        ]);
        assert_eq!(
            story.ask("Six times seven?").await.answer(),
            "Forty two.",
            "{boxes}"
        );
        assert!(story.brain.requests(TESTER)[1].newest().contains("42"), "{boxes}");
    }
}

#[tokio::test]
async fn a_box_of_a_stranger_that_no_persona_names_is_neither_asked_for_nor_called() {
    let story = Story::begin().await;
    let tool = ScriptedTool::named("strange_tool", Act::Returns(json!({"text": "x"})));
    let stranger = ScriptedToolbox::join(story.home.port(), "strange-tools", vec![tool]).await;
    let mark = story.probe.mark();
    story.script([
        Reply::acts("strange_tool", &json!({"text": "x"})),
        Reply::answers("I cannot do that."),
    ]);
    assert_eq!(story.ask("Do it").await.answer(), "I cannot do that.");
    assert!(stranger.calls().is_empty());
    let asked = |frame: &Frame| frame.topic.starts_with("ovos.persona.tools.");
    assert!(!story.probe.since(mark).iter().any(asked));
    let first = story
        .brain
        .requests(TESTER)
        .first()
        .map(Request::text)
        .unwrap_or_default();
    assert!(!first.contains("strange_tool"), "{first}");
}
