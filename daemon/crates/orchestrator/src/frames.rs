//! The frames of an utterance's life, in the order that the specifications ask for. They are built here and never sent.
//!
//! Solo, we are the orchestrator (PIPELINE-1 §7 to §9); as a guest we are a fallback handler, an owner of intents and a
//! participant of conversations, as both generations of ovos-core expect it. Every opening is followed by exactly one
//! closing.

use std::borrow::Cow;

use loquat_wire::{Message, Session, speech, topic, with};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use super::skill_id::SKILL_ID;

use super::handlers::{push_handler, push_older};
use super::pipeline::Stage;

/// Where ovos-core sends the utterances that no skill matched.
pub const FALLBACK_REQUEST: &str = "ovos.skills.fallback.loquat.request";
const FALLBACK_START: &str = "ovos.skills.fallback.loquat.start";
const FALLBACK_RESPONSE: &str = "ovos.skills.fallback.loquat.response";

/// The name of the fallback handler, for ovos-core's log.
const FALLBACK_HANDLER: &str = "chat";

/// Why something ended that was stopped, by a word or by a frame.
pub const STOPPED: &str = "stopped by user";

/// Intents whose dispatch makes no skill active (PL-9).
const QUIET: [&str; 4] = ["converse", "response", "stop", "common_query"];

/// How an utterance reached us, which decides the frames around the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// We are the orchestrator: all frames of its life are ours.
    Solo,
    /// ovos-core asked us as its fallback handler.
    Fallback,
    /// ovos-core matched an intent of ours.
    Intent,
    /// ovos-core asked whether we go on with the conversation, and we do.
    Converse,
    /// A program asked a persona out of band; nothing is spoken.
    Query,
}

impl Origin {
    /// Tells whether a core has brought the utterance to us.
    pub fn is_from_core(self) -> bool {
        matches!(self, Self::Fallback | Self::Intent | Self::Converse)
    }
}

/// To whom an utterance is dispatched, and what for.
#[derive(Debug)]
pub struct Addressed<'a> {
    /// The intent is this skill's.
    pub skill_id: &'a str,
    /// The skill calls the intent so.
    pub intent: &'a str,
    /// This stage matched.
    pub pipeline_id: &'a str,
    /// The utterance is in this language alone.
    pub lang: &'a str,
    /// This hypothesis matched.
    pub utterance: &'a str,
    /// These words filled its gaps.
    pub slots: &'a Map<String, Value>,
    /// The session that the match left.
    pub session: &'a Session,
}

/// Makes the dispatch of a matched utterance: a reply to the entry frame (PL-8 to PL-10).
pub fn dispatch(entry: &Message, to: &Addressed<'_>, now_unix: f64) -> Message {
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

/// Takes skill and intent out of a dispatch's topic, into the payload that names both.
fn named(dispatch: &Message) -> Value {
    let (skill_id, intent) = dispatch
        .topic
        .rsplit_once(':')
        .unwrap_or((SKILL_ID, &dispatch.topic));
    json!({"skill_id": skill_id, "intent_name": intent})
}

/// Tells the match, tells that its handler begins, and sends it the utterance (PL-7, PL-8, PL-11).
pub fn announcement(dispatch: &Message) -> [Message; 3] {
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

/// Tells that a dispatched handler is done, or with what it failed (PL-11).
pub fn outcome(dispatch: &Message, exception: Option<&str>) -> Message {
    match exception {
        None => dispatch.forward(topic::HANDLER_COMPLETE, named(dispatch)),
        Some(text) => dispatch.forward(topic::HANDLER_ERROR, with(named(dispatch), "exception", text)),
    }
}

/// Makes the end marker (PL-3).
pub fn handled(cause: &Message) -> Message {
    cause.forward(topic::UTTERANCE_HANDLED, json!({}))
}

/// Gives the frames that go out before the turn begins. `cause` is the dispatch, request or query that
/// brought the utterance.
pub fn opening(origin: Origin, cause: &Message) -> Vec<Message> {
    match origin {
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

/// How a turn came out, as the bus is told.
#[derive(Debug)]
pub struct Closing<'a> {
    /// The answer as it is spoken; empty where nothing is said.
    pub speech: Cow<'a, str>,
    /// The language of the answer.
    pub lang: &'a str,
    /// The whole result, where the bus is told it.
    pub result: Option<Value>,
    /// Why there is no proper answer.
    pub failure: Option<&'a str>,
    /// What a query is answered: a response, or a short and stable error.
    pub response: Result<&'a str, &'a str>,
}

/// Gives the frames for the end of a turn: the one answer, how the turn came out, then the end marker.
pub fn closing(origin: Origin, cause: &Message, closing: Closing<'_>) -> Vec<Message> {
    let Closing {
        speech,
        lang,
        result,
        failure,
        response,
    } = closing;
    let mut frames = Vec::new();
    if origin != Origin::Query && !speech.is_empty() {
        frames.push(speak(cause, &speech, lang));
    }
    frames.extend(result.map(|result| told(origin, cause, result)));
    match origin {
        Origin::Query => frames.push(persona_answer(cause, response)),
        Origin::Solo => frames.extend([outcome(cause, failure), handled(cause)]),
        Origin::Fallback => {
            let data = json!({"result": true, "fallback_handler": FALLBACK_HANDLER});
            frames.push(ours(cause.forward(FALLBACK_RESPONSE, data)));
            frames.extend(own_end(cause));
        }
        Origin::Converse => {
            frames.push(ours(
                cause.reply(topic::SKILL_CONVERSE_RESPONSE, conversed(failure)),
            ));
            if is_dispatch(cause) {
                frames.extend(guest_end(cause, failure));
            } else {
                // A newer core would take a second end of ours for that of another utterance in our hands.
                frames.extend(own_end(cause));
            }
        }
        Origin::Intent => frames.extend(guest_end(cause, failure)),
    }
    frames
}

/// Tells whether an utterance came as a dispatch of the specifications; the cores of today send requests of
/// their own.
fn is_dispatch(cause: &Message) -> bool {
    topic::dispatch_of(&cause.topic).is_some()
}

/// Makes the payload with which a participant of a conversation says that it is done.
fn conversed(failure: Option<&str>) -> Value {
    let data = json!({"skill_id": SKILL_ID, "result": true});
    match failure {
        None => data,
        Some(text) => with(data, "error", text),
    }
}

/// Tells how a turn came out, to where its answer goes.
fn told(origin: Origin, cause: &Message, result: Value) -> Message {
    ours(match origin {
        Origin::Query => cause.reply(topic::LOQUAT_TURN_RESULT, result),
        _ => cause.forward(topic::LOQUAT_TURN_RESULT, result),
    })
}

/// Makes the frames with which a handler of ours tells ovos-core that it is done.
pub fn guest_end(cause: &Message, exception: Option<&str>) -> Vec<Message> {
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

/// One sentence to be spoken, derived from what it answers. The text has to be fit to be shown.
pub fn speak(cause: &Message, text: &str, lang: &str) -> Message {
    spoken(cause, text, lang, false)
}

/// A question to be spoken: the microphone is opened for the answer. The text has to be fit to be shown.
pub fn question(cause: &Message, text: &str, lang: &str) -> Message {
    spoken(cause, text, lang, true)
}

/// What is spoken beside an answer, while that is awaited: it is no answer, and the microphone is not opened behind it.
pub fn aside(cause: &Message, text: &str, lang: &str) -> Message {
    speech::mark_aside(spoken(cause, text, lang, false))
}

/// What stands of an answer that is still being written, for our own voice. The text has to be fit to be shown.
pub fn begun(cause: &Message, turn_id: &str, text: &str, lang: &str) -> Message {
    of_begun(
        cause,
        json!({"turn_id": turn_id, "utterance": text, "lang": lang}),
    )
}

/// What our own voice has begun with is not the answer: it says so where a person has heard any of it.
pub fn taken_back(cause: &Message, turn_id: &str, apology: &str, lang: &str) -> Message {
    of_begun(
        cause,
        json!({"turn_id": turn_id, "apology": apology, "lang": lang}),
    )
}

/// Of an answer with which our own voice has begun no more comes.
pub fn broken_off(cause: &Message, turn_id: &str) -> Message {
    of_begun(cause, json!({"turn_id": turn_id}))
}

fn of_begun(cause: &Message, data: Value) -> Message {
    ours(cause.forward(topic::LOQUAT_SPEECH_BEGUN, data))
}

/// Both spellings of the flag that reopens the microphone are sent, since shipped audio services read the older one.
fn spoken(cause: &Message, text: &str, lang: &str, listen: bool) -> Message {
    let data = json!({"utterance": text, "lang": lang, "listen": listen, "expect_response": listen,
                      "meta": {"skill": SKILL_ID}});
    ours(cause.forward(topic::SPEAK, data))
}

/// Has an older core bring us what is said next: it asks only skills that are active whether they go on with a
/// conversation, and its dispatch to a fallback handler makes no skill active (CONVERSE-1 §5.1).
pub fn activation(origin: Origin, cause: &Message) -> Option<Message> {
    let unknown = origin.is_from_core() && cause.context.utterance_id().is_none();
    let data = json!({"skill_id": SKILL_ID});
    unknown.then(|| ours(cause.forward(topic::SKILL_ACTIVATE, data)))
}

/// Tells that no stage has a match for an utterance, then ends it (PL-4, PL-15).
pub fn unmatched(entry: &Message) -> [Message; 2] {
    let data = Value::Object(entry.data.clone());
    [entry.forward(topic::INTENT_UNMATCHED, data), handled(entry)]
}

/// Tells that an utterance was stopped before it was dispatched, then ends it.
pub fn called_off(entry: &Message) -> [Message; 2] {
    let data = json!({"cancel_reason": STOPPED, "cancel_by": Stage::Stop.id()});
    [entry.forward(topic::UTTERANCE_CANCELLED, data), handled(entry)]
}

/// Tells that no person has said an utterance that was heard, then ends it.
pub fn said_by_nobody(entry: &Message) -> [Message; 2] {
    let data = json!({"cancel_reason": "nothing_said", "cancel_by": SKILL_ID});
    [entry.forward(topic::UTTERANCE_CANCELLED, data), handled(entry)]
}

/// A query is always answered (PERSONA-1 §8.5), with a response or with a short, stable error.
fn persona_answer(query: &Message, response: Result<&str, &str>) -> Message {
    let utterance = query.data.get("utterance").and_then(Value::as_str);
    let data = json!({"persona_id": query.data.get("persona_id"), "utterance": utterance.unwrap_or_default().trim()});
    let data = match response {
        Ok(text) => with(data, "response", text),
        Err(error) => with(data, "error", error),
    };
    query.reply(topic::PERSONA_ANSWER, data)
}

/// Answers a query that has no answer.
pub fn refused_query(query: &Message, error: &str) -> Message {
    persona_answer(query, Err(error))
}

/// Marks a frame as one of our skill's.
pub fn ours(mut message: Message) -> Message {
    message.context.set_skill_id(SKILL_ID);
    message
}

/// Makes a frame that answers no other frame: it names us as the skill and as where it comes from (MSG-1 §7,
/// INTENT-4 §3.1).
pub fn originated(topic: &str, data: Value) -> Message {
    let mut message = ours(Message::new(topic, data));
    message.context.set_source(SKILL_ID);
    message
}
