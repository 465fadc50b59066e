//! The limits of a turn: steps, tool calls, tokens and wall clock. The first that is hit wins.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::brain::{ChatReply, ChatRequest, Usage};
use crate::record::Reason;

/// Limits of one turn; the first that is hit wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Brain calls that may ask for tools. After the last one more is made, with tools withheld.
    pub max_iterations: u32,
    /// Tool calls.
    pub max_tool_calls: u32,
    /// Prompt and completion tokens together; absent is unlimited.
    pub max_tokens: Option<u64>,
    /// Wall clock, in seconds.
    pub deadline_seconds: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_iterations: 10,
            max_tool_calls: 20,
            max_tokens: None,
            deadline_seconds: 60,
        }
    }
}

impl Budget {
    /// The wall clock limit.
    pub fn deadline(&self) -> Duration {
        Duration::from_secs(self.deadline_seconds)
    }

    /// The budget with an engine's own `max_iterations`. Less than one step or one second answers nothing, so that
    /// zero and negative numbers count as one.
    pub(crate) fn with_settings(self, settings: &Map<String, Value>) -> Self {
        let number = settings.get("max_iterations").and_then(|value| match value {
            Value::String(text) => text.trim().parse::<f64>().ok(),
            other => other.as_f64(),
        });
        let own = number.map(|number| number.clamp(1.0, f64::from(u32::MAX)) as u32);
        Self {
            max_iterations: own.unwrap_or(self.max_iterations).max(1),
            deadline_seconds: self.deadline_seconds.max(1),
            ..self
        }
    }
}

/// What has been used of a budget.
#[derive(Debug)]
pub(crate) struct Spending {
    budget: Budget,
    started: Instant,
    steps: u32,
    tool_calls: u32,
    tokens: u64,
    /// The longest brain call so far: the closing one will take about as long.
    slowest: Duration,
}

/// About this many characters make a token where the server does not count.
const CHARACTERS_PER_TOKEN: u64 = 4;

impl Spending {
    /// Starts counting now.
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            started: Instant::now(),
            steps: 0,
            tool_calls: 0,
            tokens: 0,
            slowest: Duration::ZERO,
        }
    }

    /// When the turn began.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// When it has to be over.
    pub(crate) fn deadline(&self) -> Instant {
        self.started + self.budget.deadline().min(LONGEST)
    }

    /// Counts a brain call.
    pub(crate) fn count_step(&mut self, request: &ChatRequest, reply: &ChatReply, elapsed: Duration) {
        self.steps += 1;
        self.slowest = self.slowest.max(elapsed);
        self.tokens = self.tokens.saturating_add(match reply.usage {
            Usage {
                prompt_tokens: 0,
                completion_tokens: 0,
            } => estimate(request, reply),
            Usage {
                prompt_tokens,
                completion_tokens,
            } => prompt_tokens.saturating_add(completion_tokens),
        });
    }

    /// Counts a tool call if there is one left.
    pub(crate) fn take_tool_call(&mut self) -> bool {
        let left = self.tool_calls < self.budget.max_tool_calls;
        self.tool_calls += u32::from(left);
        left
    }

    /// The most tool calls a turn may make.
    pub(crate) fn max_tool_calls(&self) -> u32 {
        self.budget.max_tool_calls
    }

    /// The limit that leaves room for nothing but the closing answer, if one does.
    pub(crate) fn spent(&self) -> Option<Reason> {
        if self.steps >= self.budget.max_iterations {
            Some(Reason::MaxIterations)
        } else if self.tool_calls >= self.budget.max_tool_calls && self.tool_calls > 0 {
            Some(Reason::MaxToolCalls)
        } else if self.budget.max_tokens.is_some_and(|most| self.tokens >= most) {
            Some(Reason::CriticalTokens)
        } else if self.steps > 0 && self.remaining() < self.slowest + self.slowest / 4 {
            Some(Reason::Deadline)
        } else {
            None
        }
    }

    /// How much time is left.
    pub(crate) fn remaining(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }

    /// What to tell the brain near the end of the budget, of which its window is a part: `crowding` tells how full it is.
    pub(crate) fn advisory(&self, crowding: f64) -> Option<&'static str> {
        match self.pressure().max(crowding) {
            used if used >= 0.8 => Some(
                "Note: the budget of this turn is nearly used up. You must conclude immediately: answer now.",
            ),
            used if used >= 0.7 => {
                Some("Note: most of the budget of this turn is used up. Complete the current task soon.")
            }
            used if used >= 0.5 => {
                Some("Note: half of the budget of this turn is used up. Consider wrapping up.")
            }
            _ => None,
        }
    }

    /// The largest used share of any limit, 0.0 to 1.0 and beyond.
    fn pressure(&self) -> f64 {
        let share = |used: u64, most: u64| used as f64 / most.max(1) as f64;
        let time = self.started.elapsed().as_secs_f64() / self.budget.deadline().as_secs_f64().max(1.0);
        [
            share(self.steps.into(), self.budget.max_iterations.into()),
            share(self.tool_calls.into(), self.budget.max_tool_calls.into()),
            self.budget
                .max_tokens
                .map_or(0.0, |most| share(self.tokens, most)),
            time,
        ]
        .into_iter()
        .fold(0.0, f64::max)
    }
}

/// Nobody waits longer; also keeps the sum with the starting time in range.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

fn estimate(request: &ChatRequest, reply: &ChatReply) -> u64 {
    let asked: usize = request.messages.iter().map(|message| message.content.len()).sum();
    let answered: usize = reply.content.len()
        + reply
            .tool_calls
            .iter()
            .map(|call| call.arguments.len())
            .sum::<usize>();
    (asked + answered) as u64 / CHARACTERS_PER_TOKEN
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn limited(settings: &Value) -> u32 {
        let settings = settings.as_object().cloned().unwrap_or_default();
        Budget::default().with_settings(&settings).max_iterations
    }

    #[test]
    fn the_engines_own_limit_wins_and_is_at_least_one() {
        assert_eq!(limited(&json!({})), 10);
        assert_eq!(limited(&json!({"max_iterations": 3})), 3);
        assert_eq!(limited(&json!({"max_iterations": "3"})), 3);
        assert_eq!(limited(&json!({"max_iterations": 0})), 1);
        assert_eq!(limited(&json!({"max_iterations": -5})), 1);
        assert_eq!(limited(&json!({"max_iterations": "many"})), 10);
        let none = Budget {
            max_iterations: 0,
            deadline_seconds: 0,
            ..Budget::default()
        }
        .with_settings(&Map::new());
        assert_eq!((none.max_iterations, none.deadline_seconds), (1, 1));
    }

    fn after(steps: u32) -> Spending {
        Spending {
            steps,
            ..Spending::new(Budget::default())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn advice_comes_at_its_six_boundaries() {
        let advice = |steps| {
            after(steps)
                .advisory(0.0)
                .map(|text| text.split(". ").last().unwrap_or_default())
        };
        assert_eq!(advice(4), None);
        assert_eq!(advice(5), Some("Consider wrapping up."));
        assert_eq!(advice(6), Some("Consider wrapping up."));
        assert_eq!(advice(7), Some("Complete the current task soon."));
        assert_eq!(advice(8), Some("You must conclude immediately: answer now."));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_brain_is_asked_to_close_in_time() {
        let spending = Spending {
            steps: 1,
            slowest: Duration::from_secs(20),
            ..Spending::new(Budget::default())
        };
        assert_eq!(spending.spent(), None);
        tokio::time::advance(Duration::from_secs(36)).await;
        assert_eq!(spending.spent(), Some(Reason::Deadline));
    }
}
