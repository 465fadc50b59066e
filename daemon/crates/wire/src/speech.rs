//! What frames tell of speech: whether an answer is waited for, whether it was begun early, and that a microphone heard it.

use serde_json::Value;

use crate::Message;

/// The source of what the microphone of a device hears.
pub const MICROPHONE: &str = "audio";

/// Tells whether the microphone is to be opened for an answer; older skills have another name for it.
pub fn is_question(speak: &Message) -> bool {
    let says_so = |flag| speak.data.get(flag) == Some(&Value::Bool(true));
    ["listen", "expect_response"].into_iter().any(says_so)
}

/// The key of what is spoken while an answer is awaited.
const ASIDE: &str = "aside";

/// Marks what is spoken while an answer is awaited.
#[must_use]
pub fn mark_aside(mut speak: Message) -> Message {
    if let Some(Value::Object(meta)) = speak.data.get_mut("meta") {
        meta.insert(ASIDE.to_owned(), Value::Bool(true));
    }
    speak
}

/// Tells whether this is spoken while an answer is awaited, so that it is none.
pub fn is_aside(speak: &Message) -> bool {
    let meta = speak.data.get("meta").and_then(Value::as_object);
    meta.and_then(|meta| meta.get(ASIDE)) == Some(&Value::Bool(true))
}

/// The key of the turn of which a voice has begun to speak the answer before it was complete.
const BEGUN: &str = "begun";

/// Marks an answer of which the voice has the beginning already.
#[must_use]
pub fn mark_begun(mut speak: Message, turn_id: &str) -> Message {
    if let Some(Value::Object(meta)) = speak.data.get_mut("meta") {
        meta.insert(BEGUN.to_owned(), Value::from(turn_id));
    }
    speak
}

/// Gives the turn of an answer of which the voice has the beginning already.
pub fn begun(speak: &Message) -> Option<&str> {
    let meta = speak.data.get("meta").and_then(Value::as_object)?;
    meta.get(BEGUN)?.as_str()
}
