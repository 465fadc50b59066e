//! Payloads: whatever can serve as the `data` of a message. Never looks inside them.

use serde_json::{Map, Value};

/// Something that can be the `data` of a message.
///
/// Implemented for a JSON map, for a `json!` value and for `()`, the empty payload.
pub trait IntoData {
    /// Makes the payload. A value that is no object counts as empty, as it does when a frame is read.
    fn into_data(self) -> Map<String, Value>;
}

impl IntoData for Map<String, Value> {
    fn into_data(self) -> Map<String, Value> {
        self
    }
}

impl IntoData for Value {
    fn into_data(self) -> Map<String, Value> {
        object(self)
    }
}

impl IntoData for () {
    fn into_data(self) -> Map<String, Value> {
        Map::new()
    }
}

/// Adds a field to an object. A value that is no object stays as it was.
pub fn with(mut data: Value, key: &str, value: impl Into<Value>) -> Value {
    if let Value::Object(fields) = &mut data {
        fields.insert(key.to_owned(), value.into());
    }
    data
}

/// Takes the map out of a `json!({…})` value. It is empty when the value is no object.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
