//! Whether a call is fed with what the same tool has brought before: from Karachi back to here, or to Karachi once more. Small
//! models convert the time of a city again and again in this way, and take what comes of it for the answer. Stops nothing
//! itself; only tools that read are asked about, since setting a thing back is a wish of its own.

use serde_json::{Map, Value};

use crate::gate::text;
use crate::turn::Turn;
use loquat_conversation::record::CallRecord;

impl Turn {
    /// Finds what the earlier call has brought that this one is fed with.
    pub(in crate::turn) fn fed_back(&self, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        let mut calls = self.ledger.steps.iter().flat_map(|step| &step.calls);
        let earlier = calls.find(|call| call.ok && call.tool == tool && is_fed_by(call, arguments))?;
        Some(earlier.observation.to_string())
    }
}

/// Tells whether two texts of the earlier call are kept or stand in each other's place, and all else is a figure of
/// its result. A sum that is added to is no such call: it has no two texts.
fn is_fed_by(earlier: &CallRecord, arguments: &Map<String, Value>) -> bool {
    let is_kept = |(name, value): &(&String, &Value)| {
        let before = earlier.arguments.get(*name);
        before.is_some_and(|before| before == *value || is_same(before, value))
    };
    let (kept, changed): (Vec<_>, Vec<_>) = arguments.iter().partition(is_kept);
    let is_swapped = |(name, value): &(&String, &Value)| {
        let mut others = earlier.arguments.iter().filter(|(other, _)| other != name);
        others.any(|(_, other)| is_same(value, other))
    };
    let (swapped, fed): (Vec<_>, Vec<_>) = changed.into_iter().partition(is_swapped);
    let texts = kept.iter().filter(|(_, value)| value.is_string()).count();
    let is_figure =
        |fed: &str| fed.contains(|c: char| c.is_ascii_digit()) && earlier.observation.contains(fed);
    let stays = swapped.is_empty() && texts == 2 || swapped.len() == 2;
    stays && !fed.is_empty() && fed.iter().all(|(_, value)| is_figure(&text(value)))
}

/// Tells whether two texts name one thing, as "Karachi" and "Asia/Karachi" do.
fn is_same(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_str(), other.as_str()) else {
        return false;
    };
    let [one, other] = [one.to_lowercase(), other.to_lowercase()];
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    one == other || last(&one) == last(&other)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_that_is_put_in_again_is_fed_back() {
        let earlier = CallRecord {
            call_id: "call_1_1".to_owned(),
            tool: "convert_time".to_owned(),
            arguments: json!({"time": "now", "from": "here", "to": "Karachi"})
                .as_object()
                .unwrap()
                .clone()
                .into(),
            executed: true,
            changes: false,
            ok: true,
            observation: r#"{"to":"Asia/Karachi","spoken":"8:26 AM"}"#.into(),
            elapsed: Duration::ZERO,
            undo: None,
            choices: Vec::new(),
        };
        for (arguments, expected) in [
            (
                json!({"time": "8:26 AM", "from": "Asia/Karachi", "to": "here"}),
                true,
            ),
            (json!({"time": "8:26 AM", "from": "here", "to": "Karachi"}), true),
            (
                json!({"time": "8:26 AM", "from": "here", "to": "Asia/Karachi"}),
                true,
            ),
            (json!({"time": "9 pm", "from": "Karachi", "to": "here"}), false),
            (json!({"time": "8:26 AM", "from": "Karachi", "to": "Rome"}), false),
            (json!({"time": "now", "from": "here", "to": "Karachi"}), false),
        ] {
            assert_eq!(
                is_fed_by(&earlier, arguments.as_object().unwrap()),
                expected,
                "{arguments}"
            );
        }
    }
}
