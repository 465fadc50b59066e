//! What a handler changed in the session of its dispatch (SESSION-2 §2.6). What it did not change is not adopted: it may
//! have become something else meanwhile.

use loquat_wire::Session;
use serde_json::{Map, Value};

use super::notes;

/// What of a session is a handler's to change. Skills of ovos-workshop put their own process's default session on what
/// they send; who is active, the language and the pipeline in it are not those of this device.
const OWNED: [&str; 2] = ["persona_id", "response_mode"];

/// The changes of one handler.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    fields: Map<String, Value>,
    notes: Map<String, Value>,
}

impl Changes {
    /// Finds what differs between the session that a handler got and the one that it sent back.
    ///
    /// A field that is missing was not removed: older skills do not know it. An empty text removes.
    pub fn between(before: &Session, after: &Session) -> Self {
        let mistyped = after.mistyped();
        let changed = |field: &&&str| {
            !mistyped.iter().any(|(wrong, _)| wrong == *field) && after.get(field) != before.get(field)
        };
        let fields = OWNED.iter().filter(changed);
        Self {
            fields: fields
                .filter_map(|field| Some(((*field).to_owned(), after.get(field)?.clone())))
                .collect(),
            notes: notes::changed(before, after),
        }
    }

    /// Makes the same changes in a session.
    pub fn apply(&self, session: &mut Session) {
        for (field, value) in &self.fields {
            if value.as_str() == Some("") {
                session.remove(field);
            } else {
                session.insert(field.clone(), value.clone());
            }
        }
        notes::merge(session, &self.notes);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn session(fields: Value) -> Session {
        Session::from(loquat_wire::object(fields))
    }

    #[test]
    fn only_what_a_handler_changed_is_adopted() {
        let before = session(
            json!({"persona_id": "Pirate", "intent_context": {"a": {"value": "1"}, "b": {"value": "2"}}}),
        );
        let now = session(json!({"intent_context": {"b": {"value": "3"}}}));
        let adopted = |after: Value| {
            let mut session = now.clone();
            Changes::between(&before, &self::session(after)).apply(&mut session);
            session
        };
        assert_eq!(adopted(json!({})), now);
        let untouched = before.clone();
        assert_eq!(
            adopted(Value::Object(untouched.into())),
            now,
            "who was dismissed stays away"
        );
        assert_eq!(
            adopted(json!({"persona_id": 7, "response_mode": "x", "lang": "xx"})),
            now
        );
        assert_eq!(adopted(json!({"persona_id": "Cook"})).persona_id(), Some("Cook"));
        let after = json!({"persona_id": "Pirate",
                           "intent_context": {"a": {"value": "1"}, "b": null, "c": {"value": "4"}, "d": 7}});
        assert_eq!(
            adopted(after).get("intent_context"),
            Some(&json!({"c": {"value": "4"}}))
        );
        let mut own = before.clone();
        Changes::between(&before, &session(json!({"persona_id": ""}))).apply(&mut own);
        assert_eq!(own.persona_id(), None);
    }
}
