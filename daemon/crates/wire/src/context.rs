//! The context of a message: routing, session, ids and everything that merely travels along.
//!
//! Unknown keys are never rejected and always kept. Nothing here interprets a routing key.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::extent;
use crate::session::{self, Session};

/// The key of the id that the orchestrator stamps on every utterance, once.
pub const UTTERANCE_ID: &str = "utterance_id";
/// The key of the id of the skill that emits a message or is meant by it.
pub const SKILL_ID: &str = "skill_id";
/// The key that marks the legacy twin of a canonical frame.
pub const NAMESPACE_TWIN: &str = "_namespace_compat_twin";
/// The key that marks the `.intent` twin of a dispatch.
pub const INTENT_TWIN: &str = "_intent_compat_twin";
/// The key that marks a frame that is sent again, with its age in milliseconds.
pub const REPEATED: &str = "_loquat_repeated";

/// The key by which the answer to a request of ours is known; peers carry it on like any other.
pub const REQUEST: &str = "_loquat_request";
/// The key that tells one tool call from another.
pub const TOOL_CALL_ID: &str = "tool_call_id";

/// The key under which the session travels.
pub const SESSION: &str = "session";
/// The key of who sends it.
pub const SOURCE: &str = "source";
/// The key of for whom it is.
pub const DESTINATION: &str = "destination";

/// The context of a message. Clones share it until one of them is changed, since nearly every message that is derived
/// from another has the same.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Context(Arc<Map<String, Value>>);

impl Context {
    /// Reads the session; the default session where there is none.
    pub fn session(&self) -> Session {
        match self.0.get(SESSION) {
            Some(Value::Object(map)) => Session::from(map.clone()),
            _ => Session::default(),
        }
    }

    /// Reads the session's id; that of the default session where there is none.
    pub fn session_id(&self) -> &str {
        let session = self.0.get(SESSION).and_then(Value::as_object);
        session.map_or(session::DEFAULT_SESSION_ID, session::id_of)
    }

    /// Puts a session in, without its null fields; one without fields is left out, which means the same (SESSION-1 §2.1).
    pub fn set_session(&mut self, session: &Session) {
        let map = session.without_nulls();
        if map.is_empty() {
            self.remove(SESSION);
        } else {
            self.insert(SESSION, map);
        }
    }

    /// Tells who sent the message. An empty text counts as absent. Of a list, which old peers send, the first entry
    /// counts.
    pub fn source(&self) -> Option<&str> {
        route(self.0.get(SOURCE))
    }

    /// Tells for whom the message is; without one it is for everybody. It is read like [`source`](Self::source), and
    /// restricts no delivery.
    pub fn destination(&self) -> Option<&str> {
        route(self.0.get(DESTINATION))
    }

    /// Copies the keys that bring another message to those for whom this one is.
    pub fn route(&self) -> Map<String, Value> {
        let destination = self.0.get(DESTINATION).filter(|_| self.destination().is_some());
        destination
            .map(|value| (DESTINATION.to_owned(), value.clone()))
            .into_iter()
            .collect()
    }

    /// Sets who sends it; an empty text removes the key.
    pub fn set_source(&mut self, source: &str) {
        self.set_route(SOURCE, Some(source));
    }

    /// Sets for whom it is; an empty text removes the key.
    pub fn set_destination(&mut self, destination: &str) {
        self.set_route(DESTINATION, Some(destination));
    }

    /// Names the utterance that this message belongs to.
    pub fn utterance_id(&self) -> Option<&str> {
        self.text(UTTERANCE_ID)
    }

    /// Stamps the utterance. Only the orchestrator does, once, at entry.
    pub fn set_utterance_id(&mut self, utterance_id: &str) {
        self.insert(UTTERANCE_ID, utterance_id);
    }

    /// Names the skill that emitted the message or is meant by it.
    pub fn skill_id(&self) -> Option<&str> {
        self.text(SKILL_ID)
    }

    /// Sets the skill; every message that a handler originates carries its own.
    pub fn set_skill_id(&mut self, skill_id: &str) {
        self.insert(SKILL_ID, skill_id);
    }

    /// Gives the value of any key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Reads a key that is a text and not empty.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Sets any key.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        if self.0.get(&key) != Some(&value) {
            Arc::make_mut(&mut self.0).insert(key, value);
        }
    }

    /// Removes any key and gives what it held.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        if self.0.contains_key(key) {
            Arc::make_mut(&mut self.0).remove(key)
        } else {
            None
        }
    }

    /// Takes keys out until what is left needs no more than `most` bytes beside the session; the smallest stay. Whether any
    /// had to go.
    pub fn shed(&mut self, most: usize) -> bool {
        if extent::extent_of(&self.0, most).is_some() {
            return false;
        }
        let keys = Arc::make_mut(&mut self.0);
        let session = keys.remove(SESSION);
        let shed = extent::shed(keys, most);
        keys.extend(session.map(|session| (SESSION.to_owned(), session)));
        shed
    }

    /// Tells whether the message is marked as the legacy twin of another frame.
    pub fn is_twin(&self) -> bool {
        [NAMESPACE_TWIN, INTENT_TWIN]
            .iter()
            .any(|marker| self.0.get(*marker) == Some(&Value::Bool(true)))
    }

    /// Gives all keys with their values.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Tells whether `session` is there and neither an object nor null (SESSION-1 §2.5).
    pub(crate) fn has_malformed_session(&self) -> bool {
        !matches!(self.0.get(SESSION), None | Some(Value::Null | Value::Object(_)))
    }

    /// Removes the markers that are about one frame: of twins, and of what is sent again.
    pub(crate) fn strip_markers(&mut self) {
        self.remove(NAMESPACE_TWIN);
        self.remove(INTENT_TWIN);
        self.remove(REPEATED);
    }

    /// Gives what a derived message inherits: everything, in the form in which we may emit it.
    pub(crate) fn derived(&self) -> Self {
        let mut derived = self.clone();
        derived.strip_markers();
        for key in [SOURCE, DESTINATION] {
            derived.set_route(key, route(self.0.get(key)));
        }
        // Old peers write null for "none"; a null field counts as absent and we may not emit it (SESSION-1 §2).
        match self.0.get(SESSION) {
            Some(Value::Object(session)) if session.values().any(Value::is_null) => {
                derived.set_session(&self.session());
            }
            Some(Value::Null) => drop(derived.remove(SESSION)),
            _ => {}
        }
        derived
    }

    /// Swaps the routing for a reply (MSG-1 §5.2): a lone key is copied to the other side and kept.
    pub(crate) fn turn_around(&mut self) {
        let source = self.source().map(ToOwned::to_owned);
        let destination = self.destination().map(ToOwned::to_owned);
        if let Some(destination) = &destination {
            self.set_source(destination);
        }
        if let Some(source) = &source {
            self.set_destination(source);
        }
    }

    fn set_route(&mut self, key: &str, value: Option<&str>) {
        match value.filter(|text| !text.is_empty()) {
            Some(text) => self.insert(key, text),
            None => drop(self.remove(key)),
        }
    }
}

impl From<Map<String, Value>> for Context {
    fn from(map: Map<String, Value>) -> Self {
        Self(map.into())
    }
}

impl From<Context> for Map<String, Value> {
    fn from(context: Context) -> Self {
        Arc::unwrap_or_clone(context.0)
    }
}

pub(crate) fn route(value: Option<&Value>) -> Option<&str> {
    let text = match value? {
        Value::Array(entries) => entries.iter().find_map(|entry| route(Some(entry))),
        other => other.as_str(),
    };
    text.filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
