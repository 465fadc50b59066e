//! The body of a request in the server's JSON.
//!
//! The conversation and the tools are written as they lie there: for a long conversation, copying them first would take
//! longer than all else that a request costs here.

mod conversation;

use loquat_conversation::brain::{ChatRequest, Favour, ToolChoice, ToolOffer};
use serde::Serialize;
use serde_json::{Map, Value, json};

use conversation::Message;

use super::names::Names;
use crate::settings::OpenAiSettings;

/// OpenAI takes no more stop texts and refuses the request otherwise; the decoder cuts at all of them in any case.
const MAX_STOP_TEXTS: usize = 4;

/// A body: the parameters, which a server's dialect may change, and what they are about.
#[derive(Debug, Serialize)]
pub(crate) struct Body<'r> {
    messages: Vec<Message<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Offered<'r>>,
    #[serde(flatten)]
    pub(crate) parameters: Map<String, Value>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Offered<'r> {
    Function { function: Offer<'r> },
}

/// A tool under the name that the server is told.
#[derive(Debug, Serialize)]
struct Offer<'r> {
    name: &'r str,
    description: &'r str,
    parameters: &'r Value,
}

/// Writes the request with the brain's own settings; what the request itself asks for wins. Tools that the server refuses
/// are left out.
pub(crate) fn body<'r>(
    settings: &'r OpenAiSettings,
    request: &'r ChatRequest,
    names: &'r Names<'r>,
    is_refused: impl Fn(&ToolOffer) -> bool,
) -> Body<'r> {
    let tools: Vec<_> = offers(settings, request)
        .filter(|offer| !is_refused(offer))
        .map(|offer| Offered::Function {
            function: Offer {
                name: names.fit(&offer.name),
                description: &offer.description,
                parameters: &offer.parameters,
            },
        })
        .collect();
    let mut parameters = parameters(settings, request);
    parameters.remove("messages");
    if !tools.is_empty() {
        parameters.remove("tools");
        if request.tool_choice == ToolChoice::None {
            parameters.insert("tool_choice".to_owned(), json!("none"));
        }
    }
    Body {
        messages: conversation::of(request, names),
        tools,
        parameters,
    }
}

/// The tools on offer, for a server that takes any.
pub(crate) fn offers<'r>(
    settings: &OpenAiSettings,
    request: &'r ChatRequest,
) -> impl Iterator<Item = &'r ToolOffer> {
    let takes = settings.supports_tools;
    request.tools.iter().map(AsRef::as_ref).filter(move |_| takes)
}

fn parameters(settings: &OpenAiSettings, request: &ChatRequest) -> Map<String, Value> {
    let mut parameters = settings.extra.clone();
    let mut set = |name: &str, value: Value| {
        parameters.insert(name.to_owned(), value);
    };
    set("model", json!(settings.model));
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
    if let Some(top_p) = request.sampling.top_p.or(settings.top_p) {
        set("top_p", decimal(top_p));
    }
    if let Some(guess) = request.guess.as_ref().filter(|_| settings.guesses) {
        parameters.insert("guess".to_owned(), json!(guess));
    }
    if let Some(Favour { word, by }) = request.favour.as_ref().filter(|_| settings.favours) {
        parameters.insert("favour".to_owned(), json!({"word": word, "by": decimal(*by)}));
    }
    set_stop(&mut parameters, settings, request);
    set_shape(&mut parameters, settings, request);
    parameters
}

/// The nearest double of an `f32` has many digits that were not written.
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

/// A schema and a grammar that is passed through exclude each other; the schema wins.
fn set_shape(body: &mut Map<String, Value>, settings: &OpenAiSettings, request: &ChatRequest) {
    let Some(schema) = request.response_schema.as_ref().filter(|_| settings.json_schema) else {
        return;
    };
    let shape = json!({
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": schema, "strict": true},
    });
    body.insert("response_format".to_owned(), shape);
    body.remove("grammar");
}

#[cfg(test)]
mod tests;
