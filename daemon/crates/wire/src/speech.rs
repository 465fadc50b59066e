//! What frames tell of speech: whether an answer is waited for, and that a microphone heard it.

use serde_json::Value;

use crate::Message;

/// The source of what the microphone of a device hears.
pub const MICROPHONE: &str = "audio";

/// Tells whether the microphone is to be opened for an answer; older skills have another name for it.
pub fn is_question(speak: &Message) -> bool {
    let says_so = |flag| speak.data.get(flag) == Some(&Value::Bool(true));
    ["listen", "expect_response"].into_iter().any(says_so)
}
