//! A thing that a test brings into the fake's home, with what its registry says of it.

use serde_json::{Value, json};

/// A thing.
#[derive(Debug, Clone)]
pub struct Thing {
    pub(super) id: &'static str,
    state: &'static str,
    attributes: Value,
    area: Option<&'static str>,
    is_exposed: bool,
}

impl Thing {
    /// Makes one that conversations see, in no room.
    pub fn new(id: &'static str, name: &str, state: &'static str) -> Self {
        Self {
            id,
            state,
            attributes: json!({"friendly_name": name}),
            area: None,
            is_exposed: true,
        }
    }

    /// Puts it in a room, by its id.
    #[must_use]
    pub fn within(self, area: &'static str) -> Self {
        Self {
            area: Some(area),
            ..self
        }
    }

    /// Makes it one of a class.
    #[must_use]
    pub fn of_class(self, class: &str) -> Self {
        self.with("device_class", json!(class))
    }

    /// That supports this, by the bits of its kind.
    #[must_use]
    pub fn that_can(self, features: u64) -> Self {
        self.with("supported_features", json!(features))
    }

    /// Gives it an attribute.
    #[must_use]
    pub fn with(mut self, attribute: &str, value: Value) -> Self {
        self.attributes[attribute] = value;
        self
    }

    /// That conversations do not see.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self {
            is_exposed: false,
            ..self
        }
    }

    pub(super) fn state(&self) -> Value {
        json!({"s": self.state, "a": self.attributes})
    }

    /// Adds it to what a registry answers.
    pub(super) fn enter(&self, registry: &str, result: &mut Value) {
        let entry = json!({
            "entity_id": self.id,
            "area_id": self.area,
            "aliases": [],
            "options": {"conversation": {"should_expose": self.is_exposed}},
        });
        match (registry, result) {
            ("config/entity_registry/list", Value::Array(list)) => list.push(entry),
            ("config/entity_registry/get_entries", Value::Object(entries)) => {
                entries.insert(self.id.to_owned(), entry);
            }
            _ => {}
        }
    }
}
