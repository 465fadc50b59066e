//! The lists of handlers that a session carries: which skills are active in it, and which may converse (CONVERSE-1 §3).
//! They are read and changed here, and nothing is sent.

use loquat_wire::{Session, with};
use serde_json::{Value, json};

use super::skill_id::SKILL_ID;

/// A handler that has been silent longer is no participant any more (CONVERSE-1 §3.2).
const HANDLER_LIFE: f64 = 300.0;

/// Handlers that a session lists.
const HANDLERS: usize = 16;

/// Puts a skill at the head of a list of handlers, and takes out those that were silent too long.
pub fn push_handler(session: &mut Session, field: &str, skill_id: &str, now_unix: f64) {
    remove_handler(session, field, skill_id);
    let mut handlers = live_handlers(session, field, now_unix);
    handlers.insert(0, json!({"skill_id": skill_id, "activated_at": now_unix}));
    handlers.truncate(HANDLERS);
    session.insert(field, Value::Array(handlers));
}

/// The handlers in a field that were not silent too long; one that waits for an answer stays (PL-10).
pub fn live_handlers(session: &Session, field: &str, now_unix: f64) -> Vec<Value> {
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

/// Bounds how long a skill waits for an answer: no longer than it says, and no longer than a handler lives.
pub fn keep_waiting(session: &mut Session, now_unix: f64) {
    let Some(mode) = session.remove("response_mode").filter(Value::is_object) else {
        return;
    };
    let until = mode.get("expires_at").and_then(Value::as_f64);
    let last = now_unix + HANDLER_LIFE;
    let is_over = until.is_some_and(|until| until <= now_unix);
    if !is_over {
        let until = until.map_or(last, |until| until.min(last));
        session.insert("response_mode", with(mode, "expires_at", until));
    }
}

/// Keeps those in a list of handlers that have an id and were not silent too long. A moment in the future becomes now, or
/// that handler would stay in the list for ever.
pub fn keep_handlers(session: &mut Session, field: &str, now_unix: f64) {
    let mut handlers = live_handlers(session, field, now_unix);
    handlers.retain(|handler| handler.get("skill_id").is_some_and(Value::is_string));
    handlers.truncate(HANDLERS);
    for handler in &mut handlers {
        let at = handler.get("activated_at").and_then(Value::as_f64);
        if at.is_some_and(|at| at > now_unix) {
            handler["activated_at"] = json!(now_unix);
        }
    }
    if handlers.is_empty() {
        session.remove(field);
    } else {
        session.insert(field, Value::Array(handlers));
    }
}

/// Takes a skill out of a list of handlers. A list that becomes empty is removed.
pub fn remove_handler(session: &mut Session, field: &str, skill_id: &str) {
    let Some(Value::Array(mut handlers)) = session.remove(field) else {
        return;
    };
    handlers.retain(|handler| handler.get("skill_id").and_then(Value::as_str) != Some(skill_id));
    if !handlers.is_empty() {
        session.insert(field, Value::Array(handlers));
    }
}

/// Tells whether a session tells that we were at work in it, in the words of either generation.
pub fn lists_us(session: &Session) -> bool {
    let listed = |field: &str, id: fn(&Value) -> Option<&Value>| {
        let handlers = session.get(field).and_then(Value::as_array);
        let mut ids = handlers.into_iter().flatten().filter_map(id);
        ids.any(|id| id.as_str() == Some(SKILL_ID))
    };
    listed("active_handlers", |handler| handler.get("skill_id"))
        || listed("active_skills", |pair| pair.get(0))
}

/// Tells whether no skill of a session became active after us.
pub fn is_newest(session: &Session) -> bool {
    let handlers = session.get("active_handlers").and_then(Value::as_array);
    let at = |handler: &Value| handler.get("activated_at").and_then(Value::as_f64).unwrap_or(0.0);
    let newest = handlers
        .into_iter()
        .flatten()
        .max_by(|one, other| at(one).total_cmp(&at(other)));
    newest.and_then(|newest| newest.get("skill_id")?.as_str()) == Some(SKILL_ID)
}

/// Adds to the older list of active skills, where a session has it: old skills look themselves up in it.
pub(super) fn push_older(session: &mut Session, skill_id: &str, now_unix: f64) {
    if let Some(Value::Array(mut skills)) = session.get("active_skills").cloned() {
        skills.retain(|pair| pair.get(0).and_then(Value::as_str) != Some(skill_id));
        skills.insert(0, json!([skill_id, now_unix]));
        skills.truncate(HANDLERS);
        session.insert("active_skills", Value::Array(skills));
    }
}
