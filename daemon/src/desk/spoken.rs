//! Sentences as frames of the bus. Whatever is spoken is made fit to be shown here, and nowhere else in the desk.

use loquat_agent::printable::printable;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_wire::{Message, topic};
use serde_json::json;

/// One sentence to be spoken, derived from what it answers.
pub(crate) fn speak(cause: &Message, text: &str, lang: &str) -> Message {
    frames::speak(cause, &printable(text), lang)
}

/// A question to be spoken: the microphone is opened for the answer.
pub(super) fn question(cause: &Message, text: &str, lang: &str) -> Message {
    frames::question(cause, &printable(text), lang)
}

/// One sentence of our own accord, in the device's own session.
pub fn remark(text: &str, lang: &str) -> Message {
    let mut message = speak(&Message::new(topic::SPEAK, json!({})), text, lang);
    message.context.set_source(SKILL_ID);
    message
}
