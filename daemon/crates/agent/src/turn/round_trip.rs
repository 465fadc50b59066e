//! Whether a call turns round what an earlier one has brought: the same tool, its two ends swapped, with the earlier result put
//! in. It gives the person's own words back. Small models convert the time of another city back in this way, and take that
//! for the answer. Stops nothing itself.

use serde_json::{Map, Value};

use super::Turn;
use crate::gate::text;
use crate::record::CallRecord;

impl Turn {
    /// What the call that is turned round has brought.
    pub(super) fn turned_round(&self, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        let mut calls = self.ledger.steps.iter().flat_map(|step| &step.calls);
        let earlier = calls.find(|call| call.ok && call.tool == tool && is_turned(call, arguments))?;
        Some(earlier.observation.to_string())
    }
}

/// Whether two texts of the earlier call stand in each other's place, and all else comes out of its result.
fn is_turned(earlier: &CallRecord, arguments: &Map<String, Value>) -> bool {
    let is_new = |name: &str| earlier.arguments.get(name) != arguments.get(name);
    let changed: Vec<(&String, &Value)> = arguments.iter().filter(|(name, _)| is_new(name)).collect();
    let comes_from = |name: &String, value: &Value| {
        let mut others = earlier.arguments.iter().filter(|(other, _)| *other != name);
        others.any(|(_, other)| is_same(value, other))
    };
    let (ends, rest): (Vec<_>, Vec<_>) = changed
        .into_iter()
        .partition(|(name, value)| comes_from(name, value));
    ends.len() == 2
        && !rest.is_empty()
        && rest
            .iter()
            .all(|(_, value)| earlier.observation.contains(&text(value)))
}

/// Whether two texts name one thing, as "Karachi" and "Asia/Karachi" do.
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
    fn a_result_that_is_put_in_at_the_other_end_is_turned_round() {
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
        };
        for (arguments, expected) in [
            (
                json!({"time": "8:26 AM", "from": "Asia/Karachi", "to": "here"}),
                true,
            ),
            (json!({"time": "9 pm", "from": "Karachi", "to": "here"}), false),
            (json!({"time": "8:26 AM", "from": "Karachi", "to": "Rome"}), false),
            (json!({"time": "now", "from": "here", "to": "Karachi"}), false),
        ] {
            assert_eq!(
                is_turned(&earlier, arguments.as_object().unwrap()),
                expected,
                "{arguments}"
            );
        }
    }
}
