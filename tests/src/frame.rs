//! One frame of the bus as it was seen on the wire, and the derivations that every peer has to know.

use serde_json::{Map, Value, json};
use tokio::time::Instant;

/// The two markers of frames that repeat another one under an older name.
const TWIN_MARKERS: [&str; 2] = ["_namespace_compat_twin", "_intent_compat_twin"];

/// The key of a context that marks a frame that is sent again.
pub(crate) const REPEATED: &str = "_loquat_repeated";

/// A frame, with the moment it was seen.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The frame's `type`.
    pub topic: String,
    /// Its `data`; an empty object when absent.
    pub data: Value,
    /// Its `context`; an empty object when absent.
    pub context: Value,
    /// When it was read from the socket.
    pub seen: Instant,
}

impl Frame {
    /// Reads a text frame; nothing for what is not an object with a `type`.
    pub fn parse(text: &str) -> Option<Self> {
        let Value::Object(mut whole) = serde_json::from_str(text).ok()? else {
            return None;
        };
        let Some(Value::String(topic)) = whole.remove("type") else {
            return None;
        };
        Some(Self {
            topic,
            data: object(whole.remove("data")),
            context: object(whole.remove("context")),
            seen: Instant::now(),
        })
    }

    /// Tells whether it is marked as a repetition for older peers.
    pub fn is_twin(&self) -> bool {
        TWIN_MARKERS.iter().any(|marker| self.context[*marker] == true)
    }

    /// Gives the session's id; it is `default` when the frame names none.
    pub fn session_id(&self) -> &str {
        self.context["session"]["session_id"]
            .as_str()
            .unwrap_or("default")
    }

    /// The id of the utterance it belongs to.
    pub fn utterance_id(&self) -> Option<&str> {
        self.context["utterance_id"].as_str()
    }

    /// Tells whether it asks for speech, under either name.
    pub fn is_speak(&self) -> bool {
        self.topic == "speak" || self.topic == "ovos.utterance.speak"
    }

    /// Tells whether it is an entry of an utterance, under either name.
    pub fn is_entry(&self) -> bool {
        self.topic == "recognizer_loop:utterance" || self.topic == "ovos.utterance.handle"
    }

    /// Gives the `utterance` of its data.
    pub fn utterance(&self) -> &str {
        self.data["utterance"].as_str().unwrap_or_default()
    }

    /// Makes a frame with the same context.
    pub fn forward(&self, topic: &str, data: &Value) -> Value {
        json!({"type": topic, "data": data, "context": self.unmarked_context()})
    }

    /// Makes a frame back to the sender of this one: source and destination change places.
    pub fn reply(&self, topic: &str, data: &Value) -> Value {
        let mut context = self.unmarked_context();
        let source = context.remove("source");
        let destination = match context.remove("destination") {
            Some(Value::Array(several)) => several.into_iter().next(),
            other => other,
        };
        if let Some(destination) = destination.or_else(|| source.clone()) {
            context.insert("source".into(), destination);
        }
        if let Some(source) = source {
            context.insert("destination".into(), source);
        }
        json!({"type": topic, "data": data, "context": context})
    }

    /// Makes the reply on this frame's own topic with `.response`.
    pub fn response(&self, data: &Value) -> Value {
        self.reply(&format!("{}.response", self.topic), data)
    }

    fn unmarked_context(&self) -> Map<String, Value> {
        let mut context = self.context.as_object().cloned().unwrap_or_default();
        context.retain(|key, _| !TWIN_MARKERS.contains(&key.as_str()));
        context
    }
}

fn object(value: Option<Value>) -> Value {
    match value {
        Some(Value::Object(map)) => Value::Object(map),
        _ => Value::Object(Map::new()),
    }
}

/// Leaves out the frames that say that they are sent again where the first was heard. A bus that dies between relaying
/// a frame and echoing it makes its sender send it again, so every client has to do this.
pub(crate) fn heard_once(frames: impl IntoIterator<Item = Frame>) -> Vec<Frame> {
    let mut heard: Vec<Frame> = Vec::new();
    for frame in frames {
        if !is_repetition(&frame, &heard) {
            heard.push(frame);
        }
    }
    heard
}

fn is_repetition(frame: &Frame, heard: &[Frame]) -> bool {
    let first = without_mark(&frame.context);
    let same = |other: &Frame| {
        other.topic == frame.topic && other.data == frame.data && without_mark(&other.context) == first
    };
    frame.context.get(REPEATED).is_some() && heard.iter().any(same)
}

/// Takes the key of repetitions out of a context.
pub(crate) fn without_mark(context: &Value) -> Value {
    let mut context = context.clone();
    if let Some(keys) = context.as_object_mut() {
        keys.remove(REPEATED);
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_changes_source_and_destination() {
        let frame = Frame::parse(
            r#"{"type":"a.b","context":{"source":"A","destination":["B","C"],"_namespace_compat_twin":true,"zzz":1}}"#,
        )
        .unwrap();
        assert!(frame.is_twin());
        assert_eq!(
            frame.response(&json!({"x": 1})),
            json!({"type": "a.b.response", "data": {"x": 1}, "context": {"source": "B", "destination": "A", "zzz": 1}})
        );
    }

    #[test]
    fn what_is_no_frame_is_none() {
        for text in ["", "[]", "7", "{}", r#"{"type":5}"#, "not json"] {
            assert!(Frame::parse(text).is_none(), "{text}");
        }
    }
}
