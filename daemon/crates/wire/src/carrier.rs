//! The check that a relay makes on every frame (SESSION-1 §2.5), without building the message.
//!
//! A relay passes frames on byte for byte. It only has to know whether a frame is one; payloads are skipped, so that a
//! frame of 25 MiB costs one pass and no copy.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::message::ParseError;

/// Tells whether the text is a frame that a relay may pass on.
///
/// # Errors
/// As [`Message::parse`](crate::Message::parse), except that nesting is not limited.
pub fn check(text: &str) -> Result<(), ParseError> {
    // An array or a number is worth its own complaint, and serde would call it a type mismatch.
    if !text.trim_start().starts_with('{') {
        return match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Err(ParseError::NotAnObject),
            Err(error) => Err(ParseError::NotJson(error)),
        };
    }
    let outline: Outline = serde_json::from_str(text).map_err(ParseError::NotJson)?;
    outline.verdict()
}

/// The keys of a frame that the check needs.
#[derive(Default)]
struct Outline {
    topic: Option<String>,
    data: Kind,
    context: Kind,
    session: Kind,
    utterance_id: Option<String>,
}

/// The kind of a value that is skipped.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Empty,
    Map,
    Other,
}

impl Outline {
    fn verdict(self) -> Result<(), ParseError> {
        let Some(topic) = self.topic.filter(|topic| !topic.is_empty()) else {
            return Err(ParseError::NoTopic);
        };
        for (key, kind) in [("data", self.data), ("context", self.context)] {
            if kind == Kind::Other {
                return Err(ParseError::NotAMap { topic, key });
            }
        }
        if self.session == Kind::Other {
            let utterance_id = self.utterance_id;
            return Err(ParseError::MalformedCarrier { topic, utterance_id });
        }
        Ok(())
    }
}

/// The keys that matter, wherever they are.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Key {
    Type,
    Data,
    Context,
    Session,
    UtteranceId,
    #[serde(other)]
    Other,
}

/// Reads a frame; of a key that is there twice the last counts, as everywhere.
struct OutlineVisitor;

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OutlineVisitor)
    }
}

impl<'de> Visitor<'de> for OutlineVisitor {
    type Value = Outline;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a frame of the bus")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Outline, A::Error> {
        let mut outline = Outline::default();
        while let Some(key) = map.next_key()? {
            match key {
                Key::Type => outline.topic = map.next_value_seed(Probe::Outside)?.text,
                Key::Data => outline.data = map.next_value_seed(Probe::Outside)?.kind,
                Key::Context => {
                    let context = map.next_value_seed(Probe::Inside)?;
                    outline.context = context.kind;
                    outline.session = context.session;
                    outline.utterance_id = context.utterance_id;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(outline)
    }
}

/// The result of looking at one value.
#[derive(Default)]
struct Finding {
    kind: Kind,
    text: Option<String>,
    session: Kind,
    utterance_id: Option<String>,
}

/// Looks at one value: only what kind it is, or, in a map, at two of its keys as well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Probe {
    Outside,
    Inside,
}

impl<'de> DeserializeSeed<'de> for Probe {
    type Value = Finding;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Finding, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Finding {
    fn other() -> Self {
        Self {
            kind: Kind::Other,
            ..Self::default()
        }
    }
}

impl<'de> Visitor<'de> for Probe {
    type Value = Finding;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Finding, E> {
        Ok(Finding::default())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Finding, E> {
        Ok(Finding::other())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Finding, E> {
        Ok(Finding::other())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Finding, E> {
        Ok(Finding::other())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Finding, E> {
        Ok(Finding::other())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Finding, E> {
        Ok(Finding {
            text: Some(text.to_owned()),
            ..Finding::other()
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Finding, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Finding::other())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Finding, A::Error> {
        let mut finding = Finding {
            kind: Kind::Map,
            ..Finding::default()
        };
        while let Some(key) = map.next_key()? {
            match key {
                Key::Session if self == Self::Inside => {
                    finding.session = map.next_value_seed(Self::Outside)?.kind;
                }
                Key::UtteranceId if self == Self::Inside => {
                    finding.utterance_id = map.next_value_seed(Self::Outside)?.text;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(finding)
    }
}

#[cfg(test)]
mod tests;
