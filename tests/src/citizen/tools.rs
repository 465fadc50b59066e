//! Tools (TOOLS-1).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Row, Stand, row, verdict};
use crate::frame::Frame;

const CALL: &str = "ovos.persona.tools.call";
const ANSWER: &str = "ovos.persona.tools.call.response";

fn math(name: &str, kwargs: &Value) -> Value {
    json!({"toolbox_id": "ovos-math-tools", "name": name, "kwargs": kwargs})
}

async fn call(stand: &Stand, data: Value) -> Vec<Value> {
    let answers = stand
        .answers(CALL, data, json!({"tool_call_id": "c1"}), ANSWER)
        .await;
    answers.into_iter().map(|answer| answer.data).collect()
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("TO-1", "a tool has its five fields", |stand| {
            let list = stand.probe.request("ovos.tools.list", &json!({})).await;
            let tools = list.data["tools"].as_array().cloned().unwrap_or_default();
            let whole = |tool: &Value| {
                let texts = ["name", "description", "toolbox_id"]
                    .iter()
                    .all(|key| tool[*key].is_string());
                texts && tool["argument_schema"].is_object() && tool["output_schema"].is_object()
            };
            verdict(
                !tools.is_empty() && tools.iter().all(whole),
                format!("{} tools", tools.len()),
            )
        }),
        row!("TO-2", "toolbox ids have neither colon nor dot", |stand| {
            let list = stand.probe.request("ovos.tools.list", &json!({})).await;
            let tools = list.data["tools"].as_array().cloned().unwrap_or_default();
            let good = |tool: &Value| {
                tool["toolbox_id"]
                    .as_str()
                    .is_some_and(|id| !id.contains([':', '.']))
            };
            verdict(
                !tools.is_empty() && tools.iter().all(good),
                format!("{} tools", tools.len()),
            )
        }),
        row!("TO-3", "discovery: one answer for each box", |stand| {
            let answers = discovered(stand).await;
            let mut ids: Vec<String> = answers
                .iter()
                .map(|answer| answer.data["toolbox_id"].to_string())
                .collect();
            ids.sort();
            let list = stand.probe.request("ovos.tools.list", &json!({})).await;
            let tools = list.data["tools"].as_array().cloned().unwrap_or_default();
            let listed: BTreeSet<String> = tools.iter().map(|tool| tool["toolbox_id"].to_string()).collect();
            verdict(!ids.is_empty() && ids.iter().eq(&listed), ids.join(" "))
        }),
        row!("TO-4", "a call may leave kwargs out", |stand| {
            let answers = call(
                stand,
                json!({"toolbox_id": "ovos-clock-tools", "name": "get_current_datetime"}),
            )
            .await;
            let good = answers.len() == 1 && answers[0]["result"].is_object();
            verdict(good, answers.first().map(Value::to_string).unwrap_or_default())
        }),
        row!("TO-5", "a call for another box meets silence", |stand| {
            let none = call(stand, json!({"toolbox_id": "elsewhere", "name": "x"}))
                .await
                .len();
            let nameless = call(stand, json!({"name": "evaluate_expression"})).await.len();
            verdict(none + nameless == 0, format!("{none} and {nameless} answers"))
        }),
        row!("TO-6", "one answer, with a result or an error", |stand| {
            let answers = call(stand, math("evaluate_expression", &json!({"expression": "6*7"}))).await;
            let good = answers.len() == 1
                && answers[0]["result"]["result"] == 42.0
                && answers[0].get("error").is_none();
            verdict(good, answers.first().map(Value::to_string).unwrap_or_default())
        }),
        row!("TO-7", "faults are errors in words", |stand| {
            let mut seen = Vec::new();
            for data in [
                math("nope", &json!({})),
                math("evaluate_expression", &json!({"expression": ["x"]})),
                math("evaluate_expression", &json!({"expression": "1/0"})),
            ] {
                let answers = call(stand, data.clone()).await;
                let error = answers
                    .first()
                    .and_then(|answer| answer["error"].as_str())
                    .unwrap_or_default()
                    .to_owned();
                if answers.len() != 1 || !error.contains(": ") || answers[0].get("result").is_some() {
                    return Err(format!("{data}: {answers:?}"));
                }
                seen.push(error);
            }
            verdict(true, seen.join(" | "))
        }),
        row!("TO-8", "the flat service answers all four", |stand| {
            let name = json!({"name": "evaluate_expression", "args": {"expression": "6*7"}});
            let got = stand.probe.request("ovos.tools.get", &name).await.data;
            let invoked = stand.probe.request("ovos.tools.invoke", &name).await.data;
            let reloaded = stand.probe.request("ovos.tools.reload", &json!({})).await.data;
            let good = got["toolbox_id"] == "ovos-math-tools"
                && invoked["result"]["result"] == 42.0
                && reloaded["tools"].is_array();
            verdict(good, invoked.to_string())
        }),
        row!("TO-9", "its errors are worded as specified", |stand| {
            let missing = stand.probe.request("ovos.tools.invoke", &json!({})).await.data["error"].clone();
            let unknown = stand
                .probe
                .request("ovos.tools.get", &json!({"name": "nope"}))
                .await
                .data["error"]
                .clone();
            let good = missing == "Missing required field: 'name'" && unknown == "Unknown tool: 'nope'";
            verdict(good, format!("{missing} {unknown}"))
        }),
        row!("TO-10", "both surfaces have the same tools", |stand| {
            let answers = discovered(stand).await;
            let list = stand.probe.request("ovos.tools.list", &json!({})).await;
            let identities = |tools: &Value| {
                let tools = tools.as_array().cloned().unwrap_or_default();
                tools
                    .into_iter()
                    .map(|tool| format!("{}/{}", tool["toolbox_id"], tool["name"]))
            };
            let mut boxes: Vec<String> = answers
                .iter()
                .flat_map(|answer| identities(&answer.data["tools"]))
                .collect();
            let mut flat: Vec<String> = identities(&list.data["tools"]).collect();
            boxes.sort();
            flat.sort();
            verdict(
                !flat.is_empty() && boxes == flat,
                format!("{} and {}", boxes.len(), flat.len()),
            )
        }),
        row!("TO-11", "the box's own topic still works", |stand| {
            let data = json!({"name": "evaluate_expression", "kwargs": {"expression": "6*7"}});
            let answer = stand
                .probe
                .request("ovos.persona.tools.ovos-math-tools.call", &data)
                .await
                .data;
            verdict(answer["result"]["result"] == 42.0, answer.to_string())
        }),
        row!("TO-12", "an answer brings the caller's context back", |stand| {
            let data = math("evaluate_expression", &json!({"expression": "1+1"}));
            let context = json!({"tool_call_id": "mine", "session": {"session_id": "to", "x": 1}});
            let answer = stand.ask(CALL, data, context, ANSWER).await;
            let context = answer.map(|answer| answer.context).unwrap_or_default();
            let good = context["tool_call_id"] == "mine"
                && context["session"] == json!({"session_id": "to", "x": 1});
            verdict(good && context["destination"] == "suite", context.to_string())
        }),
    ]
}

/// Every box's answer to a search for boxes.
async fn discovered(stand: &Stand) -> Vec<Frame> {
    let topic = "ovos.persona.tools.discover";
    let response = "ovos.persona.tools.discover.response";
    stand.answers(topic, json!({}), json!({}), response).await
}
