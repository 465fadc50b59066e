//! The frame of the bus (MSG-1): parsing, writing and the three derivations. Never decides what a topic means.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::context::{self, Context};
use crate::data::IntoData;

/// A message of the bus.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Message {
    /// The topic, which is the `type` of the frame.
    pub topic: String,
    /// The topic fixes its shape.
    pub data: Map<String, Value>,
    /// It holds routing, session, and whatever else travels along.
    pub context: Context,
}

/// Says why a frame is no message (MSG-1 §6.1, SESSION-1 §2.5).
///
/// A consumer drops such a frame; it never answers it and never closes the connection over it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The frame is not JSON, or nested deeper than 128 levels.
    #[error("failed to read a frame that is not JSON")]
    NotJson(#[source] serde_json::Error),
    /// The frame is JSON, but an array, a text, a number or the like.
    #[error("failed to read a frame that is no JSON object")]
    NotAnObject,
    /// `type` is missing, empty or no text.
    #[error("failed to read a frame without a topic: `type` has to be a text that is not empty")]
    NoTopic,
    /// `data` or `context` is neither an object nor absent.
    #[error(
        "failed to read a frame on `{}`: `{key}` has to be an object",
        crate::text::shortened(topic, SHOWN)
    )]
    NotAMap {
        /// The frame has this topic.
        topic: String,
        /// It is `data` or `context`.
        key: &'static str,
    },
    /// `context.session` is present and no object. The frame is dropped, never handled as the default session's.
    #[error(
        "failed to read a frame on `{}`: `context.session` has to be an object",
        crate::text::shortened(topic, SHOWN)
    )]
    MalformedCarrier {
        /// The frame has this topic.
        topic: String,
        /// The frame's `context.utterance_id`, which a rejection repeats; absent where the frame has none.
        utterance_id: Option<String>,
    },
}

/// Finds the topic of a frame, in one pass and without building the message; it is nothing where there is
/// none, or more than one.
pub fn topic_of(text: &str) -> Option<Cow<'_, str>> {
    // serde would read a list as well.
    let frame = Some(text).filter(|text| text.trim_start().starts_with('{'))?;
    let head: Head<'_> = serde_json::from_str(frame).ok()?;
    Some(head.r#type).filter(|topic| !topic.is_empty())
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

#[derive(Serialize)]
struct Frame<'a> {
    r#type: &'a str,
    data: &'a Map<String, Value>,
    context: &'a Map<String, Value>,
}

impl Message {
    /// Makes a message that nothing caused, with an empty context.
    pub fn new(topic: impl Into<String>, data: impl IntoData) -> Self {
        Self {
            topic: topic.into(),
            data: data.into_data(),
            context: Context::default(),
        }
    }

    /// Puts another context in the place of its own.
    #[must_use]
    pub fn with_context(mut self, context: Context) -> Self {
        self.context = context;
        self
    }

    /// Reads one frame. Absent or null `data` and `context` are empty; unknown top-level keys are ignored.
    ///
    /// # Errors
    /// [`ParseError`] says what is malformed; the frame is to be dropped.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let value: Value = serde_json::from_str(text).map_err(ParseError::NotJson)?;
        let Value::Object(mut frame) = value else {
            return Err(ParseError::NotAnObject);
        };
        let Some(Value::String(topic)) = frame.remove("type") else {
            return Err(ParseError::NoTopic);
        };
        if topic.is_empty() {
            return Err(ParseError::NoTopic);
        }
        let data = take_map(&mut frame, "data", &topic)?;
        let context = Context::from(take_map(&mut frame, "context", &topic)?);
        if context.has_malformed_session() {
            let utterance_id = context.utterance_id().map(ToOwned::to_owned);
            return Err(ParseError::MalformedCarrier { topic, utterance_id });
        }
        Ok(Self { topic, data, context })
    }

    /// Writes the frame as text. Numbers are finite by construction, since [`Value`] holds no others.
    pub fn to_text(&self) -> String {
        let frame = Frame {
            r#type: &self.topic,
            data: &self.data,
            context: self.context.as_map(),
        };
        #[expect(
            clippy::expect_used,
            reason = "a map with text keys and JSON values always serialises"
        )]
        serde_json::to_string(&frame).expect("a frame serialises")
    }

    /// Makes a message on another topic that travels the same way: progress, speech, events (MSG-1 §5.1).
    ///
    /// As in every derivation the context is carried on with unknown keys; twin markers, routing lists, empty routing
    /// keys and null session fields are not.
    #[must_use]
    pub fn forward(&self, topic: impl Into<String>, data: impl IntoData) -> Self {
        Self::new(topic, data).with_context(self.context.derived())
    }

    /// Makes a message back to where this one came from, such as an answer or a pong (MSG-1 §5.2).
    #[must_use]
    pub fn reply(&self, topic: impl Into<String>, data: impl IntoData) -> Self {
        let mut context = self.context.derived();
        context.turn_around();
        Self::new(topic, data).with_context(context)
    }

    /// Makes the reply on `<topic>.response` (MSG-1 §5.3). The specification defines none for a topic with a colon or
    /// one that is a response itself.
    #[must_use]
    pub fn response(&self, data: impl IntoData) -> Self {
        self.reply(crate::topic::response_to(&self.topic), data)
    }
}

/// A topic is shown with at most so many characters, since a stranger chose it.
const SHOWN: usize = 80;

fn take_map(
    frame: &mut Map<String, Value>,
    key: &'static str,
    topic: &str,
) -> Result<Map<String, Value>, ParseError> {
    match frame.remove(key) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(_) => Err(ParseError::NotAMap {
            topic: topic.to_owned(),
            key,
        }),
    }
}

impl ParseError {
    /// Makes the `ovos.session.rejected` message that a relay may broadcast for a malformed carrier
    /// (SESSION-1 §2.5).
    pub fn rejection(&self) -> Option<Message> {
        let Self::MalformedCarrier { topic, utterance_id } = self else {
            return None;
        };
        let mut rejection = Message::new(
            crate::topic::SESSION_REJECTED,
            serde_json::json!({"msg_type": topic, "reason": "malformed_carrier"}),
        );
        if let Some(utterance_id) = utterance_id {
            rejection
                .context
                .insert(context::UTTERANCE_ID, utterance_id.as_str());
        }
        Some(rejection)
    }
}

#[cfg(test)]
mod tests;
