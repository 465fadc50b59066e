//! What may fill the gaps of sentences about players: spans of time, forward or back.

use serde_json::Value;

use loquat_kit::intent::InLanguage;
use loquat_kit::slots::seconds;

/// Forward.
pub(super) fn span(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    seconds(said, spoken.lang).map(Value::from)
}

pub(super) fn span_back(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    seconds(said, spoken.lang).map(|seconds| Value::from(-seconds))
}
