//! Sentences as frames of the bus, and the words of a frame. Whatever is spoken is made fit to be shown here, and nowhere else in
//! the desk.

use loquat_agent::printable::printable;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

/// One sentence to be spoken, derived from what it answers.
pub(crate) fn speak(cause: &Message, text: &str, lang: &str) -> Message {
    frames::speak(cause, &printable(text), lang)
}

/// A question to be spoken: the microphone is opened for the answer.
pub(crate) fn question(cause: &Message, text: &str, lang: &str) -> Message {
    frames::question(cause, &printable(text), lang)
}

/// One sentence of our own accord, in the device's own session.
pub(crate) fn remark(text: &str, lang: &str) -> Message {
    let mut message = speak(&Message::new(topic::SPEAK, json!({})), text, lang);
    message.context.set_source(SKILL_ID);
    message
}

/// What was said, best hypothesis first; only texts with words in them.
pub(crate) fn utterances(message: &Message) -> Vec<String> {
    const HYPOTHESES: usize = 16;
    let listed = message.data.get("utterances").and_then(Value::as_array);
    let texts = listed.into_iter().flatten().chain(message.data.get("utterance"));
    texts
        .filter_map(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .take(HYPOTHESES)
        .collect()
}
