//! What skills noted in a session for the next utterances: its `intent_context` (CONTEXT-1).
//!
//! A note lives for so many utterances, until a moment, or until it is taken back. It decides whether an intent may match
//! at all, and fills a slot that was not named. A key with a ':' belongs to the skill before it, any other to everybody.

use loquat_wire::Session;
use loquat_wire::session::bounds;
use serde_json::{Map, Value, json};

const FIELD: &str = "intent_context";

/// Seconds that a note of the device's own session lives at most, if it does not count utterances.
const LONGEST_LIFE: f64 = 24.0 * 60.0 * 60.0;

/// Utterances that a note may live for without a moment at which it ends.
const MOST_TURNS: i64 = 1_000;

/// Keys that one intent asks about.
const ASKED: usize = 32;

/// What an intent needs to be noted, and what must not be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gate {
    requires: Vec<String>,
    excludes: Vec<String>,
}

impl Gate {
    /// As a registration of this skill declares it; entries that make no sense cannot be met.
    pub fn of(skill_id: &str, data: &Map<String, Value>) -> Self {
        let keys = |field: &str| -> Vec<String> {
            let listed = data.get(field).and_then(Value::as_array).into_iter().flatten();
            listed
                .filter_map(|entry| key(skill_id, entry))
                .take(ASKED)
                .collect()
        };
        Self {
            requires: keys("requires_context"),
            excludes: keys("excludes_context"),
        }
    }

    /// Tells whether an intent may match in a session whose dead notes are gone.
    pub fn is_open(&self, session: &Session) -> bool {
        let notes = in_session(session);
        let noted = |key: &String| notes.is_some_and(|notes| notes.contains_key(key));
        self.requires.iter().all(noted) && !self.excludes.iter().any(noted)
    }
}

/// Gives the text that was noted for a slot of a skill, by itself or by anybody.
pub fn noted<'a>(session: &'a Session, skill_id: &str, slot: &str) -> Option<&'a str> {
    let notes = in_session(session)?;
    let own = notes.get(&format!("{skill_id}:{slot}"));
    let value = |note: &'a Value| note.get("value").and_then(Value::as_str);
    own.and_then(value).or_else(|| notes.get(slot).and_then(value))
}

/// Takes out what is dead, before an utterance is matched; an empty field is left out.
pub fn prune(session: &mut Session, now_unix: f64) {
    edit(session, |notes| {
        notes.retain(|_, note| is_live(note, now_unix));
    });
}

/// Gives an end to every note without one, so that nothing is kept for ever because of one frame.
pub fn age(session: &mut Session, now_unix: f64) {
    let last = now_unix + LONGEST_LIFE;
    edit(session, |notes| {
        for note in notes.values_mut().filter(|note| is_endless(note, last)) {
            note["expires_at"] = json!(last);
        }
    });
}

/// One utterance has been matched, or has not: every counted note lives for one less.
pub fn count_down(session: &mut Session) {
    edit(session, |notes| {
        for note in notes.values_mut() {
            if let Some(turns) = turns(note) {
                note["turns_remaining"] = json!(turns.saturating_sub(1));
            }
        }
    });
}

/// Finds what differs in the notes of two sessions; a null takes a note back, one that is missing stays.
pub(super) fn changed(before: &Session, after: &Session) -> Map<String, Value> {
    let old = in_session(before);
    let differs = |key: &str, note: &Value| old.and_then(|old| old.get(key)) != Some(note);
    let notes = in_session(after).into_iter().flatten();
    notes
        .filter(|(key, note)| (note.is_object() || note.is_null()) && differs(key, note))
        .take(bounds::ENTRIES)
        .map(|(key, note)| (key.clone(), note.clone()))
        .collect()
}

/// Puts changed notes into a session.
pub(super) fn merge(session: &mut Session, changes: &Map<String, Value>) {
    if changes.is_empty() {
        return;
    }
    if in_session(session).is_none() {
        session.insert(FIELD, json!({}));
    }
    edit(session, |notes| {
        for (key, note) in changes {
            if note.is_null() {
                notes.remove(key);
            } else {
                notes.insert(key.clone(), note.clone());
            }
        }
    });
}

fn in_session(session: &Session) -> Option<&Map<String, Value>> {
    session.get(FIELD).and_then(Value::as_object)
}

fn edit(session: &mut Session, change: impl FnOnce(&mut Map<String, Value>)) {
    let Some(Value::Object(mut notes)) = session.remove(FIELD) else {
        return;
    };
    change(&mut notes);
    if !notes.is_empty() {
        session.insert(FIELD, Value::Object(notes));
    }
}

/// Gives the key of a note that an intent asks about: its skill's own unless it says otherwise.
fn key(skill_id: &str, entry: &Value) -> Option<String> {
    let (key, shared) = match entry {
        Value::String(key) => (key.as_str(), false),
        entry => (
            entry.get("key")?.as_str()?,
            entry.get("scope").and_then(Value::as_str) == Some("shared"),
        ),
    };
    Some(if shared {
        key.to_owned()
    } else {
        format!("{skill_id}:{key}")
    })
}

fn turns(note: &Value) -> Option<i64> {
    note.get("turns_remaining").and_then(Value::as_i64)
}

fn is_live(note: &Value, now_unix: f64) -> bool {
    let until = note.get("expires_at").and_then(Value::as_f64);
    note.is_object()
        && turns(note).is_none_or(|turns| turns > 0)
        && until.is_none_or(|until| until > now_unix)
}

/// Tells whether nothing ends a note by this moment.
fn is_endless(note: &Value, last: f64) -> bool {
    let until = note.get("expires_at").and_then(Value::as_f64);
    note.is_object()
        && turns(note).is_none_or(|turns| turns > MOST_TURNS)
        && until.is_none_or(|until| until > last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(notes: Value) -> Session {
        let mut session = Session::default();
        session.insert(FIELD, notes);
        session
    }

    #[test]
    fn notes_live_for_as_many_utterances_and_as_long_as_they_say() {
        let mut session = session(json!({
            "once": {"value": null, "turns_remaining": 1}, "twice": {"value": "x", "turns_remaining": 2},
            "late": {"value": "x", "expires_at": 99.0}, "soon": {"value": "x", "expires_at": 101.0},
            "kept": {"value": "x", "turns_remaining": null}, "broken": 7
        }));
        let keys = |session: &Session| -> Vec<String> {
            in_session(session)
                .into_iter()
                .flatten()
                .map(|(key, _)| key.clone())
                .collect()
        };
        prune(&mut session, 100.0);
        assert_eq!(keys(&session), ["once", "twice", "soon", "kept"]);
        count_down(&mut session);
        prune(&mut session, 102.0);
        assert_eq!(keys(&session), ["twice", "kept"]);
        age(&mut session, 102.0);
        assert_eq!(
            session
                .get(FIELD)
                .and_then(|notes| notes.pointer("/kept/expires_at")),
            Some(&json!(102.0 + LONGEST_LIFE))
        );
        prune(&mut session, 103.0 + LONGEST_LIFE);
        assert_eq!(keys(&session), ["twice"]);
    }

    #[test]
    fn a_gate_opens_by_the_notes_of_its_skill_or_of_everybody() {
        let gate = |requires: Value, excludes: Value| {
            let data =
                loquat_wire::object(json!({"requires_context": requires, "excludes_context": excludes}));
            Gate::of("tea", &data)
        };
        let noted = session(
            json!({"tea:milk": {"value": null}, "room": {"value": "kitchen"}, "tea:room": {"value": null}}),
        );
        assert!(gate(json!(["milk"]), json!([])).is_open(&noted));
        assert!(!gate(json!(["milk"]), json!([])).is_open(&Session::default()));
        assert!(gate(json!([{"key": "room", "scope": "shared"}]), json!(["sugar"])).is_open(&noted));
        assert!(!gate(json!([{"key": "milk", "scope": "shared"}]), json!([])).is_open(&noted));
        assert!(!gate(json!([]), json!(["milk"])).is_open(&noted));
        assert_eq!(
            super::noted(&noted, "tea", "room"),
            Some("kitchen"),
            "a flag is no text"
        );
        assert_eq!(super::noted(&noted, "tea", "milk"), None);
    }
}
