//! One message and its form as JSON. Never looks into a payload.

mod binary;

use serde_json::{Map, Value, json};

pub use self::binary::ReadBinaryError;
use crate::kind::{Kind, Sound};

/// The payload of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    /// Every type but one carries an object.
    Object(Map<String, Value>),
    /// [`Kind::Binary`] carries bytes.
    Bytes(Sound, Vec<u8>),
}

/// A message between two nodes. Its way through the hive is not kept: of a neighbour's word only the neighbour is
/// known.
#[derive(Debug, Clone, PartialEq)]
pub struct HiveMessage {
    /// The type, which says what it is for.
    pub kind: Kind,
    /// The payload.
    pub payload: Payload,
    /// The metadata, which tell of the payload.
    pub metadata: Map<String, Value>,
}

/// Says why a text is no message.
#[derive(Debug, thiserror::Error)]
pub enum ReadMessageError {
    /// It is no JSON.
    #[error("failed to read a message of HiveMind: it is no JSON object")]
    NoObject,
    /// The message names no known type.
    #[error("failed to read a message of HiveMind: msg_type is none of the types of version 3")]
    NoKind,
    /// The payload is no object, or missing.
    #[error("failed to read a message of HiveMind: the payload of {0} is no JSON object")]
    NoPayload(&'static str),
}

impl HiveMessage {
    /// Makes a message of this type with this object.
    pub fn new(kind: Kind, payload: Map<String, Value>) -> Self {
        Self {
            kind,
            payload: Payload::Object(payload),
            metadata: Map::new(),
        }
    }

    /// Makes a message of bytes, with what is told of them.
    pub fn bytes(sound: Sound, bytes: Vec<u8>, metadata: Map<String, Value>) -> Self {
        Self {
            kind: Kind::Binary,
            payload: Payload::Bytes(sound, bytes),
            metadata,
        }
    }

    /// Gives the object that it carries, if it is one.
    pub fn object(&self) -> Option<&Map<String, Value>> {
        match &self.payload {
            Payload::Object(object) => Some(object),
            Payload::Bytes(..) => None,
        }
    }

    /// Reads bits.
    pub fn from_bits(bytes: &[u8]) -> Result<Self, ReadBinaryError> {
        binary::decode(bytes)
    }

    /// Writes the message as bits. There are none where its type has no number or its metadata are too large.
    pub fn to_bits(&self) -> Option<Vec<u8>> {
        binary::encode(self)
    }

    /// Writes the message as JSON. A binary message has no such form.
    pub(crate) fn to_json(&self) -> Option<String> {
        let object = self.object()?;
        let message = json!({"msg_type": self.kind.name(), "payload": object, "metadata": self.metadata});
        Some(message.to_string())
    }

    /// Reads JSON.
    pub fn from_json(text: &str) -> Result<Self, ReadMessageError> {
        let value: Value = serde_json::from_str(text).map_err(|_| ReadMessageError::NoObject)?;
        let Value::Object(mut fields) = value else {
            return Err(ReadMessageError::NoObject);
        };
        let name = fields.get("msg_type").and_then(Value::as_str).unwrap_or_default();
        let kind = Kind::named(name).filter(|kind| *kind != Kind::Binary);
        let kind = kind.ok_or(ReadMessageError::NoKind)?;
        let payload = match fields.remove("payload") {
            Some(Value::Object(payload)) => payload,
            None if kind == Kind::Ping => Map::new(),
            _ => return Err(ReadMessageError::NoPayload(kind.name())),
        };
        let metadata = match fields.remove("metadata") {
            Some(Value::Object(metadata)) => metadata,
            _ => Map::new(),
        };
        Ok(Self {
            kind,
            payload: Payload::Object(payload),
            metadata,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let Value::Object(payload) = json!({"type": "speak", "data": {"utterance": "Grüß Gott"}}) else {
            unreachable!()
        };
        let message = HiveMessage::new(Kind::Bus, payload);
        assert_eq!(
            HiveMessage::from_json(&message.to_json().unwrap()).unwrap(),
            message
        );
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for text in [
            "",
            "[]",
            "{",
            "7",
            r#"{"msg_type": "bin", "payload": {}}"#,
            r#"{"msg_type": "bus"}"#,
            r#"{"msg_type": "bus", "payload": "{}"}"#,
            r#"{"msg_type": "3rdparty", "payload": {}}"#,
            r#"{"payload": {}}"#,
        ] {
            assert!(HiveMessage::from_json(text).is_err(), "{text}");
        }
    }
}
