//! The body of a request in the server's JSON.

use loquat_agent::brain::{ChatMessage, ChatRequest, NativeCall, Role, ToolChoice};
use serde_json::{Map, Value, json};

use crate::settings::OpenAiSettings;

/// OpenAI takes no more stop texts and refuses the request otherwise; the decoder cuts at all of them in any case.
const MAX_STOP_TEXTS: usize = 4;

/// Writes the request with the brain's own settings; what the request itself asks for wins.
pub(crate) fn body(settings: &OpenAiSettings, request: &ChatRequest) -> Map<String, Value> {
    let mut body = settings.extra.clone();
    let mut set = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    set("model", json!(settings.model));
    set("messages", messages(settings, request));
    set("stream", json!(settings.stream));
    if settings.stream {
        set("stream_options", json!({"include_usage": true}));
    }
    let bound = request.sampling.max_tokens.or(settings.max_tokens);
    if let Some(bound) = bound {
        set("max_tokens", json!(bound));
    }
    if let Some(temperature) = request.sampling.temperature.or(settings.temperature) {
        set("temperature", decimal(temperature));
    }
    if let Some(top_p) = settings.top_p {
        set("top_p", decimal(top_p));
    }
    set_stop(&mut body, settings, request);
    set_tools(&mut body, settings, request);
    set_shape(&mut body, settings, request);
    body
}

/// The nearest double of an `f32` has many digits that nobody wrote.
fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn set_stop(body: &mut Map<String, Value>, settings: &OpenAiSettings, request: &ChatRequest) {
    let passed_through = match body.remove("stop") {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(texts)) => texts
            .iter()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    };
    let mut stop: Vec<&String> = Vec::new();
    for text in request.stop.iter().chain(&settings.stop).chain(&passed_through) {
        if !text.is_empty() && !stop.contains(&text) && stop.len() < MAX_STOP_TEXTS {
            stop.push(text);
        }
    }
    if !stop.is_empty() {
        body.insert("stop".to_owned(), json!(stop));
    }
}

fn set_tools(body: &mut Map<String, Value>, settings: &OpenAiSettings, request: &ChatRequest) {
    if !settings.supports_tools || request.tools.is_empty() {
        return;
    }
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| json!({"type": "function", "function": tool}))
        .collect();
    body.insert("tools".to_owned(), Value::Array(tools));
    if request.tool_choice == ToolChoice::None {
        body.insert("tool_choice".to_owned(), json!("none"));
    }
}

/// A schema and a grammar exclude each other; the request's own schema wins.
fn set_shape(body: &mut Map<String, Value>, settings: &OpenAiSettings, request: &ChatRequest) {
    match (&request.response_schema, &settings.grammar) {
        (Some(schema), _) if settings.json_schema => {
            let shape = json!({
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": schema, "strict": true},
            });
            body.insert("response_format".to_owned(), shape);
            body.remove("grammar");
        }
        (_, Some(grammar)) => {
            body.insert("grammar".to_owned(), json!(grammar));
        }
        _ => {}
    }
}

fn messages(settings: &OpenAiSettings, request: &ChatRequest) -> Value {
    let instructions = instructions(settings, request);
    let leading = (!instructions.is_empty()).then(|| json!({"role": "system", "content": instructions}));
    let others = request
        .messages
        .iter()
        .filter(|message| message.role != Role::System)
        .map(spoken);
    Value::Array(leading.into_iter().chain(others).collect())
}

/// All instructions as one text. Many chat templates take a single system message at the beginning only, and drop or
/// refuse others. A text that another one already holds is not repeated.
fn instructions(settings: &OpenAiSettings, request: &ChatRequest) -> String {
    let own = settings.system_prompt.as_deref();
    let theirs = request
        .messages
        .iter()
        .filter(|message| message.role == Role::System)
        .map(|message| message.content.as_str());
    let texts: Vec<&str> = own
        .into_iter()
        .chain(theirs)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect();
    let is_held_elsewhere = |(place, text): (usize, &str)| {
        texts.iter().enumerate().any(|(other, longer)| {
            other != place && longer.contains(text) && (longer.len() > text.len() || other < place)
        })
    };
    let kept: Vec<&str> = texts
        .iter()
        .enumerate()
        .filter(|(place, text)| !is_held_elsewhere((*place, text)))
        .map(|(_, text)| *text)
        .collect();
    kept.join("\n\n")
}

fn spoken(message: &ChatMessage) -> Value {
    let mut spoken = Map::new();
    spoken.insert("role".to_owned(), json!(message.role));
    let silent = message.content.is_empty() && !message.tool_calls.is_empty();
    let content = if silent {
        Value::Null
    } else {
        json!(message.content)
    };
    spoken.insert("content".to_owned(), content);
    if !message.tool_calls.is_empty() {
        let calls: Vec<Value> = message.tool_calls.iter().map(called).collect();
        spoken.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    if let Some(id) = &message.tool_call_id {
        spoken.insert("tool_call_id".to_owned(), json!(id));
    }
    if let Some(name) = &message.name {
        spoken.insert("name".to_owned(), json!(name));
    }
    Value::Object(spoken)
}

/// Servers parse the arguments of earlier calls for their chat template and fail on what is no object. What was wrong
/// with them is in the observation, as far as the brain has to know.
fn called(call: &NativeCall) -> Value {
    let whole = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
    let arguments = if whole { call.arguments.as_str() } else { "{}" };
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    })
}

#[cfg(test)]
mod tests;
