//! Whether a run satisfies its scenario: answer, number of brain calls, executed calls, and what stood in the requests.
//!
//! Nothing is played here. A list of complaints comes back, which is empty for a run that satisfies.

use anyhow::{Context, Result};
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

/// Lists what is wrong with a run.
///
/// # Errors
/// When a scenario's pattern is none.
pub fn judge(scenario: &Value, run: &Value) -> Result<Vec<String>> {
    let accepted = list(scenario, "accept").iter();
    let mut complaints = shortfalls(&scenario["expected"], run);
    if accepted
        .into_iter()
        .any(|other| shortfalls(other, run).is_empty())
    {
        complaints.clear();
    }
    let checks = Checks {
        checks: &scenario["checks"],
        requests: list(run, "requests"),
    };
    complaints.extend(checks.answer(run["final_answer"].as_str().unwrap_or_default()));
    complaints.extend(checks.sizes(run));
    complaints.extend(checks.texts());
    complaints.extend(checks.patterns()?);
    Ok(complaints)
}

/// Lists where a run falls short of one outcome.
fn shortfalls(expected: &Value, run: &Value) -> Vec<String> {
    let calls = list(run, "tool_calls");
    let wrong_calls = expected["tool_calls"]
        .as_array()
        .is_some_and(|expected| !are_same_calls(expected, calls));
    let calls = wrong_calls.then(|| format!("tool calls {}", Value::from(calls.to_vec())));
    [
        answer(&expected["final_answer"], &run["final_answer"]),
        brain_calls(&expected["brain_calls"], &run["brain_calls"]),
        calls,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn answer(expected: &Value, given: &Value) -> Option<String> {
    let given = given.as_str().map(str::trim);
    let is_right = match expected {
        Value::Object(_) => given.is_some_and(|given| !given.is_empty()),
        other => other.as_str().map(str::trim) == given,
    };
    (!is_right).then(|| format!("final answer {given:?} is not {expected}"))
}

fn brain_calls(expected: &Value, given: &Value) -> Option<String> {
    let is_right = match expected {
        Value::Null => true,
        Value::Object(range) => {
            let bound = |key: &str| range.get(key).and_then(Value::as_u64);
            let given = given.as_u64().unwrap_or_default();
            (bound("min").unwrap_or(0)..=bound("max").unwrap_or(u64::MAX)).contains(&given)
        }
        exact => exact == given,
    };
    (!is_right).then(|| format!("{given} brain calls are not {expected}"))
}

fn are_same_calls(expected: &[Value], given: &[Value]) -> bool {
    let is_same = |(expected, given): (&Value, &Value)| {
        let arguments = expected["args"].as_object();
        let has =
            |(key, value): (&String, &Value)| given["args"].get(key).is_some_and(|own| is_equal(value, own));
        expected["name"] == given["name"] && arguments.is_none_or(|arguments| arguments.iter().all(has))
    };
    expected.len() == given.len() && expected.iter().zip(given).all(is_same)
}

/// Tells whether two values are equal as JSON, where 2 is 2.0.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => are_equal_members(one, other),
        _ => one == other,
    }
}

fn are_equal_members(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let is_in = |(key, value): (&String, &Value)| other.get(key).is_some_and(|other| is_equal(value, other));
    one.len() == other.len() && one.iter().all(is_in)
}

/// A scenario's conditions on the answer and on what was sent.
struct Checks<'a> {
    checks: &'a Value,
    requests: &'a [Value],
}

impl Checks<'_> {
    fn answer(&self, answer: &str) -> Vec<String> {
        let answer = answer.to_lowercase();
        let forbidden = texts(self.checks, "forbid_in_answer");
        forbidden
            .filter(|text| answer.contains(&text.to_lowercase()))
            .map(|text| format!("the answer has {text:?}"))
            .collect()
    }

    fn sizes(&self, run: &Value) -> Option<String> {
        let most = self.checks["max_request_chars"].as_u64()?;
        let largest = list(run, "request_chars")
            .iter()
            .filter_map(Value::as_u64)
            .max()?;
        (largest > most).then(|| format!("a request has {largest} characters"))
    }

    fn texts(&self) -> Vec<String> {
        let all: Vec<String> = self.requests.iter().map(|request| text(request, false)).collect();
        let outside: Vec<String> = self.requests.iter().map(|request| text(request, true)).collect();
        let last = all.last();
        let mut complaints = Vec::new();
        for wanted in texts(self.checks, "require_in_every_request") {
            if all.iter().any(|text| !text.contains(wanted)) {
                complaints.push(format!("a request lacks {wanted:?}"));
            }
        }
        for wanted in texts(self.checks, "require_in_last_request") {
            if last.is_some_and(|last| !last.contains(wanted)) {
                complaints.push(format!("the last request lacks {wanted:?}"));
            }
        }
        for forbidden in texts(self.checks, "forbid_in_last_request") {
            if last.is_some_and(|last| last.contains(forbidden)) {
                complaints.push(format!("the last request has {forbidden:?}"));
            }
        }
        for forbidden in texts(self.checks, "forbid_outside_assistant") {
            if outside.iter().any(|text| text.contains(forbidden)) {
                complaints.push(format!("{forbidden:?} reaches the brain as a tool wrote it"));
            }
        }
        for (text, most) in self.checks["max_occurrences_per_request"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let most = most.as_u64().unwrap_or_default() as usize;
            if all
                .iter()
                .any(|request| request.matches(text.as_str()).count() > most)
            {
                complaints.push(format!("{text:?} stands more than {most} times in a request"));
            }
        }
        complaints
    }

    fn patterns(&self) -> Result<Vec<String>> {
        let mut complaints = Vec::new();
        let (Some(first), Some(last)) = (self.requests.first(), self.requests.last()) else {
            return Ok(complaints);
        };
        let first = text(first, false);
        for one_of in list(self.checks, "require_any_in_first_request") {
            let patterns = one_of.as_array().into_iter().flatten().filter_map(Value::as_str);
            let patterns: Vec<Regex> = patterns.map(|text| pattern(text, false)).collect::<Result<_>>()?;
            if !patterns.iter().any(|pattern| pattern.is_match(&first)) {
                complaints.push(format!("the first request has none of {one_of}"));
            }
        }
        let newest = list(last, "messages").last().map(content).unwrap_or_default();
        for wanted in texts(self.checks, "require_in_last_observation") {
            if !pattern(wanted, true)?.is_match(newest) {
                complaints.push(format!("the last observation lacks /{wanted}/"));
            }
        }
        Ok(complaints)
    }
}

fn pattern(text: &str, over_lines: bool) -> Result<Regex> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .dot_matches_new_line(over_lines)
        .build()
        .with_context(|| format!("failed to understand the pattern {text:?}"))
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn texts<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v str> {
    list(value, key).iter().filter_map(Value::as_str)
}

fn content(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

/// Joins all that a request says, or all but what the brain said itself.
fn text(request: &Value, outside: bool) -> String {
    let messages = list(request, "messages").iter();
    let messages = messages.filter(|message| !outside || message["role"] != "assistant");
    messages.map(content).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run() -> Value {
        json!({"final_answer": " It is 4. ", "brain_calls": 2, "request_chars": [90],
               "tool_calls": [{"name": "add", "args": {"a": 2.0, "b": [2], "more": 1}}],
               "requests": [{"messages": [{"role": "user", "content": "Two\nand two?"}]}]})
    }

    fn complaints(change: impl FnOnce(&mut Value)) -> usize {
        let mut scenario = json!({
            "expected": {"final_answer": "It is 4.", "brain_calls": {"min": 1, "max": 2},
                         "tool_calls": [{"name": "add", "args": {"a": 2, "b": [2.0]}}]},
            "checks": {"require_in_last_observation": ["two.and"]},
        });
        change(&mut scenario);
        judge(&scenario, &run()).unwrap().len()
    }

    #[test]
    fn each_condition_can_fail() {
        assert_eq!(complaints(|_| {}), 0);
        let conditions = [
            ("/expected/final_answer", json!("It is 5.")),
            ("/expected/brain_calls", json!(3)),
            ("/expected/tool_calls/0/args/a", json!(3)),
            ("/checks", json!({"forbid_in_answer": ["IT IS"]})),
            ("/checks", json!({"max_request_chars": 80})),
            ("/checks", json!({"require_in_every_request": ["three"]})),
            (
                "/checks",
                json!({"require_any_in_first_request": [["three", "four"]]}),
            ),
            ("/checks", json!({"require_in_last_request": ["three"]})),
            ("/checks", json!({"require_in_last_observation": ["three"]})),
            ("/checks", json!({"forbid_in_last_request": ["two"]})),
            ("/checks", json!({"forbid_outside_assistant": ["Two"]})),
            ("/checks", json!({"max_occurrences_per_request": {"two": 0}})),
        ];
        for (place, value) in conditions {
            let shown = format!("{place} {value}");
            let change = |scenario: &mut Value| *scenario.pointer_mut(place).unwrap() = value;
            assert_eq!(complaints(change), 1, "{shown}");
        }
        let otherwise = |scenario: &mut Value| {
            scenario["accept"] = json!([scenario["expected"]]);
            scenario["expected"]["final_answer"] = json!("It is 5.");
        };
        assert_eq!(complaints(otherwise), 0);
    }
}
