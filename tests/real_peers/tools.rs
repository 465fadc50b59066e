//! Our tools through the stock client: what comes back is what the schemas promise.

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::peers::Peers;
use serde_json::{Value, json};

use crate::{GENERATIONS, daemon};

/// The definition of a tool among the answers to discovery.
fn definition(answers: &Value, toolbox_id: &str, name: &str) -> Value {
    let boxes = answers.as_array().cloned().unwrap_or_default();
    let found = boxes.iter().find(|answer| answer["toolbox_id"] == toolbox_id);
    let tools = found.unwrap_or_else(|| panic!("no {toolbox_id} in {answers}"))["tools"].clone();
    let tools = tools.as_array().cloned().unwrap_or_default();
    tools
        .into_iter()
        .find(|tool| tool["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {answers}"))
}

fn assert_promised(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).expect("a tool's schema is a JSON Schema");
    let faults: Vec<_> = validator
        .iter_errors(value)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{value} breaks {schema}: {faults:?}");
}

#[tokio::test]
async fn discover_and_call_return_what_the_schemas_promise() {
    let calls = [
        (
            "ovos-math-tools",
            "evaluate_expression",
            json!({"expression": "17/100*2450"}),
        ),
        (
            "ovos-clock-tools",
            "get_current_datetime",
            json!({"timezone": "Asia/Tokyo"}),
        ),
    ];
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _) = peers.bus().await;
        let brain = ScriptedBrain::start().await;
        let (_daemon, _) = daemon(&peers, &brain).await;
        let answers = peers
            .stock_client(&["collect", "ovos.persona.tools.discover"])
            .await;
        assert_eq!(
            answers.as_array().map(Vec::len),
            Some(2),
            "one answer a toolbox: {answers}"
        );
        for (toolbox_id, name, arguments) in &calls {
            let tool = definition(&answers, toolbox_id, name);
            assert_promised(&tool["argument_schema"], arguments);
            let own_topic = format!("ovos.persona.tools.{toolbox_id}.call");
            for topic in ["ovos.persona.tools.call", &own_topic] {
                let call = json!({"toolbox_id": toolbox_id, "name": name, "kwargs": arguments}).to_string();
                let answer = peers.stock_client(&["request", topic, &call]).await;
                assert_eq!(answer["data"]["toolbox_id"], *toolbox_id, "{answer}");
                assert_promised(&tool["output_schema"], &answer["data"]["result"]);
            }
            let invoke = json!({"name": name, "args": arguments}).to_string();
            let answer = peers
                .stock_client(&["request", "ovos.tools.invoke", &invoke])
                .await;
            assert_promised(&tool["output_schema"], &answer["data"]["result"]);
        }
    }
}
