//! The session that travels with a message (SESSION-1). Reads fields tolerantly, keeps every field it does not know.

pub mod bounds;

use serde_json::{Map, Value};

use crate::extent;

/// The id of the device's own session.
pub const DEFAULT_SESSION_ID: &str = "default";

/// The field that holds a session's id.
pub(crate) const SESSION_ID: &str = "session_id";

/// A session. Null and wrongly typed fields count as absent; an absent session is the default one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session(Map<String, Value>);

impl Session {
    /// Makes a session with nothing but an id.
    pub fn named(session_id: &str) -> Self {
        let mut session = Self::default();
        session.insert(SESSION_ID, session_id);
        session
    }

    /// Gives the session's id; it is `default` when it has none.
    pub fn id(&self) -> &str {
        id_of(&self.0)
    }

    /// Tells whether it is the device's own, and not that of a satellite or another client.
    pub fn is_default(&self) -> bool {
        self.id() == DEFAULT_SESSION_ID
    }

    /// Gives the person's language as a BCP-47 tag; absent where the session names none.
    pub fn lang(&self) -> Option<&str> {
        self.text("lang")
    }

    /// Gives the language in which answers are wanted, BCP-47.
    pub fn output_lang(&self) -> Option<&str> {
        self.text("output_lang")
    }

    /// Names the persona that was summoned. Empty and absent mean that there is none.
    pub fn persona_id(&self) -> Option<&str> {
        self.text("persona_id")
    }

    /// Summons a persona or, with `None`, dismisses it.
    pub fn set_persona_id(&mut self, persona_id: Option<&str>) {
        match persona_id.filter(|id| !id.is_empty()) {
            Some(id) => self.insert("persona_id", id),
            None => {
                self.0.remove("persona_id");
            }
        }
    }

    /// Gives the IANA name of the person's time zone: `location.tz`, or in old sessions
    /// `location.timezone.code`.
    pub fn time_zone(&self) -> Option<&str> {
        let location = self.get("location")?;
        [location.get("tz"), location.pointer("/timezone/code")]
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find(|zone| !zone.is_empty())
    }

    /// Gives the units, `metric` or `imperial`; absent where the device's own count.
    pub fn system_unit(&self) -> Option<&str> {
        self.text("system_unit")
    }

    /// Gives the clock, `half` (12 hours) or `full` (24 hours); absent where the device's own counts.
    pub fn time_format(&self) -> Option<&str> {
        self.text("time_format")
    }

    /// Gives the order of a date, `MDY`, `DMY` or `YMD`; absent where the device's own counts.
    pub fn date_format(&self) -> Option<&str> {
        self.text("date_format")
    }

    /// Lists skills that may not act in this session.
    pub fn blacklisted_skills(&self) -> Vec<&str> {
        self.texts("blacklisted_skills")
    }

    /// Reads a field, unless it is null.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// Reads a field that is a text and not empty.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Reads the texts in a field that is a list; they are none when it is no list.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.get(field)
            .and_then(Value::as_array)
            .map(|entries| entries.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default()
    }

    /// Sets any field.
    pub fn insert(&mut self, field: impl Into<String>, value: impl Into<Value>) {
        self.0.insert(field.into(), value.into());
    }

    /// Removes any field and gives what it held.
    pub fn remove(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field)
    }

    /// Takes fields out until those that are left need no more than `most` bytes; the smallest stay.
    pub fn shed(&mut self, most: usize) {
        extent::shed(&mut self.0, most);
    }

    /// Gives all fields as they were received.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The fields in the form in which they may be emitted: none is null (SESSION-1 §2).
    pub(crate) fn without_nulls(&self) -> Map<String, Value> {
        let mut map = self.0.clone();
        map.retain(|_, value| !value.is_null());
        map
    }
}

impl From<Map<String, Value>> for Session {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

impl From<Session> for Map<String, Value> {
    fn from(session: Session) -> Self {
        session.0
    }
}

/// Reads the id in the fields of a session.
pub(crate) fn id_of(session: &Map<String, Value>) -> &str {
    let id = session.get(SESSION_ID).and_then(Value::as_str);
    id.filter(|id| !id.is_empty()).unwrap_or(DEFAULT_SESSION_ID)
}

#[cfg(test)]
mod tests;
