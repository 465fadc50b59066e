//! What is read of a frame that is too large to be read as a whole: its topic, the ids that tell whose it is, and which tool it
//! calls.
//!
//! One pass over the text; everything else is skipped and never copied, so that a frame of 25 MiB costs no memory. Never
//! reads more of a payload.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::{Map, Value};

use crate::context::{self, Context};
use crate::message::{Message, ParseError};
use crate::session::{self, Session};
use crate::topic;

/// The longest text that is kept, in bytes.
pub const MAX_TEXT: usize = 256;

/// The keys of a context that are kept beside its session.
const KEPT: [&str; 8] = [
    context::SOURCE,
    context::DESTINATION,
    context::UTTERANCE_ID,
    context::SKILL_ID,
    context::NAMESPACE_TWIN,
    context::INTENT_TWIN,
    context::REQUEST,
    context::TOOL_CALL_ID,
];

/// The keys of a payload that are kept: without them a call could not be refused by the one that it is for.
const ADDRESSED: [&str; 2] = ["toolbox_id", "name"];

/// Reads topic and ids of a frame. The message has no data but, for a call, the names of a tool and of its toolbox, and of its
/// session only the id.
///
/// # Errors
/// [`ParseError`] where the frame is no message, and where its session or its topic has a name of more than 256 bytes:
/// without it the frame would be taken for one of the default session.
pub fn read(text: &str) -> Result<Message, ParseError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let frame = Part::Frame.deserialize(&mut deserializer);
    let frame = frame.and_then(|frame| deserializer.end().map(|()| frame));
    let Value::Object(mut frame) = frame.map_err(ParseError::NotJson)? else {
        return Err(ParseError::NotAnObject);
    };
    let topic = match frame.remove("type") {
        Some(Value::String(topic)) if !topic.is_empty() => topic,
        _ => return Err(ParseError::NoTopic),
    };
    let context = match frame.remove("context") {
        Some(Value::Object(context)) => Context::from(context),
        _ => Context::default(),
    };
    let data = match frame.remove("data") {
        Some(Value::Object(data)) => addressed(&topic, &data),
        _ => Map::new(),
    };
    Ok(Message::new(topic, Value::Object(data)).with_context(context))
}

/// Makes the stub of a message that was read; it is nothing where its session has a longer name.
pub fn of(message: &Message) -> Option<Message> {
    let short = |text: &&str| text.len() <= MAX_TEXT;
    let whole = &message.context;
    let mut context = Context::default();
    if whole.get(context::SESSION).is_some() {
        let id = Some(whole.session_id()).filter(short)?;
        context.set_session(&Session::named(id));
    }
    for key in KEPT {
        match whole.get(key) {
            Some(flag @ Value::Bool(_)) => context.insert(key, flag.clone()),
            _ => {
                if let Some(text) = context::route(whole.get(key)).filter(short) {
                    context.insert(key, text);
                }
            }
        }
    }
    let data = Value::Object(addressed(&message.topic, &message.data));
    Some(Message::new(message.topic.clone(), data).with_context(context))
}

/// Finds the tool that a frame calls, if it calls one.
fn addressed(topic: &str, data: &Map<String, Value>) -> Map<String, Value> {
    let is_call = [topic::TOOLS_CALL, topic::TOOL_SERVICE_INVOKE].contains(&topic::canonical_of(topic));
    let kept = ADDRESSED.into_iter().filter_map(|key| {
        let text = data.get(key)?.as_str().filter(|text| text.len() <= MAX_TEXT)?;
        Some((key.to_owned(), text.into()))
    });
    kept.filter(|_| is_call).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Frame,
    Context,
    Session,
    /// It is of whatever type.
    Data,
    /// A text that has to be short.
    Id,
    /// A text that is left out where it is long, or a flag.
    Text,
}

impl Part {
    /// Finds what is kept of this part under a key, if anything is.
    fn under(self, key: &str) -> Option<Self> {
        match (self, key) {
            (Self::Frame, "type") | (Self::Session, session::SESSION_ID) => Some(Self::Id),
            (Self::Frame, "context") => Some(Self::Context),
            (Self::Frame, "data") => Some(Self::Data),
            (Self::Data, key) if ADDRESSED.contains(&key) => Some(Self::Text),
            (Self::Context, context::SESSION) => Some(Self::Session),
            (Self::Context, key) if KEPT.contains(&key) => Some(Self::Text),
            _ => None,
        }
    }

    fn is_map(self) -> bool {
        matches!(self, Self::Frame | Self::Context | Self::Session)
    }

    /// Takes a value that is neither a text nor a map.
    fn plain<E: Error>(self, value: Value, found: Unexpected<'_>) -> Result<Value, E> {
        if self.is_map() {
            return Err(E::invalid_type(found, &self));
        }
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_map() {
            "an object"
        } else {
            "a short text"
        })
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        self.plain(Value::Bool(flag), Unexpected::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        self.plain(Value::Null, Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.plain(Value::Null, Unexpected::Unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        self.plain(Value::Null, Unexpected::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        match self {
            Self::Text | Self::Id if text.len() <= MAX_TEXT => Ok(text.into()),
            Self::Text | Self::Data => Ok(Value::Null),
            _ => Err(E::invalid_length(text.len(), &self)),
        }
    }

    /// Reads a list, which old peers send as a route: its first entry counts.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        if self.is_map() {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let first = match self {
            Self::Text => list.next_element_seed(self)?,
            _ => None,
        };
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first.unwrap_or_default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = map.next_key_seed(Self::Text)? {
            let part = key.as_str().and_then(|key| self.under(key));
            match (key, part) {
                (Value::String(key), Some(part)) => {
                    kept.insert(key, map.next_value_seed(part)?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let is_kept = self.is_map() || self == Self::Data;
        Ok(if is_kept { kept.into() } else { Value::Null })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn topic_and_ids_are_kept_and_nothing_else() {
        let frame = json!({
            "type": "recognizer_loop:utterance", "more": [1, {"type": "no"}],
            "data": {"utterances": ["x".repeat(1 << 20)], "session": {"session_id": "no"}},
            "context": {
                "source": ["kitchen", "second"], "destination": "skills", "utterance_id": "u-1", "skill_id": "s",
                "junk": {"session": {"session_id": "no"}}, "_namespace_compat_twin": true,
                "session": {"session_id": "kitchen", "lang": "de", "pipeline": ["a"]},
            },
        });
        let stub = read(&frame.to_string()).unwrap();
        assert_eq!(stub.topic, "recognizer_loop:utterance");
        assert!(stub.data.is_empty() && stub.context.is_twin());
        assert_eq!(
            of(&Message::parse(&frame.to_string()).unwrap()),
            Some(stub.clone())
        );
        assert_eq!(
            Value::Object(stub.context.as_map().clone()),
            json!({"source": "kitchen", "destination": "skills", "utterance_id": "u-1", "skill_id": "s",
                   "_namespace_compat_twin": true, "session": {"session_id": "kitchen"}})
        );
    }

    #[test]
    fn of_a_call_the_tool_is_kept_whatever_else_its_payload_is() {
        let call = json!({"type": topic::TOOLS_CALL, "data": {"toolbox_id": "t", "kwargs": {"name": "no"}, "name": "tool"}});
        let stub = read(&call.to_string()).unwrap();
        assert_eq!(
            Value::Object(stub.data.clone()),
            json!({"toolbox_id": "t", "name": "tool"})
        );
        assert_eq!(of(&Message::parse(&call.to_string()).unwrap()), Some(stub));
        for data in [json!("text"), json!(7), json!(null), json!([{"name": "no"}])] {
            let stub = read(&json!({"type": topic::TOOLS_CALL, "data": data}).to_string()).unwrap();
            assert!(stub.data.is_empty(), "{data}");
        }
        let other = read(&json!({"type": "a", "data": {"name": "Ann"}}).to_string()).unwrap();
        assert!(other.data.is_empty(), "{:?}", other.data);
    }

    #[test]
    fn long_texts_are_left_out_and_a_long_session_is_no_other() {
        let long = "x".repeat(MAX_TEXT + 1);
        let stub =
            read(&json!({"type": "a", "context": {"source": long, "skill_id": "s"}}).to_string()).unwrap();
        assert_eq!(
            (stub.context.source(), stub.context.skill_id()),
            (None, Some("s"))
        );
        for frame in [
            json!({"type": "a", "context": {"session": {"session_id": long}}}),
            json!({"type": "a", "context": {"session": "kitchen"}}),
            json!({"type": "a", "context": 7}),
            json!({"type": "a", "context": []}),
            json!({"type": long}),
            json!({"type": ["a"]}),
            json!({}),
            json!("a"),
        ] {
            assert!(read(&frame.to_string()).is_err(), "{frame}");
        }
        for text in ["", "{", r#"{"type":"a"} {"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_costs_no_stack() {
        let deep = "[".repeat(1 << 20) + &"]".repeat(1 << 20);
        let text = format!(
            r#"{{"data":{deep},"type":"a","context":{{"session":{{"session_id":"k"}},"x":{deep}}}}}"#
        );
        assert_eq!(read(&text).unwrap().context.session_id(), "k");
        let nested = format!(r#"{{"type":"a","context":{{"source":{deep}}}}}"#);
        assert!(read(&nested).is_err());
    }
}
