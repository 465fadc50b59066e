//! Deeds as utterances: what a person has had kept for later is said in their conversation, as if it were said now.
//!
//! Runs nothing. Who speaks is decided at the desk's door: what the owner has set is the owner's word where this process says
//! so, and everything else has the rights of its conversation.

use loquat_orchestrator::frames;
use loquat_part::heard::ADDRESSEE;
use loquat_skills::alerts::Alert;
use loquat_wire::context::{DESTINATION, SOURCE};
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};

use super::session_of;
use crate::kept::Kept;

/// Where the owner's utterances come from, and where they go.
const OWN_ROUTE: [&str; 2] = ["audio", "skills"];

/// The utterance; none of what holds no sentence.
pub(super) fn utterance(alert: &Alert) -> Option<Message> {
    let sentence = alert.name.as_deref().filter(|sentence| !sentence.is_empty())?;
    let lang = alert.person.lang.as_deref().unwrap_or("en-US");
    let data = json!({"utterances": [sentence], "lang": lang});
    let mut message = if alert.is_of_owner() {
        of_owner(data)
    } else {
        of_another(alert, data)
    };
    message.context.set_session(&Session::named(session_of(alert)));
    if let Some(persona) = alert
        .deed
        .as_ref()
        .filter(|deed| deed.plan.is_some())
        .and_then(|deed| deed.persona.clone())
    {
        message.context.insert(ADDRESSEE, persona);
    }
    Kept::of_deed(alert).write(&mut message);
    Some(message)
}

fn of_owner(data: Value) -> Message {
    let [source, destination] = OWN_ROUTE;
    let mut message = Message::new(topic::UTTERANCE_HANDLE, data);
    message.context.set_source(source);
    message.context.set_destination(destination);
    message
}

/// What brings an answer to them is where their words come from. It names us as the skill that says it, which nothing does
/// that is heard here.
fn of_another(alert: &Alert, data: Value) -> Message {
    let mut message = frames::originated(topic::UTTERANCE_HANDLE, data);
    for (key, value) in &alert.person.route {
        let key = if key == DESTINATION { SOURCE } else { key.as_str() };
        message.context.insert(key, value.clone());
    }
    message
}
