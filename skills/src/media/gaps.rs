//! What may fill the gaps of sentences about players: spans of time, forward or back.

use serde_json::Value;

use crate::alerts::span_seconds;
use crate::intent::InLanguage;

/// Forward.
pub(super) fn span(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    span_seconds(said, spoken).map(Value::from)
}

/// Back.
pub(super) fn span_back(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    span_seconds(said, spoken).map(|seconds| Value::from(-seconds))
}
