//! What may fill the gaps of sentences about players: spans of time, forward or back; and which player a call was about.

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use loquat_kit::intent::InLanguage;
use loquat_kit::slots::seconds;

/// Forward.
pub(super) fn span(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    seconds(said, spoken.lang).map(Value::from)
}

pub(super) fn span_back(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    seconds(said, spoken.lang).map(|seconds| Value::from(-seconds))
}

/// The player that was told something; the one that plays, where none was named.
pub(super) fn object(call: &IntendedCall) -> Option<Map<String, Value>> {
    const NAMING: [&str; 2] = ["choice", "player"];
    let naming = call.arguments.iter();
    let naming = naming.filter(|(argument, _)| NAMING.contains(&argument.as_str()));
    let naming = naming.map(|(argument, value)| (argument.clone(), value.clone()));
    (call.tool == super::CONTROL).then(|| naming.collect())
}
