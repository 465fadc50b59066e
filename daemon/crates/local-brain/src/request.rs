//! A chat request in the OpenAI shape, read strictly where it matters: a wrong type is refused with the field's name,
//! and so is whatever would change the reply and is not done here. Never guesses; fields it does not know it passes over,
//! as other servers do.

mod constraint;
mod message;
mod one_or_many;
mod wire;

use serde::Deserialize;
use serde_json::Value;

use crate::refusal::Refusal;

pub(crate) use constraint::SCHEMA_FIELD;
pub(crate) use message::{Message, Role};

#[derive(Debug)]
pub(crate) struct ChatRequest {
    /// The conversation, oldest first. It has at least one message.
    pub(crate) messages: Vec<Message>,
    /// Says whether the reply is sent while it is written.
    pub(crate) stream: bool,
    /// The JSON Schema that the reply has to follow.
    pub(crate) schema: Option<Value>,
    /// A guess of how the reply begins. It costs time when it is wrong, and changes nothing else.
    pub(crate) guess: Option<String>,
    /// A word that is drawn as if it were likelier than it is.
    pub(crate) favour: Option<Favour>,
    /// Texts that end the reply and are not part of it.
    pub(crate) stop: Vec<String>,
    /// The reply has at most this many tokens; absent is all that fits.
    pub(crate) max_tokens: Option<u32>,
    pub(crate) sampling: Sampling,
}

/// A word for which another likelihood counts than the one that the model finds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Favour {
    /// The word, of which the first token counts.
    pub(crate) word: String,
    /// This is added to the logarithm of its odds.
    pub(crate) by: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    /// 0.0 takes the likeliest token always, and is the default: a small model errs less that way.
    pub(crate) temperature: f32,
    /// Tokens are drawn only from the likeliest ones that together have this probability.
    pub(crate) top_p: f32,
    /// A seed gives one reply each time; absent is another one each time.
    pub(crate) seed: Option<u32>,
}

impl ChatRequest {
    /// Reads a request's body.
    ///
    /// # Errors
    /// 400, with the field's name, when the body is no JSON, has a wrong shape, or asks for what is not done here.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let mut reader = serde_json::Deserializer::from_slice(body);
        let request: wire::Request = serde_path_to_error::deserialize(&mut reader).map_err(refuse_shape)?;
        reader
            .end()
            .map_err(|error| Refusal::bad_request(None, format!("failed to read the request: {error}")))?;
        request.into_request()
    }
}

fn refuse_shape(error: serde_path_to_error::Error<serde_json::Error>) -> Refusal {
    let place = error.path().to_string();
    let error = error.into_inner();
    if error.classify() == serde_json::error::Category::Data {
        let message = format!("failed to read the request: `{place}`: {error}");
        Refusal::bad_request(Some(place), message)
    } else {
        Refusal::bad_request(None, format!("failed to read the request as JSON: {error}"))
    }
}

/// Tells whether a value asks for something: not absent, null, false, zero or empty.
fn is_asked_for(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(values) => !values.is_empty(),
        Value::Object(_) | Value::String(_) | Value::Bool(true) => true,
    }
}

#[cfg(test)]
mod tests;
