//! The result of a turn as others read it: one JSON object with times in seconds. Never read back; the journal keeps the
//! [`Record`] itself.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::record::{CallRecord, Reason, Record, StepRecord};

/// The result of a turn, as programs read it.
#[derive(Debug, Serialize)]
pub struct TurnResult<'a> {
    turn_id: &'a str,
    termination_reason: Reason,
    /// Says whether the answer is one that the engine meant to give.
    success: bool,
    answer: &'a str,
    /// Brain calls that gave a reply.
    iterations: usize,
    /// Counts all calls, also those that failed.
    brain_calls: u32,
    steps: Vec<Step<'a>>,
    /// All tool calls in the order in which they were asked for.
    results: Vec<Outcome<'a>>,
    success_count: usize,
    plan: &'a [String],
    tokens: Tokens,
    /// The cost in the currency of the brain's prices; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
    /// The tool whose result marked the turn with strangers' words.
    #[serde(skip_serializing_if = "Option::is_none")]
    tainted_by: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Step<'a> {
    thought: &'a str,
    /// Ids of the calls that it asked for.
    calls: Vec<&'a str>,
    tokens: Tokens,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Outcome<'a> {
    call_id: &'a str,
    tool: &'a str,
    arguments: &'a Map<String, Value>,
    executed: bool,
    success: bool,
    /// The text that the brain was shown of it.
    observation: &'a str,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Tokens {
    prompt: u64,
    completion: u64,
    /// Set where a server counted nothing and these, and the cost, are estimates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

impl<'a> From<&'a Record> for TurnResult<'a> {
    fn from(record: &'a Record) -> Self {
        let results: Vec<Outcome<'a>> = record
            .steps
            .iter()
            .flat_map(|step| &step.calls)
            .map(Outcome::from)
            .collect();
        Self {
            turn_id: &record.turn_id,
            termination_reason: record.reason,
            success: record.reason.is_success(),
            answer: &record.answer,
            iterations: record.steps.len(),
            brain_calls: record.brain_calls,
            steps: record.steps.iter().map(Step::from).collect(),
            success_count: results.iter().filter(|call| call.success).count(),
            results,
            plan: &record.plan,
            tokens: record.usage.into(),
            cost: (record.usage.cost_millionths > 0).then(|| record.usage.cost_millionths as f64 / 1e6),
            seconds: record.elapsed.as_secs_f64(),
            fault: record.fault.as_deref(),
            tainted_by: record.taint.as_deref(),
        }
    }
}

impl<'a> From<&'a StepRecord> for Step<'a> {
    fn from(step: &'a StepRecord) -> Self {
        Self {
            thought: &step.thought,
            calls: step.calls.iter().map(|call| call.call_id.as_str()).collect(),
            tokens: step.usage.into(),
            seconds: step.brain_time.as_secs_f64(),
        }
    }
}

impl<'a> From<&'a CallRecord> for Outcome<'a> {
    fn from(call: &'a CallRecord) -> Self {
        Self {
            call_id: &call.call_id,
            tool: &call.tool,
            arguments: &call.arguments,
            executed: call.executed,
            success: call.ok,
            observation: &call.observation,
            seconds: call.elapsed.as_secs_f64(),
        }
    }
}

impl From<crate::brain::Usage> for Tokens {
    fn from(usage: crate::brain::Usage) -> Self {
        Self {
            prompt: usage.prompt_tokens,
            completion: usage.completion_tokens,
            estimated: usage.estimated,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::brain::Usage;

    fn call(id: &str, ok: bool) -> CallRecord {
        CallRecord {
            call_id: id.to_owned(),
            tool: "add".to_owned(),
            arguments: Map::from_iter([("a".to_owned(), json!(1))]).into(),
            executed: true,
            changes: false,
            ok,
            observation: "2".into(),
            elapsed: Duration::from_millis(250),
            undo: None,
            choices: Vec::new(),
        }
    }

    #[test]
    fn reason_steps_calls_tokens_times_plan_and_answer_are_in_it() {
        let usage = Usage {
            prompt_tokens: 10,
            completion_tokens: 3,
            cost_millionths: 2_500,
            estimated: false,
        };
        let step = StepRecord {
            thought: "add".to_owned(),
            calls: vec![call("c1", true), call("c2", false)],
            brain_time: Duration::from_millis(1500),
            usage,
        };
        let record = Record {
            turn_id: "t".to_owned(),
            answer: "Two.".to_owned(),
            reason: Reason::Answered,
            fault: None,
            brain_error: None,
            plan: vec!["add".to_owned()],
            restated: None,
            steps: vec![step],
            brain_calls: 2,
            usage,
            elapsed: Duration::from_secs(2),
            taint: None,
            history: Vec::new(),
        };
        let tokens = json!({"prompt": 10, "completion": 3});
        let called = |id: &str, success: bool| {
            json!({"call_id": id, "tool": "add", "arguments": {"a": 1}, "executed": true, "success": success,
                   "observation": "2", "seconds": 0.25})
        };
        let expected = json!({
            "turn_id": "t", "termination_reason": "answered", "success": true, "answer": "Two.",
            "iterations": 1, "brain_calls": 2,
            "steps": [{"thought": "add", "calls": ["c1", "c2"], "tokens": tokens, "seconds": 1.5}],
            "results": [called("c1", true), called("c2", false)], "success_count": 1,
            "plan": ["add"], "tokens": tokens, "cost": 0.0025, "seconds": 2.0,
        });
        assert_eq!(serde_json::to_value(TurnResult::from(&record)).unwrap(), expected);
    }
}
