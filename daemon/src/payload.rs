//! The `data` of frames: one field more, where it depends.

use serde_json::Value;

/// The object with one field more; anything else as it was.
pub fn with(mut data: Value, key: &str, value: impl Into<Value>) -> Value {
    if let Value::Object(fields) = &mut data {
        fields.insert(key.to_owned(), value.into());
    }
    data
}
