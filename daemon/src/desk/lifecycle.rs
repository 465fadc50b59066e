//! The frames around an answer, in the order that the specifications ask for.
//!
//! Solo, we are the orchestrator (PIPELINE-1 §7 to §9); as a guest we are a fallback handler (FALLBACK-1, and what
//! both generations of ovos-core do). Every opening is followed by exactly one closing.

use loquat_agent::record::Reason;
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};

use super::job::{Job, Origin};
use crate::mind::Said;
use crate::payload::with;

/// Our id on the bus: skill, pipeline plugin and fallback handler.
pub const SKILL_ID: &str = "loquat";

/// The one intent we dispatch to ourselves.
const INTENT: &str = "chat";

/// Where ovos-core sends the utterances it found nobody for.
pub(super) const FALLBACK_REQUEST: &str = "ovos.skills.fallback.loquat.request";
const FALLBACK_START: &str = "ovos.skills.fallback.loquat.start";
const FALLBACK_RESPONSE: &str = "ovos.skills.fallback.loquat.response";
const DISPATCH: &str = "loquat:chat";

/// The dispatch of a matched utterance: a reply to the entry frame that carries us as the active handler (PL-8 to
/// PL-10).
pub(super) fn dispatch(entry: &Message, utterance: &str, lang: &str, now_unix: f64) -> Message {
    let data = json!({"lang": lang, "utterance": utterance, "slots": {}});
    let mut dispatch = entry.reply(DISPATCH, data);
    dispatch.context.set_skill_id(SKILL_ID);
    dispatch.context.insert("pipeline_id", json!(SKILL_ID));
    let mut session = dispatch.context.session();
    for field in ["active_handlers", "converse_handlers"] {
        push_handler(&mut session, field, now_unix);
    }
    dispatch.context.set_session(&session);
    dispatch
}

fn push_handler(session: &mut Session, field: &str, now_unix: f64) {
    let mut handlers = session
        .get(field)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    handlers.retain(|handler| handler.get("skill_id").and_then(Value::as_str) != Some(SKILL_ID));
    handlers.insert(0, json!({"skill_id": SKILL_ID, "activated_at": now_unix}));
    session.insert(field, Value::Array(handlers));
}

/// What is sent before the turn begins.
pub(super) fn opening(job: &Job) -> Vec<Message> {
    let cause = &job.cause;
    match job.origin {
        Origin::Query => Vec::new(),
        Origin::Fallback => vec![ours(cause.forward(FALLBACK_START, json!({})))],
        Origin::Solo => vec![
            cause.forward(
                topic::INTENT_MATCHED,
                json!({"skill_id": SKILL_ID, "intent_name": INTENT, "lang": job.lang, "utterance": job.utterance,
                       "slots": {}, "pipeline_id": SKILL_ID}),
            ),
            cause.forward(topic::HANDLER_START, json!({"skill_id": SKILL_ID, "intent_name": INTENT})),
            cause.clone(),
        ],
    }
}

/// What is sent when the turn has ended: the one answer, then the end.
pub(super) fn closing(job: &Job, said: &Said) -> Vec<Message> {
    let mut frames = Vec::new();
    if job.origin != Origin::Query && !said.text.is_empty() {
        frames.push(speak(&job.cause, &said.text, &job.lang));
    }
    match job.origin {
        Origin::Query => frames.push(persona_answer(job, said)),
        Origin::Fallback => {
            let data = json!({"result": true, "fallback_handler": INTENT});
            frames.push(ours(job.cause.forward(FALLBACK_RESPONSE, data)));
            // Only a core that stamps utterances sends the end marker itself.
            if job.cause.context.utterance_id().is_none() {
                frames.push(
                    job.cause
                        .forward(topic::UTTERANCE_HANDLED, json!({"name": INTENT})),
                );
            }
        }
        Origin::Solo => {
            frames.push(outcome(job, said));
            frames.push(job.cause.forward(topic::UTTERANCE_HANDLED, json!({})));
        }
    }
    frames
}

/// One sentence to be spoken, derived from what it answers. Both spellings of the flag that reopens the microphone
/// are sent, since shipped audio services read the older one.
pub(super) fn speak(cause: &Message, text: &str, lang: &str) -> Message {
    let data = json!({"utterance": text, "lang": lang, "listen": false, "expect_response": false,
                      "meta": {"skill": SKILL_ID}});
    ours(cause.forward(topic::SPEAK, data))
}

/// An utterance that nobody answers: said so, then ended (PL-4, PL-15).
pub(super) fn unmatched(entry: &Message) -> [Message; 2] {
    let data = Value::Object(entry.data.clone());
    [
        entry.forward(topic::INTENT_UNMATCHED, data),
        entry.forward(topic::UTTERANCE_HANDLED, json!({})),
    ]
}

fn outcome(job: &Job, said: &Said) -> Message {
    let data = json!({"skill_id": SKILL_ID, "intent_name": INTENT});
    let kept_silent = said.reason == Reason::Noop && said.text.is_empty();
    if said.reason.is_success() || kept_silent {
        return job.cause.forward(topic::HANDLER_COMPLETE, data);
    }
    let exception = match said.reason {
        Reason::Stopped => "stopped by user".to_owned(),
        reason => format!("turn ended: {}", wire_name(reason)),
    };
    job.cause
        .forward(topic::HANDLER_ERROR, with(data, "exception", exception))
}

/// A query is always answered (PERSONA-1 §8.5), with a response or with a short, stable error.
fn persona_answer(job: &Job, said: &Said) -> Message {
    let data = json!({"persona_id": job.cause.data.get("persona_id"), "utterance": job.utterance});
    let data = if said.reason.is_success() {
        with(data, "response", said.text.as_str())
    } else {
        with(data, "error", wire_name(said.reason))
    };
    job.cause.reply(topic::PERSONA_ANSWER, data)
}

/// The reason as DESIGN and the journal spell it.
fn wire_name(reason: Reason) -> String {
    match serde_json::to_value(reason) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

fn ours(mut message: Message) -> Message {
    message.context.set_skill_id(SKILL_ID);
    message
}
