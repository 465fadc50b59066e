//! The frames around an answer, in the order that the specifications ask for.
//!
//! Solo, we are the orchestrator (PIPELINE-1 §7 to §9); as a guest we are a fallback handler, an owner of intents and a
//! participant of conversations, as both generations of ovos-core expect it. Every opening is followed by exactly one
//! closing.

use loquat_agent::record::Reason;
use loquat_wire::{Message, Session, topic};
use serde_json::{Map, Value, json};

use super::job::{Job, Origin};
use crate::mind::Said;
use crate::orchestrator::pipeline::Stage;
use crate::payload::with;

/// Our id on the bus: skill, pipeline plugin and fallback handler.
pub const SKILL_ID: &str = "loquat";

/// Where ovos-core sends the utterances it found nobody for.
pub(super) const FALLBACK_REQUEST: &str = "ovos.skills.fallback.loquat.request";
const FALLBACK_START: &str = "ovos.skills.fallback.loquat.start";
const FALLBACK_RESPONSE: &str = "ovos.skills.fallback.loquat.response";

/// The name of the fallback handler, for ovos-core's log.
const FALLBACK_HANDLER: &str = "chat";

/// A handler that has been silent longer is no participant any more (CONVERSE-1 §3.2).
const HANDLER_LIFE: f64 = 300.0;

/// Handlers that a session lists.
const HANDLERS: usize = 16;

/// What ended by a word or a frame that stops ended of this.
const STOPPED: &str = "stopped by user";

/// Intents whose dispatch makes nobody active (PL-9).
const QUIET: [&str; 4] = ["converse", "response", "stop", "common_query"];

/// To whom an utterance is dispatched, and what for.
#[derive(Debug)]
pub(super) struct Addressed<'a> {
    /// The skill.
    pub(super) skill_id: &'a str,
    /// The intent.
    pub(super) intent: &'a str,
    /// The stage that matched.
    pub(super) pipeline_id: &'a str,
    /// The one language of the utterance.
    pub(super) lang: &'a str,
    /// The hypothesis that matched.
    pub(super) utterance: &'a str,
    /// What filled its gaps.
    pub(super) slots: &'a Map<String, Value>,
    /// The session that the match left.
    pub(super) session: &'a Session,
}

/// The dispatch of a matched utterance: a reply to the entry frame (PL-8 to PL-10).
pub(super) fn dispatch(entry: &Message, to: &Addressed<'_>, now_unix: f64) -> Message {
    let data = json!({"lang": to.lang, "utterance": to.utterance, "slots": to.slots});
    let mut dispatch = entry.reply(topic::dispatch(to.skill_id, to.intent), data);
    dispatch.context.set_skill_id(to.skill_id);
    dispatch.context.insert("pipeline_id", json!(to.pipeline_id));
    let mut session = to.session.clone();
    // A stage of the pipeline is no skill that could be talked to.
    let is_skill = to.skill_id == SKILL_ID || to.skill_id != to.pipeline_id;
    if is_skill && !QUIET.contains(&to.intent) {
        push_handler(&mut session, "active_handlers", to.skill_id, now_unix);
        push_older(&mut session, to.skill_id, now_unix);
    }
    if is_skill {
        push_handler(&mut session, "converse_handlers", to.skill_id, now_unix);
    }
    dispatch.context.set_session(&session);
    dispatch
}

/// Puts a skill in front of a list of handlers, and takes those out that were silent too long.
pub(super) fn push_handler(session: &mut Session, field: &str, skill_id: &str, now_unix: f64) {
    remove_handler(session, field, skill_id);
    let mut handlers = live_handlers(session, field, now_unix);
    handlers.insert(0, json!({"skill_id": skill_id, "activated_at": now_unix}));
    handlers.truncate(HANDLERS);
    session.insert(field, Value::Array(handlers));
}

/// The handlers in a field that were not silent too long; one that waits for an answer stays (PL-10).
pub(super) fn live_handlers(session: &Session, field: &str, now_unix: f64) -> Vec<Value> {
    let waiting = session
        .get("response_mode")
        .and_then(|mode| mode.get("skill_id").cloned());
    let listed = session.get(field).and_then(Value::as_array).into_iter().flatten();
    let live = |handler: &&Value| {
        let at = handler.get("activated_at").and_then(Value::as_f64).unwrap_or(0.0);
        now_unix - at <= HANDLER_LIFE || (waiting.is_some() && handler.get("skill_id") == waiting.as_ref())
    };
    listed.filter(live).cloned().collect()
}

/// Takes a skill out of a list of handlers; an empty list is left out.
pub(crate) fn remove_handler(session: &mut Session, field: &str, skill_id: &str) {
    let Some(Value::Array(mut handlers)) = session.remove(field) else {
        return;
    };
    handlers.retain(|handler| handler.get("skill_id").and_then(Value::as_str) != Some(skill_id));
    if !handlers.is_empty() {
        session.insert(field, Value::Array(handlers));
    }
}

/// Whether a session tells that we were at work in it, in the words of either generation.
pub(super) fn lists_us(session: &Session) -> bool {
    let listed = |field: &str, id: fn(&Value) -> Option<&Value>| {
        let handlers = session.get(field).and_then(Value::as_array);
        let mut ids = handlers.into_iter().flatten().filter_map(id);
        ids.any(|id| id.as_str() == Some(SKILL_ID))
    };
    listed("active_handlers", |handler| handler.get("skill_id"))
        || listed("active_skills", |pair| pair.get(0))
}

/// Whether no skill of a session became active after us.
pub(super) fn is_newest(session: &Session) -> bool {
    let handlers = session.get("active_handlers").and_then(Value::as_array);
    let at = |handler: &Value| handler.get("activated_at").and_then(Value::as_f64).unwrap_or(0.0);
    let newest = handlers
        .into_iter()
        .flatten()
        .max_by(|one, other| at(one).total_cmp(&at(other)));
    newest.and_then(|newest| newest.get("skill_id")?.as_str()) == Some(SKILL_ID)
}

/// The older list of active skills, where a session has it: old skills look themselves up in it.
fn push_older(session: &mut Session, skill_id: &str, now_unix: f64) {
    if let Some(Value::Array(mut skills)) = session.get("active_skills").cloned() {
        skills.retain(|pair| pair.get(0).and_then(Value::as_str) != Some(skill_id));
        skills.insert(0, json!([skill_id, now_unix]));
        skills.truncate(HANDLERS);
        session.insert("active_skills", Value::Array(skills));
    }
}

/// Skill and intent of a dispatch, and the payload that names both.
fn named(dispatch: &Message) -> Value {
    let (skill_id, intent) = dispatch
        .topic
        .rsplit_once(':')
        .unwrap_or((SKILL_ID, &dispatch.topic));
    json!({"skill_id": skill_id, "intent_name": intent})
}

/// A match is told, its handler begins, and it is sent the utterance (PL-7, PL-8, PL-11).
pub(crate) fn announcement(dispatch: &Message) -> [Message; 3] {
    let mut matched = named(dispatch);
    for key in ["lang", "utterance", "slots"] {
        matched = with(matched, key, dispatch.data.get(key).cloned().unwrap_or_default());
    }
    let stage = dispatch.context.get("pipeline_id").cloned().unwrap_or_default();
    [
        dispatch.forward(topic::INTENT_MATCHED, with(matched, "pipeline_id", stage)),
        dispatch.forward(topic::HANDLER_START, named(dispatch)),
        dispatch.clone(),
    ]
}

/// A dispatched handler is done, or failed with this (PL-11).
pub(crate) fn outcome(dispatch: &Message, exception: Option<&str>) -> Message {
    match exception {
        None => dispatch.forward(topic::HANDLER_COMPLETE, named(dispatch)),
        Some(text) => dispatch.forward(topic::HANDLER_ERROR, with(named(dispatch), "exception", text)),
    }
}

/// The end marker (PL-3).
pub(crate) fn handled(cause: &Message) -> Message {
    cause.forward(topic::UTTERANCE_HANDLED, json!({}))
}

/// What is sent before the turn begins.
pub(super) fn opening(job: &Job) -> Vec<Message> {
    let cause = &job.cause;
    match job.origin {
        Origin::Query => Vec::new(),
        Origin::Solo => announcement(cause).into(),
        Origin::Fallback => vec![ours(cause.forward(FALLBACK_START, json!({})))],
        // The core tells the life of what it has a participant converse about.
        Origin::Converse if !is_dispatch(cause) => Vec::new(),
        Origin::Converse | Origin::Intent => {
            vec![ours(cause.forward(
                topic::SKILL_HANDLER_START,
                json!({"name": handler_name(cause)}),
            ))]
        }
    }
}

/// What is sent when the turn has ended: the one answer, how the turn came out, then the end.
pub(super) fn closing(job: &Job, said: &Said, result: Option<Value>) -> Vec<Message> {
    let cause = &job.cause;
    let mut frames = Vec::new();
    if job.origin != Origin::Query && !said.text.is_empty() {
        frames.push(speak(cause, &said.text, &job.lang));
    }
    frames.extend(result.map(|result| told(job, result)));
    let failure = failure(said);
    match job.origin {
        Origin::Query => frames.push(persona_answer(job, said)),
        Origin::Solo => frames.extend([outcome(cause, failure.as_deref()), handled(cause)]),
        Origin::Fallback => {
            let data = json!({"result": true, "fallback_handler": FALLBACK_HANDLER});
            frames.push(ours(cause.forward(FALLBACK_RESPONSE, data)));
            frames.extend(own_end(cause));
        }
        Origin::Converse => {
            frames.push(ours(
                cause.reply(topic::SKILL_CONVERSE_RESPONSE, conversed(failure.as_deref())),
            ));
            if is_dispatch(cause) {
                frames.extend(guest_end(cause, failure.as_deref()));
            } else {
                // A newer core would take a second end of ours for that of another utterance in our hands.
                frames.extend(own_end(cause));
            }
        }
        Origin::Intent => frames.extend(guest_end(cause, failure.as_deref())),
    }
    frames
}

/// Whether it came as the specifications have it; the cores of today send requests of their own.
fn is_dispatch(cause: &Message) -> bool {
    topic::dispatch_of(&cause.topic).is_some()
}

/// What a participant of a conversation says when it is done.
fn conversed(failure: Option<&str>) -> Value {
    let data = json!({"skill_id": SKILL_ID, "result": true});
    match failure {
        None => data,
        Some(text) => with(data, "error", text),
    }
}

/// How a turn came out, to where its answer goes.
fn told(job: &Job, result: Value) -> Message {
    ours(match job.origin {
        Origin::Query => job.cause.reply(topic::LOQUAT_TURN_RESULT, result),
        _ => job.cause.forward(topic::LOQUAT_TURN_RESULT, result),
    })
}

/// How a handler of ours tells ovos-core that it is done.
pub(super) fn guest_end(cause: &Message, exception: Option<&str>) -> Vec<Message> {
    let data = json!({"name": handler_name(cause)});
    let done = match exception {
        None => cause.forward(topic::SKILL_HANDLER_COMPLETE, data),
        Some(text) => cause.forward(topic::SKILL_HANDLER_ERROR, with(data, "exception", text)),
    };
    std::iter::once(ours(done)).chain(own_end(cause)).collect()
}

/// Only a core that stamps utterances sends the end marker itself.
fn own_end(cause: &Message) -> Option<Message> {
    let unstamped = cause.context.utterance_id().is_none();
    unstamped.then(|| cause.forward(topic::UTTERANCE_HANDLED, json!({"name": FALLBACK_HANDLER})))
}

fn handler_name(cause: &Message) -> String {
    let intent = cause.topic.rsplit([':', '.']).next().unwrap_or_default();
    format!("{SKILL_ID}.{intent}")
}

/// One sentence to be spoken, derived from what it answers. Both spellings of the flag that reopens the microphone
/// are sent, since shipped audio services read the older one.
pub(super) fn speak(cause: &Message, text: &str, lang: &str) -> Message {
    spoken(cause, text, lang, false)
}

/// The same for a question: the microphone is opened for the answer.
pub(super) fn question(cause: &Message, text: &str, lang: &str) -> Message {
    spoken(cause, text, lang, true)
}

fn spoken(cause: &Message, text: &str, lang: &str, listen: bool) -> Message {
    let data = json!({"utterance": text, "lang": lang, "listen": listen, "expect_response": listen,
                      "meta": {"skill": SKILL_ID}});
    ours(cause.forward(topic::SPEAK, data))
}

/// What has an older core bring us what is said next: it asks only skills that are active whether they go on with a
/// conversation, and its dispatch to a fallback handler makes nobody active (CONVERSE-1 §5.1).
pub(super) fn activation(job: &Job) -> Option<Message> {
    let unknown = job.is_from_core() && job.cause.context.utterance_id().is_none();
    let data = json!({"skill_id": SKILL_ID});
    unknown.then(|| ours(job.cause.forward(topic::SKILL_ACTIVATE, data)))
}

/// An utterance that nobody answers: said so, then ended (PL-4, PL-15).
pub(super) fn unmatched(entry: &Message) -> [Message; 2] {
    let data = Value::Object(entry.data.clone());
    [entry.forward(topic::INTENT_UNMATCHED, data), handled(entry)]
}

/// An utterance that somebody stopped before anybody had it: said so, then ended.
pub(super) fn called_off(entry: &Message) -> [Message; 2] {
    let data = json!({"cancel_reason": STOPPED, "cancel_by": Stage::Stop.id()});
    [entry.forward(topic::UTTERANCE_CANCELLED, data), handled(entry)]
}

/// Why a turn that has no proper answer ended, as the bus is told. Silence that was meant is no failure.
fn failure(said: &Said) -> Option<String> {
    if said.refusal.is_some() {
        return said.refusal.clone();
    }
    let kept_silent = said.reason == Reason::Noop && said.text.is_empty();
    match said.reason {
        reason if reason.is_success() || kept_silent => None,
        Reason::Stopped => Some(STOPPED.to_owned()),
        reason => Some(format!("turn ended: {}", wire_name(reason))),
    }
}

/// A query is always answered (PERSONA-1 §8.5), with a response or with a short, stable error.
fn persona_answer(job: &Job, said: &Said) -> Message {
    if !said.is_answer && !said.reason.is_success() {
        let error = said.refusal.clone();
        return refused_query(&job.cause, &error.unwrap_or_else(|| wire_name(said.reason)));
    }
    let data = json!({"persona_id": job.cause.data.get("persona_id"), "utterance": job.utterance,
                      "response": said.text});
    job.cause.reply(topic::PERSONA_ANSWER, data)
}

/// The answer to a query that has none.
pub(super) fn refused_query(query: &Message, error: &str) -> Message {
    let utterance = query.data.get("utterance").and_then(Value::as_str);
    let data = json!({"persona_id": query.data.get("persona_id"), "utterance": utterance.unwrap_or_default().trim(),
                      "error": error});
    query.reply(topic::PERSONA_ANSWER, data)
}

/// The reason as DESIGN and the journal spell it.
fn wire_name(reason: Reason) -> String {
    match serde_json::to_value(reason) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// The frame as one of our skill's.
pub(super) fn ours(mut message: Message) -> Message {
    message.context.set_skill_id(SKILL_ID);
    message
}

/// A frame that answers nobody: it names us as the skill and as where it comes from (MSG-1 §7, INTENT-4 §3.1).
pub fn originated(topic: &str, data: Value) -> Message {
    let mut message = ours(Message::new(topic, data));
    message.context.set_source(SKILL_ID);
    message
}
